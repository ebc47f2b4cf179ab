package smo_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/smo"
)

// asked is a context that ends when it has been asked for its end so often.
type asked struct {
	context.Context
	times, most int64
}

func (a *asked) Err() error {
	if atomic.AddInt64(&a.times, 1) > a.most {
		return context.Canceled
	}
	return a.Context.Err()
}

// TestPackingEnds: while large rows are packed, a training asks its context for its end.
func TestPackingEnds(t *testing.T) {
	const rows, step = 4096, 256
	rng := rand.New(rand.NewPCG(1, 1))
	d := new(format.Dataset)
	x := make([]float64, 40)
	for i := range rows {
		for j := range x {
			x[j] = rng.NormFloat64()
		}
		d.Append(format.Instance{X: vec.FromSlice(x), Y: float64(i % 2), Weight: 1})
	}
	k := kernel.RBF{Gamma: 0.1}
	options := smo.DefaultOptions()
	options.Tolerance = 1e9 // the solver ends as it begins
	const never = 1 << 40
	for name, trainer := range map[string]train.Trainer{
		"C-SVC":       train.OneVsOne{Solver: smo.CSVC{C: 1, Options: options}, Kernel: k},
		"nu-SVC":      train.OneVsOne{Solver: smo.NuSVC{Nu: 0.5, Options: options}, Kernel: k, Task: models.NuSVC},
		"epsilon-SVR": smo.EpsilonSVR{C: 1, Kernel: k, Options: options},
		"nu-SVR":      smo.NuSVR{C: 1, Nu: 0.5, Kernel: k, Options: options},
		"one-class":   smo.OneClass{Nu: 0.5, Kernel: k, Options: options},
	} {
		ctx := &asked{Context: t.Context(), most: never}
		if _, err := trainer.Train(ctx, d, nil); err != nil && name != "nu-SVC" { // which finds no margin
			t.Errorf("%s: %v", name, err)
		}
		if ctx.times < rows/step {
			t.Errorf("%s: only %d questions", name, ctx.times)
		}
		ctx = &asked{Context: t.Context(), most: 10}
		if m, err := trainer.Train(ctx, d, nil); !errors.Is(err, context.Canceled) || m != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	ctx := &asked{Context: t.Context(), most: never}
	if g, err := train.PackGram(ctx, k, &d.X, nil, nil); err != nil || g.Len() != rows || ctx.times < rows/step {
		t.Errorf("%v, %d questions", err, ctx.times)
	}
	ctx = &asked{Context: t.Context(), most: 3}
	if g, err := train.PackGram(ctx, k, &d.X, nil, nil); !errors.Is(err, context.Canceled) || g != nil || ctx.times > 3+5 {
		t.Errorf("a Gram: %v, %v, %d questions", g != nil, err, ctx.times)
	}
}
