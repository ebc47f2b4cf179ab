package kmeans

import (
	"context"
	"math"
	"slices"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/predict/columns"
	"github.com/slimsvm/slimsvm/train/internal/team"
)

// Problem: find the nearest centre of rows with few features each, such as text. The centres are
// dense, so sums of squared differences over all features would take as long as for dense rows.
//
// Method: distances are computed from dot products, which need only a row's own features. Bounds
// cover the rounding errors of these distances and of the sums of squared differences. If the
// bounds leave one centre, it is the nearest. If they leave several, the sums decide. So the answer
// is the same as for dense rows. While the first centres are drawn they are rows, and a sum needs
// only the features of either row.

// blockRows is the number of rows of one task.
const blockRows = 32

// draw assigns rows to centre c, which is row next, where it is nearer than all centres so far.
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

// assign finds each row's nearest centre and reports whether any row has changed its centre. If
// several centres are equally near, the first one counts. If the context ends, some rows may be
// left out.
func (g *group) assign(ctx context.Context, zs [][]float64) bool {
	width := columns.PaddedRow(len(zs))
	lines := make([]float64, len(g.features)*width) // the centres, feature by feature
	norms := make([]float64, len(zs))
	for c, z := range zs {
		for k, v := range z {
			lines[k*width+c] = v
			norms[c] += float64(v * v)
		}
	}
	// Each of the two sums has n+3 roundings relative to at most (|x|+|z|)^2, which is at most
	// 2(x.x + z.z). The bound is more than twice their total.
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
			least := math.Inf(1) // an upper bound of the distance to the nearest centre
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

// nearest returns the centre nearest to a row by sums of squared differences, among those whose low
// is not above least. It returns -1 if no sum is finite. dense must hold zeros, and holds zeros
// afterwards.
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
