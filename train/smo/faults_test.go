package smo

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
)

// TestTargets: a target that is not finite, or so large that sums overflow, is named in an error.
// Large targets that can be computed with are no error.
func TestTargets(t *testing.T) {
	k := kernel.RBF{Gamma: 1}
	huge := math.MaxFloat64
	for name, trainer := range map[string]train.Trainer{
		"epsilon-SVR": EpsilonSVR{C: 1, Epsilon: 0.1, Kernel: k, Options: DefaultOptions()},
		"nu-SVR":      NuSVR{C: 1, Nu: 0.5, Kernel: k, Options: DefaultOptions()},
	} {
		for _, c := range []struct {
			y    []float64
			want string
		}{
			{[]float64{1, 2, 3, 4}, ""},
			{[]float64{1, 1e300, -1e300, 4}, ""},
			{[]float64{1, 2, math.NaN(), math.Inf(1)}, "row 3: target NaN is not finite"},
			{[]float64{1, 2, 3, math.Inf(-1)}, "row 4: target -Inf is not finite"},
			{[]float64{1, 1e307, -huge, 4}, fmt.Sprintf("row 3: target %v is too large: scale the targets", -huge)},
		} {
			x := column(1, 2, 3, 4)
			_, err := trainer.Train(t.Context(), &format.Dataset{X: x, Y: c.y}, nil)
			if got := text(err); got != c.want {
				t.Errorf("%s of %v: %q, want %q", name, c.y, got, c.want)
			}
			if row := (*train.RowError)(nil); c.want != "" && !errors.As(err, &row) {
				t.Errorf("%s of %v: %v is no error of a row", name, c.y, err)
			}
		}
	}
}

// TestLargeCosts: if the cost of errors makes sums overflow, the error says so, with the row whose
// weight takes part in it; it does not blame the kernel.
func TestLargeCosts(t *testing.T) {
	x, y := column(1, 2, 3, 4, 5, 60), []float64{1, 2, 3, 1, 2, 3}
	for _, c := range []struct {
		cost    float64
		weights []float64
		want    string
	}{
		{1e100, nil, ""},
		{1e307, nil, "a cost of 1e+307 is too large to compute with: lower the cost"},
		{2, []float64{1, 1e306, 1e306, 1e306, 1e-200, 1e306},
			"row 2: a cost of 2 times a weight of 1e+306 is too large to compute with: lower the cost or the weights"},
	} {
		s := NuSVR{C: c.cost, Nu: 0.5, Kernel: kernel.Linear{}, Options: DefaultOptions()}
		_, err := s.Train(t.Context(), &format.Dataset{X: x, Y: y, Weight: c.weights}, nil)
		if got := text(err); got != c.want {
			t.Errorf("cost %v, weights %v: %q, want %q", c.cost, c.weights, got, c.want)
		}
	}
}

// TestKernels: all trainers report a missing kernel, and one with useless parameters.
func TestKernels(t *testing.T) {
	for k, want := range map[kernel.Kernel]string{
		nil:                              "no kernel",
		kernel.RBF{Gamma: -1}:            "gamma -1 is negative",
		kernel.RBF{Gamma: math.Inf(1)}:   "gamma +Inf is not finite",
		kernel.Poly{Degree: -1}:          "degree -1 is negative",
		struct{ kernel.Linear }{}:        "", // a kernel of the user's own
		kernel.Poly{Degree: 1, Gamma: 1}: "",
	} {
		for _, trainer := range []train.Trainer{
			EpsilonSVR{C: 1, Epsilon: 0.1, Kernel: k, Options: DefaultOptions()},
			NuSVR{C: 1, Nu: 0.5, Kernel: k, Options: DefaultOptions()},
			OneClass{Nu: 0.5, Kernel: k, Options: DefaultOptions()},
			train.OneVsOne{Solver: DefaultCSVC(), Kernel: k},
			train.OneVsRest{Solver: DefaultCSVC(), Kernel: k},
		} {
			x := column(1, 2, 3, 4, 5, 6)
			_, err := trainer.Train(t.Context(), &format.Dataset{X: x, Y: []float64{1, 2, 3, 1, 2, 3}}, nil)
			if got := text(err); got != want {
				t.Errorf("%T with %#v: %q, want %q", trainer, k, got, want)
			}
		}
	}
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// TestNoRand: without random numbers to draw the folds for probabilities from, there is an error
// before a model is trained.
func TestNoRand(t *testing.T) {
	o := DefaultOptions()
	o.Report = func(e train.Event) { t.Errorf("before the error: %T", e) }
	k := kernel.Linear{}
	for _, trainer := range []train.Trainer{
		EpsilonSVR{C: 1, Epsilon: 0.1, Kernel: k, Probability: true, Options: o},
		NuSVR{C: 1, Nu: 0.5, Kernel: k, Probability: true, Options: o},
	} {
		d := &format.Dataset{X: column(1, 2, 3, 4), Y: []float64{1, 3, 2, 5}}
		if _, err := trainer.Train(t.Context(), d, nil); err != train.ErrNoRand {
			t.Errorf("%T: %v", trainer, err)
		}
	}
}
