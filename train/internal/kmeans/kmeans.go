// Package kmeans finds centres of groups of rows.
package kmeans

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/internal/ended"
)

// Problem: find k centres with a small sum of squared distances of rows from their nearest centre.
//
// Method: Lloyd's iteration, from centres drawn with probability proportional to the squared
// distance to the nearest one drawn before (Arthur and Vassilvitskii, "k-means++: the advantages of
// careful seeding", 2007).

// mostRounds is the largest number of rounds, even if centres still move.
const mostRounds = 100

// Centres returns k centres of the given rows of all. There must be at least k rows.
func Centres(ctx context.Context, all *vec.Matrix, rows []int, k int, rng *rand.Rand) ([]vec.Vector, error) {
	return newGroup(all, rows).centres(ctx, k, rng)
}

func (g *group) centres(ctx context.Context, k int, rng *rand.Rand) ([]vec.Vector, error) {
	n := g.x.Len()
	zs := make([][]float64, 0, k)
	next := rng.IntN(n)
	for len(zs) < k {
		if err := ended.Err(ctx); err != nil {
			return nil, err
		}
		zs = append(zs, g.row(next))
		if g.sparse {
			g.draw(ctx, next, len(zs)-1)
		} else {
			g.approach(ctx, zs, len(zs)-1)
		}
		sum := 0.0
		for _, d := range g.near {
			sum += d
		}
		at := rng.Float64() * sum
		for next = 0; next < n-1; next++ {
			if at -= g.near[next]; at < 0 {
				break
			}
		}
	}
	for round := range mostRounds {
		changed := false
		if g.sparse {
			changed = g.assign(ctx, zs)
		} else {
			for i := range g.near {
				g.near[i] = math.Inf(1)
			}
			changed = g.approach(ctx, zs, 0)
		}
		if err := ended.Err(ctx); err != nil {
			return nil, err
		}
		if !changed && round > 0 { // after the first round, the centres are still single rows
			break
		}
		g.means(zs)
	}
	centres := make([]vec.Vector, k)
	for c, z := range zs {
		centres[c] = g.vector(z)
	}
	return centres, nil
}

// Evenly divides n equally among classes, as far as they have that many rows. If n does not divide
// evenly, the first classes get one more.
func Evenly(counts []int, n int) []int {
	share := make([]int, len(counts))
	for left := n; left > 0; {
		open := 0
		for c, count := range counts {
			if share[c] < count {
				open++
			}
		}
		if open == 0 {
			break
		}
		each, more := left/open, left%open
		for c, count := range counts {
			if share[c] == count {
				continue
			}
			k := each
			if more > 0 {
				k++
				more--
			}
			k = min(k, count-share[c])
			share[c] += k
			left -= k
		}
	}
	return share
}
