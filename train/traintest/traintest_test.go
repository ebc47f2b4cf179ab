package traintest

import (
	"context"
	"errors"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/internal/ended"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
)

// broken is a trainer whose result a function may spoil.
type broken struct {
	train.Trainer
	spoil func(ctx context.Context, d *format.Dataset, m *models.Model, err error) (*models.Model, error)
}

func (b broken) Train(ctx context.Context, d *format.Dataset, rng *train.Rand) (*models.Model, error) {
	m, err := b.Trainer.Train(ctx, d, rng)
	return b.spoil(ctx, d, m, err)
}

// perceptron is a kernel perceptron: a row that is on the wrong side adds itself to the function,
// round after round.
type perceptron struct{ report train.Report }

func (s perceptron) Solve(ctx context.Context, p *train.Problem) (*train.Solution, error) {
	coef, row := make([]float64, p.X.Len()), make([]float64, p.X.Len())
	for round := range 20 {
		if err := ended.Err(ctx); err != nil {
			return nil, err
		}
		p.EffectiveReport(s.report).Send(train.Progress{Iterations: round})
		for i, y := range p.Y {
			p.Kernel.RowTo(row, p.X.Row(i), &p.X)
			f := 0.0
			for k, c := range coef {
				f += float64(c * row[k])
			}
			if f*y <= 0 {
				coef[i] += y
			}
		}
	}
	return &train.Solution{Coef: coef}, ended.Err(ctx)
}

func sound(r train.Report) train.Trainer {
	return train.OneVsOne{Solver: perceptron{r}, Kernel: kernel.RBF{Gamma: 0.5}, Report: r}
}

// TestFindsFaults: each check finds a trainer that breaks its rule, and passes one that does not.
func TestFindsFaults(t *testing.T) {
	calls := 0
	drift := func(_ context.Context, _ *format.Dataset, m *models.Model, err error) (*models.Model, error) {
		if err == nil {
			calls++
			m.Machines[0].Rho += float64(calls)
		}
		return m, err
	}
	swallow := func(_ context.Context, d *format.Dataset, m *models.Model, err error) (*models.Model, error) {
		if err != nil {
			return &models.Model{}, nil
		}
		return m, nil
	}
	o := Options{Accuracy: 0.9}
	for _, c := range []struct {
		name  string
		check func(*format.Dataset, New, Options) error
		spoil func(context.Context, *format.Dataset, *models.Model, error) (*models.Model, error)
	}{
		{"same again", sameAgain, drift},
		{"threads", sameThreads, drift},
		{"data changed", dataUnchanged, func(_ context.Context, d *format.Dataset, m *models.Model, err error) (*models.Model, error) {
			d.Y[0]++
			return m, err
		}},
		{"invalid", valid, func(_ context.Context, _ *format.Dataset, m *models.Model, err error) (*models.Model, error) {
			m.Group[0]++
			return m, err
		}},
		{"not what the file says", modelFile, func(_ context.Context, _ *format.Dataset, m *models.Model, err error) (*models.Model, error) {
			for _, v := range m.Vectors.Row(0).Value[:1] {
				m.Vectors.Row(0).Value[0] = v + 1e-13 // more digits than a model file holds
			}
			return m, err
		}},
		{"learns nothing", learns, func(_ context.Context, _ *format.Dataset, m *models.Model, err error) (*models.Model, error) {
			for i := range m.Machines {
				m.Machines[i].Rho = 1e6
			}
			return m, err
		}},
		{"order of rows", permuted, func(_ context.Context, d *format.Dataset, m *models.Model, err error) (*models.Model, error) {
			if d.Y[0] != 3 { // the first row's label before the permutation
				m.Labels = m.Labels[:2]
			}
			return m, err
		}},
		{"names of labels", renamed, func(_ context.Context, d *format.Dataset, m *models.Model, err error) (*models.Model, error) {
			if d.Y[0] > 50 {
				m.Machines[0].Rho++
			}
			return m, err
		}},
		{"no data", noData, swallow},
		{"one class", oneClass, func(_ context.Context, _ *format.Dataset, _ *models.Model, _ error) (*models.Model, error) {
			return nil, errors.New("one class")
		}},
		{"overflow", overflow, swallow},
		{"rows that are no vectors", faultyRow, swallow},
		{"lengths", lengths, swallow},
		{"declared columns", declared, swallow},
		{"cancelled before", cancelledBefore, swallow},
		{"cancelled during", cancelledDuring, func(_ context.Context, _ *format.Dataset, _ *models.Model, _ error) (*models.Model, error) {
			return nil, errors.New("another error")
		}},
		{"cancelled without the cause", cancelledBefore, func(ctx context.Context, _ *format.Dataset, m *models.Model, _ error) (*models.Model, error) {
			return m, ctx.Err()
		}},
		{"cancelled anywhere", cancelledAnywhere, swallow},
		{"nil report", nilReport, func(_ context.Context, _ *format.Dataset, _ *models.Model, _ error) (*models.Model, error) {
			return nil, errors.New("no report")
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := o.data(t)
			if err := c.check(d, sound, o); err != nil {
				t.Fatalf("a sound trainer: %v", err)
			}
			faulty := func(r train.Report) train.Trainer { return broken{sound(r), c.spoil} }
			if c.check(o.data(t), faulty, o) == nil {
				t.Error("the fault is not found")
			}
		})
	}
}

// deaf is a trainer that checks its context only before it begins.
type deaf struct{ train.Trainer }

func (d deaf) Train(ctx context.Context, data *format.Dataset, rng *train.Rand) (*models.Model, error) {
	if err := ended.Err(ctx); err != nil {
		return nil, err
	}
	return d.Trainer.Train(context.WithoutCancel(ctx), data, rng)
}

// TestFindsDeaf: a trainer that goes on when it is cancelled is found.
func TestFindsDeaf(t *testing.T) {
	o := Options{Accuracy: 0.9}
	if cancelledDuring(o.data(t), func(r train.Report) train.Trainer { return deaf{sound(r)} }, o) == nil {
		t.Error("the fault is not found")
	}
}

// TestSameEvents: events that depend on the threads are found.
func TestSameEvents(t *testing.T) {
	o := Options{Accuracy: 0.9}
	calls := 0
	if err := sameEvents(o.data(t), sound, o); err != nil {
		t.Fatalf("a sound trainer: %v", err)
	}
	for name, faulty := range map[string]func(r train.Report){
		"other events": func(r train.Report) { calls++; r.Send(train.Progress{Iterations: calls}) },
		"one more": func(r train.Report) {
			if calls++; calls > 1 {
				r.Send(train.Progress{})
			}
		},
	} {
		calls = 0
		n := func(r train.Report) train.Trainer {
			return broken{sound(r), func(_ context.Context, _ *format.Dataset, m *models.Model, err error) (*models.Model, error) {
				faulty(r)
				return m, err
			}}
		}
		if sameEvents(o.data(t), n, o) == nil {
			t.Errorf("%s: the fault is not found", name)
		}
	}
}
