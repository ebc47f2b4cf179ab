package preimage

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train/internal/de"
	"github.com/slimsvm/slimsvm/train/internal/team"
)

var kernels = []kernel.Kernel{
	kernel.RBF{Gamma: 0.4}, kernel.Poly{Degree: 3, Gamma: 0.5, Coef0: 1}, kernel.Poly{Degree: 2, Gamma: 1}, kernel.Linear{},
}

// features are the numbers of the features, neither consecutive nor beginning at 1.
var features = []int32{0, 3, 4, 9, 200}

func randomVector(rng *rand.Rand, centre float64) vec.Vector {
	var v vec.Vector
	for _, f := range features {
		if rng.IntN(4) > 0 {
			v.Index, v.Value = append(v.Index, f), append(v.Value, centre+rng.NormFloat64())
		}
	}
	return v
}

func matrix(vectors ...vec.Vector) *vec.Matrix {
	m := new(vec.Matrix)
	for _, v := range vectors {
		m.Append(v)
	}
	return m
}

func randomTarget(t testing.TB, rng *rand.Rand, k kernel.Kernel, n int) (*Target, *vec.Matrix, []float64) {
	points := matrix()
	var eta []float64
	for i := range n {
		points.Append(randomVector(rng, float64(i%2)))
		eta = append(eta, rng.NormFloat64()+0.5)
	}
	target, err := NewTarget(k, points, eta)
	if err != nil {
		t.Fatal(err)
	}
	return target, points, eta
}

// slow returns g and h by the definitions.
func slow(k kernel.Kernel, points *vec.Matrix, eta []float64, z vec.Vector) (g, h float64) {
	values := make([]float64, points.Len())
	k.EvaluateTo(values, z, points)
	for i, v := range values {
		g += eta[i] * v
	}
	self := make([]float64, 1)
	k.EvaluateTo(self, z, matrix(z))
	return g, self[0]
}

// TestFunction: the function, its gradients by differences, and the values that a population keeps
// up to date.
func TestFunction(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, k := range kernels {
		target, points, eta := randomTarget(t, rng, k, 150)
		f := newFunction(target)
		d := target.dim()
		if d != len(features) {
			t.Fatalf("%d features, want %d", d, len(features))
		}
		var zs [][]float64
		for range 300 {
			z := make([]float64, d)
			target.spread(z, randomVector(rng, 0.5))
			zs = append(zs, z)
		}
		for threads := 1; threads < 4; threads++ {
			ctx, end := team.With(t.Context(), threads)
			defer end()
			w := &population{Target: target, ctx: ctx}
			values := make([]float64, len(zs))
			members := slices.Clone(zs)
			w.Evaluate(values, members)
			follow(t, w, f, rand.New(rand.NewPCG(8, 9)))
			for i, z := range zs {
				if want := rho(f.at(z)); !(math.Abs(values[i]-want) <= 1e-10*(1+math.Abs(want))) {
					t.Fatalf("%T: value %v of a member, want %v", k, values[i], want)
				}
			}
		}
		grad := make([]float64, d)
		for _, z := range zs[:40] {
			g, h := f.at(z)
			wantG, wantH := slow(k, points, eta, target.vector(z))
			if !(math.Abs(g-wantG) <= 1e-10*(1+math.Abs(g))) || !(math.Abs(h-wantH) <= 1e-10*(1+h)) {
				t.Fatalf("%T: g, h = %v, %v, want %v, %v", k, g, h, wantG, wantH)
			}
			if h < 1e-3 {
				continue
			}
			f.angle(grad, z)
			differences(t, func(x []float64) float64 { return rho(f.at(x)) }, grad, z)
		}
	}
}

