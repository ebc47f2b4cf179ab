package train

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/internal/ended"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train/internal/team"
)

// OneVsOne trains a classifier with one machine for each pair of classes, which vote. This is what
// svm-train does. It draws from rng only for probabilities; otherwise rng may be nil.
type OneVsOne struct {
	Solver Solver        // of each pair, such as smo.DefaultCSVC()
	Kernel kernel.Kernel // must be set
	Task   models.Task   // of the model: models.CSVC or models.NuSVC
	// Weights multiply the cost of errors on classes. Several weights of one label are multiplied.
	Weights []ClassWeight
	// Probability asks for a sigmoid for each machine.
	Probability bool
	// Report receives all events, the solver's included. The solver's own Report is not called.
	// nil: events are dropped.
	Report Report
	// Brief suppresses the events that machines report when all is well (Progress, GradientRebuilt,
	// SlowShrinking, Solved, ModelAssembled). With thousands of machines these take memory.
	Brief bool
	// SortClasses lists the classes in order of their labels, so that of those with equally many votes
	// the one with the smallest label is predicted: with the labels of an encoding the one that is
	// declared first, as by Weka's SMO. Without it the order is LIBSVM's, see [Classes].
	SortClasses bool
	// Threads is the largest number of threads, which train pairs side by side or share the work of
	// one; 0 means one for each processor (GOMAXPROCS). The solver's own Threads does not count. The
	// model does not depend on it.
	Threads int

	inStore                 // of Train's data set; empty: Train makes a store
	part    bool            // Train's data set is a part of a pair
	arena   *arena          // memory for a model that is soon dropped; nil: the model is kept
	coefs   *arena          // memory for the coefficients: arena, or one that lasts as long as the model
	most    int             // number of rows of the largest pair
	classes *kernel.Classes // nil: pairs compute their own kernel values
}

// A ClassWeight multiplies the cost of errors on one class.
type ClassWeight struct {
	Label  int
	Weight float64 // above 0; +Inf, which allows no error, only for solvers that accept infinite costs
}

var (
	_ Forker       = OneVsOne{}
	_ StoreTrainer = OneVsOne{}
)

// OnStore implements StoreTrainer.
func (t OneVsOne) OnStore(store *kernel.Store, rows []int) Trainer {
	t.inStore = inStore{store, rows}
	return t
}

// Fork implements Forker.
func (t OneVsOne) Fork(report Report) Trainer {
	t.Report = report
	return t
}

// Workers implements Forker.
func (t OneVsOne) Workers() int { return t.Threads }

// Draws implements [Forker]. With Probability each pair draws one number for each of its rows.
func (t OneVsOne) Draws(d *format.Dataset) int {
	if !t.Probability {
		return 0
	}
	c, err := GroupClasses(d.Y, nil)
	if err != nil {
		return 0 // Train fails for the same reason
	}
	return (len(c.Labels) - 1) * len(d.Y)
}

