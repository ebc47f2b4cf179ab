package reducedset

import (
	"testing"

	"github.com/slimsvm/slimsvm/models/kernel"
)

// TestSigmoid: with a sigmoid kernel whose values are negative, so that no vector has a length in
// feature space, all vectors are used.
func TestSigmoid(t *testing.T) {
	d := waveform(t, 1)
	parent := classifier(t, kernel.Sigmoid{Gamma: 0.001, Coef0: -1}, d)
	for _, method := range []Method{Random, KMeans} {
		r := quick()
		r.Method, r.Vectors, r.Cost = method, 12, 1e4
		small, err := r.Reduce(t.Context(), parent, d)
		if err != nil {
			t.Fatal(err)
		}
		for l := range small.Machines {
			for j, v := range small.Machines[l].Coef {
				if v == 0 {
					t.Errorf("%s: vector %d has no part in machine %d", method, j, l)
				}
			}
		}
	}
}
