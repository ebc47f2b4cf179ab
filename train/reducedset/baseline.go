package reducedset

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/slimsvm/slimsvm/format/vec"
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
		centres, err := s.centres(ctx, rng, rows, want)
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

// centreRounds ends k-means that still moves.
const centreRounds = 100

// centres returns k centres of rows by k-means: Lloyd's iteration from centres
// drawn with probability proportional to the squared distance to those before
// (Arthur and Vassilvitskii 2007).
func (s *state) centres(ctx context.Context, rng *rand.Rand, rows []int, k int) ([]vec.Vector, error) {
	x := s.d.X.Select(rows)
	n := x.Len()
	near := make([]float64, n) // squared distance to the nearest centre
	dist := make([]float64, n)
	of := make([]int, n) // the nearest centre
	for i := range near {
		near[i] = math.Inf(1)
	}
	var zs []vec.Vector
	next := rng.IntN(n)
	for len(zs) < k {
		zs = append(zs, x.Row(next))
		x.SquaredDistanceTo(dist, x.Row(next))
		sum := 0.0
		for i, d := range dist {
			near[i] = min(near[i], d)
			sum += near[i]
		}
		at := rng.Float64() * sum
		for next = 0; next < n-1; next++ {
			if at -= near[next]; at < 0 {
				break
			}
		}
	}
	for round := range centreRounds {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		changed := round == 0
		for i := range near {
			near[i] = math.Inf(1)
		}
		for c, z := range zs {
			x.SquaredDistanceTo(dist, z)
			for i, d := range dist {
				if d < near[i] {
					near[i] = d
					if of[i] != c {
						of[i], changed = c, true
					}
				}
			}
		}
		if !changed {
			break
		}
		for c := range zs {
			if z, ok := mean(&x, of, c); ok {
				zs[c] = z
			}
		}
	}
	return zs, nil
}

// mean returns the mean of the rows of group c, and whether there are any.
func mean(x *vec.Matrix, of []int, c int) (vec.Vector, bool) {
	sum := map[int32]float64{}
	n := 0.0
	for i, g := range of {
		if g != c {
			continue
		}
		n++
		row := x.Row(i)
		for k, f := range row.Index {
			sum[f] += row.Value[k]
		}
	}
	return fromMap(sum, 1/n), n > 0
}
