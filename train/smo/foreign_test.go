package smo

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/train"
)

// A faulty is a kernel of one feature that has a useless value for some pairs of numbers.
type faulty struct {
	value float64
	// The value is that of the pair of different numbers from and to, or of all such pairs if both
	// are below 0.
	from, to float64
}

func (k faulty) has(x, z float64) bool {
	return x != z && (k.from < 0 || min(x, z) == k.from && max(x, z) == k.to)
}

func (k faulty) RowTo(dst []float64, x vec.Vector, zs *vec.Matrix) {
	for i := range dst {
		a, b := x.Value[0], zs.Row(i).Value[0]
		if dst[i] = math.Exp(-0.1 * (a - b) * (a - b)); k.has(a, b) {
			dst[i] = k.value
		}
	}
}

func (k faulty) DiagTo(dst []float64, zs *vec.Matrix) {
	for i := range dst {
		dst[i] = 1
	}
}

func (k faulty) EvaluateTo(dst []float64, x vec.Vector, zs *vec.Matrix) { k.RowTo(dst, x, zs) }

// TestFaultyKernels: if a kernel has values that cannot be computed with, the error has two rows
// with such a value, by their numbers in the data set, in folds too. In an earlier version, C-SVC
// and epsilon-SVR took the start for the solution where all values were NaN.
func TestFaultyKernels(t *testing.T) {
	d := new(format.Dataset)
	for i := range 160 {
		d.Append(format.Instance{X: vec.Vector{Index: []int32{1}, Value: []float64{float64(i + 1)}}, Y: float64(1 - 2*(i/2%2)), Weight: 1})
	}
	for _, value := range []float64{math.NaN(), math.Inf(-1), 1e300} {
		for _, k := range []faulty{{value, -1, -1}, {value, 5, 7}, {value, 150, 152}} {
			o := DefaultOptions()
			pairs := func(s train.Solver, task models.Task) train.OneVsOne {
				return train.OneVsOne{Solver: s, Kernel: k, Task: task}
			}
			likely := pairs(DefaultCSVC(), models.CSVC)
			likely.Probability = true
			for name, trainer := range map[string]train.Trainer{
				"C-SVC":                     pairs(DefaultCSVC(), models.CSVC),
				"C-SVC with probabilities":  likely,
				"nu-SVC":                    pairs(DefaultNuSVC(), models.NuSVC),
				"one class":                 OneClass{Nu: 0.5, Kernel: k, Options: o},
				"epsilon-SVR":               EpsilonSVR{C: 1, Epsilon: 0.1, Kernel: k, Options: o},
				"nu-SVR":                    NuSVR{C: 1, Nu: 0.5, Kernel: k, Options: o},
				"calibrated, of one thread": train.Calibrated{Trainer: train.OneVsOne{Solver: DefaultCSVC(), Kernel: k, Threads: 1}},
			} {
				check := func(how string, err error) {
					fault := (*train.KernelError)(nil)
					if !errors.As(err, &fault) || !errors.Is(err, train.ErrOverflow) {
						t.Errorf("%s, %+v, %s: %v", name, k, how, err)
					} else if a, b := fault.Rows[0], fault.Rows[1]; !k.has(d.X.Row(a).Value[0], d.X.Row(b).Value[0]) {
						t.Errorf("%s, %+v, %s: %v, but these rows have another value", name, k, how, err)
					}
				}
				_, err := trainer.Train(t.Context(), d, train.NewRand(1))
				check("trained", err)
				rng := train.NewRand(3)
				_, err = train.CrossValidate(t.Context(), trainer, d, train.PlainFolds(d.Len(), 3, rng), rng, nil)
				check("cross-validated", err)
			}
		}
	}
	_, err := EpsilonSVR{C: 1, Epsilon: 0.1, Kernel: faulty{math.NaN(), 3, 4}, Options: DefaultOptions()}.Train(t.Context(), d, nil)
	if want := "rows 4 and 3: the kernel value is NaN in float32, expected a finite number"; fmt.Sprint(err) != want {
		t.Errorf("%v, want %s", err, want)
	}
}
