package cs

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/internal/ended"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/internal/preimage"
)

// A Task is one run of a stage, or the last stage. With the rows it is all that a run needs: runs
// of a stage are independent of each other and may be done wherever the rows are.
type Task struct {
	Machine, Stage, Run int
	Seed                uint64
	// Rows and HeldOut are the numbers of rows to learn from and to hold out. They are drawn by
	// Seed, Machine, Stage and Run. If Rows is 0, all rows are learned from, in their order.
	Rows, HeldOut int
	Nu            float64 // cost of errors
	// Try are costs to compare. If there are any, the task does only step (b), for each of them.
	Try []float64
	// Centres are C_i; none: the rows themselves.
	Centres []vec.Vector
	// Start is where step (c) begins: points, and the w that they had. nil: random centres.
	Start *Classifier
	// OnlyB omits steps (c) and (d).
	OnlyB bool
	Steps

	packed *vec.Matrix // used instead of Centres; nil: Centres are
}

// An Outcome is the result of a [Task].
type Outcome struct {
	Machine, Stage, Run int
	Tried               []Result // of the costs to compare, without their classifiers
	// B, C and D are the classifiers of the steps: over the centres that have a coefficient; over
	// the synthetic points, with the w of the approximation; over the same points, classified
	// again.
	B, C, D Result
	// Distance is the share of |u f(C)|^2 that the approximation leaves, and Start the share at its
	// beginning.
	Distance, Start float64
	Evaluations     int // of step (c)
	// Z are the points that the run contributes to the next stage.
	Z []vec.Vector
}

// Validate returns an error that says what is wrong with the task for a problem of n rows.
func (t *Task) Validate(n int) error {
	switch {
	case t.Machine < 0 || t.Stage < 0 || t.Run < 0:
		return fmt.Errorf("machine %d, stage %d, run %d: expected numbers from 0 on", t.Machine, t.Stage, t.Run)
	case t.Machine >= mostMachines || t.Stage >= mostStages || t.Run >= mostRuns:
		return fmt.Errorf("machine %d, stage %d, run %d: expected numbers below %d, %d and %d", t.Machine, t.Stage, t.Run, mostMachines, mostStages, mostRuns)
	case t.Rows < 0 || t.HeldOut < 0 || t.Rows > n || t.HeldOut > n:
		return fmt.Errorf("a sample of %d rows and %d held out, of %d", t.Rows, t.HeldOut, n)
	case len(t.Try) > 0 && t.Rows == 0:
		return errors.New("costs are compared on rows held out: expected a sample")
	}
	costs := t.Try
	if len(costs) == 0 {
		costs = []float64{t.Nu}
	}
	for _, nu := range costs {
		if err := positive("cost", nu); err != nil {
			return err
		}
	}
	for i, z := range t.Centres {
		if err := checkPoint(z); err != nil {
			return fmt.Errorf("centre %d: %w", i+1, err)
		}
	}
	if t.Start != nil {
		if len(t.Start.Points) != len(t.Start.Coef) {
			return fmt.Errorf("a start of %d points and %d coefficients", len(t.Start.Points), len(t.Start.Coef))
		}
		for i, z := range t.Start.Points {
			if err := checkPoint(z); err != nil {
				return fmt.Errorf("point %d of the start: %w", i+1, err)
			}
		}
	}
	return t.Steps.Validate()
}

// checkPoint returns an error unless v is a vector of finite values.
func checkPoint(v vec.Vector) error {
	if len(v.Index) != len(v.Value) {
		return fmt.Errorf("%d features with %d values", len(v.Index), len(v.Value))
	}
	for k, i := range v.Index {
		if i < 0 || k > 0 && i <= v.Index[k-1] {
			return fmt.Errorf("feature %d: expected numbers that increase", i)
		}
		if x := v.Value[k]; x-x != 0 {
			return fmt.Errorf("feature %d is %v", i, x)
		}
	}
	return nil
}

// Sample returns the rows of p that the task learns from and those that it holds out.
func (t *Task) Sample(p *train.Problem) (rows, held []int) {
	if p == nil {
		panic("cs: no problem to draw a sample of")
	}
	if t.Rows == 0 {
		return allRows(len(p.Y)), nil
	}
	purpose := forSample
	if len(t.Try) > 0 {
		purpose = forTuning
	}
	return sample(p.Y, t.Rows, t.HeldOut, stream(t.Seed, purpose, t.Machine, t.Stage, t.Run))
}

// Do does the task on a problem of which it is a part. progress, unless it is nil, is called now
// and then with the number of pivots so far in all of the task's programmes. The outcome does not
// depend on the number of threads.
func (t *Task) Do(ctx context.Context, p *train.Problem, progress func(pivots int)) (*Outcome, error) {
	if err := checkProblem(p); err != nil {
		return nil, err
	}
	if err := t.Validate(len(p.Y)); err != nil {
		return nil, err
	}
	o := &Outcome{Machine: t.Machine, Stage: t.Stage, Run: t.Run}
	rows, held := t.Sample(p)
	var zs *vec.Matrix
	if t.packed != nil && t.packed.Len() > 0 {
		zs = t.packed
	} else if len(t.Centres) > 0 {
		zs = matrixOf(t.Centres)
	} else {
		themselves := p.X.Select(rows)
		zs = &themselves
	}
	b, err := newChunk(ctx, p, rows, zs, &t.Steps, progress)
	if err != nil {
		return nil, err
	}
	if len(t.Try) > 0 {
		return o, t.try(ctx, b, held, o)
	}
	r, err := b.solve(ctx, t.Nu)
	if err != nil {
		return nil, err
	}
	o.B = *r
	b.lps, b.values = nil, nil // which may be large
	o.B.Classifier = r.used()
	o.B.hold(p, held)
	if t.OnlyB {
		return o, nil
	}
	first, second, err := t.approximate(ctx, p, &o.B.Classifier, o, b.points)
	if err != nil {
		return nil, err
	}
	o.C.Classifier = *first
	o.C.Used = len(first.Points)
	o.C.learn(p, rows)
	o.C.hold(p, held)
	o.Z = append(slices.Clone(first.Points), second...)
	d, err := newChunk(ctx, p, rows, matrixOf(o.Z), &t.Steps, progress)
	if err != nil {
		return nil, err
	}
	d.before = b.before
	if r, err = d.solve(ctx, t.Nu); err != nil {
		return nil, err
	}
	o.D = *r
	o.D.Classifier = r.used()
	o.D.hold(p, held)
	return o, ended.Err(ctx)
}

