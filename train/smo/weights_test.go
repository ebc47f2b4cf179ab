package smo

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
)

// weightedTargets returns rows of two features, with a target and a weight each.
func weightedTargets(weights ...float64) *format.Dataset {
	d := &format.Dataset{Weight: weights}
	for _, r := range [][3]float64{
		{0, 1, 0.5}, {1, 0.5, 1.75}, {2, 2, 3}, {3, 1.5, 2}, {4, 0, 5}, {5, 3, 4.25}, {1.5, 1, -1}, {2.5, 0.25, 3.5},
	} {
		d.X.Append(vec.Vector{Index: []int32{1, 2}, Value: []float64{r[0], r[1]}})
		d.Y = append(d.Y, r[2])
	}
	return d
}

// TestWeightedEpsilonSVR: an error on a row costs C times its weight. The values are those of
// scikit-learn 1.2.1, SVR(C=2, epsilon=0.125, gamma=0.5, tol=1e-12) with sample_weight.
func TestWeightedEpsilonSVR(t *testing.T) {
	for _, c := range []struct {
		kernel  kernel.Kernel
		bounded int
		want    [8]float64
	}{
		{kernel.Linear{}, 3, [8]float64{0.375, 1.8392857142857, 0.6607142857143, 2.125, 4.9107142857143, 1.75, 1.5803571428571, 3.375}},
		{kernel.RBF{Gamma: 0.5}, 4, [8]float64{0.8893520942, 1.62500007, 1.9200402653, 2.124999997, 4.87500002, 3.2913937907, 1.257601549, 3.375000008}},
	} {
		for _, shrinking := range []bool{true, false} {
			var solved []train.Solved
			s := EpsilonSVR{C: 2, Epsilon: 0.125, Kernel: c.kernel, Options: DefaultOptions()}
			s.Tolerance, s.Shrinking = 1e-10, shrinking
			s.Report = func(e train.Event) {
				if e, ok := e.(train.Solved); ok {
					solved = append(solved, e)
				}
			}
			d := weightedTargets(1, 2, 0.5, 3, 1, 0.25, 1.5, 4)
			m, err := s.Train(t.Context(), d, nil)
			if err != nil {
				t.Fatal(err)
			}
			got := values(t, m, d)
			for i, want := range c.want {
				if math.Abs(got[i]-want) > 1e-6 {
					t.Errorf("%T, shrinking %v, row %d: %v, want %v", c.kernel, shrinking, i, got[i], want)
				}
			}
			if len(solved) != 1 || solved[0].Bounded != c.bounded || solved[0].Name != "" {
				t.Errorf("%T: told %+v", c.kernel, solved)
			}
		}
	}
}

// weightedMethods returns trainers of all kinds of problems.
func weightedMethods(report train.Report) map[string]train.Trainer {
	o := DefaultOptions()
	o.Tolerance, o.Report = 1e-10, report
	k := kernel.RBF{Gamma: 0.25}
	return map[string]train.Trainer{
		"epsilon-SVR": EpsilonSVR{C: 0.5, Epsilon: 0.1, Kernel: k, Options: o},
		"nu-SVR":      NuSVR{C: 0.5, Nu: 0.4, Kernel: k, Options: o},
		"one-class":   OneClass{Nu: 0.3, Kernel: k, Options: o},
		"nu-SVC":      train.OneVsOne{Solver: NuSVC{Nu: 0.4, Options: o}, Kernel: k, Threads: 1, Report: report},
		"C-SVC":       train.OneVsOne{Solver: CSVC{C: 0.5, Options: o}, Kernel: k, Threads: 1, Report: report},
	}
}

// labelled returns d with two labels for the classifiers.
func labelled(name string, d *format.Dataset) *format.Dataset {
	if strings.HasSuffix(name, "SVC") {
		for i, y := range d.Y {
			d.Y[i] = 1
			if y > 2 {
				d.Y[i] = -1
			}
		}
	}
	return d
}

