package train

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// crossEntropy is the loss that a sigmoid minimises, by its definition, with targets (N+ + 1)/(N+ +
// 2) and 1/(N- + 2).
func crossEntropy(values, labels []float64, s models.Sigmoid) float64 {
	pos := 0.0
	for _, y := range labels {
		if y > 0 {
			pos++
		}
	}
	neg := float64(len(labels)) - pos
	loss := 0.0
	for i, f := range values {
		target := 1 / (neg + 2)
		if labels[i] > 0 {
			target = (pos + 1) / (pos + 2)
		}
		z := s.A*f + s.B
		// -log p and -log(1-p) of p = 1/(1+exp z)
		loss += target*softplus(z) + (1-target)*softplus(-z)
	}
	return loss
}

// softplus returns log(1 + exp z).
func softplus(z float64) float64 { return max(z, 0) + math.Log1p(math.Exp(-math.Abs(z))) }

// slope returns the derivatives of the loss by A and B, by differences of fourth order.
func slope(values, labels []float64, s models.Sigmoid) (dA, dB float64) {
	scale := 1.0
	for _, f := range values {
		scale = max(scale, math.Abs(f))
	}
	difference := func(h float64, at func(h float64) models.Sigmoid) float64 {
		loss := func(k float64) float64 { return crossEntropy(values, labels, at(k*h)) }
		return (8*(loss(1)-loss(-1)) - (loss(2) - loss(-2))) / (12 * h)
	}
	dA = difference(1e-3/scale, func(h float64) models.Sigmoid { return models.Sigmoid{A: s.A + h, B: s.B} })
	dB = difference(1e-3, func(h float64) models.Sigmoid { return models.Sigmoid{A: s.A, B: s.B + h} })
	return dA, dB
}

// calibrationData returns decision values with labels that more or less agree with them.
func calibrationData(r *rand.Rand, n int, scale, noise float64) (values, labels []float64) {
	for range n {
		f := r.NormFloat64() + 0.3
		labels = append(labels, math.Copysign(1, f+noise*r.NormFloat64()))
		values = append(values, scale*f)
	}
	return values, labels
}

// TestFitSigmoid: at the solution both derivatives of the loss are less than the method's 10^-5,
// and the loss is not larger than around it.
func TestFitSigmoid(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, 2, 5, 30, 300} {
		for _, scale := range []float64{1e-3, 1, 50} {
			for _, noise := range []float64{0, 0.3, 3} {
				values, labels := calibrationData(r, n, scale, noise)
				var events []Event
				s := FitSigmoid(values, labels, func(e Event) { events = append(events, e) })
				if len(events) > 0 {
					t.Errorf("%d rows, scale %v, noise %v: %T", n, scale, noise, events[0])
				}
				// differences have errors of their own, in proportion to the loss
				loss := crossEntropy(values, labels, s)
				allowance := 1e-5 + 1e-10*float64(n)*max(1, scale)
				if dA, dB := slope(values, labels, s); !(math.Abs(dA) < allowance && math.Abs(dB) < allowance) {
					t.Errorf("%d rows, scale %v, noise %v: derivatives %v and %v at the solution %v", n, scale, noise, dA, dB, s)
				}
				for _, step := range [][2]float64{{1, 0}, {-1, 0}, {0, 1}, {0, -1}} {
					near := models.Sigmoid{A: s.A + 0.05*step[0]/scale, B: s.B + 0.05*step[1]}
					if crossEntropy(values, labels, near) < loss-1e-6 {
						t.Errorf("%d rows, scale %v, noise %v: %v is better than %v", n, scale, noise, near, s)
					}
				}
			}
		}
	}
}

