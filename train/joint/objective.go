package joint

import (
	"context"
	"math"
	"slices"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train/internal/team"
)

// Problem: compute the value and the gradient of
//
//	J(Z, B, rho, gamma) = penalty(B, Z) + C sum_i w_i loss(F_i),   F = Kxz B - 1 rho'
//
// with penalty = 1/2 sum_l B_l' Kzz B_l. With W = (G B') o K'xz and G = dL/dF with C:
//
//	dB   = Kxz' G + Kzz B              drho = -G'1
//	dZ   = 2 gamma (W'X - diag(W'1) Z) + penalty's         RBF
//	dZ   = W'X + penalty's                                 kernels of the dot product
//	dlog gamma = -gamma sum W o Dist + penalty's           RBF
//
// Method: rows are cut into chunks that stay in the cache together with all that is computed for
// them. Every product is one of query rows with panels (vec.Panels), whose sums have a fixed order;
// rows with few features each are held sparsely (sparse.go). Chunks belong to strips. A strip adds
// up its chunks in order, and strips are added in order, so that results do not depend on threads.
// While vectors and width stay, kernel values are computed once (cached.go).

const (
	chunkPanels = 8 // panels of rows in a chunk
	chunkRows   = chunkPanels * vec.PanelRows
	strips      = 16 // most sums of chunks
)

// A point has the variables of the objective. A gradient has the same form.
type point struct {
	z     []float64 // vectors, M x n
	b     []float64 // weights, M x L
	rho   []float64 // offsets, L
	width float64   // log gamma, if the width is free
}

func (p *point) clone() point {
	return point{slices.Clone(p.z), slices.Clone(p.b), slices.Clone(p.rho), p.width}
}

// objective is the function for some rows. It has the memory for one evaluation at a time.
type objective struct {
	form                form
	vectors, inputs     int // M, n
	outputs             int // L
	loss                loss
	cost                float64
	norm                float64 // weight of the penalty and of the pull
	chunks              []chunk
	moveVectors, widths bool // whether vectors and the width are variables
	pull                float64
	home                []float64     // where the pull draws the vectors, with the weight pull
	cached              *cachedValues // nil: kernel values are computed each time
	scratch             chan *scratch
	sums                []*partial // by strip, and all of them
	transposed          transposed
}

// A chunk is some rows.
type chunk struct {
	rows    int
	of      []int       // rows of the matrix
	sparse  *sparseRows // nil: the rows are in x and columns
	x       vec.Panels  // rows x inputs
	columns vec.Panels  // inputs and a column of ones, as rows
	norms   []float64   // squared
	y       []target
	weight  []float64
}

// A target says what a row's outputs should be: a class, or a value.
type target struct {
	class int
	value float64
}

// newChunks cuts rows into chunks, for products with the given number of vectors. Features with
// indices beyond inputs do not occur.
func newChunks(x *vec.Matrix, rows []int, inputs, vectors int, y []target, weight []float64) []chunk {
	return cut(x, rows, inputs, y, weight, sparsePays(entries(x, rows), len(rows), inputs, vectors))
}

// cut is newChunks for rows that are held sparsely or densely.
func cut(x *vec.Matrix, rows []int, inputs int, y []target, weight []float64, sparse bool) []chunk {
	var chunks []chunk
	column := identity(inputs)
	for from := 0; from < len(rows); from += chunkRows {
		part := rows[from:min(from+chunkRows, len(rows))]
		c := chunk{rows: len(part), of: part}
		for _, row := range part {
			c.norms = append(c.norms, vec.SquaredNorm(x.Row(row)))
			c.y, c.weight = append(c.y, y[row]), append(c.weight, weight[row])
		}
		for len(c.norms) < chunkRows {
			c.norms = append(c.norms, 0)
		}
		if sparse {
			c.sparse = newSparseRows(x, part)
		} else {
			c.setDense(x, part, column)
		}
		chunks = append(chunks, c)
	}
	return chunks
}

// setDense puts rows into x and columns.
func (c *chunk) setDense(x *vec.Matrix, rows []int, column []int32) {
	inputs := len(column) - 1
	c.x.Reset(chunkRows, inputs)
	c.columns.Reset(inputs+1, chunkRows)
	for i, row := range rows {
		c.x.Set(i, x.Row(row), column)
	}
	dense := make([]float64, chunkRows)
	for k := range inputs + 1 {
		clear(dense)
		for i := range rows {
			if k == inputs {
				dense[i] = 1
			} else {
				dense[i] = c.x.Panel(i / vec.PanelRows)[vec.PanelRows*k+i%vec.PanelRows]
			}
		}
		c.columns.SetDense(k, dense)
	}
}

// identity returns the column of each feature index, which counts from 1; index 0 has none.
func identity(inputs int) []int32 {
	column := make([]int32, inputs+1)
	for i := range column {
		column[i] = int32(i) - 1
	}
	return column
}

// partial is the part of the objective and gradient that belongs to some rows.
type partial struct {
	loss float64
	z    []float64 // W'X and, as the last column, W'1: M x padded(n+1), sparse (n+1) x width
	// In a strip with sparse rows, z has lines only for the features in of, which ascend, and a
	// last line. places has the line of each of a chunk's features.
	of     []int32
	places [][]int32
	b      []float64 // G'Kxz: L x padded(M)
	rho    []float64
	width  float64 // sum W o Dist
}

func padded(n int) int { return (n + vec.PanelRows - 1) / vec.PanelRows * vec.PanelRows }

