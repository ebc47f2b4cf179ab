package train

import (
	"context"
	"errors"
	"fmt"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/predict"
	"github.com/slimsvm/slimsvm/train/internal/team"
)

// Calibrated adds probabilities to the models of any trainer of classifiers or regressions.
//
// Trainer makes the model from all rows. Then a cross-validation with the same trainer gives
// held-out decision values, to which a sigmoid is fitted for every machine, or residuals, which
// give the scale of a regression's noise. So a training method need not know about probabilities:
// see the example of package joint.
//
// If Trainer is a [Chooser], the models of the folds use the settings chosen for the model of all
// rows, because another loss or cost gives values of another scale.
//
// Folds that leave no row to train on, as when each row is a class of its own, are an error before
// anything is trained.
//
// Random draws: first those of Trainer, then the folds, then those of the trainings of the folds in
// order.
type Calibrated struct {
	Trainer Trainer     // makes the model
	Task    models.Task // of the trainer's models
	// Report receives events about problems of the calibration. If Trainer is a Forker, the
	// trainings of the folds report nothing.
	Report Report
}

var _ Forker = Calibrated{}

// errOneClass is the error for models that are neither classifiers nor regressions.
var errOneClass = errors.New("probabilities are for classifiers and regressions")

// Train implements Trainer.
func (c Calibrated) Train(ctx context.Context, d *format.Dataset, rng *Rand) (*models.Model, error) {
	ctx, stop := team.With(ctx, c.Workers())
	defer stop()
	switch {
	case c.Trainer == nil:
		return nil, errNoTrainer
	case c.Task == models.OneClass:
		return nil, errOneClass
	}
	if err := c.check(d, rng); err != nil {
		return nil, err
	}
	m, err := c.Trainer.Train(ctx, d, rng)
	if err != nil {
		return nil, err
	}
	if err := m.Validate(); err != nil {
		return nil, fmt.Errorf("invalid model: %w", err)
	}
	if m.Task.Classifies() != c.Task.Classifies() || m.Task.Regresses() != c.Task.Regresses() {
		return nil, fmt.Errorf("probabilities of task %v were asked for, but the trainer's models are of task %v", c.Task, m.Task)
	}
	if c.Task.Regresses() {
		m.Noise, err = EstimateNoise(ctx, c.silent(), d, rng, c.Report)
	} else {
		err = c.calibrate(ctx, m, d, rng)
	}
	if err != nil {
		return nil, err
	}
	m.Probability = true
	return m, nil
}

// check returns an error if there is no random stream, or if the folds of a classifier cannot be
// trained on. The latter depends only on the number of rows in each class, not on the draws. Other
// faults are left to the Trainer, and data of a single class need no folds.
func (c Calibrated) check(d *format.Dataset, rng *Rand) error {
	if err := d.Check(); err != nil {
		return err
	}
	if c.Task.Classifies() {
		if classes, err := GroupClasses(d.Y, nil); err != nil || len(classes.Labels) < 2 {
			return nil
		}
	}
	switch {
	case rng == nil:
		return ErrNoRand
	case !c.Task.Classifies():
		return nil
	}
	folds, err := CrossValidationFolds(c.Task, d.Y, calibrationFolds, NewRand(1), nil)
	if err == nil {
		err = folds.Check(1)
	}
	if err != nil {
		return fmt.Errorf("probabilities: %w", err)
	}
	return nil
}

// silent returns the trainer for the folds, without reports if it is a Forker.
func (c Calibrated) silent() Trainer {
	if f, ok := c.Trainer.(Forker); ok {
		return f.Fork(nil)
	}
	return c.Trainer
}

