package rsvm

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/optimize"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/generate"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
)

// made returns a generated data set.
func made(t testing.TB, name string, rows int) *format.Dataset {
	t.Helper()
	set, ok := generate.Lookup(name)
	if !ok {
		t.Fatalf("no data set %q", name)
	}
	return set.Generate(rows, 1)
}

// solution trains, and returns the machines' events and the model.
func solution(t testing.TB, o Options, d *format.Dataset, with func(Options) train.Trainer) (*models.Model, []train.Solved) {
	t.Helper()
	var solved []train.Solved
	o.Report = func(e train.Event) {
		if s, ok := e.(train.Solved); ok {
			solved = append(solved, s)
		}
	}
	m, err := with(o).Train(context.Background(), d, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(solved) != len(m.Machines) {
		t.Fatalf("events of %d machines of %d", len(solved), len(m.Machines))
	}
	for k, s := range solved {
		if !(s.Value < 1e-6) {
			t.Errorf("the gradient's norm at the end is %v of 1 + |w|", s.Value)
		}
		if c := &m.Machines[k]; s.Vectors != len(c.Coef) || s.Rho != c.Rho {
			t.Errorf("machine %d: its event has %d vectors and the offset %v, want %d and %v", k, s.Vectors, s.Rho, len(c.Coef), c.Rho)
		}
	}
	return m, solved
}

func classify(o Options) train.Trainer { return Classifier{Options: o} }
func regress(o Options) train.Trainer  { return Regression{Options: o, Epsilon: 0.1} }

// objective is (1) written out over kernel values by Kernel.EvaluateTo, with its gradient, in w =
// (v, gamma).
type objective struct {
	l    loss
	cost float64
	k    [][]float64 // of each row with the vectors
	y, c []float64
}

func newObjective(o Options, l loss, m *models.Model, d *format.Dataset) *objective {
	g := &objective{l: l, cost: o.Cost}
	for i := range d.Len() {
		values := make([]float64, m.Vectors.Len())
		m.Kernel.EvaluateTo(values, d.X.Row(i), &m.Vectors)
		y := d.Y[i]
		if !l.regression && int(y) != m.Labels[0] {
			y = -1
		} else if !l.regression {
			y = 1
		}
		g.k, g.y, g.c = append(g.k, values), append(g.y, y), append(g.c, 1)
	}
	return g
}

func (g *objective) at(w, gradient []float64) float64 {
	n := len(w) - 1
	sum := 0.0
	copy(gradient, w)
	for _, v := range w {
		sum += v * v / 2
	}
	for i, values := range g.k {
		f := -w[n]
		for j, v := range values {
			f += v * w[j]
		}
		value, slope, _ := g.l.at(f, g.y[i])
		sum += g.cost * g.c[i] * value
		if gradient != nil {
			for j, v := range values {
				gradient[j] += g.cost * g.c[i] * slope * v
			}
			gradient[n] -= g.cost * g.c[i] * slope
		}
	}
	return sum
}

// least returns the least value that BFGS finds from 0.
func (g *objective) least(t testing.TB) float64 {
	t.Helper()
	n := len(g.k[0]) + 1
	r, err := optimize.Minimize(optimize.Problem{
		Func: func(w []float64) float64 { return g.at(w, nil) },
		Grad: func(gradient, w []float64) { g.at(w, gradient) },
	}, make([]float64, n), &optimize.Settings{GradientThreshold: 1e-9, MajorIterations: 5000}, &optimize.BFGS{})
	if r == nil {
		t.Fatal(err)
	}
	return r.F
}

// TestObjective: Newton's steps find the same value as BFGS, to 1e-8.
func TestObjective(t *testing.T) {
	binary := map[string]*format.Dataset{"moons": made(t, "moons", 60), "checkerboard": made(t, "checkerboard", 60)}
	for name, d := range binary {
		for _, alpha := range []float64{5, 1, 30, math.Inf(1)} {
			for _, set := range []Set{Full{}, Random{Vectors: 12}} {
				o := DefaultOptions()
				o.Kernel, o.Cost, o.Alpha, o.Set = kernel.RBF{Gamma: 0.5}, 10, alpha, set
				m, solved := solution(t, o, d, classify)
				want := newObjective(o, loss{alpha: alpha}, m, d).least(t)
				if got := solved[0].Objective; !(math.Abs(got-want) <= 1e-8*want) {
					t.Errorf("%s, alpha %v, %s: objective %v, BFGS %v", name, alpha, Name(set), got, want)
				}
			}
		}
	}
	d := made(t, "sinc", 60)
	for _, alpha := range []float64{5, math.Inf(1)} {
		o := DefaultOptions()
		o.Kernel, o.Cost, o.Alpha, o.Set = kernel.RBF{Gamma: 1}, 10, alpha, Random{Vectors: 10}
		m, solved := solution(t, o, d, regress)
		want := newObjective(o, loss{alpha: alpha, regression: true, epsilon: 0.1}, m, d).least(t)
		if got := solved[0].Objective; !(math.Abs(got-want) <= 1e-8*want) {
			t.Errorf("regression, alpha %v: objective %v, BFGS %v", alpha, got, want)
		}
	}
}

// TestWeights: weights of classes and of rows are factors on the rows' costs, as if the rows were
// repeated.
func TestWeights(t *testing.T) {
	d := made(t, "moons", 80)
	o := DefaultOptions()
	o.Kernel, o.Cost, o.Set = kernel.RBF{Gamma: 0.5}, 10, Random{Vectors: 12}
	weighted := *d
	for i := range d.Len() {
		weighted.Weight = append(weighted.Weight, 1+float64(i%3))
	}
	m, solved := solution(t, o, &weighted, func(o Options) train.Trainer {
		return Classifier{Options: o, Weights: []train.ClassWeight{{Label: 1, Weight: 2}, {Label: 1, Weight: 3}, {Label: -1, Weight: 0.5}}}
	})
	g := newObjective(o, loss{alpha: o.Alpha}, m, d)
	for i := range g.c {
		if g.c[i] = weighted.Weight[i] * 0.5; int(d.Y[i]) == 1 {
			g.c[i] = weighted.Weight[i] * 6
		}
	}
	if got, want := solved[0].Objective, g.least(t); !(math.Abs(got-want) <= 1e-8*want) {
		t.Errorf("objective %v, BFGS %v", got, want)
	}
}

// TestUnsolved: a result that is not a solution is reported, whether rounding errors leave no
// better step or the limit of steps is reached.
func TestUnsolved(t *testing.T) {
	d := made(t, "checkerboard", 300)
	for _, c := range []struct {
		cost  float64
		steps int
		ends  bool
	}{{1e4, 50, true}, {1e4, 2, false}, {1e10, 50, false}} {
		o := DefaultOptions()
		o.Kernel, o.Cost, o.Steps, o.Set = kernel.RBF{Gamma: 1e-6}, c.cost, c.steps, Random{Vectors: 30}
		if c.cost == 1e4 {
			o.Kernel = kernel.RBF{Gamma: 0.5}
		}
		told, gradient := 0, 0.0
		o.Report = func(e train.Event) {
			switch e := e.(type) {
			case train.IterationLimit:
				told = e.Iterations
			case train.Solved:
				gradient = e.Value
			}
		}
		if _, err := (Classifier{Options: o}).Train(context.Background(), d, nil); err != nil {
			t.Fatal(err)
		}
		if (gradient <= o.Tolerance) != c.ends || (told == 0) != c.ends {
			t.Errorf("cost %v, %d steps: a gradient of %v, reported as the end after %d", c.cost, c.steps, gradient, told)
		}
	}
}

// TestSharpens: with growing alpha, the smooth machine becomes that of the plus function, and its
// objective decreases to that machine's.
func TestSharpens(t *testing.T) {
	d := made(t, "moons", 150)
	o := DefaultOptions()
	o.Kernel, o.Cost, o.Set = kernel.RBF{Gamma: 0.5}, 10, Random{Vectors: 15}
	o.Alpha = math.Inf(1)
	m, solved := solution(t, o, d, classify)
	want, exact := solved[0].Objective, m.Machines[0].Coef
	const noise = 1e-10
	lastValue, lastFar := math.Inf(1), math.Inf(1)
	for _, alpha := range []float64{1, 10, 100, 1e3, 1e4, 1e5} {
		o.Alpha = alpha
		m, solved := solution(t, o, d, classify)
		value, far := solved[0].Objective-want, 0.0
		for i, v := range m.Machines[0].Coef {
			far = max(far, math.Abs(v-exact[i]))
		}
		if value < -noise || value > lastValue/5+noise || far > lastFar+noise {
			t.Errorf("alpha %v: objective above the exact one by %v, before %v; coefficients apart %v, before %v", alpha, value, lastValue, far, lastFar)
		}
		lastValue, lastFar = value, far
	}
	if lastFar > 1e-4 {
		t.Errorf("coefficients are still %v apart", lastFar)
	}
}