func (p *partial) add(q *partial, line int) {
	p.loss += q.loss
	p.width += q.width
	sums := [][2][]float64{{p.b, q.b}, {p.rho, q.rho}}
	if q.places != nil {
		p.addLines(q, line)
	} else {
		sums = append(sums, [2][]float64{p.z, q.z})
	}
	for _, s := range sums {
		for i, v := range s[1] {
			s[0][i] += v
		}
	}
}

func (p *partial) clear() {
	p.loss, p.width = 0, 0
	clear(p.z)
	clear(p.b)
	clear(p.rho)
}

// newPartial returns the memory for the sums of some chunks, or nil for those of all strips.
func (o *objective) newPartial(chunks []chunk) *partial {
	p := &partial{b: make([]float64, o.outputs*padded(o.vectors)), rho: make([]float64, o.outputs)}
	switch {
	case o.moveVectors && o.sparse() && chunks != nil:
		p.hold(chunks, o.width())
	case o.moveVectors && o.sparse():
		p.z = make([]float64, (o.inputs+1)*o.width())
	case o.moveVectors:
		p.z = make([]float64, o.vectors*padded(o.inputs+1))
	}
	return p
}

// trusted is the largest share of J that may be rounding.
const trusted = 1e-3

// value returns J at p and writes the gradient to g. J is infinite where it cannot be trusted: the
// computed penalty of large weights that nearly cancel may be any number, even far below 0.
func (o *objective) value(ctx context.Context, p, g *point) float64 {
	q := o.queries(p)
	n := min(strips, len(o.chunks))
	if o.sums == nil {
		for s := range n {
			o.sums = append(o.sums, o.newPartial(o.chunks[s*len(o.chunks)/n:(s+1)*len(o.chunks)/n]))
		}
		o.sums = append(o.sums, o.newPartial(nil))
	}
	team.Do(ctx, n, func(ctx context.Context, s int) {
		o.sums[s].clear()
		work := o.take()
		from := s * len(o.chunks) / n
		for c := from; c < (s+1)*len(o.chunks)/n && ctx.Err() == nil; c++ {
			o.chunk(work, q, c, c-from, o.sums[s])
		}
		o.scratch <- work
	})
	sum := o.sums[n]
	sum.clear()
	for _, s := range o.sums[:n] {
		sum.add(s, o.width())
	}
	j := sum.loss
	if o.sparse() && !allFinite(p.z) {
		j = math.Inf(1)
	}
	clear(g.z)
	copy(g.rho, sum.rho)
	width, wx := padded(o.inputs+1), o.byVector(sum.z)
	for m := range o.vectors {
		for l := range o.outputs {
			g.b[m*o.outputs+l] = sum.b[l*padded(o.vectors)+m]
		}
		if o.moveVectors {
			row := wx[m*width:]
			o.form.toVector(g.z[m*o.inputs:(m+1)*o.inputs], row, row[o.inputs], p.z[m*o.inputs:], q.gamma)
		}
	}
	g.width = -q.gamma * sum.width
	penalty, rounding := o.penalty(ctx, q, p, g)
	j += penalty
	if !(rounding <= trusted*j) || o.widths && (q.gamma == 0 || math.IsInf(q.gamma, 0)) {
		j = math.Inf(1)
	}
	if o.pull > 0 && o.moveVectors {
		pull := o.norm * o.pull
		for i, v := range p.z {
			d := v - o.home[i]
			j += float64(pull * d * d / 2)
			g.z[i] += float64(pull * d)
		}
	}
	if !o.widths {
		g.width = 0
	}
	if math.IsNaN(j) {
		j = math.Inf(1)
	}
	return j
}

// queries are the vectors and weights of a point as queries, blocks of up to MaxQueries rows.
type queries struct {
	gamma   float64
	b       []float64   // weights as they are
	norms   []float64   // |z|^2
	z       [][]float64 // vectors
	lines   []float64   // for sparse rows: vectors by feature
	outputs [][]float64 // columns of B
	vectors [][]float64 // rows of B
	rho     []float64
}

func (o *objective) queries(p *point) *queries {
	q := &queries{gamma: o.form.gamma(), b: p.b, rho: p.rho}
	if o.widths {
		q.gamma = kernel.Exp(p.width)
	}
	if o.sparse() {
		q.lines = o.linesOf(p.z)
	}
	if o.transposed.z == nil {
		o.transposed.z = queriesOf(o.vectors, o.inputs)
	}
	q.z = o.transposed.z
	for b, z := range q.z {
		n := rowsOf(o.vectors, b)
		transposeTo(z, n, p.z[b*vec.MaxQueries*o.inputs:], o.inputs, n, o.inputs)
	}
	q.vectors = block(o.vectors, o.outputs, func(m, l int) float64 { return p.b[m*o.outputs+l] })
	q.outputs = block(o.outputs, o.vectors, func(l, m int) float64 { return p.b[m*o.outputs+l] })
	q.norms = make([]float64, o.vectors)
	for m := range q.norms {
		norm := 0.0
		for _, v := range p.z[m*o.inputs : (m+1)*o.inputs] {
			norm += float64(v * v)
		}
		q.norms[m] = norm
	}
	return q
}

// block lays out a matrix as queries.
func block(rows, columns int, at func(row, column int) float64) [][]float64 {
	blocks := queriesOf(rows, columns)
	for b, to := range blocks {
		n := rowsOf(rows, b)
		for c := range columns {
			for r := range n {
				to[c*n+r] = at(b*vec.MaxQueries+r, c)
			}
		}
	}
	return blocks
}

// rowsOf returns the number of rows in block k of queries with the given number of rows.
func rowsOf(rows, k int) int { return min(vec.MaxQueries, rows-k*vec.MaxQueries) }
