package psvm

import (
	"context"
	"math"
	"slices"
	"sync"

	"github.com/slimsvm/slimsvm/internal/ended"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/predict"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/internal/team"
)

// A training is one run of algorithm 1, TRAIN.
type training struct {
	*run
	p        *points
	v        []int // rows held out
	round    int
	members  []*member   // in the order of their exemplars
	sigmoids *train.Rand // the stream of folds with which each begins; nil: there are no sigmoids
	fitters  *sync.Pool
	form     Form
}

// train returns the best ensembles of some rows, one for each form. They have iteration 0 in
// common. round is the number of the sample.
func (r *run) train(ctx context.Context, rows []int, round int, forms []Form) ([]*outcome, error) {
	d, v := r.split(rows, round)
	c := &training{run: r, p: newPoints(&r.d.X, d, r.class), v: v, round: round, fitters: new(sync.Pool), form: forms[0]}
	c.fitters.New = func() any {
		return &fitter{p: c.p, cost: r.Cost, equal: r.EqualCosts, single: r.single(), rising: r.rising}
	}
	if r.Ballot == models.ByProbability || r.Probability || slices.ContainsFunc(forms, Form.likely) {
		c.sigmoids = train.NewRand(uint32(r.Seed))
	}
	if err := c.begin(ctx); err != nil {
		return nil, err
	}
	exemplars := len(c.members)
	first, p, err := c.judge(ctx, 0)
	if err != nil {
		return nil, err
	}
	var outcomes []*outcome
	for k, f := range forms {
		one := c
		if k < len(forms)-1 {
			one = c.fork()
		}
		one.form = f
		o, err := one.shiftings(ctx, *first, p)
		if err != nil {
			return nil, err
		}
		p = nil
		o.exemplars, o.rows = exemplars, rows
		outcomes = append(outcomes, o)
	}
	return outcomes, nil
}

// fork returns a training that continues from the state of c.
func (c *training) fork() *training {
	f := *c
	f.members = make([]*member, len(c.members))
	for i, m := range c.members {
		one := *m
		one.pos, one.neg = slices.Clone(m.pos), slices.Clone(m.neg)
		f.members[i] = &one
	}
	return &f
}

// shiftings returns the best of an ensemble, whose predictor is p, or has to be made if p is nil, and
// those of the iterations that follow. It takes the memory of p. An ensemble without members, whose
// answer is always the same, is not taken, nor is one whose members are all of one class if another
// is as good.
func (c *training) shiftings(ctx context.Context, o outcome, p *predict.Predictor) (*outcome, error) {
	o.form = c.form
	c.show(&o)
	best := o
	for j := 1; j <= c.Iterations && len(c.members) > 0; j++ {
		if p == nil {
			var err error
			if p, err = predict.New(c.ensemble().model()); err != nil {
				return nil, err
			}
		}
		if err := c.shift(ctx, p, j-1); err != nil {
			return nil, err
		}
		p.Release()
		next, q, err := c.judge(ctx, j)
		if err != nil {
			return nil, err
		}
		c.show(next)
		if next.members() > 0 && !(next.accuracy < best.accuracy) && !(next.accuracy == best.accuracy && next.alike() && !best.alike()) {
			best = *next
		}
		p = q
	}
	if p != nil {
		p.Release()
	}
	return &best, nil
}

// show reports an ensemble.
func (c *training) show(o *outcome) {
	e := train.IterationDone{Round: c.round, Iteration: o.iteration, Machines: o.members(), Accuracy: o.accuracy, Trial: c.trial, Rising: c.rising, Sparing: c.sparing}
	if c.Form == Auto && c.Iterations > 0 {
		e.Form = c.form.String()
	}
	c.Report.Send(e)
}