// follow makes trials take the places of members, and compares the population's values of them with
// the function.
func follow(t *testing.T, w *population, f *function, rng *rand.Rand) {
	n, d := len(w.members), f.dim()
	trials := make([]de.Trial, n)
	dst := make([]float64, n)
	for range 5 {
		for i := range trials {
			trials[i] = de.Trial{From: rng.IntN(d)}
			for k := range 1 + rng.IntN(d) {
				trials[i].Entries = append(trials[i].Entries, w.members[i][(trials[i].From+k)%d]+rng.NormFloat64())
			}
		}
		w.EvaluateTrial(dst, trials)
		for i, v := range dst {
			x := slices.Clone(w.members[i])
			for k, v := range trials[i].Entries {
				x[(trials[i].From+k)%d] = v
			}
			if want := rho(f.at(x)); !(math.Abs(v-want) <= 1e-10*(1+math.Abs(want))) {
				t.Fatalf("%T: value %v of a trial, want %v", f.kernel, v, want)
			}
			if i%3 > 0 {
				w.Accept(i)
				w.members[i] = x
			}
		}
	}
}

// differences compares a gradient at z with differences of the function.
func differences(t *testing.T, f func(x []float64) float64, grad, z []float64) {
	t.Helper()
	for i := range z {
		const step = 1e-5
		x := slices.Clone(z)
		x[i] += step
		up := f(x)
		x[i] -= 2 * step
		want := (up - f(x)) / (2 * step)
		if !(math.Abs(grad[i]-want) <= 1e-5*(1+math.Abs(want)+math.Abs(up))) {
			t.Fatalf("at %v: derivative %d is %v, by differences %v", z, i, grad[i], want)
		}
	}
}

// TestJoint: vectors that are moved together. The value is the distance up to a constant, the
// gradient that by differences, and the result is no further away.
func TestJoint(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	for _, k := range kernels {
		target, points, eta := randomTarget(t, rng, k, 40)
		zs := []vec.Vector{randomVector(rng, 0), randomVector(rng, 1), randomVector(rng, 1)}
		beta := []float64{1, -0.5, 2}
		j := &joint{function: newFunction(target), ctx: t.Context(), d: target.dim(), beta: beta, unit: 1}
		x := make([]float64, 3*(j.d+1))
		for i, z := range zs {
			target.spread(x[i*(j.d+1):][:j.d], z)
			x[i*(j.d+1)+j.d] = 1
		}
		grad := make([]float64, len(x))
		value := j.value(grad, x)
		differences(t, func(x []float64) float64 { return j.value(make([]float64, len(x)), x) }, grad, x)
		far := func(zs []vec.Vector, beta []float64) float64 {
			all, factors := points, slices.Clone(eta)
			for i, z := range zs {
				all, factors = appended(all, z), append(factors, -beta[i])
			}
			return squaredNorm(k, all, factors)
		}
		before := far(zs, beta)
		if want := before - squaredNorm(k, points, eta); !(math.Abs(value-want) <= 1e-9*(1+math.Abs(want))) {
			t.Errorf("%T: value %v, want %v", k, value, want)
		}
		beta = []float64{0.1, 0.1, 0.1}
		before = far(zs, beta)
		moved, factors, err := Joint(t.Context(), target, zs, beta, 100)
		if err != nil {
			t.Fatal(err)
		}
		if after := far(moved, factors); after > 0.9*before {
			t.Errorf("%T: distance %v, was %v", k, after, before)
		}
		beta = []float64{100, 100, 100} // further than 0; from there no descent is possible
		if moved, factors, err = Joint(t.Context(), target, zs, beta, 100); err != nil || far(moved, factors) > far(zs, beta) {
			t.Errorf("%T: from far away %v with factors %v, %v", k, moved, factors, err)
		}
	}
}

