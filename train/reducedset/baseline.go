package reducedset

import (
	"context"
	"math/rand/v2"

	"github.com/slimsvm/slimsvm/train/internal/kmeans"
)

// baseline takes rows, or centres of rows, of each class as vectors, equally many of
// each class, the first classes one more where they do not divide; and trains the
// coefficients. A model without classes takes them from all rows.
func (s *state) baseline(ctx context.Context) error {
	groups := make([][]int, max(1, len(s.parent.Labels)))
	for i := range s.d.Len() {
		c := 0
		if s.class != nil {
			c = s.class[i]
		}
		if c >= 0 {
			groups[c] = append(groups[c], i)
		}
	}
	rng := rand.New(rand.NewPCG(s.Seed, 0))
	for g, rows := range groups {
		want := s.Vectors / len(groups)
		if g < s.Vectors%len(groups) {
			want++
		}
		if want = min(want, len(rows)); want == 0 {
			continue
		}
		if s.Method == Random {
			for _, k := range rng.Perm(len(rows))[:want] {
				s.add(ctx, s.d.X.Row(rows[k]), -1)
			}
			continue
		}
		centres, err := kmeans.Centres(ctx, &s.d.X, rows, want, rng)
		if err != nil {
			return err
		}
		for _, z := range centres {
			s.add(ctx, z, -1)
		}
	}
	if err := s.retrain(ctx); err != nil {
		return err
	}
	return s.tell()
}
