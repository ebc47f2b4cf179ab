package train

import (
	"context"
	"errors"
	"slices"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train/internal/team"
)

// OneVsRest trains a classifier with one machine for each class against all others; the class with
// the largest value is the answer. Two classes need only one machine and are trained as by
// OneVsOne. It draws from rng only for probabilities; otherwise rng may be nil.
//
// Every machine is trained on all rows, so training takes longer than with OneVsOne, but there are
// only k machines instead of k(k-1)/2.
type OneVsRest struct {
	Solver Solver        // of each machine, such as smo.DefaultCSVC()
	Kernel kernel.Kernel // must be set
	Task   models.Task   // of the model: models.CSVC or models.NuSVC
	// Weights multiply the cost of errors on the rows of a class, in every machine. Several weights
	// of one label are multiplied.
	Weights []ClassWeight
	// Probability asks for a sigmoid for each machine.
	Probability bool
	// Report receives all events, the solver's included. The solver's own Report is not called.
	// nil: events are dropped.
	Report Report
	// Threads is the largest number of threads, which train machines side by side or share the work of
	// one; 0 means one for each processor (GOMAXPROCS). The solver's own Threads does not count. The
	// model does not depend on it.
	Threads int

	inStore // of Train's data set; empty: Train makes a store
}

var (
	_ Forker       = OneVsRest{}
	_ StoreTrainer = OneVsRest{}
)

// OnStore implements StoreTrainer.
func (t OneVsRest) OnStore(store *kernel.Store, rows []int) Trainer {
	t.inStore = inStore{store, rows}
	return t
}

// pairs returns the one-vs-one trainer with the same settings.
func (t OneVsRest) pairs() OneVsOne {
	return OneVsOne{
		Solver: t.Solver, Kernel: t.Kernel, Task: t.Task, Weights: t.Weights,
		Probability: t.Probability, Report: t.Report, Threads: t.Threads,
		inStore: t.inStore,
	}
}

// Fork implements Forker.
func (t OneVsRest) Fork(report Report) Trainer {
	t.Report = report
	return t
}

// Workers implements Forker.
func (t OneVsRest) Workers() int { return t.Threads }

// Draws implements [Forker]. With Probability each machine draws one number for each row.
func (t OneVsRest) Draws(d *format.Dataset) int {
	c, err := GroupClasses(d.Y, nil)
	switch {
	case !t.Probability || err != nil:
		return 0
	case len(c.Labels) <= 2:
		return t.pairs().Draws(d)
	}
	return len(c.Labels) * len(d.Y)
}

// Train implements Trainer.
func (t OneVsRest) Train(ctx context.Context, d *format.Dataset, rng *Rand) (*models.Model, error) {
	if err := t.pairs().check(); err != nil {
		return nil, err
	}
	if err := d.Check(); err != nil {
		return nil, err
	}
	classes, err := GroupClasses(d.Y, nil)
	if err != nil {
		return nil, err
	}
	k := len(classes.Labels)
	if k <= 2 {
		return t.pairs().Train(ctx, d, rng)
	}
	if t.Probability && rng == nil {
		return nil, ErrNoRand
	}
	GroupClasses(d.Y, t.Report) // only for its events, which must not be sent twice
	if err := t.check(ctx, d, classes); err != nil {
		return nil, err
	}
	ctx, stop := team.With(ctx, t.Threads)
	defer stop()
	pairs := t.pairs()
	if checkStored(t.store, t.origin, &d.X); t.store == nil {
		pairs.store = newStore(ctx, &d.X)
	}
	own := d.Weight
	d = t.weighted(d, classes)

	m := &models.Model{Task: t.Task, Kernel: t.Kernel, Labels: classes.Labels, Vote: models.OneVsRest, Probability: t.Probability}
	for c := range k {
		m.Machines = append(m.Machines, models.Machine{Pos: c, Neg: models.Rest})
	}
	draws := draws{size: func(int) int { return d.Len() }}
	if t.Probability {
		draws.note(rng, k)
	}
	coefs := make([][]float64, k) // for each machine, a coefficient for each row of the data set
	err = inOrder(ctx, k, nil, t.Report, func(ctx context.Context, c int, report Report) (err error) {
		p := &pair{OneVsOne: pairs, d: d, weight: own, pos: classes.Rows[c], neg: outside(classes.Rows[c], d.Len())}
		p.Report = report
		if t.Probability {
			rng := draws.of(c)
			err = p.calibrate(ctx, &m.Machines[c], &rng)
		} else {
			err = p.solve(ctx, &m.Machines[c])
		}
		if err != nil {
			if inner := errors.Unwrap(err); inner != nil { // the inner error names no pair
				err = inner
			}
			return &PairError{Labels: [2]int{classes.Labels[c]}, Rest: true, Err: err}
		}
		coefs[c] = p.takeCoefficients(&m.Machines[c])
		return nil
	})
	if err != nil {
		return nil, err
	}
	gather(m, d, coefs)
	t.Report.Send(ModelAssembled{m.Vectors.Len()})
	return m, nil
}

