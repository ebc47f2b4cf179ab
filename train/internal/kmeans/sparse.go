package kmeans

import (
	"context"
	"math"
	"slices"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/predict/columns"
	"github.com/slimsvm/slimsvm/train/internal/team"
)

// Problem: find the nearest centre of rows with few features each, as text has. The centres are
// dense, so sums of squared differences over all features would take as long as for dense rows.
//
// Method: distances are computed from dot products, which need only a row's own features, with a
// bound on what rounding may have done to them and to the sums. If the bounds leave one centre, it
// is the nearest; of several, the sums decide. So the answer is that of dense rows. When the first
// centres are drawn, they are rows, and a sum visits only what either of two rows has.

// blockRows is the number of rows of one task.
const blockRows = 32

// draw looks which rows are nearer to row next, which is centre c, than to those so far.
func (g *group) draw(ctx context.Context, next, c int) {
	z := g.x.Row(next)
	team.Do(ctx, (g.x.Len()+blockRows-1)/blockRows, func(_ context.Context, b int) {
		for k := b * blockRows; k < min((b+1)*blockRows, g.x.Len()); k++ {
			if d := vec.SquaredDistance(g.x.Row(k), z); d < g.near[k] {
				g.near[k], g.of[k] = d, c
			}
		}
	})
}

// assign finds each row's nearest centre, and reports whether any is another than before.
// Of equally near ones the first counts. If the context is done some rows are not looked at.
func (g *group) assign(ctx context.Context, zs [][]float64) bool {
	width := columns.PaddedRow(len(zs))
	lines := make([]float64, len(g.features)*width) // centres by feature
	norms := make([]float64, len(zs))
	for c, z := range zs {
		for k, v := range z {
			lines[k*width+c] = v
			norms[c] += float64(v * v)
		}
	}
	// Sums of n products or squares are wrong by n+3 roundings, of at most (|x|+|z|)^2, which is
	// at most 2(x.x + z.z); there are two, and this is more than twice as much.
	doubt := float64(8*len(g.features)+64) * 0x1p-53
	changed := make([]bool, (g.x.Len()+blockRows-1)/blockRows)
	team.Do(ctx, len(changed), func(ctx context.Context, b int) {
		if ctx.Err() != nil {
			return
		}
		dots, columnsOf := make([]float64, width), []int32(nil)
		low, dense := make([]float64, len(zs)), []float64(nil)
		for k := b * blockRows; k < min((b+1)*blockRows, g.x.Len()); k++ {
			v := g.x.Row(k)
			columnsOf = columnsOf[:0]
			for _, f := range v.Index {
				columnsOf = append(columnsOf, f-1)
			}
			clear(dots)
			columns.AddRows(dots, lines, columnsOf, v.Value)
			norm := vec.SquaredNorm(v)
			least := math.Inf(1) // what the nearest centre's distance cannot be above
			for c := range zs {
				d, e := norms[c]+norm-float64(2*dots[c]), float64(doubt*(norms[c]+norm))
				low[c] = d - e
				least = min(least, d+e)
			}
			first, several := -1, false
			for c, d := range low {
				if !(d > least) {
					first, several = max(first, c), several || first >= 0
				}
			}
			if several || !(least <= math.MaxFloat64) {
				if dense == nil {
					dense = make([]float64, len(g.features))
				}
				first = g.nearest(zs, v, low, least, dense)
			}
			if first >= 0 && first != g.of[k] {
				g.of[k], changed[b] = first, true
			}
		}
	})
	return slices.Contains(changed, true)
}

// nearest returns the centre that the sums say is nearest to a row, of those whose low is not
// above least; -1 if no sum is finite. Dense holds zeros, and does again after it.
func (g *group) nearest(zs [][]float64, v vec.Vector, low []float64, least float64, dense []float64) int {
	for j, f := range v.Index {
		dense[f-1] = v.Value[j]
	}
	best, near := -1, math.Inf(1)
	for c, z := range zs {
		if low[c] > least {
			continue
		}
		sum := 0.0
		for k, x := range dense {
			d := x - z[k]
			sum += float64(d * d)
		}
		if sum < near {
			best, near = c, sum
		}
	}
	for _, f := range v.Index {
		dense[f-1] = 0
	}
	return best
}