// Train implements Trainer.
func (t OneVsOne) Train(ctx context.Context, d *format.Dataset, rng *Rand) (*models.Model, error) {
	outer := ctx
	ctx, stop := team.With(ctx, t.Threads) // its threads start while the data are checked
	defer stop()
	if err := t.check(); err != nil {
		return nil, err
	}
	if err := CheckData(ctx, t.Kernel, d, true); err != nil {
		return nil, err
	}
	checkStored(t.store, t.origin, &d.X)
	classes, err := groupClasses(d.Y, t.Report, t.arena)
	if err != nil {
		return nil, err
	}
	if t.arena == nil { // else the caller has checked the classes of all folds together
		if err := classes.Check(t.Report); err != nil {
			return nil, err
		}
	}
	if t.SortClasses {
		classes.sort()
	}
	factors := t.factors(classes)
	k := len(classes.Labels)
	if k == 1 {
		t.Report.Send(SingleClass{classes.Labels[0]})
	}
	m := &models.Model{Task: t.Task, Kernel: t.Kernel, Labels: classes.Labels, Probability: t.Probability}
	m.Machines = t.arena.machines(models.Pairs(k))
	for i := range k {
		if err := ended.Err(ctx); err != nil { // there may be millions of machines
			return nil, err
		}
		for j := i + 1; j < k; j++ {
			m.Machines = append(m.Machines, models.Machine{Pos: i, Neg: j})
		}
	}
	size := func(at int) int {
		return len(classes.Rows[m.Machines[at].Pos]) + len(classes.Rows[m.Machines[at].Neg])
	}
	draws := draws{size: size}
	if t.Probability && k > 1 {
		if rng == nil {
			return nil, ErrNoRand
		}
		draws.note(rng, len(m.Machines))
	}
	if t.store == nil {
		t.store = newStore(ctx, &d.X)
	}
	for i := range m.Machines {
		t.most = max(t.most, size(i))
	}
	t.store.Expect(t.most)
	if t.Probability {
		t.store.Repeat()
	}
	if t.coefs = t.arena; t.coefs == nil {
		t.coefs = &arena{lasting: true}
	}
	t.classes = t.inClasses(ctx, classes)
	defer t.classes.Release()
	err = inOrder(ctx, len(m.Machines), size, t.Report, func(ctx context.Context, at int, report Report) error {
		machine := &m.Machines[at]
		i, j := machine.Pos, machine.Neg
		p := pairs.Get().(*pair)
		defer pairs.Put(p)
		*p = pair{OneVsOne: t, d: d, weight: d.Weight, labels: [2]int{classes.Labels[i], classes.Labels[j]},
			pos: classes.Rows[i], neg: classes.Rows[j], posFactor: factors[i], negFactor: factors[j]}
		p.Report = report
		if p.within = t.classes.Part(i, j); p.within != nil {
			defer p.within.Release()
		}
		if t.Probability {
			rng := draws.of(at)
			return p.calibrate(ctx, machine, &rng)
		}
		return p.solve(ctx, machine)
	})
	if err != nil {
		return nil, err
	}
	stop() // frees the solver's memory
	t.classes.Release()
	t.assemble(outer, m, d, classes)
	t.Report.Send(ModelAssembled{m.Vectors.Len()})
	return m, nil
}

// check returns an error unless the settings can be used, the solver's too if it can tell.
func (t OneVsOne) check() error {
	if t.Solver == nil {
		return errNoSolver
	}
	if !t.Task.Classifies() {
		return fmt.Errorf("task %v, expected %v or %v: models are of classifiers", t.Task, models.CSVC, models.NuSVC)
	}
	if s, ok := t.Solver.(interface{ Validate() error }); ok {
		if err := s.Validate(); err != nil {
			return err
		}
	}
	for _, w := range t.Weights {
		if !(w.Weight > 0) {
			return fmt.Errorf("weight %v of class %d is not positive", w.Weight, w.Label)
		}
	}
	return nil
}

// inClasses returns the rows of the classes for the solvers of all pairs, or nil if the pairs do as
// well without.
func (t *OneVsOne) inClasses(ctx context.Context, c *Classes) *kernel.Classes {
	if _, ok := t.Solver.(StoreSolver); !ok {
		return nil
	}
	rows := c.Rows
	if t.origin != nil {
		rows = make([][]int, len(c.Rows))
		for k, of := range c.Rows {
			rows[k] = make([]int, len(of))
			for i, row := range of {
				rows[k][i] = t.origin[row]
			}
		}
	}
	workers, do := workers(ctx)
	return t.store.Classes(func() bool { return ctx.Err() == nil }, workers, do, t.Kernel, rows)
}

// newStore returns a store of x. All threads of ctx help to make it.
func newStore(ctx context.Context, x *vec.Matrix) *kernel.Store {
	workers, do := workers(ctx)
	return kernel.NewStoreBy(workers, do, x)
}

