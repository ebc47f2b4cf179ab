package preimage

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// squaredDistance returns |Psi - sum_j w_j phi(z_j)|^2 by the definition.
func squaredDistance(k kernel.Kernel, points *vec.Matrix, eta []float64, zs []vec.Vector, w []float64) float64 {
	all, coef := points.Clone(), append([]float64{}, eta...)
	for j, z := range zs {
		all.Append(z)
		coef = append(coef, -w[j])
	}
	sum, values := 0.0, make([]float64, all.Len())
	for i, c := range coef {
		k.EvaluateTo(values, all.Row(i), &all)
		for n, v := range values {
			sum += c * coef[n] * v
		}
	}
	return sum
}

// TestDistance: the value is the squared distance, and the gradient that by differences, with and
// without bounds.
func TestDistance(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	for _, k := range kernels {
		for _, limit := range []float64{0, 0.3, 3} {
			target, points, eta := randomTarget(t, rng, k, 30)
			const n = 4
			var box []float64
			for j := range n {
				if limit > 0 {
					box = append(box, limit*float64(j))
				}
			}
			f := distanceFrom(t, target, n, box)
			if want := squaredDistance(k, points, eta, nil, nil); !(math.Abs(f.unit-want) <= 1e-9*want) {
				t.Fatalf("%v: |Psi|^2 is %v, want %v", k, f.unit, want)
			}
			d := target.dim()
			x, grad, other := make([]float64, n*d), make([]float64, n*d), make([]float64, n*d)
			for i := range x {
				x[i] = rng.NormFloat64()
			}
			value := f.value(x, grad)
			var zs []vec.Vector
			for j := range n {
				zs = append(zs, target.vector(x[j*d:][:d]))
			}
			if want := squaredDistance(k, points, eta, zs, f.w) / f.unit; !(math.Abs(value-want) <= 1e-6) {
				t.Errorf("%v, limit %v: distance %v, want %v", k, limit, value, want)
			}
			for i := range x {
				const h = 1e-5
				was := x[i]
				x[i] = was + h
				up := f.value(x, other)
				x[i] = was - h
				down := f.value(x, other)
				x[i] = was
				if want := (up - down) / (2 * h); !(math.Abs(grad[i]-want) <= 1e-4*(math.Abs(want)+1e-2)) {
					t.Errorf("%v, limit %v: derivative %d is %v, by differences %v", k, limit, i, grad[i], want)
				}
			}
		}
	}
}

// TestBoxed: the programme's solution has the least value of all choices of bounds.
func TestBoxed(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	for range 300 {
		n := 1 + rng.IntN(5)
		b := newBoxedQuadratic(n)
		root := make([]float64, n*n)
		for i := range root {
			root[i] = rng.NormFloat64()
		}
		g, box := make([]float64, n), make([]float64, n)
		for j := range n {
			g[j], box[j] = 2*rng.NormFloat64(), max(0, rng.Float64()-0.1)
			for k := range j + 1 {
				for i := range n {
					b.a[j][k] += root[i*n+j] * root[i*n+k]
				}
			}
			b.a[j][j] += 1e-3
		}
		value := func(w []float64) (v float64) {
			for j := range w {
				for k := range w {
					v += w[j] * w[k] * b.element(j, k)
				}
				v -= 2 * g[j] * w[j]
			}
			return v
		}
		w := make([]float64, n)
		b.minimise(w, g, box)
		for j, v := range w {
			slope := -g[j]
			for k, u := range w {
				slope += b.element(j, k) * u
			}
			switch {
			case !(math.Abs(v) <= box[j]):
				t.Fatalf("w %v outside of %v", w, box)
			case math.Abs(v) < box[j] && !(math.Abs(slope) <= 1e-9), v == box[j] && v > 0 && slope > 1e-9, v == -box[j] && v < 0 && slope < -1e-9:
				t.Fatalf("w %v in %v: slope %v of variable %d", w, box, slope, j)
			}
		}
		for range 50 { // no point of the box has a lower value
			other := make([]float64, n)
			for j := range other {
				other[j] = box[j] * (2*rng.Float64() - 1)
			}
			if value(other) < value(w)-1e-9 {
				t.Fatalf("%v has %v, %v has %v", w, value(w), other, value(other))
			}
		}
		b.minimise(w, g, nil)
		for j := range w {
			slope := -g[j]
			for k, u := range w {
				slope += b.element(j, k) * u
			}
			if !(math.Abs(slope) <= 1e-8*(1+math.Abs(g[j]))) {
				t.Fatalf("slope %v without bounds", slope)
			}
		}
	}
}

