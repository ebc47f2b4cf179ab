package reducedset

import (
	"slices"
	"testing"

	"github.com/slimsvm/slimsvm/models/kernel"
)

// TestFoundCallback: Found is called for every vector: first one for each machine, in order.
func TestFoundCallback(t *testing.T) {
	d := waveform(t, 1)
	m := oneVsRest(t, kernel.RBF{Gamma: 1.0 / 32}, d)
	for _, method := range []Method{Shared, Greedy, Orig} {
		r := Default()
		r.Method, r.Vectors, r.Search.Population, r.Search.DE.Generations = method, 6, 10, 3
		var owners []int
		least := 10 * 4 // the population's evaluations
		r.Found = func(machine, evaluations int) {
			owners = append(owners, machine)
			if evaluations < least {
				t.Errorf("%s: %d evaluations, expected at least %d", method, evaluations, least)
			}
		}
		small, err := r.Reduce(t.Context(), m, d)
		if err != nil {
			t.Fatal(err)
		}
		if len(owners) != small.Vectors.Len() {
			t.Errorf("%s: found for %d, the model has %d vectors", method, owners, small.Vectors.Len())
		}
		if method != Greedy && !slices.Equal(owners[:3], []int{0, 1, 2}) {
			t.Errorf("%s: first found for %d", method, owners)
		}
	}
}
