package kmeans

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/slimsvm/slimsvm/format/generate"
	"github.com/slimsvm/slimsvm/format/vec"
)

// Centres stand at the means of the rows that are nearest to them.
func TestCentres(t *testing.T) {
	d := generate.Gaussians(3, 4, 3).Generate(300, 1)
	rows := make([]int, 300)
	for i := range rows {
		rows[i] = i
	}
	for _, k := range []int{1, 5, 300} {
		zs, err := Centres(t.Context(), &d.X, rows, k, rand.New(rand.NewPCG(1, 2)))
		if err != nil || len(zs) != k {
			t.Fatalf("%d centres: %v", len(zs), err)
		}
		of := make([]int, d.Len())
		for i := range of {
			best := math.Inf(1)
			for c, z := range zs {
				if d := vec.SquaredDistance(z, d.X.Row(i)); d < best {
					best, of[i] = d, c
				}
			}
		}
		for c, z := range zs {
			if m, ok := mean(&d.X, of, c); ok && vec.SquaredDistance(m, z) > 1e-18 {
				t.Errorf("%d centres: number %d is not the mean of its rows", k, c)
			}
		}
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	d := generate.Gaussians(2, 2, 3).Generate(20, 1)
	if _, err := Centres(ctx, &d.X, []int{1, 2, 3, 4, 5}, 2, rand.New(rand.NewPCG(1, 2))); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
