package lbfgs

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/slimsvm/slimsvm/train/internal/team"
)

// rosenbrock is a curved valley whose only minimum is where all variables are 1.
func rosenbrock(x, g []float64) float64 {
	sum := 0.0
	clear(g)
	for i := range len(x) - 1 {
		a, b := 1-x[i], x[i+1]-x[i]*x[i]
		sum += a*a + 100*b*b
		g[i] += -2*a - 400*b*x[i]
		g[i+1] += 200 * b
	}
	return sum
}

func TestRosenbrock(t *testing.T) {
	for _, n := range []int{2, 5, 50} {
		x := make([]float64, n)
		for i := range x {
			x[i] = -1.2 + 2.2*float64(i%2)
		}
		s := Default()
		s.Evaluations, s.Decrease = 5000, 0
		last := math.Inf(1)
		end, err := Minimize(context.Background(), rosenbrock, x, s, func(st State) bool {
			if st.Value >= last {
				t.Fatalf("%d variables: from %v to %v in iteration %d", n, last, st.Value, st.Iterations)
			}
			last = st.Value
			return true
		})
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range x {
			if !(math.Abs(v-1) <= 1e-4) && n <= 5 { // longer valleys have another minimum
				t.Errorf("%d variables: x[%d] = %v after %d evaluations", n, i, v, end.Evaluations)
			}
		}
		if math.Sqrt(dot(end.Gradient, end.Gradient)) > 1e-5*math.Sqrt(dot(x, x)) {
			t.Errorf("%d variables: gradient %v after %d evaluations", n, math.Sqrt(dot(end.Gradient, end.Gradient)), end.Evaluations)
		}
	}
}

// TestQuadratic: the search finds the minimum of convex quadratic functions of any condition.
func TestQuadratic(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for trial := range 40 {
		n := 1 + r.IntN(30)
		scale, goal := make([]float64, n), make([]float64, n)
		for i := range scale {
			scale[i], goal[i] = math.Exp(6*r.Float64()-3), r.NormFloat64()
		}
		f := func(x, g []float64) float64 {
			sum := 0.0
			for i, v := range x {
				d := v - goal[i]
				sum += scale[i] * d * d / 2
				g[i] = scale[i] * d
			}
			return sum
		}
		s := Default()
		s.Evaluations, s.Decrease, s.Gradient = 2000, 0, 1e-9
		x := make([]float64, n)
		end, err := Minimize(context.Background(), f, x, s, nil)
		if err != nil || end.Value > 1e-15 {
			t.Errorf("trial %d: %d variables: %v after %d evaluations, %v", trial, n, end.Value, end.Evaluations, err)
		}
	}
}

// TestSearch: every step that ends a search before it runs out of evaluations fulfils the strong
// Wolfe conditions.
func TestSearch(t *testing.T) {
	f := func(x, g []float64) float64 { // a quartic function with two valleys
		v := x[0]
		g[0] = 4*v*v*v - 6*v + 0.5
		return v*v*v*v - 3*v*v + 0.5*v
	}
	for k := range 200 {
		start := -3 + 0.03*float64(k)
		m := &minimizer{Settings: Default(), f: f, trial: []float64{0}, trialGradient: []float64{0}, direction: []float64{0}}
		st := State{X: []float64{start}, Gradient: []float64{0}}
		st.Value = f(st.X, st.Gradient)
		m.direction[0] = -st.Gradient[0]
		slope := -st.Gradient[0] * st.Gradient[0]
		if slope > -1e-6 {
			continue
		}
		for _, length := range []float64{1e-4, 1, 1e3} {
			m.evaluations = 0
			value, ok := m.search(&st, slope, length)
			if !ok {
				t.Fatalf("from %v with %v: nothing found", start, length)
			}
			step := (m.trial[0] - start) / m.direction[0]
			if value > st.Value+sufficient*step*slope+1e-12 || !(math.Abs(m.trialGradient[0]*m.direction[0]) <= -flat*slope*(1+1e-9)) {
				t.Errorf("from %v with %v: step %v to value %v and slope %v", start, length, step, value, m.trialGradient[0]*m.direction[0])
			}
		}
	}
}

