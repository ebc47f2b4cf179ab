package psvm

import "github.com/slimsvm/slimsvm/format/vec"

// gram has the products of a machine's rows relative to its exemplar d, (x_i - d).(x_j - d). A row
// of products is computed when it is first needed. It is a dcd.Gram.
type gram struct {
	p        *points
	rows     []int32
	local    []float64 // dense: x_i - d, one after the other
	own      []float64 // sparse: x_i.d - d.d/2
	centre   vec.Vector
	diagonal []float64
	known    [][]float64 // rows of products; nil: not computed
	arena    []float64   // memory for rows, of which the first used elements are taken
	used     int
	kept     int // number of products in known
}

// mostProducts is the largest number of products that are kept, 64 MB.
const mostProducts = 1 << 23

// leastArena is the least length of an arena.
const leastArena = 1 << 12

// reset prepares g for the rows of two sets.
func (g *gram) reset(p *points, exemplar int, pos, neg []int32) {
	g.p, g.used, g.kept = p, 0, 0
	g.rows = append(append(g.rows[:0], pos...), neg...)
	n := len(g.rows)
	if cap(g.known) < n {
		g.known = make([][]float64, n+n/2)
	}
	g.known = g.known[:n]
	clear(g.known)
	g.diagonal, g.local, g.own = g.diagonal[:0], g.local[:0], g.own[:0]
	if p.dense != nil {
		d := p.dense[exemplar]
		for _, i := range g.rows {
			sum := 0.0
			for f, v := range p.dense[i] {
				v -= d[f]
				g.local = append(g.local, v)
				sum += float64(v * v)
			}
			g.diagonal = append(g.diagonal, sum)
		}
		return
	}
	g.centre = p.x[exemplar]
	half := float64(vec.SquaredNorm(g.centre) / 2)
	for _, i := range g.rows {
		g.own = append(g.own, vec.Dot(p.x[i], g.centre)-half)
	}
	for k, i := range g.rows {
		g.diagonal = append(g.diagonal, vec.SquaredNorm(p.x[i])-2*g.own[k])
	}
}

// Diagonal implements dcd.Gram.
func (g *gram) Diagonal(i int) float64 { return g.diagonal[i] }

// Row implements dcd.Gram.
func (g *gram) Row(i int) []float64 {
	if row := g.known[i]; row != nil {
		return row
	}
	n := len(g.rows)
	if g.kept+n > mostProducts && g.kept >= 4*n { // begin again; rows that are in use stay as they are
		clear(g.known)
		g.arena, g.kept = nil, 0
	}
	if g.used+n > len(g.arena) {
		g.arena, g.used = make([]float64, max(4*n, 2*len(g.arena), leastArena)), 0
	}
	row := g.arena[g.used : g.used+n : g.used+n]
	g.used += n
	g.kept += n
	g.known[i] = row
	if g.p.dense == nil {
		a := g.p.x[g.rows[i]]
		for k, j := range g.rows {
			row[k] = vec.Dot(a, g.p.x[j]) - g.own[i] - g.own[k]
		}
		row[i] = g.diagonal[i]
		return row
	}
	d := len(g.p.columns)
	a := g.local[i*d : (i+1)*d]
	for k := range row {
		row[k] = dot(a, g.local[k*d:(k+1)*d])
	}
	return row
}

func dot(a, b []float64) float64 {
	b = b[:len(a)]
	sum := 0.0
	for f, v := range a {
		sum += float64(v * b[f])
	}
	return sum
}