// TestFirstConverged: the result of fixed-point iterations is that of the first start that
// converges, and it is a fixed point.
func TestFirstConverged(t *testing.T) {
	points := matrix()
	for _, v := range []float64{0, 1, 1e6, 1e6 + 3} { // two hills, the second one higher
		points.Append(vec.Vector{Index: []int32{1}, Value: []float64{v}})
	}
	for _, gamma := range []float64{0.4, 1e-3} {
		target, err := NewTarget(kernel.RBF{Gamma: gamma}, points, []float64{1, 2, 3, 4})
		if err != nil {
			t.Fatal(err)
		}
		s := Default()
		s.Method, s.Steps = FixedPoint, 100_000
		astray := vec.Vector{Index: []int32{1}, Value: []float64{5e5}} // where all values are 0
		r, err := s.Find(t.Context(), nil, target, []vec.Vector{astray, points.Row(0), points.Row(2)})
		if err != nil {
			t.Fatal(err)
		}
		x := r.Z.Value[0]
		near, far := math.Exp(-gamma*x*x), 2*math.Exp(-gamma*(1-x)*(1-x))
		if step := far/(near+far) - x; !(x > 0 && x < 1) || !(math.Abs(step) <= 3e-4) {
			t.Errorf("gamma %v: %v, from which the next step is %v", gamma, x, step)
		}
	}
}

// TestNoneConverged: where no fixed-point iteration converges to anything better than its start, as
// between points of both signs, the best vector seen is the result, in whatever order the starts
// are.
func TestNoneConverged(t *testing.T) {
	points := matrix()
	for _, v := range []float64{0, 1} {
		points.Append(vec.Vector{Index: []int32{1}, Value: []float64{v}})
	}
	for _, gamma := range []float64{0.01, 1e-6} {
		target, err := NewTarget(kernel.RBF{Gamma: gamma}, points, []float64{1, -1})
		if err != nil {
			t.Fatal(err)
		}
		s := Default()
		s.Method = FixedPoint
		at := func(x float64) vec.Vector { return vec.Vector{Index: []int32{1}, Value: []float64{x}} }
		starts := []vec.Vector{at(0.25), points.Row(0), at(0.5)} // g is 0 at the last one
		for range starts {
			starts = append(starts[1:], starts[0])
			r, err := s.Find(t.Context(), nil, target, starts)
			if err != nil {
				t.Errorf("gamma %v, from %v: %v", gamma, starts, err)
				continue
			}
			g := 1 - math.Exp(-gamma)
			if least := g * g * (1 - 1e-6); !(r.Gain >= least) {
				t.Errorf("gamma %v, from %v: a gain of %v, expected at least %v, a start's", gamma, starts, r.Gain, least)
			}
		}
	}
}

// TestBestStart: of several searches the best result counts, whichever start it came from.
func TestBestStart(t *testing.T) {
	points := matrix()
	for _, v := range []float64{0, 1, 30, 31} { // two hills, the second one higher
		points.Append(vec.Vector{Index: []int32{1}, Value: []float64{v}})
	}
	target, err := NewTarget(kernel.RBF{Gamma: 0.4}, points, []float64{1, 2, 3, 4})
	if err != nil {
		t.Fatal(err)
	}
	for _, method := range []Method{Restarts, Together} {
		for _, starts := range [][]vec.Vector{{points.Row(0), points.Row(2)}, {points.Row(3), points.Row(1)}} {
			s := Default()
			s.Method = method
			if r, err := s.Find(t.Context(), nil, target, starts); err != nil || !(r.Z.Value[0] > 30 && r.Z.Value[0] < 31) {
				t.Errorf("method %d from %v: %+v, %v", method, starts, r, err)
			}
		}
	}
}

// TestOrder: NaN comes last, and no unit is chosen for which gamma would be rounded.
func TestOrder(t *testing.T) {
	nan := math.NaN()
	values := []float64{nan, 2, math.Inf(1), nan, -1}
	slices.SortFunc(values, compare)
	if !slices.Equal(values[:3], []float64{-1, 2, math.Inf(1)}) {
		t.Errorf("order %v", values)
	}
	for _, c := range []struct{ gamma, largest, unit float64 }{
		{1, 0x1p20, 0x1p21}, {1, 0x1p-20, 0x1p-19}, {1, 100, 1}, {0, 0x1p20, 0x1p21},
		{0x1p-1070, 0x1p-20, 1}, {0x1.8p-1074, 0x1p20, 0x1p21}, {0x1p1000, 0x1p20, 1},
	} {
		for _, k := range []kernel.Kernel{kernel.RBF{Gamma: c.gamma}, kernel.Poly{Degree: 2, Gamma: c.gamma}} {
			if unit, in := unitOf(k, c.largest); unit != c.unit || unit == 1 && in != k {
				t.Errorf("%v, features up to %v: unit %v and %v, want %v", k, c.largest, unit, in, c.unit)
			}
		}
	}
}