// outside returns the numbers below n that are not among the given rows.
func outside(rows []int, n int) []int {
	of := make([]bool, n)
	for _, i := range rows {
		of[i] = true
	}
	var rest []int
	for i := range of {
		if !of[i] {
			rest = append(rest, i)
		}
	}
	return rest
}

// takeCoefficients removes the coefficients from a machine of the pair, and returns one for each row
// of the data set.
func (p *pair) takeCoefficients(machine *models.Machine) []float64 {
	coef := make([]float64, p.d.Len())
	l := p.list()
	defer pairScratches.Put(l)
	whole := whole(machine, len(l.rows))
	for k, v := range machine.Coef {
		coef[l.rows[row(machine, whole, k)]] = v
	}
	machine.Index, machine.Coef = nil, nil
	return coef
}

// check checks data and classes in the same way as OneVsOne.
func (t OneVsRest) check(ctx context.Context, d *format.Dataset, classes *Classes) error {
	if err := CheckData(ctx, t.Kernel, d, true); err != nil {
		return err
	}
	return classes.check(t.Report, int64(len(classes.Labels)))
}

// weighted returns d with the class weights multiplied into the row weights, because the rest
// consists of rows of several classes. nu-SVC does not use class weights, as in OneVsOne.
func (t OneVsRest) weighted(d *format.Dataset, classes *Classes) *format.Dataset {
	factors := t.pairs().factors(classes) // reports weights of labels that no row has
	if t.Task == models.NuSVC {
		return d
	}
	all := format.Dataset{Header: d.Header, X: d.X, Y: d.Y}
	for c, f := range factors {
		if len(f) == 0 {
			continue
		}
		if all.Weight == nil {
			all.Weight = make([]float64, d.Len())
			for i := range all.Weight {
				all.Weight[i] = 1
			}
			if d.Weight != nil {
				copy(all.Weight, d.Weight)
			}
		}
		for _, i := range classes.Rows[c] {
			all.Weight[i] = f.Times(all.Weight[i])
		}
	}
	if all.Weight == nil {
		all.Weight = d.Weight
	}
	return &all
}

// gather makes the model's vectors from the rows with a coefficient in any machine, in the order of
// the data.
func gather(m *models.Model, d *format.Dataset, coefs [][]float64) {
	var rows []int
	for i := range d.Len() {
		if slices.ContainsFunc(coefs, func(c []float64) bool { return c[i] != 0 }) {
			rows = append(rows, i)
			m.Origin = append(m.Origin, i+1)
		}
	}
	m.Vectors = SelectVectors(m.Kernel, d, rows)
	for c := range m.Machines {
		machine := &m.Machines[c]
		machine.Index = []int32{}
		for n, i := range rows {
			if v := coefs[c][i]; v != 0 {
				machine.Index, machine.Coef = append(machine.Index, int32(n)), append(machine.Coef, v)
			}
		}
	}
}
