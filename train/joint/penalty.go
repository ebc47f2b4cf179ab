package joint

import (
	"context"
	"math"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/train/internal/team"
)

// penalty returns norm/2 sum_l B_l' Kzz B_l and the largest rounding error in it, and adds its
// gradient to g. With a kernel that is no inner product, the penalty is norm/2 |B|^2, since the
// former has no lower bound.
func (o *objective) penalty(ctx context.Context, q *queries, p, g *point) (value, rounding float64) {
	if !o.form.positive() {
		sum := 0.0
		for i, v := range p.b {
			sum += float64(v * v)
			g.b[i] += float64(o.norm * v)
		}
		return o.norm * sum / 2, 0
	}
	kzz, w, width := [][]float64(nil), []float64(nil), 0.0
	if o.cached != nil {
		kzz = o.cached.kzz
	} else {
		kzz, w, width = o.products(ctx, q, p)
		g.width -= float64(o.norm * q.gamma * width / 2)
	}
	n := o.vectors
	var weights vec.Panels
	weights.Reset(o.outputs, n)
	dense := make([]float64, n)
	for l := range o.outputs {
		for j := range n {
			dense[j] = p.b[j*o.outputs+l]
		}
		weights.SetDense(l, dense)
	}
	sum := 0.0
	kb := make([]float64, n*padded(o.outputs))
	buffer := make([]float64, vec.MaxQueries*padded(o.outputs))
	addDots(kb, buffer, &weights, kzz, n)
	for j := range n {
		for l := range o.outputs {
			v := kb[j*padded(o.outputs)+l]
			sum += float64(p.b[j*o.outputs+l] * v)
			g.b[j*o.outputs+l] += float64(o.norm * v)
		}
	}
	if o.moveVectors {
		o.attract(ctx, w, q.gamma, p, g)
	}
	return o.norm * sum / 2, o.norm * o.rounding(q, kzz)
}

// attractPanels is the number of panels of features in a task.
const attractPanels = 128

// attract adds the penalty's gradient by vectors to g, where w is W.
func (o *objective) attract(ctx context.Context, w []float64, gamma float64, p, g *point) {
	const lanes = vec.PanelRows
	n, stride := o.vectors, padded(o.inputs+1)
	columns := &o.transposed.columns
	reset(columns, o.inputs+1, n)
	if o.transposed.slopesOfAll == nil {
		o.transposed.slopesOfAll = make([]float64, n*stride)
	}
	wz := o.transposed.slopesOfAll
	queries := block(n, n, func(j, i int) float64 { return o.norm * w[j*n+i] })
	panels := stride / lanes
	team.Do(ctx, (panels+attractPanels-1)/attractPanels, func(_ context.Context, t int) {
		from, to := t*attractPanels, min((t+1)*attractPanels, panels)
		dense := make([]float64, n)
		for k := from * lanes; k < min(to*lanes, o.inputs+1); k++ {
			for j := range dense {
				if dense[j] = 1; k < o.inputs {
					dense[j] = p.z[j*o.inputs+k]
				}
			}
			columns.SetDense(k, dense)
		}
		width := (to - from) * lanes
		part := make([]float64, vec.MaxQueries*width)
		for b, q := range queries {
			columns.DotsTo(part[:rowsOf(n, b)*width], width, q, rowsOf(n, b), from, to-from)
			for r := range rowsOf(n, b) {
				into := wz[(b*vec.MaxQueries+r)*stride+from*lanes:][:width]
				for i, v := range part[r*width:][:width] {
					into[i] = 0 + v // as a sum that began at 0: no -0
				}
			}
		}
	})
	for j := range n {
		row := wz[j*stride:]
		o.form.toVector(g.z[j*o.inputs:(j+1)*o.inputs], row, row[o.inputs], p.z[j*o.inputs:], gamma)
	}
}

// rounding returns the largest rounding error in sum_l B_l' Kzz B_l: the relative rounding of a
// kernel value times
//
//	sum_l sum_ij |B_il| |B_jl| sqrt(K_ii K_jj) = sum_l (sum_j |B_jl| sqrt(K_jj))^2.
func (o *objective) rounding(q *queries, kzz [][]float64) float64 {
	sum := 0.0
	for l := range o.outputs {
		all := 0.0
		for j := range o.vectors {
			all += float64(math.Abs(q.b[j*o.outputs+l]) * math.Sqrt(max(0, o.entry(kzz, j, j))))
		}
		sum += float64(all * all)
	}
	return sum * o.form.rounding(q.gamma, largest(q.norms))
}

// largest returns the largest of numbers that are 0 or more.
func largest(norms []float64) float64 {
	most := 0.0
	for _, v := range norms {
		most = max(most, v)
	}
	return most
}

// entry returns entry i, j of Kzz.
func (o *objective) entry(kzz [][]float64, i, j int) float64 {
	b := i / vec.MaxQueries
	return kzz[b][j*rowsOf(o.vectors, b)+i%vec.MaxQueries]
}

// products returns Kzz as queries, W = (B B') o K'zz, and the sum of W o Dist, or a part of them if
// the context is done.
func (o *objective) products(ctx context.Context, q *queries, p *point) (kzz [][]float64, w []float64, width float64) {
	const lanes = vec.PanelRows
	n := o.vectors
	rows := &o.transposed.rows
	var weights vec.Panels
	reset(rows, n, o.inputs)
	weights.Reset(n, o.outputs)
	for j := range n {
		rows.SetDense(j, p.z[j*o.inputs:(j+1)*o.inputs])
		weights.SetDense(j, p.b[j*o.outputs:(j+1)*o.outputs])
	}
	kernels := make([]float64, n*n)
	w = make([]float64, n*n)
	squares := make([]float64, n*n)
	norms := append(append([]float64(nil), q.norms...), make([]float64, lanes)...)
	panels := padded(n) / lanes
	team.Do(ctx, panels, func(ctx context.Context, panel int) {
		if ctx.Err() != nil {
			return
		}
		k, derivative := make([]float64, n*lanes), make([]float64, n*lanes)
		dist, bb := make([]float64, n*lanes), make([]float64, n*lanes)
		o.panelKernel(k, derivative, dist, q, rows, norms[panel*lanes:(panel+1)*lanes], panel)
		panelDots(bb, &weights, q.vectors, n, panel)
		for j := range n {
			for i := range min(lanes, n-panel*lanes) {
				at, to := j*lanes+i, j*n+panel*lanes+i
				kernels[to] = k[at]
				w[to] = bb[at] * derivative[at]
				squares[to] = w[to] * dist[at]
			}
		}
	})
	for panel := range panels {
		for j := range n {
			for _, v := range squares[j*n+panel*lanes : j*n+min((panel+1)*lanes, n)] {
				width += v
			}
		}
	}
	return block(n, n, func(j, i int) float64 { return kernels[j*n+i] }), w, width
}
