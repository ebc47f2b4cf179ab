package kernel_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// Estimates are as near to the kernel's values as they claim.
func TestEstimates(t *testing.T) {
	everyLevel(t, func(t *testing.T) {
		var b kernel.Estimates
		bounded, tight := 0, 0.0 // values with a bound; the largest share of it that was used
		for _, shape := range shapes {
			r := rand.New(rand.NewPCG(7, 8))
			x := shape.make(r)
			for trial, gamma := range []float64{0.25, 1. / 3, 0, 1e-300, 1e-9, 3, 1e4, 1e300, math.Inf(1)} {
				zs := x.Select(r.Perm(x.Len())[:70+r.IntN(8)])
				k := kernel.RBF{Gamma: gamma}
				e := kernel.NewEstimator(k, &zs)
				if e == nil {
					continue
				}
				rows := make([]vec.Vector, []int{64, 0, 1, 33}[trial%4])
				for i := range rows {
					rows[i] = x.Row(r.IntN(x.Len()))
					if trial%3 > 0 && r.IntN(4) == 0 {
						rows[i] = strangers[r.IntN(len(strangers))]
					}
				}
				b.Pack(e, rows)
				from := r.IntN(zs.Len() + 1)
				to := from + r.IntN(zs.Len()-from+1)
				guarded := slices.Repeat([]float32{untouched}, (to-from)*kernel.EstimateRows+10)
				b.EvaluateTo(guarded[5:len(guarded)-5], from, to)
				for _, end := range [][]float32{guarded[:5], guarded[len(guarded)-5:]} {
					if slices.ContainsFunc(end, func(v float32) bool { return v != untouched }) {
						t.Fatalf("written outside: %v", end)
					}
				}
				want := make([]float64, zs.Len())
				for q, x := range rows {
					k.EvaluateTo(want, x, &zs)
					bound := b.Error(q)
					if math.IsInf(bound, 1) {
						continue
					}
					for i := from; i < to; i++ {
						got := float64(guarded[5+(i-from)*kernel.EstimateRows+q])
						if math.IsNaN(got) && math.IsNaN(want[i]) {
							continue
						}
						allowed := bound*got + kernel.EstimateFloor
						if !(math.Abs(got-want[i]) <= allowed) {
							t.Fatalf("%s, gamma %v: row %d %v, vector %d %v: %v, want %v within %v", shape.name, gamma, q, x, i, zs.Row(i), got, want[i], allowed)
						}
						bounded++
						if want[i] > 1e-30 {
							tight = max(tight, math.Abs(got-want[i])/allowed)
						}
					}
				}
			}
		}
		if bounded < 50000 {
			t.Errorf("only %d values have a bound", bounded)
		}
		if tight < 0.02 {
			t.Errorf("bounds are %v times too large", 1/tight)
		}
		t.Logf("%d values, up to %.3f of the bound", bounded, tight)
	})
}

// What cannot be estimated has no estimator, or no bound.
func TestEstimatesRefuse(t *testing.T) {
	var zs vec.Matrix
	zs.Append(vec.Vector{Index: []int32{1, 2}, Value: []float64{1, 0.5}})
	for _, k := range []kernel.Kernel{kernel.Linear{}, kernel.Poly{Degree: 2, Gamma: 1}, kernel.Sigmoid{Gamma: 1}, kernel.Precomputed{}, kernel.RBF{Gamma: -1}, kernel.RBF{Gamma: math.NaN()}, kernel.RBF{Gamma: math.Inf(1)}, kernel.RBF{Gamma: 1e300}} {
		if kernel.NewEstimator(k, &zs) != nil {
			t.Errorf("%T%+v has an estimator", k, k)
		}
	}
	e := kernel.NewEstimator(kernel.RBF{Gamma: 1}, &zs)
	var b kernel.Estimates
	for _, v := range []float64{1e200, 1e20, 1e4, math.Inf(1), math.NaN()} {
		b.Pack(e, []vec.Vector{{Index: []int32{2}, Value: []float64{v}}, {Index: []int32{2}, Value: []float64{1}}})
		if !math.IsInf(b.Error(0), 1) || math.IsInf(b.Error(1), 1) {
			t.Errorf("%v: errors %v and %v", v, b.Error(0), b.Error(1))
		}
	}
}
