package onenorm_test

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train/internal/onenorm"
)

// TestRemoteRows: rows so far apart that the kernel of two of them is as good as 0 are solved
// whatever the cost. Where a kernel value is 1e-12, the margin of a row may be missed by that,
// which counts if errors cost 1e5. With two rows of one class, the solution is near u of -2 for
// these, and the offset -1.
func TestRemoteRows(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for set := range 30 {
		var x vec.Matrix
		d := slices.Repeat([]float64{1}, 60)
		d[0], d[1] = -1, -1
		for range d {
			v := vec.Vector{Index: []int32{1, 2, 3, 4}}
			for range v.Index {
				v.Value = append(v.Value, 5*r.NormFloat64())
			}
			x.Append(v)
		}
		near := 0.0 // the largest kernel value of different rows
		k := kernel.RBF{Gamma: 2}
		row := make([]float64, len(d))
		for i := range d {
			k.EvaluateTo(row, x.Row(i), &x)
			for j, v := range row {
				if j != i {
					near = max(near, v)
				}
			}
		}
		for _, nu := range []float64{10, 1e4, 1e6, 1e8} {
			p, err := onenorm.New(context.Background(), k, &x, d, &x, 1<<24)
			if err != nil {
				t.Fatal(err)
			}
			s, err := p.Solve(context.Background(), slices.Repeat([]float64{nu}, len(d)), slices.Repeat([]float64{1}, len(d)))
			if err != nil {
				t.Errorf("set %d, cost %v: %v", set, nu, err)
				continue
			}
			if !(math.Abs(s.Objective-4) <= 1e-8+40*near) {
				t.Errorf("set %d, cost %v: objective %v, kernel values up to %v", set, nu, s.Objective, near)
			}
		}
	}
}