// TestFitSigmoidEdges: whatever the decision values are, the result is finite.
func TestFitSigmoidEdges(t *testing.T) {
	for _, c := range []struct {
		name           string
		values, labels []float64
	}{
		{"nothing", nil, nil},
		{"all 0", make([]float64, 6), []float64{1, 1, 1, -1, -1, -1}},
		{"one class", []float64{1, 2, 3}, []float64{1, 1, 1}},
		{"the other class", []float64{1, 2, 3}, []float64{-1, -1, -1}},
		{"far apart", []float64{-1e6, -1e6, 1e6, 1e6}, []float64{-1, -1, 1, 1}},
		{"far apart, the wrong way", []float64{-1e6, -1e6, 1e6, 1e6}, []float64{1, 1, -1, -1}},
		{"one far away", []float64{1e9, 1, -1, 0.5}, []float64{1, 1, -1, -1}},
		{"huge", []float64{1e150, -1e150}, []float64{1, -1}},
		{"tiny", []float64{1e-150, -1e-150}, []float64{1, -1}},
	} {
		var events []Event
		s := FitSigmoid(c.values, c.labels, func(e Event) { events = append(events, e) })
		if s.A-s.A != 0 || s.B-s.B != 0 {
			t.Errorf("%s: %v", c.name, s)
		}
		var want []Event
		if c.name == "one far away" {
			want = []Event{CalibrationStuck{}}
		}
		if !slices.Equal(events, want) {
			t.Errorf("%s: events %#v, want %#v", c.name, events, want)
		}
		if c.name == "all 0" && s != (models.Sigmoid{}) {
			t.Errorf("%s: %v, want an even chance", c.name, s)
		}
	}
}

// TestDerivatives compares gradient and Hessian with differences.
func TestDerivatives(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	values, labels := calibrationData(r, 60, 2, 1)
	pos := 0.0
	for _, y := range labels {
		if y > 0 {
			pos++
		}
	}
	l := &loss{values: values, labels: labels, high: (pos + 1) / (pos + 2), low: 1 / (float64(len(labels)) - pos + 2)}
	near := func(what string, got, want float64) {
		t.Helper()
		if !(math.Abs(got-want) <= 1e-7*(1+math.Abs(want))) {
			t.Errorf("%s is %v, by differences %v", what, got, want)
		}
	}
	for _, at := range []models.Sigmoid{{A: -0.3, B: 0.7}, {A: 2, B: -3}, {}} {
		near("the loss", l.at(at), crossEntropy(values, labels, at))
		g1, g2, h11, h21, h22 := l.derivatives()
		dA, dB := slope(values, labels, at)
		near("dL/dA", g1, dA)
		near("dL/dB", g2, dB)
		const h = 1e-5
		gradient := func(a, b float64) (float64, float64) {
			l.at(models.Sigmoid{A: at.A + a, B: at.B + b})
			g1, g2, _, _, _ := l.derivatives()
			return g1, g2
		}
		a1, a2 := gradient(h, 0)
		b1, b2 := gradient(-h, 0)
		near("d2L/dA2", h11, (a1-b1)/(2*h))
		near("d2L/dA dB", h21, (a2-b2)/(2*h))
		_, a2 = gradient(0, h)
		_, b2 = gradient(0, -h)
		near("d2L/dB2", h22, (a2-b2)/(2*h))
	}
}

// firstFeature is a solver whose function is the first feature, less the number of rows of the
// training; it keeps the problems.
type firstFeature struct{ problems *[]*Problem }

func (s firstFeature) Solve(_ context.Context, p *Problem) (*Solution, error) {
	*s.problems = append(*s.problems, p)
	r := &Solution{Coef: make([]float64, p.X.Len()), Rho: float64(p.X.Len())}
	for i := range r.Coef {
		if p.Y[i] < 0 {
			r.Coef[i] = math.Copysign(0, -1)
		}
	}
	// the row of value 1 gets the coefficient
	for i := range r.Coef {
		if p.X.Row(i).At(1) == 1 {
			r.Coef[i] = 1
		}
	}
	return r, nil
}