func TestEnds(t *testing.T) {
	x := []float64{-1.2, 1}
	s := Default()
	s.Evaluations = 7
	end, err := Minimize(context.Background(), rosenbrock, x, s, nil)
	if err != nil || end.Evaluations > 8 {
		t.Errorf("%d evaluations, at most 7 wanted and one to go back to the best; %v", end.Evaluations, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Minimize(ctx, rosenbrock, x, Default(), nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	nan := func(_, _ []float64) float64 { return math.NaN() }
	if _, err := Minimize(context.Background(), nan, x, Default(), nil); !errors.Is(err, ErrStart) {
		t.Errorf("no number at the start: %v", err)
	}
	if _, err := Minimize(ctx, nan, x, Default(), nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled, with half of a value at the start: %v", err)
	}
	steep := func(_, g []float64) float64 { g[0], g[1] = 1e200, 0; return 1 }
	if _, err := Minimize(context.Background(), steep, x, Default(), nil); !errors.Is(err, ErrStart) {
		t.Errorf("a gradient whose square overflows: %v", err)
	}
	n := 0
	end, err = Minimize(context.Background(), rosenbrock, []float64{-1.2, 1}, Default(), func(State) bool { n++; return n < 4 })
	if err != nil || n != 4 || end.Iterations != 3 {
		t.Errorf("stopped in iteration %d after %d looks, %v", end.Iterations, n, err)
	}
}

// TestCliff: points whose value or gradient is not finite, -Inf included, are never taken, and the
// search goes on beside them.
func TestCliff(t *testing.T) {
	for name, beyond := range map[string][2]float64{
		"+Inf": {math.Inf(1), 1}, "-Inf": {math.Inf(-1), -1}, "NaN": {math.NaN(), 1},
		"a slope of NaN": {-10, math.NaN()}, "an infinite slope": {-10, math.Inf(-1)}, "a slope beyond squares": {-10, -1e200},
	} {
		f := func(x, g []float64) float64 { // falls evenly to 0.1 at 1, with the cliff at 1.5
			if x[0] > 1.5 {
				g[0], g[1] = beyond[1], 0
				return beyond[0]
			}
			v := math.Sqrt((x[0]-1)*(x[0]-1) + 0.01)
			g[0], g[1] = (x[0]-1)/v, 2*x[1]
			return v + x[1]*x[1]
		}
		x := []float64{-30, 2}
		end, err := Minimize(context.Background(), f, x, Default(), nil)
		if err != nil || !(end.Value >= 0.1 && end.Value < 0.100001) || !(math.Abs(x[0]-1) <= 1e-3) {
			t.Errorf("%s: %v at %v, %v", name, end.Value, x, err)
		}
	}
}

// TestLimit: no more than one call is made beyond the limit, and all are counted.
func TestLimit(t *testing.T) {
	for limit := 1; limit < 60; limit++ {
		calls := 0
		f := func(x, g []float64) float64 {
			calls++
			a, b := x[1]-x[0]*x[0], 1-x[0]
			g[0], g[1] = -400*a*x[0]-2*b, 200*a
			return 100*a*a + b*b
		}
		s := Default()
		s.Evaluations = limit
		end, err := Minimize(t.Context(), f, []float64{-1.2, 1}, s, nil)
		if err != nil || calls != end.Evaluations || calls > limit+1 {
			t.Errorf("limit %d: %d calls, it says %d, %v", limit, calls, end.Evaluations, err)
		}
	}
}

// TestMany: with very many variables the search also ends at a minimum, the same for any number of
// threads.
func TestMany(t *testing.T) {
	n := many + block/2 + 3
	f := func(x, gradient []float64) float64 {
		sum := 0.0
		for i, v := range x {
			curve := 1 + float64(i%7)
			d := v - float64(i%5)
			sum += float64(curve*d*d)/2 + float64(d*d*d*d)/8
			gradient[i] = float64(curve*d) + float64(d*d*d)/2
		}
		return sum
	}
	a, b := make([]float64, n), make([]float64, n)
	r := rand.New(rand.NewPCG(4, 5))
	for i := range a {
		a[i], b[i] = r.NormFloat64(), r.NormFloat64()
	}
	m, sum := &minimizer{ctx: t.Context()}, append([]float64(nil), a...)
	if got, want := m.dot(a, b), dot(a, b); !(math.Abs(got-want) <= 1e-9) {
		t.Errorf("dot product %v, want %v", got, want)
	}
	m.add(sum, 3, b)
	for i, v := range sum {
		if v != a[i]+float64(3*b[i]) {
			t.Fatalf("sum %d is %v", i, v)
		}
	}
	if got, want := m.addAndDot(a, 3, b, b), m.dot(b, sum); got != want || !slices.Equal(a, sum) {
		t.Errorf("sum and dot product at once: %v, one after the other %v", got, want)
	}
	var first []float64
	for _, threads := range []int{1, 3} {
		ctx, end := team.With(t.Context(), threads)
		x := make([]float64, n)
		st, err := Minimize(ctx, f, x, Default(), nil)
		end()
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range x {
			if !(math.Abs(v-float64(i%5)) <= 1e-4) {
				t.Fatalf("%d threads: variable %d is %v after %d iterations", threads, i, v, st.Iterations)
			}
		}
		if first == nil {
			first = x
		} else if !slices.Equal(first, x) {
			t.Errorf("%d threads have another end", threads)
		}
	}
}