// TestFindsImage: an image times a factor is found again.
func TestFindsImage(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, k := range kernels {
		for _, method := range []Method{Evolution, Restarts, FixedPoint, Together} {
			if _, ok := k.(kernel.RBF); method == FixedPoint && !ok {
				continue
			}
			hidden := vec.Vector{Index: features, Value: []float64{0.5, -1, 0.25, 1, -0.5}}
			target, err := NewTarget(k, matrix(hidden), []float64{-2.5})
			if err != nil {
				t.Fatal(err)
			}
			var starts []vec.Vector
			for range 30 {
				starts = append(starts, randomVector(rng, 0))
			}
			s := Default()
			s.Method = method
			r, err := s.Find(t.Context(), rng, target, starts)
			if err != nil {
				t.Fatalf("%T: %v", k, err)
			}
			whole := make([]float64, 1)
			k.EvaluateTo(whole, hidden, matrix(hidden))
			if want := 2.5 * 2.5 * whole[0]; !(math.Abs(r.Gain-want) <= 1e-6*want) {
				t.Errorf("%T, method %d: gain %v, want %v", k, method, r.Gain, want)
			}
			at := make([]float64, 1)
			k.EvaluateTo(at, hidden, matrix(r.Z))
			if !(math.Abs(r.Beta*at[0]+2.5*whole[0]) <= 1e-3*whole[0]) {
				t.Errorf("%T, method %d: %v times the image of %v", k, method, r.Beta, r.Z)
			}
		}
	}
}

// TestFind: a result is no worse than any start, its gain is the decrease of |Psi|^2, and seeds and
// threads change nothing that they must not.
func TestFind(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	gains := map[Method]float64{}
	for round := range 12 {
		k := kernels[round%3]
		target, points, eta := randomTarget(t, rng, k, 40)
		var starts []vec.Vector
		for i := range points.Len() {
			starts = append(starts, points.Row(i))
		}
		for _, method := range []Method{Restarts, Evolution, Together} {
			s := Default()
			s.Method, s.Starts = method, 1+9*(round%2)
			find := func(threads int) *Result {
				ctx, end := team.With(t.Context(), threads)
				defer end()
				r, err := s.Find(ctx, rand.New(rand.NewPCG(7, uint64(round))), target, starts)
				if err != nil {
					t.Fatal(err)
				}
				return r
			}
			r := find(1)
			if other := find(3); !slices.Equal(r.Z.Value, other.Z.Value) || r.Evaluations != other.Evaluations {
				t.Errorf("%v with one thread, %v with three", r, other)
			}
			g, h := slow(k, points, eta, r.Z)
			if !(math.Abs(r.Gain-g*g/h) <= 1e-9*r.Gain) || !(math.Abs(r.Beta-g/h) <= 1e-9*math.Abs(r.Beta)) {
				t.Errorf("gain %v, factor %v; want %v, %v", r.Gain, r.Beta, g*g/h, g/h)
			}
			// |Psi - beta phi(z)|^2 = |Psi|^2 - gain
			before, after := squaredNorm(k, points, eta), squaredNorm(k, appended(points, r.Z), append(slices.Clone(eta), -r.Beta))
			if !(math.Abs(before-after-r.Gain) <= 1e-7*before) {
				t.Errorf("%T: |Psi|^2 falls from %v to %v, gain %v", k, before, after, r.Gain)
			}
			for _, z := range starts[:s.Starts] {
				if g, h := slow(k, points, eta, z); method != Evolution && g*g/h > r.Gain*(1+1e-9) {
					t.Errorf("%T: gain %v, at a start %v", k, r.Gain, g*g/h)
				}
			}
			gains[method] += r.Gain / before
		}
	}
	if gains[Evolution] < gains[Restarts]*(1-1e-5) { // mostly both end at the same minima
		t.Errorf("differential evolution gains less than few restarts: %v", gains)
	}
}

