package joint

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/predict"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/traintest"
)

// TestCosts: training works with any cost and any size of weights.
func TestCosts(t *testing.T) {
	d := set(t, "gauss5", 150, 1)
	for _, cost := range []float64{1e-8, 1, 1e9, 1e20, 1e100, 1e300} {
		c := small(nil)
		c.Cost = cost
		m, err := c.Train(t.Context(), d, train.NewRand(1))
		if err != nil {
			t.Errorf("cost %v: %v", cost, err)
		} else if got := accuracy(t, m, d); got < 0.85 {
			t.Errorf("cost %v: accuracy %v", cost, got)
		}
	}
	heavy := &format.Dataset{X: d.X, Y: d.Y}
	for range d.Y {
		heavy.Weight = append(heavy.Weight, 1e150)
	}
	c := small(nil)
	c.Cost = 1e-150
	m, err := c.Train(t.Context(), heavy, train.NewRand(1))
	if err != nil || accuracy(t, m, d) < 0.9 {
		t.Errorf("weights of 1e150: %v", err)
	}
}

// numbers returns rows in one dimension with targets.
func numbers(y ...float64) *format.Dataset {
	d := new(format.Dataset)
	for i, v := range y {
		d.Append(format.Instance{X: vec.Vector{Index: []int32{1}, Value: []float64{float64(i) / 4}}, Y: v, Weight: 1})
	}
	return d
}

// TestTargetSizes: the unit of targets does not matter.
func TestTargetSizes(t *testing.T) {
	for _, unit := range []float64{1e-100, 1e-9, 1, 1e9, 1e100} {
		d := numbers(1*unit, 2*unit, 4*unit, 3*unit, 2*unit, 1*unit, 0, -1*unit)
		c := small(nil)
		c.Task, c.Loss, c.Kernel = models.EpsilonSVR, Squared, kernel.RBF{Gamma: 1}
		m, err := c.Train(t.Context(), d, train.NewRand(1))
		if err != nil {
			t.Errorf("unit %v: %v", unit, err)
			continue
		}
		p, err := predict.New(m)
		if err != nil {
			t.Fatal(err)
		}
		for i, y := range d.Y {
			if got := p.Predict(d.X.Row(i)); !(math.Abs(got-y) <= 1.2*unit) {
				t.Errorf("unit %v: row %d: %v, want %v", unit, i+1, got/unit, y/unit)
			}
		}
	}
}

// TestTooLarge: numbers that cannot be computed with are named in the error.
func TestTooLarge(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct {
		y    float64
		cost float64
		want string
	}{
		{nan, 1, "row 3: target NaN is not a finite number"},
		{-inf, 1, "row 3: target -Inf is not a finite number"},
		{1e308, 1, "row 3: target 1e+308 is too large: its square overflows"},
		{-1e140, 1e200, "row 3: target -1e+140 is too large for cost 1e+200: the sum of losses overflows"},
	} {
		tr := small(nil)
		tr.Task, tr.Cost = models.EpsilonSVR, c.cost
		d := numbers(1, 2, c.y, 4, 5, 6)
		_, err := tr.Train(t.Context(), d, train.NewRand(1))
		var row *train.RowError
		if !errors.As(err, &row) || row.Row != 2 || err.Error() != c.want {
			t.Errorf("target %v, cost %v: %v, want %s", c.y, c.cost, err, c.want)
		}
		tr.Extra, tr.Cost = d, 1
		if _, err := tr.Train(t.Context(), numbers(1, 2, 3, 4), train.NewRand(1)); c.cost == 1 && (err == nil || err.Error() != "extra rows: "+c.want || errors.As(err, &row) && row == nil) {
			t.Errorf("extra target %v: %v", c.y, err)
		}
	}
	tr := small(nil)
	tr.Cost = 1e307
	if _, err := tr.Train(t.Context(), set(t, "gauss5", 50, 1), train.NewRand(1)); err == nil || !strings.Contains(err.Error(), "cost 1e+307, with a weight of 1, is too large") {
		t.Errorf("cost 1e307: %v", err)
	}
	tr.Cost, tr.Weights = 1, []train.ClassWeight{{Label: 1, Weight: 1e200}, {Label: 1, Weight: 1e200}}
	if _, err := tr.Train(t.Context(), numbers(1, 2, 1, 2), train.NewRand(1)); err == nil || !strings.Contains(err.Error(), "cost 1, with a weight of +Inf, is too large") {
		t.Errorf("weights whose product overflows: %v", err)
	}
}

// TestUntrusted: if weights nearly cancel, so that the penalty may be nothing but rounding, the
// objective is infinite. With smaller weights it is not.
func TestUntrusted(t *testing.T) {
	for _, k := range []kernel.Kernel{kernel.RBF{Gamma: 0.4}, kernel.Linear{}, kernel.Poly{Degree: 3, Gamma: 0.3, Coef0: 0.5}} {
		o, p := random(t, k, Insensitive, 40, 2, 8, 1)
		copy(p.z[2:4], p.z[:2]) // the first two vectors are the same
		clear(p.b)
		for _, size := range []float64{1, 1e3, 1e12, 1e30, 1e150} {
			p.b[0], p.b[1] = size, -size
			j := o.value(context.Background(), p, gradientOf(p))
			if j < 0 || math.IsInf(j, 1) != (size >= 1e12) {
				t.Errorf("%T: weights of %v: objective %v", k, size, j)
			}
		}
	}
}

// TestCancelledEarly: if the context is cancelled, its error is returned, wherever the work was.
// Sums over a part of the rows are not taken for an overflow.
func TestCancelledEarly(t *testing.T) {
	d := set(t, "gauss5", 60, 1)
	for checks := 0; checks < 400; checks += 1 + checks/8 {
		ctx := traintest.NewCountdown(checks)
		c := small(nil)
		c.Threads = 1
		if _, err := c.Train(ctx, d, train.NewRand(1)); !errors.Is(err, context.Canceled) {
			t.Fatalf("cancelled at check %d: %v", checks, err)
		}
	}
}
