package reducedset

import (
	"context"
	"math/rand/v2"

	"github.com/slimsvm/slimsvm/train/internal/kmeans"
)

// baseline takes rows, or centres of rows, as vectors and trains the coefficients. It takes equally
// many of each class, as far as it has that many rows; if they do not divide evenly, the first
// classes get one more. A model without classes takes them from all rows. Rows that add nothing to
// those already taken are replaced by others; such centres are left out.
func (s *state) baseline(ctx context.Context) error {
	rng := rand.New(rand.NewPCG(s.Seed, 0))
	counts := make([]int, len(s.places.rows))
	for g, rows := range s.places.rows {
		counts[g] = len(rows)
	}
	shares := kmeans.Evenly(counts, s.Vectors)
	for g, rows := range s.places.rows {
		want := shares[g]
		if want == 0 {
			continue
		}
		if s.Method == Random {
			for _, k := range rng.Perm(len(rows)) {
				if want == 0 || ctx.Err() != nil {
					break
				}
				if s.add(ctx, s.places.x.Row(rows[k]), s.common) {
					want--
				}
			}
			continue
		}
		centres, err := kmeans.Centres(ctx, &s.places.x, rows, want, rng)
		if err != nil {
			return err
		}
		for _, z := range centres {
			s.add(ctx, z, s.common)
		}
	}
	if err := s.retrain(ctx); err != nil {
		return err
	}
	return s.reportSize()
}
