package predict

import (
	"math"

	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/predict/internal/pairs"
)

// Problem: Probabilities for the rows of a batch, with the bits of the predictor's for one.
// Sigmoids are computed for many rows at a time, and rows are coupled side by side.

// coupled are the probabilities of the classes for a batch. The zero coupled is ready.
type coupled struct {
	known  bool
	of     []float64 // of class c for row r, of k classes, at [r*k+c]
	limits []bool    // of each row, whether the coupling ended at its limit

	rows     []int32
	z, size  []float64 // as in a chorus, for some rows
	exps     []float64
	pairs    []float64 // of pair q and the n-th row of these at [q*rows+n]
	coupling pairs.Coupling
}

// coupledNumbers is about how many probabilities of pairs are in memory at a time: 256 KB,
// if they are of at least coupledRows rows.
const (
	coupledNumbers = 1 << 15
	coupledRows    = 32
)

// Couple computes the Probabilities of all rows of a batch that is decided, which else are
// computed when the first is asked for. It does nothing if they are not those of pairs of three classes
// or more: for others little is left to compute.
func (b *Batch) Couple() {
	b.decided()
	m, c := b.p.model, &b.coupled
	k := len(m.Labels)
	if c.known || !m.Probability || !m.Task.Classifies() || m.Vote != models.OneVsOne || k < 3 || b.n < fewRows {
		return
	}
	c.of = room(c.of, b.n*k)
	if cap(c.limits) < b.n {
		c.limits = make([]bool, BatchRows)
	}
	c.limits = c.limits[:b.n]
	step := pad(max(coupledNumbers/len(m.Machines), coupledRows))
	for from := 0; from < b.n; from += step {
		to := min(from+step, b.n)
		n := pad(to - from)
		c.sigmoids(m, b.sums, b.lanes, from, n)
		c.coupling.Rows(c.of[from*k:to*k], c.limits[from:to], c.pairs, k, n)
	}
	c.known = true
}

// sigmoids sets the probabilities of the pairs for n rows; sums are the machines' values, of
// so many lanes.
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
				of[r] = apart(v)
			}
		}
	}
}
