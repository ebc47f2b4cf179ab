package joint

import (
	"fmt"
	"math"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/predict"
	"github.com/slimsvm/slimsvm/train"
)

// lossAt is the formula of a loss, for outputs f of a row of class number own or of target y.
func lossAt(name Loss, f []float64, own int, y, epsilon float64) (sum float64) {
	square := func(v float64) float64 { return max(0, v) * max(0, v) }
	switch {
	case name == Squared:
		return (f[0] - y) * (f[0] - y)
	case name == Insensitive:
		return square(math.Abs(f[0]-y) - epsilon)
	case name == Softmax && len(f) == 1: // classes with the values f and 0
		return lossAt(name, []float64{f[0], 0}, own, y, epsilon)
	case name == Softmax:
		for _, v := range f {
			sum += math.Exp(v - f[own])
		}
		return math.Log(sum)
	case name == Multiclass && len(f) > 1:
		for k, v := range f {
			if k != own {
				sum += square(1 - (f[own] - v))
			}
		}
		return sum
	}
	for k, v := range f {
		if k != own {
			v = -v
		}
		sum += square(1 - v)
	}
	return sum
}

// objectiveOf is the objective of a model of rows that count as much as weights say. inner tells
// whether the kernel is an inner product.
func objectiveOf(t *testing.T, m *models.Model, d *format.Dataset, weights []float64, c *Trainer, loss Loss, inner bool) float64 {
	t.Helper()
	p, err := predict.New(m)
	if err != nil {
		t.Fatal(err)
	}
	sum, f := 0.0, make([]float64, len(m.Machines))
	for i, y := range d.Y {
		p.Decisions(f, d.X.Row(i))
		own := 0
		for k, label := range m.Labels {
			if label == int(y) {
				own = k
			}
		}
		sum += c.Cost * weights[i] * lossAt(loss, f, own, y, c.Epsilon)
	}
	k := make([]float64, m.Vectors.Len())
	for j := range k {
		m.Kernel.EvaluateTo(k, m.Vectors.Row(j), &m.Vectors)
		for _, of := range m.Machines {
			b := make([]float64, len(k)) // all vectors
			if of.Index == nil {
				copy(b, of.Coef)
			}
			for n, at := range of.Index {
				b[at] = of.Coef[n]
			}
			if !inner {
				sum += b[j] * b[j] / 2
				continue
			}
			for i, v := range k {
				sum += b[i] * b[j] * v / 2
			}
		}
	}
	return sum
}

// TestFormula: the objective of a model is what the package's documentation says, evaluated by the
// formula for the model itself. Gradients agree with differences of a wrong objective too.
func TestFormula(t *testing.T) {
	kernels := []struct {
		kernel.Kernel
		inner bool
	}{
		{kernel.RBF{Gamma: 0.3}, true},
		{kernel.Linear{}, true},
		{kernel.Poly{Degree: 2, Gamma: 0.2, Coef0: 1}, true},
		{kernel.Poly{Degree: 2, Gamma: 0.2, Coef0: -0.5}, false},
		{kernel.Sigmoid{Gamma: 0.1, Coef0: -0.2}, false},
	}
	for _, k := range kernels {
		for _, loss := range []Loss{SquaredHinge, Multiclass, Softmax, Squared, Insensitive} {
			for _, name := range []string{"moons", "gauss5"} {
				d := set(t, name, 120, 1)
				extra := set(t, name, 30, 2)
				objective := math.NaN()
				c := small(func(e train.Event) {
					if e, ok := e.(train.Solved); ok {
						objective = e.Objective
					}
				})
				c.Kernel, c.Loss, c.HeldOut, c.Cost, c.Extra = k.Kernel, loss, 0, 0.7, extra
				factor := func(y float64) float64 { return 1 }
				if loss == Squared || loss == Insensitive {
					c.Task, c.Epsilon = models.EpsilonSVR, 0.3
				} else {
					c.Weights = []train.ClassWeight{{Label: int(d.Y[0]), Weight: 3}}
					factor = func(y float64) float64 {
						if y == d.Y[0] {
							return 3
						}
						return 1
					}
				}
				all, weights := &format.Dataset{}, []float64(nil)
				d.Weight = make([]float64, d.Len())
				for i, y := range d.Y {
					d.Weight[i] = 0.5 + float64(i%3)
					all.Append(format.Instance{X: d.X.Row(i), Y: y, Weight: 1})
					weights = append(weights, d.Weight[i]*factor(y))
				}
				for i, y := range extra.Y {
					all.Append(format.Instance{X: extra.X.Row(i), Y: y, Weight: 1})
					weights = append(weights, factor(y))
				}
				m, err := c.Train(t.Context(), d, train.NewRand(1))
				if err != nil {
					t.Fatal(err)
				}
				want := objectiveOf(t, m, all, weights, &c, loss, k.inner)
				if what := fmt.Sprintf("%s, %v, %s", name, k.Kernel, loss); !(math.Abs(objective-want) <= 1e-8*want) {
					t.Errorf("%s: objective %v, by the formula %v", what, objective, want)
				}
			}
		}
	}
}