// TestWeightsAreRepetitions: to every trainer, a row of weight 3 is the same as three rows, and one
// of weight three quarters the same as three of a quarter.
func TestWeightsAreRepetitions(t *testing.T) {
	weights := []float64{1, 2, 5, 3, 1, 2, 1, 4}
	var solved []train.Solved
	methods := weightedMethods(func(e train.Event) {
		if e, ok := e.(train.Solved); ok {
			solved = append(solved, e)
		}
	})
	for name, method := range methods {
		for _, unit := range []float64{1, 0.25} {
			d, repeated := labelled(name, weightedTargets(slices.Clone(weights)...)), new(format.Dataset)
			for i, w := range weights {
				d.Weight[i] = w * unit
				for range int(w) {
					repeated.Append(format.Instance{Y: d.Y[i], X: d.X.Row(i), Weight: unit})
				}
			}
			solved = nil
			got := [][]float64{}
			learn := func(method train.Trainer, training *format.Dataset) {
				m, err := method.Train(t.Context(), training, train.NewRand(1))
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				got = append(got, values(t, m, d))
			}
			learn(method, d)
			learn(method, repeated)
			if a, b := solved[0], solved[1]; len(solved) != 2 || math.Abs(a.Objective-b.Objective) > 1e-6 || math.Abs(a.Rho-b.Rho) > 1e-6 ||
				a.Name != "" && b.Name != "" && math.Abs(a.Value-b.Value) > 1e-6 {
				t.Errorf("%s, %v: told %+v", name, unit, solved)
			}
			if name == "nu-SVC" { // whose report has C
				c := methods["C-SVC"].(train.OneVsOne)
				c.Solver = CSVC{C: solved[0].Value, Options: c.Solver.(CSVC).Options}
				learn(c, d)
				if solved[2].Bounded != solved[0].Bounded {
					t.Errorf("%d vectors at their bounds, %d of C-SVC", solved[0].Bounded, solved[2].Bounded)
				}
			}
			for _, other := range got[1:] {
				for i, v := range got[0] {
					if math.Abs(v-other[i]) > 1e-6 {
						t.Errorf("%s, %v, row %d: %v, by repetitions %v", name, unit, i, v, other[i])
					}
				}
			}
		}
	}
}

// TestSizeOfWeights: in problems without a cost, a common factor of all weights has no effect: the
// values of a region have it as a factor, and a classifier is the same.
func TestSizeOfWeights(t *testing.T) {
	weights := []float64{1, 2, 0.5, 3, 1, 0.25, 1.5, 4}
	for _, name := range []string{"one-class", "nu-SVC"} {
		var want []float64
		for _, by := range []float64{1, 0x1p-60, 0x1p300} {
			var some []float64
			for _, w := range weights {
				some = append(some, by*w)
			}
			d := labelled(name, weightedTargets(some...))
			m, err := weightedMethods(nil)[name].Train(t.Context(), d, train.NewRand(1))
			if err != nil {
				t.Fatal(err)
			}
			got := values(t, m, d)
			if name == "one-class" {
				for i := range got {
					got[i] /= by
				}
			}
			if want == nil {
				want = got
			}
			for i, v := range got {
				if v != want[i] {
					t.Errorf("%s, weights times %v, row %d: %v, want %v", name, by, i, v, want[i])
				}
			}
		}
	}
}

// TestWeightsFarApart: rows whose weights are negligible beside others are as good as no rows.
func TestWeightsFarApart(t *testing.T) {
	for name, method := range weightedMethods(nil) {
		d := labelled(name, weightedTargets(1, 2, 1e-300, 3, 1, 1e-305, 1, 4))
		rest := new(format.Dataset)
		for _, i := range []int{0, 1, 3, 4, 6, 7} {
			rest.Append(format.Instance{Y: d.Y[i], X: d.X.Row(i), Weight: d.Weight[i]})
		}
		var got [][]float64
		for _, training := range []*format.Dataset{d, rest} {
			m, err := method.Train(t.Context(), training, train.NewRand(1))
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			got = append(got, values(t, m, d))
		}
		for i, v := range got[0] {
			if math.Abs(v-got[1][i]) > 1e-6 {
				t.Errorf("%s, row %d: %v, without the others %v", name, i, v, got[1][i])
			}
		}
	}
}

// TestWeightTooSmall: if the product of cost and weight is 0, the error names the row.
func TestWeightTooSmall(t *testing.T) {
	s := EpsilonSVR{C: 1e-10, Epsilon: 0.1, Kernel: kernel.Linear{}, Options: DefaultOptions()}
	_, err := s.Train(t.Context(), weightedTargets(1, 1, 1e-320, 1, 1, 1, 1, 1), nil)
	if at := (*train.RowError)(nil); !errors.As(err, &at) || at.Row != 2 || !errors.Is(err, train.ErrCost) || !strings.Contains(err.Error(), "row") {
		t.Errorf("error %v", err)
	}
}
