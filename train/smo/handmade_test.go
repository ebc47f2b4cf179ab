package smo

import (
	"errors"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
)

// TestHandMade: rows that no reader makes yield an error of cross-validations too, whichever fold
// they are in.
func TestHandMade(t *testing.T) {
	o := DefaultOptions()
	negative := func(row int) *format.Dataset {
		d := new(format.Dataset)
		for i := range 6 {
			index := int32(1)
			if i == row {
				index = -1
			}
			d.X.Append(vec.Vector{Index: []int32{index}, Value: []float64{float64(i)}})
			d.Y = append(d.Y, float64(1-2*(i%2)))
		}
		return d
	}
	cut := func(row int) *format.Dataset {
		d := new(format.Dataset)
		for i := range 6 {
			x := vec.Vector{Index: []int32{0, 1, 2, 3, 4, 5, 6}, Value: []float64{float64(i + 1), 1, 2, 3, 4, 5, 6}}
			if i == row {
				x.Index, x.Value = x.Index[:3], x.Value[:3]
			}
			d.X.Append(x)
			d.Y = append(d.Y, float64(1-2*(i%2)))
		}
		return d
	}
	for _, c := range []struct {
		kernel kernel.Kernel
		data   func(row int) *format.Dataset
	}{{kernel.RBF{Gamma: 1}, negative}, {kernel.Precomputed{}, cut}} {
		trainers := map[string]train.Trainer{
			"C-SVC":       train.OneVsOne{Solver: DefaultCSVC(), Kernel: c.kernel, Threads: 1},
			"C-SVC, rest": train.OneVsRest{Solver: DefaultCSVC(), Kernel: c.kernel, Threads: 1},
			"one-class":   OneClass{Nu: 0.5, Kernel: c.kernel, Options: o},
			"epsilon-SVR": EpsilonSVR{C: 1, Epsilon: 0.1, Kernel: c.kernel, Options: o},
			"nu-SVR":      NuSVR{C: 1, Nu: 0.5, Kernel: c.kernel, Options: o},
		}
		for name, trainer := range trainers {
			for row := range 6 {
				d := c.data(row)
				rng := train.NewRand(1)
				folds, err := train.CrossValidationFolds(models.CSVC, d.Y, 3, rng, nil)
				if err != nil {
					t.Fatal(err)
				}
				if _, err = train.CrossValidate(t.Context(), trainer, d, folds, rng, nil); err == nil {
					t.Errorf("%s, kernel %T, row %d: cross-validated", name, c.kernel, row)
				} else if fault := (*train.RowError)(nil); !errors.As(err, &fault) || fault.Row != row {
					t.Errorf("%s, kernel %T, row %d: %v", name, c.kernel, row, err)
				}
				if _, ok := trainer.(train.OneVsOne); ok {
					continue // not a regression
				}
				if _, err := train.EstimateNoise(t.Context(), trainer, d, rng, nil); err == nil {
					t.Errorf("%s, kernel %T, row %d: noise estimated", name, c.kernel, row)
				}
			}
		}
	}
}

// TestNoMargin: a margin that is only due to rounding is reported.
func TestNoMargin(t *testing.T) {
	said := 0
	report := func(e train.Event) {
		if _, ok := e.(train.NoMargin); ok {
			said++
		}
	}
	coinciding := []float64{0.0634, -0.00717, 0.0634, 0.554, 0.554, 0.0634, 0.0634, 0.554, -0.00717, 0.554, -0.00717, -0.00717, 0.0634, 0.0634}
	labels := []float64{1, 1, 1, -1, 1, -1, -1, 1, -1, -1, 1, -1, 1, -1}
	apart := make([]float64, len(labels))
	for i, y := range labels {
		apart[i] = y + coinciding[i]
	}
	near := []float64{1 + 0x1p-10, 1 - 0x1p-10} // with a margin of 2^-19, which float32 holds
	for _, c := range []struct {
		x, labels []float64
		want      bool
	}{{coinciding, labels, true}, {apart, labels, false}, {near, []float64{1, -1}, false}} {
		for _, nu := range []float64{0.2, 0.3} {
			said = 0
			solver := DefaultNuSVC()
			solver.Nu = nu
			d := &format.Dataset{X: column(c.x...), Y: c.labels}
			_, err := train.OneVsOne{Solver: solver, Kernel: kernel.Linear{}, Task: models.NuSVC, Report: report}.Train(t.Context(), d, nil)
			if err == nil && (said > 0) != c.want {
				t.Errorf("nu %v of %v: told %d times", nu, c.x, said)
			}
			if err != nil && !c.want {
				t.Error(err)
			}
		}
	}
}

// TestNegativeMargin: a kernel whose matrix has negative eigenvalues may have a negative margin, which
// is no rounding error and not reported as one.
func TestNegativeMargin(t *testing.T) {
	d := &format.Dataset{X: column(1, 1.2, 3, 3.2), Y: []float64{1, 1, -1, -1}}
	for _, c := range []struct {
		kernel   kernel.Kernel
		negative bool
	}{{kernel.Sigmoid{Gamma: 1}, true}, {kernel.Poly{Degree: 2, Gamma: 1, Coef0: -20}, true}, {kernel.Linear{}, false}} {
		var log []train.Event
		report := func(e train.Event) { log = append(log, e) }
		m, err := train.OneVsOne{Solver: DefaultNuSVC(), Kernel: c.kernel, Task: models.NuSVC, Report: report}.Train(t.Context(), d, nil)
		if err != nil {
			t.Fatal(err)
		}
		cost := last[train.Solved](t, log).Value // 1 over the margin
		if (cost < 0) != c.negative {
			t.Errorf("%+v: a margin of %v, machine %+v", c.kernel, 1/cost, m.Machines[0])
		}
		if n := count[train.NoMargin](log); n != 0 {
			t.Errorf("%+v: a margin of %v is reported as none %d times", c.kernel, 1/cost, n)
		}
	}
}

// TestNuWeights: class weights have no effect on nu-SVC, with one machine for each pair or one
// against the rest.
func TestNuWeights(t *testing.T) {
	d := &format.Dataset{X: column(1, 1.5, 3, 3.5, 6, 6.5, 1.2, 3.1, 6.2), Y: []float64{0, 0, 1, 1, 2, 2, 0, 1, 2}}
	model := func(weights []train.ClassWeight) string {
		m, err := train.OneVsRest{Solver: DefaultNuSVC(), Kernel: kernel.RBF{Gamma: 0.5}, Task: models.NuSVC, Weights: weights}.Train(t.Context(), d, nil)
		if err != nil {
			t.Fatal(err)
		}
		text, err := m.MarshalText()
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	if model(nil) != model([]train.ClassWeight{{Label: 0, Weight: 2}}) {
		t.Error("a weight makes another model")
	}
}
