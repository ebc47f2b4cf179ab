package train

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train/internal/team"
)

// OneVsOne trains a classifier: one machine for each pair of classes, which
// vote. It draws from rng only for probabilities.
type OneVsOne struct {
	Solver Solver
	Kernel kernel.Kernel
	Task   models.Task // what the model says it is: models.CSVC or models.NuSVC
	// Weights multiply the cost of errors on classes. Several of one label
	// multiply.
	Weights []ClassWeight
	// Probability asks for a sigmoid with each machine.
	Probability bool
	Report      Report
	// Threads is the largest number of pairs to work on at once, 0 for one a
	// processor (GOMAXPROCS). The model does not depend on it.
	Threads int

	store  *kernel.Store // of the data set that origin counts in; nil: that of Train
	origin []int         // the row in store of each row of Train's data set; nil: its own
	part   bool          // Train's data set is a part of a pair
	room   *room         // for the model
	most   int           // rows of the largest pair
}

// A ClassWeight is a factor on the cost of errors on one class.
type ClassWeight struct {
	Label  int
	Weight float64
}

var _ Forker = OneVsOne{}

// Fork implements Forker.
func (t OneVsOne) Fork(report Report) Trainer {
	t.Report = report
	return t
}

// Workers implements Forker.
func (t OneVsOne) Workers() int { return t.Threads }

// Draws implements Forker: with Probability each pair draws one number a row.
func (t OneVsOne) Draws(d *format.Dataset) int {
	if !t.Probability {
		return 0
	}
	c, err := GroupClasses(d.Y, nil)
	if err != nil {
		return 0 // nor does Train
	}
	return (len(c.Labels) - 1) * len(d.Y)
}