// try compares costs in ascending order, so that each programme begins where the last one ended. If
// that had no errors, higher costs have the same classifier. A cost whose programme cannot be
// solved gets no right answers.
func (t *Task) try(ctx context.Context, b *chunk, held []int, o *Outcome) error {
	o.Tried = make([]Result, len(t.Try))
	order := make([]int, len(t.Try))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		switch {
		case t.Try[i] < t.Try[j]:
			return -1
		case t.Try[i] > t.Try[j]:
			return 1
		}
		return 0
	})
	b.several = true
	solved := 0
	for n, i := range order {
		if b.apart {
			o.Tried[i] = o.Tried[order[n-1]]
			o.Tried[i].Pivots = 0
			continue
		}
		r, err := b.solve(ctx, t.Try[i])
		if errors.Is(err, ErrNotSolved) {
			continue
		}
		if err != nil {
			return err
		}
		solved++
		b.hold(r, held)
		r.Classifier = Classifier{}
		o.Tried[i] = *r
	}
	if solved == 0 {
		return ErrNotSolved
	}
	return ended.Err(ctx)
}

// approximate is step (c). It returns the synthetic points with their w and the offset of the
// classifier that they approximate, and the points of the alternate algorithm.
func (t *Task) approximate(ctx context.Context, p *train.Problem, of *Classifier, o *Outcome, centres []vec.Vector) (first *Classifier, second []vec.Vector, err error) {
	rng := stream(t.Seed, forStarts, t.Machine, t.Stage, t.Run)
	target, err := preimage.NewTarget(p.Kernel, matrixOf(of.Points), of.Coef)
	if errors.Is(err, preimage.ErrZero) {
		return t.constant(of, centres, rng), nil, nil
	}
	if err != nil {
		return nil, nil, cause(err)
	}
	if _, is := p.Kernel.(kernel.Linear); is { // u f(C) is a point itself
		a, err := preimage.DefaultDescent().Approximate(ctx, target, of.Points[:1], nil)
		if err != nil {
			return nil, nil, cause(err)
		}
		return &Classifier{Points: a.Z, Coef: a.W, Rho: of.Rho}, nil, nil
	}
	descent := preimage.DefaultDescent()
	descent.Evaluations = t.Evaluations
	var best *preimage.Approximation
	for k := range t.Starts {
		start := t.Start
		if k > 0 || start == nil || len(start.Points) == 0 {
			start = some(of, t.Points, rng)
		}
		a, err := descent.Approximate(ctx, target, start.Points, t.box(start, of))
		if errors.Is(err, preimage.ErrZero) {
			return t.constant(of, centres, rng), nil, nil
		}
		if err != nil {
			return nil, nil, cause(err)
		}
		o.Evaluations += a.Evaluations
		if best == nil || a.Distance < best.Distance {
			best = a
		}
	}
	o.Distance, o.Start = best.Distance, best.Start
	first = &Classifier{Points: best.Z, Coef: best.W, Rho: of.Rho}
	if t.Alternate {
		start := some(of, t.Points, rng)
		a, err := descent.Approximate(ctx, target, start.Points, t.box(start, of))
		if errors.Is(err, preimage.ErrZero) { // no points are as good as any
			return first, nil, nil
		}
		if err != nil {
			return nil, nil, cause(err)
		}
		o.Evaluations += a.Evaluations
		second = a.Z
	}
	return first, second, nil
}

// some returns n points of a classifier at random, or all if there are no more, with their
// coefficients.
func some(of *Classifier, n int, rng *rand.Rand) *Classifier {
	s := new(Classifier)
	for _, j := range rng.Perm(len(of.Points))[:min(n, len(of.Points))] {
		s.Points, s.Coef = append(s.Points, of.Points[j]), append(s.Coef, of.Coef[j])
	}
	return s
}

// constant returns what replaces a classifier whose function is constant: random centres with w 0.
func (t *Task) constant(of *Classifier, centres []vec.Vector, rng *rand.Rand) *Classifier {
	c := &Classifier{Rho: of.Rho}
	for _, j := range rng.Perm(len(centres))[:min(t.Points, len(centres))] {
		c.Points = append(c.Points, centres[j])
	}
	c.Coef = make([]float64, len(c.Points))
	return c
}

// box returns the bounds of w, nil if there are none. The bound for a point of the start is Box
// times its |u| in the classifier that is approximated, or Box times the largest |u| if the point
// has none there.
func (t *Task) box(start, of *Classifier) []float64 {
	if t.Box == 0 {
		return nil
	}
	most := 0.0
	for _, u := range of.Coef {
		most = max(most, math.Abs(u))
	}
	box := make([]float64, len(start.Points))
	for j, z := range start.Points {
		own := 0.0
		for k, c := range of.Points {
			if slices.Equal(c.Index, z.Index) && slices.Equal(c.Value, z.Value) {
				own = max(own, math.Abs(of.Coef[k]))
			}
		}
		if own == 0 {
			own = most
		}
		box[j] = t.Box * own
	}
	return box
}
