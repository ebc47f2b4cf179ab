package joint

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/predict"
	"github.com/slimsvm/slimsvm/train"
)

// A smallSet has rows such as users begin with: few, with few features, repeated, with constant
// columns, and any kernel and cost.
type smallSet struct {
	d *format.Dataset
	t Trainer
}

func (s smallSet) String() string {
	return fmt.Sprintf("%d rows, %d features, %v, %#v, cost %v, loss %q, %s, %d vectors, %d evaluations, %v held out, pull %v",
		s.d.Len(), s.d.X.MaxIndex(), s.t.Task, s.t.Kernel, s.t.Cost, s.t.Loss, s.t.Starts[0].Name(), s.t.Vectors, s.t.Evaluations, s.t.HeldOut, s.t.Pull)
}

// pick returns one of several values.
func pick[T any](r *rand.Rand, values ...T) T { return values[r.IntN(len(values))] }

func newSmallSet(seed uint64) smallSet {
	r := rand.New(rand.NewPCG(seed, 99))
	s := smallSet{d: new(format.Dataset), t: Default()}
	rows, inputs, classes := 2+r.IntN(59), pick(r, 1, 1, 1, 2, 5), 2+r.IntN(4)
	constant := pick(r, 0, 0, 0.5, 5, 7, 100, 1e3, 1e5)
	whole, repeated := r.IntN(3) == 0, r.IntN(3) == 0
	if s.t.Task = pick(r, models.CSVC, models.EpsilonSVR); s.t.Task == models.EpsilonSVR {
		s.t.Loss = pick(r, "", Squared, Insensitive)
	} else {
		s.t.Loss = pick(r, "", SquaredHinge, Multiclass, Softmax)
	}
	size, offset := math.Pow(10, float64(r.IntN(7)-2)), pick(r, 0.0, 1000)
	for i := range rows {
		y := float64(r.IntN(classes))
		var v vec.Vector
		for f := range inputs {
			x := r.NormFloat64() + 2*y
			if whole {
				x = math.Round(4 * x)
			}
			v.Index, v.Value = append(v.Index, int32(f+1)), append(v.Value, x)
		}
		if constant != 0 {
			v.Index, v.Value = append(v.Index, int32(inputs+1)), append(v.Value, constant)
		}
		if repeated && i > 0 && r.IntN(2) == 0 {
			v = s.d.X.Row(r.IntN(i)).Clone()
		}
		if s.t.Task == models.EpsilonSVR {
			y = offset + size*(v.Value[0]+r.NormFloat64()/10)
		}
		s.d.Append(format.Instance{X: v, Y: y, Weight: 1})
	}
	gamma := math.Pow(10, float64(r.IntN(6)-4))
	rbf := kernel.RBF{Gamma: pick(r, 1/float64(inputs), gamma)}
	s.t.Kernel = pick[kernel.Kernel](r, rbf, rbf, rbf, rbf, rbf, kernel.Linear{}, kernel.Poly{Degree: 3, Gamma: gamma, Coef0: 1}, kernel.Sigmoid{Gamma: gamma})
	s.t.Cost = pick(r, 1, math.Pow(10, float64(r.IntN(9)-3)), 1e100)
	s.t.Vectors = pick(r, 50, 50, 2+r.IntN(20))
	s.t.Starts = []Basis{pick[Basis](r, KMeans{}, RandomRows{})}
	s.t.Evaluations, s.t.HeldOut, s.t.Pull = pick(r, 300, 300, 40, 0), pick(r, 0.1, 0), pick(r, 0, 0, 0, 0.5)
	return s
}

// TestSmallSets: whatever the rows, there is a model. Its objective is finite and not larger than
// without weights, and the same when it is computed from the model in another way. Values are
// finite, and those of a regression are not far from its targets. The number of threads has no
// effect.
func TestSmallSets(t *testing.T) {
	cases := 100
	if testing.Short() {
		cases = 15
	}
	for seed := range uint64(cases) {
		s := newSmallSet(seed)
		if err := s.check(t, seed); err != nil {
			t.Errorf("seed %d: %v: %v", seed, s, err)
		}
	}
}