// factors returns the weights of the classes, in the order of the classes.
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
	weight               []float64 // of the rows, without class weights; nil: all 1
	labels               [2]int
	pos, neg             []int // rows of the data set
	posFactor, negFactor Factors

	within *kernel.Store // a store of this pair's rows, or of a pair of which this is a part; nil: there is none
	places []int         // the places of the rows in within
}

// pairs holds unused pairs.
var pairs = sync.Pool{New: func() any { return new(pair) }}

// pairScratch is memory for the rows and labels of a pair, and for solving it.
type pairScratch struct {
	problem      Problem // used for a StoreSolver
	solution     Solution
	rows, stored []int
	y, coef      []float64

	perm   []int // used by calibrate
	values []float64
	places []int // 0, 1, 2, ...

	faults Report // leaves out what OneVsOne.Brief suppresses, and sends the rest to told
	told   Report
}

// pairScratches holds unused scratch memory. Millions of pairs share its Reports.
var pairScratches = sync.Pool{New: func() any {
	l := new(pairScratch)
	l.faults = Report(func(e Event) { l.told(e) }).faults()
	return l
}}

// list returns the pair's rows and labels, first class first. The caller puts the memory back into
// pairScratches afterwards. It has enough memory for the largest pair, so that the memory of
// smaller pairs can be reused.
func (p *pair) list() *pairScratch {
	l := pairScratches.Get().(*pairScratch)
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

// allPlaces returns 0 to n-1, in the memory of places.
func (p *pair) allPlaces(places []int, n int) []int {
	places = slices.Grow(places[:0], p.most)
	for i := range n {
		places = append(places, i)
	}
	return places
}

// solve finds the machine of the pair: rho, and the coefficients of the pair's rows as compress
// stores them.
func (p *pair) solve(ctx context.Context, machine *models.Machine) error {
	l := p.list()
	defer pairScratches.Put(l)
	rows := l.rows
	l.coef = slices.Grow(l.coef[:0], p.most)[:len(rows)]
	problem := &l.problem
	if _, ok := p.Solver.(StoreSolver); !ok {
		problem = new(Problem) // the solver may keep its X
		problem.X = p.d.X.Select(rows)
	}
	defer func() { l.problem, l.told = Problem{}, nil }()
	problem.Kernel, problem.Y, problem.Coef = p.Kernel, l.y, l.coef
	problem.Weight.Pos, problem.Weight.Neg = p.posFactor, p.negFactor
	problem.RowWeight = p.d.Weights(rows)
	if p.within != nil {
		if !p.part {
			l.places = p.allPlaces(l.places, len(rows))
			p.places = l.places
		}
		problem.Store, problem.Rows = p.within, p.places
	} else {
		problem.Store, problem.Rows = p.store, p.stored(&l.stored, rows)
	}
	problem.Report, problem.Silent, problem.Brief = p.Report, p.Report == nil, p.Brief
	if p.Brief && !problem.Silent {
		l.told, problem.Report = p.Report, l.faults
	}
	problem.Solution = &l.solution
	s, err := p.Solver.Solve(ctx, problem)
	if err != nil {
		kernelErrorOf(err, rows)
		return p.named(err)
	}
	if s == nil || len(s.Coef) != len(rows) {
		panic(fmt.Sprintf("train: %T.Solve returned no error and not a coefficient for each of %d rows", p.Solver, len(rows)))
	}
	machine.Rho = s.Rho
	p.compress(machine, s.Coef)
	return nil
}

// named adds the pair's labels to an error. If p is only a part of a pair, its labels mean nothing
// to the caller, and the whole pair adds its own.
func (p *pair) named(err error) error {
	if err == nil || p.part {
		return err
	}
	return &PairError{Labels: p.labels, Err: err}
}

// stored returns the places of rows of the data set in the store. It writes them to to, unless they
// are the same as rows.
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