// TestCalibrate follows the inner folds of each pair by hand: the rows of the pair, first class
// first, are shuffled and cut into five parts, and each part gets its values from the rest, or a
// constant if the rest is of one class.
func TestCalibrate(t *testing.T) {
	for _, labels := range [][]float64{
		{4, 9, 4, 9, 4, 9, 9, 4, 9, 9, 4},
		{4, 9, 9, 9, 9, 9, 9},    // without the only row of class 4, a fold has the constant -1
		{4, 4, 4, 4, 9},          // here it is 1
		{4, 9},                   // three folds are empty, two are trained on one row
		{-1, 1, -1, 1, 1, -1, 2}, // three pairs
		{-1, 1, 1, 1},            // classes change places
	} {
		d := new(format.Dataset)
		for i, y := range labels {
			d.Append(format.Instance{X: vec.Vector{Index: []int32{1}, Value: []float64{float64(i + 1)}}, Y: y, Weight: 1})
		}
		weights := []ClassWeight{{int(labels[0]), 2}, {int(labels[1]), 3}, {int(labels[0]), 5}}
		var problems []*Problem
		o := OneVsOne{Solver: firstFeature{&problems}, Kernel: kernel.Linear{}, Threads: 1, Weights: weights, Probability: true}
		rng := NewRand(3)
		m, err := o.Train(context.Background(), d, rng)
		if err != nil {
			t.Fatal(err)
		}
		classes, err := GroupClasses(labels, nil)
		if err != nil {
			t.Fatal(err)
		}
		twin := NewRand(3)
		for _, machine := range m.Machines {
			pos, neg := classes.Rows[machine.Pos], classes.Rows[machine.Neg]
			rows := append(slices.Clone(pos), neg...)
			n := len(rows)
			order := make([]int, n)
			for i := range order {
				order[i] = i
			}
			twin.Shuffle(order)
			values, y := make([]float64, n), make([]float64, n)
			for i := range y {
				y[i] = -1
				if i < len(pos) {
					y[i] = 1
				}
			}
			for f := range 5 {
				begin, end := f*n/5, (f+1)*n/5
				rest := append(slices.Clone(order[:begin]), order[end:]...)
				inFirst, first := 0, 0.0 // whether the row of value 1 is among them
				for _, i := range rest {
					if y[i] > 0 {
						inFirst++
					}
					if rows[i] == 0 {
						first = 1
					}
				}
				for _, i := range order[begin:end] {
					switch {
					case len(rest) == 0:
					case inFirst == len(rest):
						values[i] = 1
					case inFirst == 0:
						values[i] = -1
					default:
						values[i] = first*float64(rows[i]+1) - float64(len(rest))
					}
				}
				if inFirst == 0 || inFirst == len(rest) {
					continue
				}
				// the problem of the fold has the weights of the pair, class after class
				p := problems[0]
				problems = problems[1:]
				if p.X.Len() != len(rest) {
					t.Errorf("%v: fold %d is trained on %d rows, want %d", labels, f, p.X.Len(), len(rest))
				}
				if !slices.IsSortedFunc(p.Y, func(a, b float64) int { return int(b - a) }) {
					t.Errorf("%v: fold %d has classes %v", labels, f, p.Y)
				}
				checkWeights(t, o.factors(classes), machine, p)
			}
			checkWeights(t, o.factors(classes), machine, problems[0])
			problems = problems[1:] // the final training
			want := FitSigmoid(values, y, nil)
			if *machine.Sigmoid != want {
				t.Errorf("%v: classes %d and %d have %v, want %v of values %v", labels, machine.Pos, machine.Neg, *machine.Sigmoid, want, values)
			}
		}
		if len(problems) != 0 {
			t.Errorf("%v: %d trainings too many", labels, len(problems))
		}
		if *rng != *twin {
			t.Errorf("%v: other numbers of draws", labels)
		}
	}
}

// checkWeights tests that a problem has the weights of a machine's classes.
func checkWeights(t *testing.T, factors []Factors, m models.Machine, p *Problem) {
	t.Helper()
	got, want := fmt.Sprint(p.Weight.Pos, p.Weight.Neg), fmt.Sprint(factors[m.Pos], factors[m.Neg])
	if got != want {
		t.Errorf("weights %s, want %s", got, want)
	}
}
