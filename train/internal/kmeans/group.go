package kmeans

import (
	"context"
	"math"
	"slices"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/train/internal/team"
)

// group is a set of rows to be assigned to centres. Centres are dense vectors over the features
// that occur in the rows.
type group struct {
	x        vec.Matrix // the rows; their features are numbered by column, from 1
	features []int32    // the original number of each column, ascending
	column   []int32    // the column of each feature of x
	sparse   bool       // few values are nonzero: use the methods of sparse.go
	panels   []vec.Panels
	near     []float64 // squared distance to the nearest centre
	of       []int     // the nearest centre
}

// mostPacked is the largest number of values for which the packed panels are kept. Beyond it, rows
// are packed for each use, so that memory does not grow with rows times features.
const mostPacked = 1 << 25

func newGroup(x *vec.Matrix, rows []int) *group {
	g := &group{near: make([]float64, len(rows)), of: make([]int, len(rows))}
	some := x.Select(rows)
	g.x, g.features = some.Compact()
	for k := range len(g.features) + 1 {
		g.column = append(g.column, int32(k)-1)
	}
	for i := range g.near {
		g.near[i], g.of[i] = math.Inf(1), -1
	}
	g.sparse = vec.IsSparse(g.x.NNZ(), len(rows), len(g.features))
	if !g.sparse {
		g.packAll()
	}
	return g
}

// packAll packs all rows, unless there are too many values.
func (g *group) packAll() {
	if g.x.Len()*len(g.features) > mostPacked {
		return
	}
	g.panels = make([]vec.Panels, g.blocks())
	for b := range g.panels {
		g.pack(&g.panels[b], b)
	}
}

func (g *group) blocks() int { return (g.x.Len() + vec.PanelRows - 1) / vec.PanelRows }

// pack puts a block of rows into p.
func (g *group) pack(p *vec.Panels, block int) {
	p.Reset(vec.PanelRows, len(g.features))
	for i := block * vec.PanelRows; i < min((block+1)*vec.PanelRows, g.x.Len()); i++ {
		p.Set(i%vec.PanelRows, g.x.Row(i), g.column)
	}
}

// row returns a row as a dense centre.
func (g *group) row(k int) []float64 {
	z := make([]float64, len(g.features))
	v := g.x.Row(k)
	for j, f := range v.Index {
		z[f-1] = v.Value[j]
	}
	return z
}

// approach compares the rows with the centres from first on, updates each row's nearest centre, and
// reports whether any row has changed its centre. If several centres are equally near, the first
// one counts. If the context ends, some centres may be left out.
func (g *group) approach(ctx context.Context, zs [][]float64, first int) bool {
	var queries [][]float64
	for from := first; from < len(zs); from += vec.MaxQueries {
		queries = append(queries, query(zs[from:min(from+vec.MaxQueries, len(zs))]))
	}
	changed := make([]bool, g.blocks())
	team.Do(ctx, g.blocks(), func(ctx context.Context, b int) {
		var own vec.Panels
		panels := &own
		if g.panels != nil {
			panels = &g.panels[b]
		} else {
			g.pack(panels, b)
		}
		var dist [vec.MaxQueries * vec.PanelRows]float64
		from := b * vec.PanelRows
		before := slices.Clone(g.of[from:min(from+vec.PanelRows, len(g.of))])
		for q, values := range queries {
			if len(queries) > 1 && ctx.Err() != nil {
				return
			}
			n := min(vec.MaxQueries, len(zs)-first-q*vec.MaxQueries)
			panels.DistancesTo(dist[:n*vec.PanelRows], vec.PanelRows, values, n, 0, 1)
			for c := range n {
				for k := range before {
					if d := dist[c*vec.PanelRows+k]; d < g.near[from+k] {
						g.near[from+k], g.of[from+k] = d, first+q*vec.MaxQueries+c
					}
				}
			}
		}
		changed[b] = !slices.Equal(before, g.of[from:from+len(before)])
	})
	return slices.Contains(changed, true)
}

// query lays out centres as panels need them: feature by feature.
func query(zs [][]float64) []float64 {
	q := make([]float64, 0, len(zs)*len(zs[0]))
	for k := range zs[0] {
		for _, z := range zs {
			q = append(q, z[k])
		}
	}
	return q
}

// means moves each centre to the mean of the rows nearest to it. A centre without rows stays.
func (g *group) means(zs [][]float64) {
	counts := make([]float64, len(zs))
	for _, c := range g.of {
		if c >= 0 {
			counts[c]++
		}
	}
	for c, z := range zs {
		if counts[c] > 0 {
			clear(z)
		}
	}
	for k, c := range g.of {
		if c < 0 {
			continue
		}
		v := g.x.Row(k)
		for j, f := range v.Index {
			zs[c][f-1] += v.Value[j]
		}
	}
	for c, z := range zs {
		if counts[c] > 0 {
			for k := range z {
				z[k] *= 1 / counts[c]
			}
		}
	}
}

// vector returns a centre as a sparse vector.
func (g *group) vector(z []float64) vec.Vector {
	var v vec.Vector
	for k, value := range z {
		if value != 0 {
			v.Index, v.Value = append(v.Index, g.features[k]), append(v.Value, value)
		}
	}
	return v
}
