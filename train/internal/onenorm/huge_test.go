package onenorm_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train/internal/onenorm"
)

// TestHugeCosts: with any cost of errors beyond what the margins need, the solution is the same
// vertex, found in about as many pivots, whose number never falls. Contradicting rows, whose t are
// at their costs whatever these are, change nothing in that.
func TestHugeCosts(t *testing.T) {
	x, d := points(520)
	for i := range 20 {
		x.Append(vec.Vector{Index: slices.Clone(x.Row(i).Index), Value: slices.Clone(x.Row(i).Value)})
		d = append(d, -d[i])
	}
	cv := slices.Repeat([]float64{1}, len(d))
	var modest *onenorm.Solution
	for _, nu := range []float64{1e3, 1e12} {
		p, err := onenorm.New(context.Background(), kernel.RBF{Gamma: 1000}, &x, d, &x, 1<<24)
		if err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithCancel(context.Background())
		defer stop()
		last := 0
		p.Progress = func(pivots int) {
			if pivots < last {
				t.Errorf("cost %v: %d pivots after %d", nu, pivots, last)
			}
			if last = pivots; modest != nil && pivots > 2*modest.Pivots+200 {
				stop()
			}
		}
		s, err := p.Solve(ctx, slices.Repeat([]float64{nu}, len(d)), cv)
		if err != nil {
			t.Fatalf("cost %v: %v after %d pivots", nu, err, last)
		}
		t.Logf("cost %v: %d pivots", nu, s.Pivots)
		if modest == nil {
			modest = s
			continue
		}
		for j, u := range s.U {
			if v := modest.U[j]; !(math.Abs(u-v) <= 1e-6*(1+math.Abs(v))) {
				t.Errorf("cost %v: u[%d] is %v, with less cost %v", nu, j, u, v)
			}
		}
	}
}
