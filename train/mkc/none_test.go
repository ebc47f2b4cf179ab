package mkc

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
)

// TestNoVectors: where no vector is worth its cost, as between two other classes, none is
// left of rounding: the model has none, counts none, and says so.
func TestNoVectors(t *testing.T) {
	none := 0
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 1))
		var three, two format.Dataset
		for i := range 30 {
			x := vec.Vector{Index: []int32{1}, Value: []float64{rng.NormFloat64() + float64(i%3)}}
			three.Append(format.Instance{X: x, Y: float64(i % 3), Weight: 1})
			two.Append(format.Instance{X: x, Y: float64(i % 3 % 2), Weight: 1})
		}
		for _, mu := range []float64{0, 1} {
			for _, d := range []*format.Dataset{&three, &two} {
				vectors, told := 0, false
				s := Default()
				s.Mu, s.Report = mu, func(e train.Event) {
					switch e := e.(type) {
					case train.Minimised:
						vectors += e.Vectors
					case train.NoVectors:
						told = true
					}
				}
				m, err := Trainer{Solver: s, Kernel: kernel.RBF{Gamma: 0.2}}.Train(t.Context(), d, nil)
				if err != nil {
					t.Fatal(err)
				}
				count := 0
				for k, c := range m.Machines {
					for _, v := range c.Coef {
						if v != 0 {
							count++
						}
						if v != 0 && math.Abs(v) < 1e-9 { // no kernel value is above 1
							t.Errorf("seed %d, mu %v: machine %d has a coefficient %v", seed, mu, k, v)
						}
					}
				}
				if count != vectors || told != (m.Vectors.Len() == 0) {
					t.Errorf("seed %d, mu %v: %d coefficients, told of %d; %d vectors, told of none: %v", seed, mu, count, vectors, m.Vectors.Len(), told)
				}
				if told {
					none++
				}
			}
		}
	}
	if none == 0 {
		t.Error("every model has vectors: the test tells nothing")
	}
}
