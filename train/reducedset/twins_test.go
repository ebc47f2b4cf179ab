package reducedset

import (
	"math"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/smo"
)

// TestCostsOfTwins: if rows are repeated in the data with different weights, coefficients tell the
// cost all the same: a heavy row is not taken for an equal row of less weight.
func TestCostsOfTwins(t *testing.T) {
	d := unequal(40, 40)
	for i := range 80 {
		d.Append(format.Instance{X: d.X.Row(i), Y: d.Y[i], Weight: 1})
	}
	d.Weight = make([]float64, d.Len())
	for i := range d.Weight {
		if d.Weight[i] = 1; i >= 80 && i%3 == 0 {
			d.Weight[i] = 10
		}
	}
	for _, scheme := range []train.Trainer{
		train.OneVsOne{Solver: smo.DefaultCSVC(), Kernel: kernel.RBF{Gamma: 0.5}},
		train.OneVsRest{Solver: smo.DefaultCSVC(), Kernel: kernel.RBF{Gamma: 0.5}},
	} {
		m, err := scheme.Train(t.Context(), d, nil)
		if err != nil {
			t.Fatal(err)
		}
		costs, err := CostsOf(t.Context(), readBack(t, m), d)
		if err != nil || !(math.Abs(costs.Cost-1) <= 1e-6) || costs.Weights != nil {
			t.Errorf("%T: %+v, %v, trained with 1", scheme, costs, err)
		}
	}
}
