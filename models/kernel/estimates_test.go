package kernel_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models/kernel"
)

var estimated = map[string][]kernel.Kernel{
	"rbf": {
		kernel.RBF{Gamma: 0.25}, kernel.RBF{Gamma: 1. / 3}, kernel.RBF{}, kernel.RBF{Gamma: 1e-300}, kernel.RBF{Gamma: 1e-9}, kernel.RBF{Gamma: 1e-3},
		kernel.RBF{Gamma: 1e-13}, kernel.RBF{Gamma: 1e-5}, kernel.RBF{Gamma: 1. / 4096},
		kernel.RBF{Gamma: 3}, kernel.RBF{Gamma: 1e4}, kernel.RBF{Gamma: 1e300}, kernel.RBF{Gamma: math.Inf(1)},
	},
	"poly": {
		kernel.Poly{Degree: 3, Gamma: 0.1}, kernel.Poly{Degree: 2, Gamma: 1. / 3, Coef0: -0.7}, kernel.Poly{Degree: 1, Gamma: 1}, kernel.Poly{},
		kernel.Poly{Gamma: 1e15, Coef0: -1e18}, kernel.Poly{Degree: 5, Gamma: -0.01, Coef0: 0.1}, kernel.Poly{Degree: 16, Gamma: 0.3, Coef0: 1},
		kernel.Poly{Degree: 4, Gamma: 1e-25, Coef0: 1e-25}, kernel.Poly{Degree: 7, Gamma: 1e17}, kernel.Poly{Degree: 3, Gamma: 1e-3, Coef0: 1e18},
	},
	"sigmoid": {
		kernel.Sigmoid{Gamma: 0.1}, kernel.Sigmoid{Gamma: 1. / 3, Coef0: -0.7}, kernel.Sigmoid{}, kernel.Sigmoid{Gamma: -1e-3, Coef0: 2},
		kernel.Sigmoid{Gamma: 20, Coef0: 1}, kernel.Sigmoid{Gamma: 2}, kernel.Sigmoid{Gamma: 0.01, Coef0: 0.25}, kernel.Sigmoid{Gamma: 1e-9, Coef0: -1e-9}, kernel.Sigmoid{Gamma: 1e-3, Coef0: -1e18},
	},
}

// TestEstimates: estimates are as near to the kernel's values as they claim.
func TestEstimates(t *testing.T) {
	for name, kernels := range estimated {
		t.Run(name, func(t *testing.T) {
			everyLevel(t, func(t *testing.T) { testEstimates(t, kernels) })
		})
	}
}

