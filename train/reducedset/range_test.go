package reducedset

import (
	"errors"
	"testing"

	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
)

// TestCostsRange: weights of classes and rows whose products, or whose products with the cost, are
// not positive and finite are an error that names the row of the data, in all methods that use
// them.
func TestCostsRange(t *testing.T) {
	d := unequal(30, 20, 30)
	m := readBack(t, classifier(t, kernel.RBF{Gamma: 0.5}, d))
	d.Y[0], d.Y[40] = d.Y[40], d.Y[0] // rows are not in the order of the classes
	for _, c := range []struct {
		row, class, cost float64
		want             error
		trained          bool // only by methods that train coefficients
	}{
		{row: 1e-200, class: 1e-200, want: train.ErrCost},
		{row: 1e200, class: 1e200, want: ErrCosts},
		{row: 1, class: 1e-200, cost: 1e-200, want: train.ErrCost, trained: true},
		{row: 1e200, class: 1, cost: 1e200, want: ErrCosts, trained: true},
	} {
		heavy := *d
		heavy.Weight = make([]float64, d.Len())
		for i := range heavy.Weight {
			heavy.Weight[i] = c.row
		}
		for _, method := range Methods {
			r := quick()
			r.Method, r.Vectors, r.Cost = method, 2, c.cost
			r.Weights = []train.ClassWeight{{Label: 1, Weight: c.class}, {Label: 2, Weight: c.class}, {Label: 3, Weight: c.class}}
			_, err := r.Reduce(t.Context(), m, &heavy)
			if c.trained && !method.trains() {
				if err != nil {
					t.Errorf("%s, %+v: %v", method, c, err)
				}
				continue
			}
			var of *train.RowError
			if !errors.Is(err, c.want) || !errors.As(err, &of) || of.Row != 1 {
				t.Errorf("%s, %+v: %v", method, c, err)
			}
		}
	}
}
