package predict

import (
	"math"
	"slices"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/predict/internal/pairs"
)

// Problem: compute Probabilities for the rows of a batch, with the same bits as the predictor's for
// one row.
//
// Method: sigmoids are computed for many rows at a time, and rows are coupled side by side.

// coupled has the class probabilities of a batch. The zero coupled is ready.
type coupled struct {
	known  bool
	of     []float64 // probability of class c, of k classes, for row r at [r*k+c]
	limits []bool    // for each row, whether the coupling stopped at its limit

	rows     []int32
	z, size  []float64 // as in a memberBatch, for some rows
	exps     []float64
	pairs    []float64 // probability of pair q for the n-th of these rows at [q*rows+n]
	coupling pairs.Coupling
}

// coupledNumbers is about how many pair probabilities are in memory at a time: 256 KB. There are at
// least coupledRows rows at a time.
const (
	coupledNumbers = 1 << 15
	coupledRows    = 32
)

// couple computes the probabilities of all rows of a decided batch now, rather than when the first
// is asked for. It has an effect only on pairwise models of three or more classes; for others
// little remains to be computed.
func (b *Batch) couple() {
	b.checkDecided()
	m, c := b.p.model, &b.coupled
	k := len(m.Labels)
	if c.known || !m.Probability || !m.Task.Classifies() || m.Vote != models.OneVsOne || k < 3 || b.n < fewRows {
		return
	}
	c.reserve(b.n, k)
	if k > oneBlock {
		s := b.p.scratch()
		defer scratches.Put(s)
		s.collect(m)
		for r := range b.n {
			b.load(s, r)
			c.limits[r] = s.coupleMany(c.of[r*k:(r+1)*k], s.decisions)
		}
		c.known = true
		return
	}
	step := pad(max(coupledNumbers/len(m.Machines), coupledRows))
	for from := 0; from < b.n; from += step {
		to := min(from+step, b.n)
		n := pad(to - from)
		c.sigmoids(m, b.sums, b.lanes, from, n)
		c.coupling.Rows(c.of[from*k:to*k], c.limits[from:to], c.pairs, k, n)
	}
	c.known = true
}

// reserve makes room for the probabilities of this many rows.
func (c *coupled) reserve(rows, classes int) {
	c.of = room(c.of, rows*classes)
	if cap(c.limits) < rows {
		c.limits = make([]bool, BatchRows)
	}
	c.limits = c.limits[:rows]
}

// sigmoids sets c.pairs for n rows from row from on. sums has the machines' values, lanes of them
// for each machine.
func (c *coupled) sigmoids(m *models.Model, sums []float64, lanes, from, n int) {
	c.rows = c.rows[:0]
	for r := range n {
		c.rows = append(c.rows, int32(from+r))
	}
	all := n * len(m.Machines)
	c.z, c.size, c.exps, c.pairs = room(c.z, n), room(c.size, n), room(c.exps, n), room(c.pairs, all)
	for q := range m.Machines {
		s, of := m.Machines[q].Sigmoid, c.pairs[q*n:(q+1)*n]
		pairs.Arguments(c.z, c.size, sums[q*lanes:(q+1)*lanes], c.rows, s.A, s.B)
		kernel.ExpTo(c.exps, c.size)
		pairs.Logistic(of, c.z, c.exps, pairLimit)
		for r, v := range of {
			if math.IsNaN(v) {
				of[r] = clampForCoupling(v)
			}
		}
	}
}

// AnswerProbabilities fills the batch with xs as Decide does. It is faster if the batch is then
// asked for Probabilities: with many classes, or of an ensemble, it computes little else, and other
// values only when they are asked for. Do not change xs while the batch is asked.
func (b *Batch) AnswerProbabilities(xs []vec.Vector) {
	b.checkFill(xs)
	m := b.p.model
	if m.Vote == models.Ensemble && m.Probability && len(m.Labels) > 1 && len(xs) >= fewRows {
		b.answers = b.answers[:0]
		b.answerEnsemble(xs, true)
		b.begin(xs)
		b.coupled.known, b.answered = true, true
		return
	}
	if l := (layout{m, b.p.start}); !l.manyClasses() || !m.Probability {
		b.Decide(xs)
		b.couple()
		return
	}
	c, k, machines := &b.coupled, len(b.p.model.Labels), len(b.p.model.Machines)
	s := b.p.scratch()
	defer scratches.Put(s)
	s.collect(b.p.model)
	c.reserve(len(xs), k)
	step := rowsAtOnce(m.Vote, machines)
	for from := 0; from < len(xs); from += step {
		part := xs[from:min(from+step, len(xs))]
		s.pairs = room(s.pairs, len(part)*machines)
		b.pack(part).values(s.pairs, &b.rows)
		for r := range part {
			at := from + r
			c.limits[at] = s.coupleMany(c.of[at*k:(at+1)*k], s.pairs[r*machines:(r+1)*machines])
		}
	}
	b.begin(xs)
	c.known = true
}

// blockValues is about how many machine values are in memory at a time: 8 MB. There are at least
// fewRows rows at a time. With fewer rows, most lanes would be empty: 500 classes take 8 rows.
const blockValues = 1 << 20

// ensembleValues is blockValues for an ensemble. Its machines have a vector each, so that empty lanes
// cost little.
const ensembleValues = 1 << 18

// collect stores the machines' sigmoids next to each other, for coupleMany.
func (s *scratch) collect(m *models.Model) {
	s.sigmoids = slices.Grow(s.sigmoids[:0], len(m.Machines))
	for i := range m.Machines {
		s.sigmoids = append(s.sigmoids, *m.Machines[i].Sigmoid)
	}
}

// coupleMany sets dst to the class probabilities that follow from the machines' values. It
// overwrites the values. Its lanes are pairs and classes.
func (s *scratch) coupleMany(dst, values []float64) (limit bool) {
	const some = 512 // pairs at a time, a multiple of pairs.Lanes
	var z, size, exps [some]float64
	for from := 0; from < len(values); from += some {
		part := values[from:min(from+some, len(values))]
		for i, of := range s.sigmoids[from:][:len(part)] {
			f := part[i]
			z[i] = float64(f*of.A) + of.B
			size[i] = -math.Abs(z[i])
		}
		n := len(part)
		kernel.ExpTo(exps[:n], size[:n])
		pairs.Logistic(z[:pad(n)], z[:pad(n)], exps[:pad(n)], pairLimit)
		for i, v := range z[:n] {
			if math.IsNaN(v) {
				v = clampForCoupling(v)
			}
			part[i] = v
		}
	}
	return s.coupling.One(dst, values)
}