// Train implements Trainer.
func (t OneVsOne) Train(ctx context.Context, d *format.Dataset, rng *Rand) (*models.Model, error) {
	ctx, stop := team.With(ctx, t.Threads) // whose threads start meanwhile
	defer stop()
	if err := CheckData(ctx, t.Kernel, d, true); err != nil {
		return nil, err
	}
	for _, w := range t.Weights {
		if !(w.Weight > 0) {
			return nil, fmt.Errorf("weight %v of class %d is not positive", w.Weight, w.Label)
		}
	}
	classes, err := groupClasses(d.Y, t.Report, t.room)
	if err != nil {
		return nil, err
	}
	if err := classes.check(t.Report); err != nil {
		return nil, err
	}
	factors := t.factors(classes)
	k := len(classes.Labels)
	if k == 1 {
		t.Report.Send(SingleClass{classes.Labels[0]})
	}
	m := &models.Model{Task: t.Task, Kernel: t.Kernel, Labels: classes.Labels, Probability: t.Probability}
	m.Machines = make([]models.Machine, 0, models.Pairs(k))
	var draws []Rand // where each pair's random numbers begin
	for i := range k {
		for j := i + 1; j < k; j++ {
			m.Machines = append(m.Machines, models.Machine{Pos: i, Neg: j})
			if t.Probability {
				draws = append(draws, *rng)
				rng.Skip(len(classes.Rows[i]) + len(classes.Rows[j]))
			}
		}
	}
	if t.store == nil {
		t.store = newStore(ctx, &d.X)
	}
	for i := range m.Machines {
		t.most = max(t.most, len(classes.Rows[m.Machines[i].Pos])+len(classes.Rows[m.Machines[i].Neg]))
	}
	t.store.Expect(t.most)
	if t.Probability {
		t.store.Repeat()
	}
	coefs := make([]pairCoefs, len(m.Machines))
	size := func(at int) int {
		return len(classes.Rows[m.Machines[at].Pos]) + len(classes.Rows[m.Machines[at].Neg])
	}
	err = inOrder(ctx, len(coefs), size, t.Report, func(ctx context.Context, at int, report Report) error {
		machine := &m.Machines[at]
		i, j := machine.Pos, machine.Neg
		p := pairs.Get().(*pair)
		defer pairs.Put(p)
		*p = pair{t, d, [2]int{classes.Labels[i], classes.Labels[j]}, classes.Rows[i], classes.Rows[j], factors[i], factors[j]}
		p.Report = report
		var err error
		if t.Probability {
			coefs[at], machine.Rho, machine.Sigmoid, err = p.calibrate(ctx, &draws[at])
		} else {
			coefs[at], machine.Rho, err = p.solve(ctx)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	stop() // the solver's memory has been of use
	t.assemble(m, d, classes, coefs)
	t.Report.Send(Assembled{m.Vectors.Len()})
	return m, nil
}

// newStore returns a store of x, at which all threads of ctx look.
func newStore(ctx context.Context, x *vec.Matrix) *kernel.Store {
	workers, do := workers(ctx)
	return kernel.NewStoreBy(workers, do, x)
}

// factors returns the weights of each class, in their order.
func (t OneVsOne) factors(c *Classes) []Factors {
	place := make(map[int]int, len(c.Labels))
	for i, label := range c.Labels {
		place[label] = i
	}
	factors := make([]Factors, len(c.Labels))
	for _, w := range t.Weights {
		if i, ok := place[w.Label]; ok {
			factors[i] = append(factors[i], w.Weight)
		} else {
			t.Report.Send(WeightUnused{w.Label})
		}
	}
	return factors
}

// A pair is the training problem of two classes of a data set.
type pair struct {
	OneVsOne
	d                    *format.Dataset
	labels               [2]int
	pos, neg             []int // rows
	posFactor, negFactor Factors
}

// pairs are those that are free.
var pairs = sync.Pool{New: func() any { return new(pair) }}

// listing is the memory for the rows and labels of a pair, and for what is solved.
type listing struct {
	problem      Problem // of a StoreSolver
	rows, stored []int
	y, coef      []float64

	perm   []int // of a calibration
	values []float64
}

var listings = sync.Pool{New: func() any { return new(listing) }}

// list returns the pair's rows, those of the first class first. Whoever has no more
// use for it puts it back. Its memory is enough for the largest pair, so that none is left
// behind by smaller ones.
func (p *pair) list() *listing {
	l := listings.Get().(*listing)
	p.most = max(p.most, len(p.pos)+len(p.neg))
	l.rows = append(append(slices.Grow(l.rows[:0], p.most), p.pos...), p.neg...)
	l.y = slices.Grow(l.y[:0], p.most)
	for range p.pos {
		l.y = append(l.y, 1)
	}
	for range p.neg {
		l.y = append(l.y, -1)
	}
	return l
}

// solve finds the machine of the pair: coefficients and rho.
func (p *pair) solve(ctx context.Context) (c pairCoefs, rho float64, err error) {
	l := p.list()
	defer listings.Put(l)
	rows := l.rows
	l.coef = slices.Grow(l.coef[:0], p.most)[:len(rows)]
	problem := &l.problem
	if _, ok := p.Solver.(StoreSolver); !ok {
		problem = new(Problem) // which another solver may keep
		problem.X = p.d.X.Select(rows)
	}
	defer func() { l.problem = Problem{} }()
	problem.Kernel, problem.Y, problem.Coef = p.Kernel, l.y, l.coef
	problem.Weight.Pos, problem.Weight.Neg = p.posFactor, p.negFactor
	problem.RowWeight = p.d.Weights(rows)
	problem.Store, problem.Rows = p.store, p.stored(&l.stored, rows)
	if problem.Report = p.Report; p.Report == nil {
		problem.Report = func(Event) {}
	}
	s, err := p.Solver.Solve(ctx, problem)
	if err != nil {
		return c, 0, p.named(err)
	}
	return p.compress(s.Coef, len(p.pos)), s.Rho, nil
}

// named returns an error with the pair's labels. Those of a part of a pair are not
// the caller's, and left to the pair.
func (p *pair) named(err error) error {
	if err == nil || p.part {
		return err
	}
	return &PairError{p.labels, err}
}

// stored returns where rows of the data set are in the store, in to if that is not in
// rows already.
func (p *pair) stored(to *[]int, rows []int) []int {
	if p.origin == nil {
		return rows
	}
	s := slices.Grow((*to)[:0], p.most)
	for _, row := range rows {
		s = append(s, p.origin[row])
	}
	*to = s
	return s
}

// pairCoefs are the coefficients of one pair's rows, those of the first class
// before those of the second. Rows that are not listed have coefficient 0, in
// the second class -0: such zeros stand in model files with their sign.
type pairCoefs struct {
	row  []int32 // increasing
	coef []float64
}

// compress lists the coefficients that are not the zero of their class.
func (t *OneVsOne) compress(coefs []float64, pos int) pairCoefs {
	listed := func(i int) bool { return coefs[i] != 0 || math.Signbit(coefs[i]) != (i >= pos) }
	n := 0
	for i := range coefs {
		if listed(i) {
			n++
		}
	}
	c := pairCoefs{numbers(t.room, narrow, n)[:0], numbers(t.room, floats, n)[:0]}
	for i, v := range coefs {
		if listed(i) {
			c.row = append(c.row, int32(i))
			c.coef = append(c.coef, v)
		}
	}
	return c
}

// fewListed is how many times more vectors than coefficients that are not 0 machines have
// that list theirs.
const fewListed = 2

// list makes a machine of a model that is not kept list the vectors that it has coefficients
// for, in the memory of these, if they are few. What LIBSVM adds for others is 0 if their
// kernel values are finite, as the Gaussian kernel's are.
func (t *OneVsOne) list(machine *models.Machine, c pairCoefs, vector [][]int32, group []int) bool {
	k, is := t.Kernel.(kernel.RBF)
	if t.room == nil || !is || !(k.Gamma > 0) || fewListed*len(c.row) > group[machine.Pos]+group[machine.Neg] {
		return false
	}
	machine.Index, machine.Coef = c.row[:0], c.coef[:0]
	pos, neg := vector[machine.Pos], vector[machine.Neg]
	for k, row := range c.row {
		if c.coef[k] == 0 {
			continue
		}
		var v int32 // from 1
		if at := int(row); at < len(pos) {
			v = pos[at]
		} else {
			v = neg[at-len(pos)]
		}
		machine.Index, machine.Coef = append(machine.Index, v-1), append(machine.Coef, c.coef[k])
	}
	return true
}

// vectors returns rows of a data set as the vectors of a model in a room.
func (t *OneVsOne) vectors(d *format.Dataset, rows []int, r *room) vec.Matrix {
	if r == nil || t.Kernel == (kernel.Precomputed{}) {
		return SelectVectors(t.Kernel, d, rows)
	}
	d.X.SelectTo(&r.vectors, rows)
	return r.vectors
}

// assemble makes the solutions of all pairs a model whose machines share their
// vectors: the rows with a coefficient that is not zero in any pair, grouped by
// class. A machine keeps a coefficient for all vectors of its two classes, or, if the model is
// not kept, for those of them that have one.
func (t *OneVsOne) assemble(m *models.Model, d *format.Dataset, classes *Classes, coefs []pairCoefs) {
	vector := make([][]int32, len(classes.Rows)) // of each row of a class, from 1; 0: none yet
	for c, rows := range classes.Rows {
		vector[c] = numbers(t.room, narrow, len(rows))
	}
	for p, machine := range m.Machines {
		pos := vector[machine.Pos]
		for k, row := range coefs[p].row {
			switch {
			case coefs[p].coef[k] == 0:
			case int(row) < len(pos):
				pos[row] = 1
			default:
				vector[machine.Neg][int(row)-len(pos)] = 1
			}
		}
	}
	n := 0
	for _, marks := range vector {
		for _, is := range marks {
			n += int(is)
		}
	}
	rows := numbers(t.room, ints, n)[:0]
	m.Origin = numbers(t.room, ints, n)[:0]
	for c, members := range classes.Rows {
		before := len(rows)
		for k, row := range members {
			if vector[c][k] != 0 {
				rows = append(rows, row)
				vector[c][k] = int32(len(rows))
				m.Origin = append(m.Origin, row+1)
			}
		}
		m.Group = append(m.Group, len(rows)-before)
	}
	m.Vectors = t.vectors(d, rows, t.room)
	start := m.GroupStart()
	for p := range m.Machines {
		machine, c := &m.Machines[p], coefs[p]
		if t.list(machine, c, vector, m.Group) {
			continue
		}
		pos, neg := vector[machine.Pos], vector[machine.Neg]
		behind := m.Group[machine.Pos] // of vectors of the first class
		machine.Coef = numbers(t.room, floats, behind+m.Group[machine.Neg])
		for k := range machine.Coef[behind:] {
			machine.Coef[behind+k] = math.Copysign(0, -1)
		}
		for k, row := range c.row {
			if at := int(row); at < len(pos) {
				if v := int(pos[at]); v > 0 {
					machine.Coef[v-1-start[machine.Pos]] = c.coef[k]
				}
			} else if v := int(neg[at-len(pos)]); v > 0 {
				machine.Coef[behind+v-1-start[machine.Neg]] = c.coef[k]
			}
		}
		coefs[p] = pairCoefs{}
	}
}