// calibrate gives the machines of m their sigmoids.
func (c Calibrated) calibrate(ctx context.Context, m *models.Model, d *format.Dataset, rng *Rand) error {
	if len(m.Machines) == 0 {
		return nil
	}
	folds, err := CrossValidationFolds(c.Task, d.Y, calibrationFolds, rng, c.Report)
	if err != nil {
		return err
	}
	values := make([][]float64, d.Len()) // for each row, the value of each machine
	inner := c.silent()
	if chooser, ok := inner.(Chooser); ok {
		inner = chooser.WithSettingsOf(m)
	}
	forker, forks := inner.(Forker)
	k := len(folds.Start) - 1
	draws := make([]Rand, k)
	v := &crossValidation{d: d, folds: folds, inner: true}
	train := func(ctx context.Context, i int, rng *Rand) error {
		rest, _ := v.rest(ctx, i)
		fold, err := inner.Train(ctx, rest.of(d), rng)
		if err != nil {
			return v.in(i, rest, err)
		}
		return decideLike(ctx, m, fold, d, folds.Perm[folds.Start[i]:folds.Start[i+1]], values)
	}
	if !forks {
		for i := range k {
			if err := train(ctx, i, rng); err != nil {
				return err
			}
		}
	} else {
		for i := range draws {
			if rng != nil {
				draws[i] = *rng
				rest, release := v.rest(ctx, i)
				rng.Skip(forker.Draws(&format.Dataset{Y: rest.Y}))
				release()
			}
		}
		err := inOrder(ctx, k, nil, nil, func(ctx context.Context, i int, _ Report) error { return train(ctx, i, drawn(rng, draws, i)) })
		if err != nil {
			return err
		}
	}
	for n := range m.Machines {
		machine := &m.Machines[n]
		var f, sides []float64
		var rows []int
		for i, y := range d.Y {
			switch label := int(y); {
			case label == m.Labels[machine.Pos]:
				sides = append(sides, 1)
			case machine.Neg == models.Rest || label == m.Labels[machine.Neg]:
				sides = append(sides, -1)
			default:
				continue
			}
			f, rows = append(f, values[i][n]), append(rows, i)
		}
		s := FitWeightedSigmoid(f, sides, d.Weights(rows), c.Report)
		machine.Sigmoid = &s
	}
	return nil
}

// decideLike sets the values of rows to what the machines of m would give, using part, a model
// trained on a part of the data. part may lack classes, and may have them in another order.
func decideLike(ctx context.Context, m, part *models.Model, d *format.Dataset, rows []int, values [][]float64) error {
	sources := make([]source, len(m.Machines))
	for n := range m.Machines {
		sources[n] = sourceOf(m, &m.Machines[n], part)
	}
	p, err := predict.New(part)
	if err != nil {
		return err
	}
	for _, row := range rows { // a trainer of the caller's own may have passed over some
		if err := p.Check(d.X.Row(row)); err != nil {
			return &RowError{row, err}
		}
	}
	return Decide(ctx, p, &d.X, rows, func(b *predict.Batch, r, k int) {
		decisions := make([]float64, len(part.Machines))
		b.Decisions(decisions, r)
		own := make([]float64, len(sources))
		for n, s := range sources {
			if own[n] = s.sign; s.machine >= 0 {
				own[n] *= decisions[s.machine]
			}
		}
		values[rows[k]] = own
	})
}

// A source is where a machine's values come from: sign times the values of machine. If machine is
// negative, the value is sign itself.
type source struct {
	machine int
	sign    float64
}

// sourceOf finds the machine of part that separates the same classes as a given machine of m.
func sourceOf(m *models.Model, machine *models.Machine, part *models.Model) source {
	place := func(label int) int {
		for k, l := range part.Labels {
			if l == label {
				return k
			}
		}
		return -1
	}
	pos, neg := place(m.Labels[machine.Pos]), models.Rest
	switch {
	case pos < 0:
		return source{-1, -1}
	case machine.Neg != models.Rest:
		if neg = place(m.Labels[machine.Neg]); neg < 0 {
			return source{-1, 1}
		}
	case len(part.Labels) == 1:
		return source{-1, 1}
	case len(part.Labels) == 2: // two classes: one machine, and the rest is the other class
		neg = 1 - pos
	}
	for n := range part.Machines {
		switch c := &part.Machines[n]; {
		case c.Pos == pos && c.Neg == neg:
			return source{n, 1}
		case c.Pos == neg && c.Neg == pos:
			return source{n, -1}
		}
	}
	return source{-1, -1}
}

// Fork implements [Forker]. A Trainer that is not a Forker keeps reporting where it did.
func (c Calibrated) Fork(report Report) Trainer {
	c.Report = report
	if f, ok := c.Trainer.(Forker); ok {
		c.Trainer = f.Fork(report)
	}
	return c
}

// Draws implements [Forker]. The result is correct if Trainer is a Forker.
func (c Calibrated) Draws(d *format.Dataset) int {
	f, ok := c.Trainer.(Forker)
	if !ok {
		return 0
	}
	n := f.Draws(d)
	if c.Task.Classifies() {
		if classes, err := GroupClasses(d.Y, nil); err != nil || len(classes.Labels) < 2 {
			return n
		}
	}
	folds, err := CrossValidationFolds(c.Task, d.Y, calibrationFolds, NewRand(1), nil)
	if err != nil {
		return n
	}
	n += d.Len()
	v := &crossValidation{d: d, folds: folds}
	for i := range len(folds.Start) - 1 {
		rest, _ := v.rest(context.Background(), i)
		n += f.Draws(&format.Dataset{Y: rest.Y})
	}
	return n
}

// Workers implements Forker.
func (c Calibrated) Workers() int {
	if f, ok := c.Trainer.(Forker); ok {
		return f.Workers()
	}
	return 1
}