// judge trains the machines of iteration j and tests them. It returns the ensemble and its
// predictor.
func (c *training) judge(ctx context.Context, j int) (*outcome, *predict.Predictor, error) {
	if err := c.fit(ctx, j); err != nil {
		return nil, nil, err
	}
	o := &outcome{ensemble: c.ensemble(), form: c.form, hard: c.HardNegatives, iteration: j, held: len(c.v)}
	p, err := predict.New(o.ensemble.model())
	if err != nil {
		return nil, nil, err
	}
	if o.accuracy, err = c.test(ctx, p); err != nil {
		return nil, nil, err
	}
	for _, m := range c.members {
		o.positives = append(o.positives, len(m.pos))
		if m.unconverged {
			o.unconverged++
		}
	}
	return o, p, ended.Err(ctx)
}

// eachMember is the number of machines in a task.
const eachMember = 8

// each calls f for the members, several at once.
func (c *training) each(ctx context.Context, f func(ctx context.Context, m *member) error) error {
	n := (len(c.members) + eachMember - 1) / eachMember
	errs := make([]error, n)
	team.Do(ctx, n, func(ctx context.Context, task int) {
		for _, m := range c.members[task*eachMember : min((task+1)*eachMember, len(c.members))] {
			if errs[task] = ended.Err(ctx); errs[task] == nil {
				errs[task] = f(ctx, m)
			}
			if errs[task] != nil {
				return
			}
		}
	})
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// begin makes the sets of the exemplar machines. An exemplar without negatives has no machine.
func (c *training) begin(ctx context.Context) error {
	for i := range c.p.len() {
		c.members = append(c.members, &member{machine: machine{exemplar: i}, pos: []int32{int32(i)}, stale: true})
	}
	heaps := sync.Pool{New: func() any { return new([]neighbour) }}
	err := c.each(ctx, func(_ context.Context, m *member) error {
		heap := heaps.Get().(*[]neighbour)
		m.neg, *heap = c.p.chooseNegatives(m.exemplar, c.Negatives, *heap)
		heaps.Put(heap)
		return nil
	})
	if err != nil {
		return err
	}
	kept := c.members[:0]
	for _, m := range c.members {
		if len(m.neg) > 0 {
			kept = append(kept, m)
		}
	}
	c.members = kept
	if c.Iterations > 0 {
		c.p.measure(ctx)
	}
	return ended.Err(ctx)
}

// fit trains the machines of iteration j whose sets have changed. With Literal and sigmoids it
// trains all of them, as the thesis says: each machine then has folds of its own in every
// iteration.
func (c *training) fit(ctx context.Context, j int) error {
	return c.each(ctx, func(ctx context.Context, m *member) error {
		if !m.stale && !(c.form == Literal && c.sigmoids != nil) {
			return nil
		}
		f := c.fitters.Get().(*fitter)
		defer c.fitters.Put(f)
		var rng *train.Rand
		if c.sigmoids != nil {
			stream := *c.sigmoids
			if c.form == Literal {
				stream = *train.NewRand(c.run.stream(foldStream, c.chance(j, m)).Uint32())
			}
			rng = &stream
		}
		m.stale = false
		return f.fit(ctx, m, rng)
	})
}

// ensemble returns the machines as they are now.
func (c *training) ensemble() *ensemble {
	e := &ensemble{run: c.run, p: c.p.withoutDistances(), probabilities: c.sigmoids != nil, machines: make([]machine, len(c.members))}
	for i, m := range c.members {
		e.machines[i] = m.machine
	}
	return e
}

// test returns the share of the held-out rows that are answered rightly, algorithm 4 (TEST), or NaN
// if there are none.
func (c *training) test(ctx context.Context, p *predict.Predictor) (float64, error) {
	if len(c.v) == 0 {
		return math.NaN(), nil
	}
	right := make([]bool, len(c.v))
	err := train.Answer(ctx, p, &c.d.X, c.v, func(b *predict.Batch, at, k int) {
		right[k] = int(b.Predict(at)) == c.classes.Labels[c.class[c.v[k]]]
	})
	n := 0
	for _, is := range right {
		if is {
			n++
		}
	}
	return float64(n) / float64(len(c.v)), err
}
