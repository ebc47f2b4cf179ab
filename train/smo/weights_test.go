package smo

import (
	"errors"
	"math"
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

// TestWeightsAreRepetitions: a row of weight 3 is three rows.
func TestWeightsAreRepetitions(t *testing.T) {
	weights := []float64{1, 2, 1, 3, 1, 2, 1, 4}
	d, repeated := weightedTargets(weights...), new(format.Dataset)
	for i, w := range weights {
		for range int(w) {
			repeated.X.Append(d.X.Row(i))
			repeated.Y = append(repeated.Y, d.Y[i])
		}
	}
	s := EpsilonSVR{C: 0.5, Epsilon: 0.1, Kernel: kernel.RBF{Gamma: 0.25}, Options: DefaultOptions()}
	s.Tolerance = 1e-10
	var objectives []float64
	s.Report = func(e train.Event) {
		if e, ok := e.(train.Solved); ok {
			objectives = append(objectives, e.Objective)
		}
	}
	for _, d := range []*format.Dataset{d, repeated} {
		if _, err := s.Train(t.Context(), d, nil); err != nil {
			t.Fatal(err)
		}
	}
	if len(objectives) != 2 || math.Abs(objectives[0]-objectives[1]) > 1e-8 {
		t.Errorf("objectives %v", objectives)
	}
}

// TestWeightTooSmall: a product of cost and weight that is 0 is an error of its row.
func TestWeightTooSmall(t *testing.T) {
	s := EpsilonSVR{C: 1e-10, Epsilon: 0.1, Kernel: kernel.Linear{}, Options: DefaultOptions()}
	_, err := s.Train(t.Context(), weightedTargets(1, 1, 1e-320, 1, 1, 1, 1, 1), nil)
	if at := (*train.RowError)(nil); !errors.As(err, &at) || at.Row != 2 || !errors.Is(err, train.ErrCost) || !strings.Contains(err.Error(), "row") {
		t.Errorf("error %v", err)
	}
}