func appended(points *vec.Matrix, z vec.Vector) *vec.Matrix {
	m := matrix()
	for i := range points.Len() {
		m.Append(points.Row(i))
	}
	m.Append(z)
	return m
}

func squaredNorm(k kernel.Kernel, points *vec.Matrix, eta []float64) float64 {
	sum := 0.0
	for i, e := range eta {
		g, _ := slow(k, points, eta, points.Row(i))
		sum += e * g
	}
	return sum
}

func TestErrors(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	points := matrix(randomVector(rng, 1), randomVector(rng, 1))
	if _, err := NewTarget(kernel.Sigmoid{Gamma: 1}, points, []float64{1, 1}); !errors.Is(err, ErrKernel) {
		t.Errorf("sigmoid: %v", err)
	}
	if _, err := NewTarget(kernel.RBF{Gamma: 1}, points, []float64{0, 0}); !errors.Is(err, ErrZero) {
		t.Errorf("zero: %v", err)
	}
	target, err := NewTarget(kernel.Poly{Degree: 2, Gamma: 1}, points, []float64{1, 1})
	if err != nil {
		t.Fatal(err)
	}
	starts := []vec.Vector{points.Row(0)}
	vast, err := NewTarget(kernel.RBF{Gamma: 1}, points, []float64{1e200, 1e200})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := DefaultDescent().Approximate(t.Context(), vast, starts, nil); !errors.Is(err, ErrFar) {
		t.Errorf("far: %v", err)
	}
	s := Default()
	s.Method = FixedPoint
	if _, err := s.Find(t.Context(), rng, target, starts); err == nil {
		t.Error("a fixed point of a polynomial kernel")
	}
	s.Method = Evolution
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for range 9 {
		starts = append(starts, randomVector(rng, 1))
	}
	if _, err := s.Find(ctx, rng, target, starts); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if err := Default().Validate(); err != nil {
		t.Error(err)
	}
	for _, bad := range []func(*Search){
		func(s *Search) { s.Method = 4 }, func(s *Search) { s.Method = -1 }, func(s *Search) { s.Population = -1 }, func(s *Search) { s.Starts = 0 },
		func(s *Search) { s.Steps = 0 }, func(s *Search) { s.DE.Scale = 0 },
	} {
		s := Default()
		if s.Starts, s.Steps = 1, 1; s.Validate() != nil { // the smallest numbers allowed
			t.Error(s.Validate())
		}
		if bad(&s); s.Validate() == nil {
			t.Errorf("%+v is valid", s)
		}
	}
	// a target far from every start has value 0 there: that is an error, not a vector
	far, err := NewTarget(kernel.RBF{Gamma: 1}, points, []float64{1, 1})
	if err != nil {
		t.Fatal(err)
	}
	distant := vec.Vector{Index: []int32{0}, Value: []float64{1e6}}
	if r, err := Default().Find(t.Context(), rng, far, []vec.Vector{distant}); !errors.Is(err, ErrZero) {
		t.Errorf("a start at which g is 0: %v, %v", r, err)
	}
}

// TestManySteps: any number of steps is allowed.
func TestManySteps(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	target, points, _ := randomTarget(t, rng, kernel.RBF{Gamma: 0.1}, 20)
	for _, method := range []Method{Restarts, Together, FixedPoint} {
		s := Default()
		s.Method, s.Starts, s.Steps = method, 1, math.MaxInt
		if _, err := s.Find(t.Context(), rng, target, []vec.Vector{points.Row(0)}); err != nil {
			t.Errorf("method %d: %v", method, err)
		}
	}
}
