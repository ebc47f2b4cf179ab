package newton_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/slimsvm/slimsvm/train/internal/newton"
)

// A function returns F, g and H at w.
type function func(w []float64) (value float64, g, h []float64)

func minimise(t *testing.T, start []float64, o newton.Options, f function) (m *newton.Minimizer, evaluations int) {
	t.Helper()
	m = newton.New(start, o)
	for m.Status() == newton.Running {
		value, g, h := f(m.Point())
		if err := m.Advance(context.Background(), value, g, h); err != nil {
			t.Fatal(err)
		}
		if evaluations++; evaluations > 1000 {
			t.Fatal("no end")
		}
	}
	return m, evaluations
}

// quadratic is 1/2 w'Hw - b'w with H = [4 1; 1 3] and b = (1, 2); its minimum is at (1, 7)/11.
func quadratic(w []float64) (float64, []float64, []float64) {
	x, y := w[0], w[1]
	return 2*x*x + x*y + 1.5*y*y - x - 2*y, []float64{4*x + y - 1, x + 3*y - 2}, []float64{4, 1, 0, 3}
}

// TestQuadratic: one step leads to the minimum of a quadratic function.
func TestQuadratic(t *testing.T) {
	m, n := minimise(t, []float64{5, -3}, newton.Options{Tolerance: 1e-12, Steps: 9}, quadratic)
	if m.Status() != newton.Converged || m.Steps() != 1 || n != 2 {
		t.Errorf("status %v, %d steps, %d evaluations", m.Status(), m.Steps(), n)
	}
	if w := m.Best(); !(math.Abs(w[0]-1.0/11) <= 1e-14) || !(math.Abs(w[1]-7.0/11) <= 1e-14) {
		t.Errorf("least at %v", w)
	}
}

// steep is sqrt(1 + w^2) + w^2/1000: far from its minimum, full Newton steps lead farther away.
func steep(w []float64) (float64, []float64, []float64) {
	x := w[0]
	r := math.Sqrt(1 + x*x)
	return r + x*x/1000, []float64{x/r + x/500}, []float64{1/(r*r*r) + 1.0/500}
}

// TestArmijo: where full steps go too far, shorter ones are taken, and each lowers F.
func TestArmijo(t *testing.T) {
	last, halved := math.Inf(1), false
	m := newton.New([]float64{5}, newton.Options{Tolerance: 1e-10, Steps: 50})
	for m.Status() == newton.Running {
		value, g, h := steep(m.Point())
		before := m.Steps()
		if err := m.Advance(context.Background(), value, g, h); err != nil {
			t.Fatal(err)
		}
		if m.Steps() > before {
			if !(m.Value() < last) {
				t.Errorf("step %d: F went from %v to %v", m.Steps(), last, m.Value())
			}
		} else if !math.IsInf(last, 1) {
			halved = true
		}
		last = m.Value()
	}
	if m.Status() != newton.Converged || !(math.Abs(m.Best()[0]) <= 1e-9) || !halved {
		t.Errorf("status %v, least at %v, shorter steps %v", m.Status(), m.Best(), halved)
	}
}

// TestEnds: the search ends at the limit of steps, where rounding allows no progress, and at values
// that are not finite.
func TestEnds(t *testing.T) {
	m, _ := minimise(t, []float64{5}, newton.Options{Tolerance: 1e-10, Steps: 2}, steep)
	if m.Status() != newton.Limit || m.Steps() != 2 {
		t.Errorf("status %v after %d steps, want the limit after 2", m.Status(), m.Steps())
	}
	// a gradient that is wrong by a constant never gets small
	m, _ = minimise(t, []float64{5, -3}, newton.Options{Tolerance: 1e-12, Steps: 50}, func(w []float64) (float64, []float64, []float64) {
		value, g, h := quadratic(w)
		return value, []float64{g[0] + 1e-6, g[1]}, h
	})
	if m.Status() == newton.Running || m.Status() == newton.Limit {
		t.Errorf("status %v", m.Status())
	}
	nan := newton.New([]float64{0}, newton.Options{Tolerance: 1, Steps: 1})
	if err := nan.Advance(context.Background(), math.NaN(), []float64{0}, []float64{1}); !errors.Is(err, newton.ErrNotFinite) {
		t.Errorf("a value that is no number: %v", err)
	}
}

// TestSingular: a Hessian that is not positive definite still gives a direction.
func TestSingular(t *testing.T) {
	m, _ := minimise(t, []float64{3, 4}, newton.Options{Tolerance: 1e-8, Steps: 50}, func(w []float64) (float64, []float64, []float64) {
		d := w[0] + w[1] - 1
		return d * d / 2, []float64{d, d}, []float64{1, 1, 0, 1}
	})
	if m.Status() != newton.Converged || !(math.Abs(m.Best()[0]+m.Best()[1]-1) <= 1e-6) {
		t.Errorf("status %v at %v", m.Status(), m.Best())
	}
}

func TestValidate(t *testing.T) {
	for _, o := range []newton.Options{{0, 1}, {math.NaN(), 1}, {math.Inf(1), 1}, {1e-6, 0}} {
		if o.Validate() == nil {
			t.Errorf("%+v passes", o)
		}
	}
	if err := (newton.Options{Tolerance: 1e-6, Steps: 1}).Validate(); err != nil {
		t.Error(err)
	}
}

// TestBlurred: where rounding hides which of two values is smaller, as if the value were a sum of
// much larger terms of both signs, the gradient leads on.
func TestBlurred(t *testing.T) {
	start := []float64{1e-6, 1}
	m, n := minimise(t, start, newton.Options{Tolerance: 1e-9, Steps: 20}, func(w []float64) (float64, []float64, []float64) {
		value, blur := 1e6+0.5e8*w[0]*w[0]+w[1]*w[1]*w[1]*w[1]*1e-9+w[1]*w[1]*0.5e-9, 1e-4
		if w[0] == start[0] {
			blur = 0 // all later points look worse than the start
		}
		return value + blur, []float64{1e8 * w[0], w[1]*w[1]*w[1]*4e-9 + w[1]*1e-9}, []float64{1e8, 0, 0, w[1]*w[1]*12e-9 + 1e-9}
	})
	if m.Status() != newton.Converged || n > 20 {
		t.Errorf("status %v, gradient %v after %d evaluations", m.Status(), m.Gradient(), n)
	}
}

// TestCancelled: no direction is computed after a cancellation.
func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	m := newton.New([]float64{5, -3}, newton.Options{Tolerance: 1e-12, Steps: 9})
	if err := m.Advance(ctx, 1, []float64{1, 1}, []float64{4, 1, 0, 3}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
