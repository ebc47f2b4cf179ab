package preimage

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models/kernel"
)

func distanceFrom(t *testing.T, target *Target, vectors int, box []float64) *distance {
	t.Helper()
	f, err := newDistance(t.Context(), target, vectors, box)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestCancelledWithin: computations that take long with many points and vectors end within a value,
// with the context's error.
func TestCancelledWithin(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	rng := rand.New(rand.NewPCG(11, 12))
	target, _, _ := randomTarget(t, rng, kernel.RBF{Gamma: 0.1}, 40)
	f := newFunction(target)
	if _, err := target.squaredNorm(ctx, f); !errors.Is(err, context.Canceled) || f.count > 0 {
		t.Errorf("the norm: %v, after %d evaluations", err, f.count)
	}
	zs, beta := []vec.Vector{randomVector(rng, 0), randomVector(rng, 1)}, []float64{1, 2}
	j := &joint{function: f, ctx: ctx, d: target.dim(), beta: beta, unit: 1}
	if j.value(make([]float64, 2*(j.d+1)), make([]float64, 2*(j.d+1))); f.count > 0 {
		t.Errorf("vectors together: %d evaluations", f.count)
	}
	if moved, _, err := Joint(ctx, target, zs, beta, 10); !errors.Is(err, context.Canceled) || moved != nil {
		t.Errorf("vectors together: %v, %v", moved, err)
	}
	if err := descend(ctx, func(_, x []float64) float64 { return x[0] }, []float64{1}, 10); !errors.Is(err, context.Canceled) {
		t.Errorf("a descent: %v", err)
	}
	if f.fixed(ctx, make([]float64, target.dim()), 10) || f.count > 0 {
		t.Errorf("fixed-point iteration: %d evaluations", f.count)
	}
}

// A ticking context is cancelled once its error was asked for a number of times.
type ticking struct {
	context.Context
	left int
}

func (c *ticking) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

// TestCancelledApproximate: whenever the context ends, an approximation ends with its error and no
// result, by features and by coordinates.
func TestCancelledApproximate(t *testing.T) {
	defer func(from int) { spanFrom = from }(spanFrom)
	rng := rand.New(rand.NewPCG(5, 6))
	x := sparseRows(rng, 6, 300)
	target, err := NewTarget(kernel.RBF{Gamma: 0.2}, x, []float64{1, 2, -1, 1, 3, 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, spanFrom = range []int{1, 1000} {
		cancelled := 0
		for n, done := 0, false; !done; n++ {
			a, err := Descent{Evaluations: 9, Gradient: 1e-6}.Approximate(&ticking{t.Context(), n}, target, []vec.Vector{x.Row(0), x.Row(4)}, nil)
			if done = err == nil; done != (a != nil) || !done && !errors.Is(err, context.Canceled) {
				t.Fatalf("cancelled after %d questions: %v, %v", n, a, err)
			}
			cancelled++
		}
		if cancelled < 9 {
			t.Errorf("the context was asked %d times", cancelled)
		}
	}
}

// TestTooLarge: a problem that no computer has room for is an error before memory is allocated.
func TestTooLarge(t *testing.T) {
	points, eta := new(vec.Matrix), []float64{}
	for range 60 {
		points.Append(vec.Vector{Index: []int32{1, 2}, Value: []float64{1, 2}})
		eta = append(eta, 1)
	}
	denseLimit = 100
	want := "60 vectors of 2 features would take more than 16 GB of memory"
	if _, err := NewTarget(kernel.RBF{Gamma: 0.1}, points, eta); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	denseLimit = mostDense
	if _, err := NewTarget(kernel.RBF{Gamma: 0.1}, points, eta); err != nil {
		t.Error(err)
	}
	for _, c := range []struct {
		search           Search
		points, features int
		least, most      float64
	}{
		{Search{Starts: 40}, 1500, 60000, 2e8, 3e8},
		{Search{Starts: 40}, 100, 10, 2000, 20000},
		{Search{Method: Restarts, Starts: 40}, 1500, 60000, 9e7, 1e8},
	} {
		if v := c.search.Values(c.points, c.features); v < c.least || v > c.most {
			t.Errorf("%+v: %v values", c, v)
		}
	}
}
