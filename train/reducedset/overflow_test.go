package reducedset

import (
	"errors"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/smo"
)

// TestOverflow: a row, or a vector of the model, so large that its kernel value with itself is not
// finite, is reported. It must not lead to a model without vectors. Rows that are ignored may be of
// any size.
func TestOverflow(t *testing.T) {
	huge := vec.Vector{Index: []int32{1, 2}, Value: []float64{1e200, 1}}
	for _, k := range []kernel.Kernel{kernel.RBF{Gamma: 1}, kernel.Poly{Gamma: 1, Degree: 2, Coef0: 1}} {
		d := board(0, 0)
		parent := classifier(t, k, d)
		regression := smo.DefaultEpsilonSVR()
		regression.Kernel = k
		line, err := regression.Train(t.Context(), d, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, method := range Methods {
			if _, rbf := k.(kernel.RBF); method == FixedPoints && !rbf {
				continue
			}
			for _, m := range []*models.Model{parent, line} {
				for _, c := range []struct {
					y, weight float64
					fault     bool
				}{{1, 1, true}, {0, 1, true}, {1, 0, false}, {7, 1, m == line}} {
					r := quick()
					r.Method, r.Vectors = method, 6
					r.Cost = 1
					larger := board(0, 0)
					larger.Append(format.Instance{X: huge, Y: c.y, Weight: c.weight})
					larger.Append(format.Instance{X: huge, Y: 1 - c.y, Weight: c.weight})
					small, err := r.Reduce(t.Context(), m, larger)
					var of *train.RowError
					if c.fault && (!errors.Is(err, train.ErrOverflow) || !errors.As(err, &of) || of.Row != d.Len()) {
						t.Errorf("%s, %T, %+v: %v", method, k, c, err)
					}
					if !c.fault && (err != nil || small.Vectors.Len() == 0) {
						t.Errorf("%s, %T, %+v: %v, %v", method, k, c, small, err)
					}
				}
			}
			large := *parent
			last := parent.Vectors.Len() - 1
			large.Vectors = vec.Matrix{}
			for i := range last {
				large.Vectors.Append(parent.Vectors.Row(i))
			}
			large.Vectors.Append(huge)
			r := quick()
			r.Method, r.Vectors = method, 6
			_, err := r.Reduce(t.Context(), &large, d)
			if !errors.Is(err, train.ErrOverflow) || errors.As(err, new(*train.RowError)) {
				t.Errorf("%s, %T: of a large vector %v", method, k, err)
			}
		}
	}
}

// TestHugeCoefficients: where coefficients near the largest number, which the file of a model may have, lead to sums that
// are infinite or no numbers, that is an error, and no model has them.
func TestHugeCoefficients(t *testing.T) {
	d := board(0, 0)
	trained := smo.DefaultEpsilonSVR()
	trained.Kernel = kernel.RBF{Gamma: 1}
	m, err := trained.Train(t.Context(), d, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range m.Machines[0].Coef {
		m.Machines[0].Coef[i] = 1e308
	}
	refused := 0
	for _, method := range Methods {
		r := quick()
		r.Method, r.Vectors = method, 3
		small, err := r.Reduce(t.Context(), m, d)
		switch {
		case errors.Is(err, train.ErrOverflow):
			refused++
		case err != nil:
			t.Errorf("%s: %v", method, err)
		case small.Validate() != nil:
			t.Errorf("%s: a model with the fault: %v", method, small.Validate())
		}
	}
	if refused == 0 {
		t.Error("no method meets a sum that is infinite: the test says nothing")
	}
}
