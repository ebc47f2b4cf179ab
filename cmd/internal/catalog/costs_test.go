package catalog

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/smo"
)

// TestWeightsUnderflow: a cost that is 0 only as the product of C and weights is reported, by
// every method that heeds weights.
func TestWeightsUnderflow(t *testing.T) {
	const small = 1e-200
	for _, m := range Methods {
		if !slices.Contains(m.Uses, "weight") {
			continue
		}
		for name, c := range map[string]struct {
			weights []train.ClassWeight
			row     float64
			want    bool
		}{
			"of a class":           {[]train.ClassWeight{{Label: 2, Weight: small}, {Label: 2, Weight: small}}, 1, true},
			"of a row":             {[]train.ClassWeight{{Label: 2, Weight: small}}, small, true},
			"of another class":     {[]train.ClassWeight{{Label: 7, Weight: small}, {Label: 7, Weight: small}}, 1, false},
			"of a row that is not": {nil, small, false},
		} {
			for _, rest := range []bool{false, true} {
				d := &format.Dataset{}
				for i := range 24 {
					weight := 1.0
					if i == 5 {
						weight = c.row
					}
					d.Append(format.Instance{
						X: vec.Vector{Index: []int32{1, 2}, Value: []float64{float64(i%3) + float64(i)/100, float64(i * i % 7)}},
						Y: float64(i % 3), Weight: weight,
					})
				}
				trainer, err := m.New(Parameters{
					Kernel: kernel.RBF{Gamma: 1}, Cost: 1, Nu: 0.5, Epsilon: 0.1, OneVsRest: rest, Seed: 1,
					Weights: c.weights, Solver: smo.DefaultOptions(),
				})
				if err != nil {
					t.Fatal(m.Name, err)
				}
				_, err = trainer.Train(context.Background(), d, train.NewRand(1))
				if errors.Is(err, train.ErrCost) != c.want || (err == nil) == c.want {
					t.Errorf("%s, %s, against the rest %v: %v", m.Name, name, rest, err)
				}
			}
		}
	}
}
