package reducedset

import (
	"math/rand/v2"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// board returns rows of a checkerboard whose features are moved away from 0 by offset and, unless
// missing is 0, a row whose second feature is this number, which stands for a missing value.
func board(offset, missing float64) *format.Dataset {
	r := rand.New(rand.NewPCG(3, 1))
	d := new(format.Dataset)
	add := func(a, b, y float64) {
		x := vec.Vector{Index: []int32{1, 2}, Value: []float64{a, b}}
		d.Append(format.Instance{X: x, Y: y, Weight: 1})
	}
	for range 400 {
		a, b := 4*r.Float64(), 4*r.Float64()
		add(a+offset, b+offset, float64((int(a)+int(b))%2))
	}
	if missing != 0 {
		add(1+offset, missing, 1)
	}
	return d
}

// TestFarRows: if all rows are far from 0, or one is far from the others, vectors are found as with
// other rows.
func TestFarRows(t *testing.T) {
	base := map[Method]float64{}
	for _, far := range []struct{ offset, missing float64 }{{0, 0}, {1e6, 0}, {0, 9999999}, {0, 1e12}} {
		d := board(far.offset, far.missing)
		m := classifier(t, kernel.RBF{Gamma: 4}, d)
		for _, method := range Methods {
			r := quick()
			r.Method, r.Vectors = method, 24
			small, err := r.Reduce(t.Context(), m, d)
			if err != nil {
				t.Fatal(err)
			}
			got := errorsOn(t, small, d)
			if far.offset == 0 && far.missing == 0 {
				base[method] = got
			} else if got > base[method]+0.05 {
				t.Errorf("%+v, %s: errors %v, elsewhere %v", far, method, got, base[method])
			}
		}
	}
}
