package reducedset

import (
	"context"
	"math/rand/v2"

	"github.com/slimsvm/slimsvm/train/internal/kmeans"
)

// baseline takes rows, or centres of rows, of each class as vectors, equally many of
// each class, the first classes one more where they do not divide; and trains the
// coefficients. A model without classes takes them from all rows. Rows that add nothing to
// those taken are passed over; so are centres, of which there are no others.
func (s *state) baseline(ctx context.Context) error {
	rng := rand.New(rand.NewPCG(s.Seed, 0))
	for g, rows := range s.places.rows {
		want := s.Vectors / len(s.places.rows)
		if g < s.Vectors%len(s.places.rows) {
			want++
		}
		if want = min(want, len(rows)); want == 0 {
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
	return s.tell()
}
