package reducedset

import (
	"math/rand/v2"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// TestNegative: K(x, x) of a polynomial kernel with a negative constant is below 0 if x is near 0.
// Such a support vector does not prevent vectors that others need.
func TestNegative(t *testing.T) {
	k := kernel.Poly{Degree: 3, Gamma: 1, Coef0: -1}
	rng := rand.New(rand.NewPCG(1, 1))
	d := new(format.Dataset)
	d.Append(format.Instance{Y: 1, Weight: 1})
	for range 200 {
		x, y := 2*rng.Float64()-1, 2*rng.Float64()-1
		label := -1.0
		if x*x+y*y > 0.4+0.2*rng.Float64() {
			label = 1
		}
		d.Append(format.Instance{X: vec.Vector{Index: []int32{1, 2, 3}, Value: []float64{x, y, 2}}, Y: label, Weight: 1})
	}
	parent := classifier(t, k, d)
	if len(parent.Vectors.Row(0).Index) != 0 {
		t.Fatal("the row at 0 is no support vector")
	}
	for _, method := range []Method{Greedy, Orig} {
		r := quick()
		r.Method, r.Vectors = method, 8
		small, err := r.Reduce(t.Context(), parent, d)
		if err != nil {
			t.Fatal(err)
		}
		if small.Vectors.Len() == 0 {
			t.Errorf("%s finds no vector", method)
		}
	}
}
