package joint

import (
	"math/rand/v2"
	"testing"

	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train/internal/team"
)

// TestAttract: the penalty's gradient by vectors has the bits of sums in order, for numbers of
// features around that of a task, numbers of vectors around that of a query, and any number of
// threads; also when it is computed again in the same memory.
func TestAttract(t *testing.T) {
	for _, inputs := range []int{1, 7, 8, 1022, 1023, 1024, 1025, 3000} {
		for _, n := range []int{1, 6, 7, 13} {
			f, err := formOf(kernel.Linear{})
			if err != nil {
				t.Fatal(err)
			}
			o := &objective{form: f, vectors: n, inputs: inputs, norm: 0.25}
			r := rand.New(rand.NewPCG(uint64(inputs), uint64(n)))
			for round := range 3 {
				ctx, end := team.With(t.Context(), 1+round)
				p, g := &point{z: make([]float64, n*inputs)}, &point{z: make([]float64, n*inputs)}
				w := make([]float64, n*n)
				for i := range p.z {
					p.z[i] = r.NormFloat64()
				}
				for i := range w {
					w[i] = r.NormFloat64()
				}
				o.attract(ctx, w, 1, p, g)
				end()
				for j := range n {
					for k := range inputs {
						want := 0.0
						for i := range n {
							want += float64(o.norm * w[j*n+i] * p.z[i*inputs+k])
						}
						if got := g.z[j*inputs+k]; got != want {
							t.Fatalf("%d features, %d vectors, round %d: slope %d of vector %d is %v, expected %v", inputs, n, round, k, j, got, want)
						}
					}
				}
			}
		}
	}
}