// TestApproximate: a sum of few images is found again from starts near them; results are optimal,
// inside the box, and no worse than the start.
func TestApproximate(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 1))
	ctx := context.Background()
	k := kernel.RBF{Gamma: 0.2}
	few := []vec.Vector{randomVector(rng, 0), randomVector(rng, 2), randomVector(rng, -2)}
	target, err := NewTarget(k, matrix(few...), []float64{1, -2, 1.5})
	if err != nil {
		t.Fatal(err)
	}
	var near []vec.Vector
	for _, v := range few {
		v = v.Clone()
		for i := range v.Value {
			v.Value[i] += 0.2 * rng.NormFloat64()
		}
		near = append(near, v)
	}
	a, err := DefaultDescent().Approximate(ctx, target, near, nil)
	if err != nil || !(a.Distance < 1e-7) || !(a.Start > 1e-3) {
		t.Errorf("%+v, %v", a, err)
	}
	for _, k := range kernels {
		target, points, eta := randomTarget(t, rng, k, 40)
		for _, limit := range []float64{0, 0.5} {
			starts := []vec.Vector{randomVector(rng, 0), randomVector(rng, 1), randomVector(rng, 1)}
			var box []float64
			if limit > 0 {
				box = []float64{limit, 2 * limit, 0}
			}
			a, err := DefaultDescent().Approximate(ctx, target, starts, box)
			if err != nil {
				t.Fatal(err)
			}
			for j, w := range a.W {
				if box != nil && !(math.Abs(w) <= box[j]) {
					t.Errorf("%v: w %v in the box %v", k, a.W, box)
				}
			}
			if a.Distance > a.Start {
				t.Errorf("%v: from %v to %v", k, a.Start, a.Distance)
			}
			unit := squaredDistance(k, points, eta, nil, nil)
			if got := squaredDistance(k, points, eta, a.Z, a.W) / unit; !(math.Abs(got-a.Distance) <= 1e-5) {
				t.Errorf("%v: distance %v, want %v", k, a.Distance, got)
			}
			if k == kernel.Kernel(kernel.Linear{}) {
				if limit == 0 && (len(a.Z) != 1 || a.W[0] != 1 || a.Distance != 0) {
					t.Errorf("linear kernel: %+v", a)
				}
				continue
			}
			f := distanceFrom(t, target, 3, box)
			d := target.dim()
			x, grad := make([]float64, 3*d), make([]float64, 3*d)
			for j, z := range a.Z {
				target.spread(x[j*d:][:d], z)
			}
			f.value(x, grad)
			for i, g := range grad {
				if !(math.Abs(g) <= 1e-3) {
					t.Errorf("%v, limit %v: derivative %d of %v at the end", k, limit, i, g)
				}
			}
		}
	}
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := DefaultDescent().Approximate(cancelled, target, near, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// TestUnit: the unit of the features makes no difference: for features in another unit the search
// finds the same vectors in that unit, except for what it leaves at its end.
func TestUnit(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	points := new(vec.Matrix)
	var eta []float64
	for range 30 {
		points.Append(vec.Vector{Index: []int32{1, 2, 5}, Value: []float64{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}})
		eta = append(eta, rng.Float64())
	}
	for _, k := range []kernel.Kernel{kernel.RBF{Gamma: 0.5}, kernel.Poly{Degree: 3, Gamma: 0.5, Coef0: 1}} {
		for _, method := range []Method{Evolution, Restarts, FixedPoint, Together, -1} {
			if _, rbf := k.(kernel.RBF); !rbf && method == FixedPoint {
				continue
			}
			find := func(exponent int) (zs []vec.Vector) {
				in, kernelIn := new(vec.Matrix), k
				for i := range points.Len() {
					in.Append(times(points.Row(i), math.Ldexp(1, exponent)))
				}
				switch k := k.(type) {
				case kernel.RBF:
					kernelIn = kernel.RBF{Gamma: math.Ldexp(k.Gamma, -2*exponent)}
				case kernel.Poly:
					kernelIn = kernel.Poly{Degree: k.Degree, Gamma: math.Ldexp(k.Gamma, -2*exponent), Coef0: k.Coef0}
				}
				target, err := NewTarget(kernelIn, in, eta)
				if err != nil {
					t.Fatal(err)
				}
				starts := []vec.Vector{in.Row(0), in.Row(1), in.Row(2), in.Row(3), in.Row(4), in.Row(5), in.Row(6), in.Row(7)}
				if method < 0 {
					a, err := DefaultDescent().Approximate(t.Context(), target, starts[:3], nil)
					if err != nil {
						t.Fatal(err)
					}
					return a.Z
				}
				s := Default()
				s.Method, s.DE.Generations = method, 10
				r, err := s.Find(t.Context(), rand.New(rand.NewPCG(1, 1)), target, starts)
				if err != nil {
					t.Fatal(err)
				}
				return []vec.Vector{r.Z}
			}
			usual := find(0)
			for _, exponent := range []int{-20, 20, -300, 300} {
				for j, z := range find(exponent) {
					for n, v := range times(z, math.Ldexp(1, -exponent)).Value {
						if want := usual[j].Value[n]; !(math.Abs(v-want) <= 1e-3*(1+math.Abs(want))) {
							t.Errorf("%v, method %d, in units of 2^%d: feature %d of vector %d is %v, %v in units of 1", k, method, exponent, n, j, v, want)
						}
					}
				}
			}
		}
	}
}

// times returns a vector times a factor.
func times(v vec.Vector, factor float64) vec.Vector {
	w := vec.Vector{Index: v.Index}
	for _, x := range v.Value {
		w.Value = append(w.Value, x*factor)
	}
	return w
}