// TestNearlyDependent: kernel values of the vectors are nearly dependent if rows have one feature,
// or whole numbers, or are long compared with their differences.
func TestNearlyDependent(t *testing.T) {
	number := func(f int, x float64) vec.Vector { return vec.Vector{Index: []int32{int32(f)}, Value: []float64{x}} }
	all, seeds := map[string]smallSet{}, 4
	if testing.Short() {
		seeds = 1
	}
	add := func(name string, task models.Task, rows int, row func(i int) (vec.Vector, float64)) {
		s := smallSet{new(format.Dataset), Default()}
		s.t.Task = task
		for i := range rows {
			x, y := row(i)
			s.d.Append(format.Instance{X: x, Y: y, Weight: 1})
		}
		s.t.Kernel = kernel.RBF{Gamma: 1 / float64(s.d.X.MaxIndex())}
		all[name] = s
	}
	add("a line and a step", models.EpsilonSVR, 34, func(i int) (vec.Vector, float64) {
		if i >= 30 {
			return number(1, float64(i-25)), 30
		}
		return number(1, float64(i+1)), float64(i)
	})
	add("few whole numbers", models.EpsilonSVR, 18, func(i int) (vec.Vector, float64) {
		x := [...]float64{2, 1, 6, 9, 6, 3, 9, 5, 7, 4, 4, 9, 2, 6, 2, 1, 7, 1}[i]
		return number(1, x), [...]float64{2, 3, 6, 9, -6, 3, -9, 5, 7, 4, -4, 9, 6, 6, 2, -1, 21, 1}[i]
	})
	for _, constant := range []float64{0, 0.5, 5, 7, 100, 1e4} {
		for seed := range uint64(seeds) {
			r := rand.New(rand.NewPCG(seed, 1))
			add(fmt.Sprint(constant, " beside, seed ", seed), models.CSVC, 60, func(i int) (vec.Vector, float64) {
				v := number(2, r.NormFloat64()+2*float64(i%2))
				return vec.Vector{Index: append([]int32{1}, v.Index...), Value: append([]float64{constant}, v.Value...)}, float64(i % 2)
			})
		}
	}
	for name, s := range all {
		if err := s.check(t, 1); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func (s smallSet) check(t *testing.T, seed uint64) error {
	objective := math.NaN()
	c := s.t
	c.Threads = 1
	c.Report = func(e train.Event) {
		if solved, ok := e.(train.Solved); ok {
			objective = solved.Objective
		}
	}
	m, err := c.Train(t.Context(), s.d, train.NewRand(uint32(seed)))
	if err != nil {
		return err
	}
	c.Threads, c.Report = 3, nil
	again, err := c.Train(t.Context(), s.d, train.NewRand(uint32(seed)))
	if err != nil {
		return err
	}
	if fmt.Sprint(m.Vectors, m.Machines, m.Kernel) != fmt.Sprint(again.Vectors, again.Machines, again.Kernel) {
		return fmt.Errorf("another model with three threads")
	}
	if m.Machines == nil {
		return nil // one class
	}
	value, none := s.objective(m, true), s.objective(m, false)
	switch {
	case !(objective >= 0 && objective <= none):
		return fmt.Errorf("objective %v, %v without weights", objective, none)
	case !(math.Abs(value-objective) <= 0.01*none):
		return fmt.Errorf("objective %v, that of the model %v, %v without weights", objective, value, none)
	}
	p, err := predict.New(m)
	if err != nil {
		return err
	}
	low, high := math.Inf(1), math.Inf(-1)
	for _, y := range s.d.Y {
		low, high = min(low, y), max(high, y)
	}
	for i := range s.d.Len() {
		y, far := p.Predict(s.d.X.Row(i)), 3*max(high-low, math.Abs(low), math.Abs(high))
		if !(y >= low-far && y <= high+far) {
			return fmt.Errorf("row %d is answered by %v, answers are from %v to %v", i+1, y, low, high)
		}
	}
	return m.Validate()
}

// objective returns the objective of a model, or of one without weights, with the kernel values of
// prediction.
func (s smallSet) objective(m *models.Model, weights bool) float64 {
	cost := 0.0
	name := Loss("")
	for _, p := range m.Provenance.Parameters {
		switch p.Name {
		case "cost":
			fmt.Sscan(p.Value, &cost)
		case "loss":
			name = Loss(p.Value)
		}
	}
	l, err := lossOf(name, s.t.Epsilon)
	if err != nil {
		panic(err)
	}
	_, sigmoid := m.Kernel.(kernel.Sigmoid)
	sum := 0.0
	k := make([]float64, m.Vectors.Len())
	for j := range k {
		m.Kernel.EvaluateTo(k, m.Vectors.Row(j), &m.Vectors)
		for _, machine := range m.Machines {
			for i, b := range machine.Coef {
				if !weights || sigmoid && i != j {
					continue
				}
				if sigmoid {
					k[i] = 1
				}
				sum += b * machine.Coef[j] * k[i] / 2
			}
		}
	}
	for i, y := range s.d.Y {
		m.Kernel.EvaluateTo(k, s.d.X.Row(i), &m.Vectors)
		f := make([]float64, len(m.Machines))
		for o, machine := range m.Machines {
			if !weights {
				continue
			}
			f[o] = -machine.Rho
			for j, b := range machine.Coef {
				f[o] += b * k[j]
			}
		}
		to := target{value: y}
		for c, label := range m.Labels {
			if float64(label) == y {
				to.class = c
			}
		}
		sum += cost * l.of(f, to)
	}
	return sum
}
