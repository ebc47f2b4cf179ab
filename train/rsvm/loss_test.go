package rsvm

import (
	"math"
	"testing"
)

// TestDerivatives: if the loss is smooth, its first and second derivatives are those by
// differences.
func TestDerivatives(t *testing.T) {
	const h = 1e-5
	for _, l := range []loss{
		{alpha: 5}, {alpha: 0.3}, {alpha: 40}, {alpha: math.Inf(1)},
		{alpha: 5, regression: true, epsilon: 0.3}, {alpha: 50, regression: true}, {alpha: math.Inf(1), regression: true, epsilon: 0.3},
	} {
		for _, y := range []float64{-1, 1} {
			for f := -4.03; f < 4; f += 0.17 {
				low, lowSlope, _ := l.at(f-h, y)
				high, highSlope, _ := l.at(f+h, y)
				value, slope, curve := l.at(f, y)
				if d := (high - low) / (2 * h); !(math.Abs(d-slope) <= 1e-8*(1+math.Abs(d))) {
					t.Fatalf("%+v at %v, target %v: slope %v, differences say %v", l, f, y, slope, d)
				}
				if d := (highSlope - lowSlope) / (2 * h); !(math.Abs(d-curve) <= 1e-6*(1+math.Abs(d))) {
					t.Fatalf("%+v at %v, target %v: curve %v, differences say %v", l, f, y, curve, d)
				}
				if value < 0 || curve < 0 {
					t.Fatalf("%+v at %v, target %v: loss %v, curve %v", l, f, y, value, curve)
				}
			}
		}
	}
}

// TestSharp: the smooth loss is above the exact one and approaches it as alpha grows. Nothing
// overflows.
func TestSharp(t *testing.T) {
	exact := loss{alpha: math.Inf(1)}
	for _, f := range []float64{-1e6, -50, -1, 0.9, 1, 1.1, 3, 50, 1e6} {
		want, _, _ := exact.at(f, 1)
		last := math.Inf(1)
		for alpha := 1.0; alpha < 1e9; alpha *= 10 {
			got, slope, curve := loss{alpha: alpha}.at(f, 1)
			if math.IsNaN(got+slope+curve) || math.IsInf(got+slope+curve, 0) {
				t.Fatalf("alpha %v at %v: %v, %v, %v", alpha, f, got, slope, curve)
			}
			if got < want || got > last {
				t.Errorf("alpha %v at %v: %v, exact %v, with less alpha %v", alpha, f, got, want, last)
			}
			last = got
		}
		if last-want > 1e-8*(1+want) {
			t.Errorf("at %v: %v, exact %v", f, last, want)
		}
	}
	// p(0, alpha) = log 2 / alpha
	if got, _, _ := (loss{alpha: 5}).at(1, 1); !(math.Abs(got-math.Pow(math.Ln2/5, 2)/2) <= 1e-17) {
		t.Errorf("at the margin %v", got)
	}
}