func testEstimates(t *testing.T, kernels []kernel.Kernel) {
	var b kernel.Estimates
	bounded, tight := 0, 0.0 // values with a bound; the largest share of a bound that was needed
	for _, shape := range shapes {
		r := rand.New(rand.NewPCG(7, 8))
		x := shape.make(r)
		for trial, k := range kernels {
			zs := x.Select(r.Perm(x.Len())[:70+r.IntN(8)])
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
					size := b.Size(q) * e.Weight(i)
					allowed := allowance(e, &b, q, i, got)
					if e.Complement() {
						want[i] = 1 - want[i]
					}
					if !(math.Abs(got-want[i]) <= allowed) {
						t.Fatalf("%s, %+v: row %d %v, vector %d %v: %v, want %v within %v", shape.name, k, q, x, i, zs.Row(i), got, want[i], allowed)
					}
					if most := 1.1*size + kernel.EstimateFloor; !(math.Abs(got) <= most && math.Abs(want[i]) <= most) {
						t.Fatalf("%s, %+v: row %d %v, vector %d %v: %v and %v are larger than %v", shape.name, k, q, x, i, zs.Row(i), got, want[i], most)
					}
					bounded++
					if shape.form != "sets" && math.Abs(want[i]) > 1e-30 && !(e.Complement() && want[i] < 1e-10) {
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
}

// allowance returns the bound of the error of the estimate for row q and vector i.
func allowance(e *kernel.Estimator, b *kernel.Estimates, q, i int, estimate float64) float64 {
	floor := kernel.EstimateFloor
	if e.Complement() {
		floor += kernel.ComplementFloor
	}
	if b.Relative(q) {
		return b.Error(q)*estimate + floor
	}
	return b.Error(q)*b.Size(q)*e.Weight(i) + floor
}

// TestEstimatesUnscaled: vectors whose lengths are larger than their distances, as in data that
// nobody scaled, have estimates too: for nearly all rows like them, with any dense kernel.
func TestEstimatesUnscaled(t *testing.T) {
	kinds := []struct {
		name    string
		columns int
		kernels []kernel.Kernel
		value   func(r *rand.Rand) float64
	}{
		{"far from 0", 20, []kernel.Kernel{kernel.RBF{Gamma: 0.25}, kernel.RBF{Gamma: 0.01}, kernel.RBF{Gamma: 3}},
			func(r *rand.Rand) float64 { return 1000 + 3*r.NormFloat64() }},
		{"colours", 20, []kernel.Kernel{kernel.RBF{Gamma: 1. / 36}, kernel.RBF{Gamma: 1e-4}, kernel.RBF{Gamma: 1e-8}, kernel.RBF{Gamma: 1e-16}, kernel.Poly{Degree: 3, Gamma: 1. / 36}, kernel.Poly{Degree: 2, Gamma: 1, Coef0: 5}, kernel.Sigmoid{Gamma: 1e-6}, kernel.Sigmoid{Gamma: 1e-5, Coef0: -1}},
			func(r *rand.Rand) float64 { return float64(r.IntN(158)) }},
		{"large integers", 60, []kernel.Kernel{kernel.Poly{Degree: 1, Gamma: 1}, kernel.Sigmoid{Gamma: 1e-10}},
			func(r *rand.Rand) float64 { return float64(r.IntN(20000)) }},
		{"many columns", 300, []kernel.Kernel{kernel.RBF{Gamma: 0.3}, kernel.RBF{Gamma: 0.25}},
			func(r *rand.Rand) float64 { return 1 + r.NormFloat64()/2 }},
		{"positive", 20, []kernel.Kernel{kernel.Poly{Degree: 3, Gamma: 1. / 20}, kernel.Poly{Degree: 2, Gamma: 1, Coef0: 1}, kernel.Sigmoid{Gamma: 1. / 20}, kernel.Sigmoid{Gamma: 1, Coef0: 1}, kernel.Sigmoid{Gamma: 100}},
			func(r *rand.Rand) float64 { return r.Float64() }},
		{"heavy tails", 20, []kernel.Kernel{kernel.RBF{Gamma: 1. / 57}, kernel.RBF{Gamma: 1e-3}, kernel.Poly{Degree: 3, Gamma: 1. / 57}, kernel.Poly{Degree: 4, Gamma: 1e-3, Coef0: 1}},
			func(r *rand.Rand) float64 { return math.Exp(3*r.NormFloat64()) - 1 }},
	}
	everyLevel(t, func(t *testing.T) {
		for _, kind := range kinds {
			for _, k := range kind.kernels {
				r := rand.New(rand.NewPCG(7, 9))
				x := random(r, 164, kind.columns, 0.9, func() float64 { return kind.value(r) })
				zs := x.Slice(64, 164)
				e := kernel.NewEstimator(k, &zs)
				if e == nil {
					t.Fatalf("%s, %+v: no estimator", kind.name, k)
				}
				var b kernel.Estimates
				rows := make([]vec.Vector, 64)
				for q := range rows {
					rows[q] = x.Row(q + 30) // some of them are vectors
					if q%8 == 0 && q < 34 { // none of these is a vector
						for k := 0; k < len(rows[q].Value); k += 2 {
							rows[q].Value[k] *= -1
						}
					}
				}
				b.Pack(e, rows)
				got, want := make([]float32, zs.Len()*kernel.EstimateRows), make([]float64, zs.Len())
				b.EvaluateTo(got, 0, zs.Len())
				bounded := 0
				for q, x := range rows {
					if math.IsInf(b.Error(q), 1) {
						continue
					}
					bounded++
					k.EvaluateTo(want, x, &zs)
					for i, w := range want {
						g := float64(got[i*kernel.EstimateRows+q])
						if e.Complement() {
							w = 1 - w
						}
						allowed := allowance(e, &b, q, i, g)
						if !(math.Abs(g-w) <= allowed) {
							t.Fatalf("%s, %+v: row %d, vector %d: %v, want %v within %v", kind.name, k, q, i, g, w, allowed)
						}
					}
				}
				if bounded < 50 {
					t.Errorf("%s, %+v: %d of %d rows have a bound", kind.name, k, bounded, len(rows))
				}
			}
		}
	})
}

// TestEstimatesWorst: sums whose roundings all have the same sign have errors almost as large as
// the bounds.
func TestEstimatesWorst(t *testing.T) {
	const columns = 300
	vector := func(first, others float64) (v vec.Vector) {
		for i := range int32(columns) {
			v.Index, v.Value = append(v.Index, i+1), append(v.Value, others)
		}
		v.Value[0] = first
		return v
	}
	everyLevel(t, func(t *testing.T) {
		for _, c := range []struct {
			k     kernel.Kernel
			x, z  vec.Vector
			share float64 // of the bound
		}{
			{kernel.Poly{Degree: 1, Gamma: 1}, vector(1, 0.51*0x1p-19), vector(1, 0x1p-4), 0.5},
			{kernel.Poly{Degree: 3, Gamma: 0.5}, vector(1, 0.51*0x1p-19), vector(1, 0x1p-4), 0.25},
			{kernel.Sigmoid{Gamma: 0.5}, vector(1, 0.51*0x1p-19), vector(1, 0x1p-4), 0.4},
			{kernel.Sigmoid{Gamma: 10}, vector(1, 0.51*0x1p-19), vector(1, 0x1p-4), 0.4},
			{kernel.Poly{Degree: 1, Gamma: 1}, vector(1<<23, 1), vector(2, 1), 0.05},
			{kernel.RBF{Gamma: math.Ln2}, vector(1, 0.51*0x1p-19), vector(1, 0x1p-4), 0.1},
			{kernel.RBF{Gamma: math.Ln2 / 1024}, vector(1, 0.51*0x1p-19), vector(1, 0x1p-4), 0.1},
		} {
			var zs vec.Matrix
			for range 9 {
				zs.Append(c.z)
			}
			e := kernel.NewEstimator(c.k, &zs)
			var b kernel.Estimates
			b.Pack(e, []vec.Vector{c.x})
			got, want := make([]float32, zs.Len()*kernel.EstimateRows), make([]float64, zs.Len())
			b.EvaluateTo(got, 0, zs.Len())
			c.k.EvaluateTo(want, c.x, &zs)
			if e.Complement() {
				want[0] = 1 - want[0]
			}
			bound := allowance(e, &b, 0, 0, float64(got[0]))
			if d := math.Abs(float64(got[0]) - want[0]); !(d <= bound && d >= c.share*bound) {
				t.Errorf("%+v: %v, want %v within %v to %v, has %v", c.k, got[0], want[0], c.share*bound, bound, d)
			}
		}
	})
}

// TestEstimatesFar: only rows that are not too far away have estimates of values near 1; others
// have no bound.
func TestEstimatesFar(t *testing.T) {
	along := func(v float64) vec.Vector { return vec.Vector{Index: []int32{1, 2}, Value: []float64{v, 0.1}} }
	var zs vec.Matrix
	for i := range 9 {
		zs.Append(along(1 - float64(i)/64))
	}
	k := kernel.RBF{Gamma: math.Ln2 / 33} // at a distance of 2 the exponent of 2 is 4/33, at most 1/8
	everyLevel(t, func(t *testing.T) {
		e := kernel.NewEstimator(k, &zs)
		if !e.Complement() {
			t.Fatal("values are not near 1")
		}
		var b kernel.Estimates
		got, want := make([]float32, zs.Len()*kernel.EstimateRows), make([]float64, zs.Len())
		bounded, far := 0, 0
		for at := 0.0; at < 20; at += 1. / 16 {
			x := along(-at)
			b.Pack(e, []vec.Vector{x})
			if math.IsInf(b.Error(0), 1) {
				far++
				continue
			}
			bounded++
			b.EvaluateTo(got, 0, zs.Len())
			k.EvaluateTo(want, x, &zs)
			for i, v := range want {
				estimate := float64(got[i*kernel.EstimateRows])
				if allowed := allowance(e, &b, 0, i, estimate); !(math.Abs(estimate-(1-v)) <= allowed) {
					t.Fatalf("row at %v, vector %d: %v, want %v within %v", -at, i, estimate, 1-v, allowed)
				}
			}
		}
		if bounded < 24 || far < 200 {
			t.Errorf("%d rows have a bound, %d have none", bounded, far)
		}
	})
}

// TestEstimatesRefuse: kernels that cannot be estimated have no estimator, and values that cannot
// have no bound.
func TestEstimatesRefuse(t *testing.T) {
	var zs vec.Matrix
	zs.Append(vec.Vector{Index: []int32{1, 2}, Value: []float64{1, 0.5}})
	for _, k := range []kernel.Kernel{kernel.Linear{}, kernel.Poly{Degree: 17, Gamma: 1}, kernel.Poly{Degree: 2, Gamma: 1e-40}, kernel.Poly{Degree: 2, Gamma: 1, Coef0: 1e20}, kernel.Sigmoid{Gamma: 1e30}, kernel.Sigmoid{Gamma: math.NaN()}, kernel.Sigmoid{Coef0: math.Inf(1)}, kernel.Precomputed{}, kernel.RBF{Gamma: -1}, kernel.RBF{Gamma: math.NaN()}, kernel.RBF{Gamma: math.Inf(1)}, kernel.RBF{Gamma: 1e300}} {
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

// TestEstimatesMemory: estimates of another estimator use the memory that is there.
func TestEstimatesMemory(t *testing.T) {
	looked := 0
	for _, shape := range shapes {
		x := shape.make(rand.New(rand.NewPCG(7, 8)))
		var es [2]*kernel.Estimator
		for i := range es {
			es[i] = kernel.NewEstimator(kernel.RBF{Gamma: 0.25}, x)
		}
		if es[0] == nil {
			continue
		}
		looked++
		rows := make([]vec.Vector, kernel.EstimateRows)
		for i := range rows {
			rows[i] = x.Row(i % x.Len())
		}
		var b kernel.Estimates
		dst := make([]float32, x.Len()*kernel.EstimateRows)
		use := func() {
			for _, e := range es {
				b.Pack(e, rows)
				b.EvaluateTo(dst, 0, x.Len())
			}
		}
		use()
		if n := testing.AllocsPerRun(10, use); n > 0 {
			t.Errorf("%s: %v allocations", shape.name, n)
		}
	}
	if looked < 5 {
		t.Errorf("%d shapes have estimators", looked)
	}
}
