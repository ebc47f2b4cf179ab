// Package kmeans finds centres of groups of rows.
package kmeans

import (
	"context"
	"maps"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/slimsvm/slimsvm/format/vec"
)

// Problem: k centres that make the sum of squared distances of rows from the nearest
// one small.
//
// Method: Lloyd's iteration, from centres drawn with probability proportional to the
// squared distance to those before (Arthur and Vassilvitskii, "k-means++: the
// advantages of careful seeding", 2007).

// mostRounds ends an iteration that still moves.
const mostRounds = 100

// Centres returns k centres of some rows of all, of which there are at least k.
func Centres(ctx context.Context, all *vec.Matrix, rows []int, k int, rng *rand.Rand) ([]vec.Vector, error) {
	x := all.Select(rows)
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
	for round := range mostRounds {
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
	var v vec.Vector
	for _, f := range slices.Sorted(maps.Keys(sum)) {
		if sum[f] != 0 {
			v.Index, v.Value = append(v.Index, f), append(v.Value, sum[f]*(1/n))
		}
	}
	return v, n > 0
}
