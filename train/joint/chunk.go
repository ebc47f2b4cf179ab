package joint

import (
	"github.com/slimsvm/slimsvm/format/vec"
)

// scratch is the memory in which one thread works on a chunk. Values of a panel of
// rows stand by vector or output, PanelRows of each together.
type scratch struct {
	k, derivative vec.Panels // kernel values, and what multiplies dF/dK to become W
	dist          []float64  // squared distances of a panel
	g             vec.Panels // dL/dF, by row
	byOutput      vec.Panels // the same, by output
	f, t          []float64
	w, kx         [][]float64 // W and K as queries over the rows of the chunk
	row           []float64
	sums          []float64
}

// take returns scratch memory that nobody uses.
func (o *objective) take() *scratch {
	select {
	case s := <-o.scratch:
		return s
	default:
	}
	s := &scratch{
		dist: make([]float64, o.vectors*vec.PanelRows),
		f:    make([]float64, o.outputs*vec.PanelRows),
		t:    make([]float64, o.vectors*vec.PanelRows),
		row:  make([]float64, o.outputs),
		sums: make([]float64, vec.MaxQueries*max(padded(o.outputs), padded(o.inputs+1))),
	}
	s.k.Reset(chunkRows, o.vectors)
	s.derivative.Reset(chunkRows, o.vectors)
	s.g.Reset(chunkRows, o.outputs)
	s.byOutput.Reset(o.outputs, chunkRows)
	for from := 0; from < o.vectors; from += vec.MaxQueries {
		n := min(vec.MaxQueries, o.vectors-from)
		s.w = append(s.w, make([]float64, n*chunkRows))
		s.kx = append(s.kx, make([]float64, n*chunkRows))
	}
	return s
}

// chunk adds a chunk's part of the objective and gradient.
func (o *objective) chunk(s *scratch, q *queries, c *chunk, sum *partial) {
	const lanes = vec.PanelRows
	for p := range (c.rows + lanes - 1) / lanes {
		rows := min(lanes, c.rows-p*lanes)
		k, derivative := s.k.Panel(p), s.derivative.Panel(p)
		panelDots(k, &c.x, q.z, o.vectors, p)
		o.form.values(k, derivative, s.dist, c.norms[p*lanes:(p+1)*lanes], q)
		panelDots(s.f, &s.k, q.outputs, o.outputs, p)
		g := s.g.Panel(p)
		clear(g)
		for i := range rows {
			for l := range o.outputs {
				s.row[l] = s.f[l*lanes+i] - q.rho[l]
			}
			w := o.cost * c.weight[p*lanes+i]
			sum.loss += float64(w * o.loss.of(s.row, c.y[p*lanes+i]))
			for l, v := range s.row { // the loss has left its gradient there
				v *= w
				g[l*lanes+i] = v
				sum.rho[l] -= v
			}
		}
		copyQueries(s.kx, k, p)
		if o.moveVectors || o.widths {
			panelDots(s.t, &s.g, q.vectors, o.vectors, p)
			for j := range o.vectors * lanes {
				s.t[j] *= derivative[j]
			}
			if o.widths {
				for j, w := range s.t {
					sum.width += float64(w * s.dist[j])
				}
			}
			copyQueries(s.w, s.t, p)
		}
	}
	used := (c.rows + lanes - 1) / lanes * lanes
	for l := range o.outputs {
		to := s.byOutput.Panel(l / lanes)
		for i := range used {
			to[i*lanes+l%lanes] = s.g.Panel(i / lanes)[l*lanes+i%lanes]
		}
		for i := used; i < chunkRows; i++ {
			to[i*lanes+l%lanes] = 0
		}
	}
	for b := range s.kx {
		clear(s.kx[b][used*rowsOf(o.vectors, b):])
		clear(s.w[b][used*rowsOf(o.vectors, b):])
	}
	addDots(sum.b, s.sums, &s.byOutput, s.kx, o.vectors)
	if o.moveVectors {
		addDots(sum.z, s.sums, &c.columns, s.w, o.vectors)
	}
}

// panelDots sets dst[r*PanelRows+i] to the dot product of query r and row i of a panel.
func panelDots(dst []float64, x *vec.Panels, queries [][]float64, rows, panel int) {
	for b, q := range queries {
		n := rowsOf(rows, b)
		at := b * vec.MaxQueries * vec.PanelRows
		x.DotsTo(dst[at:at+n*vec.PanelRows], vec.PanelRows, q, n, panel, 1)
	}
}

// copyQueries copies values of panel p of the chunk's rows to their place in queries.
func copyQueries(dst [][]float64, values []float64, p int) {
	for b, q := range dst {
		n := len(q) / chunkRows
		at := q[p*vec.PanelRows*n : (p+1)*vec.PanelRows*n]
		for r := range n {
			from := values[(b*vec.MaxQueries+r)*vec.PanelRows:][:vec.PanelRows]
			for i, v := range from {
				at[i*n+r] = v
			}
		}
	}
}

// addDots adds to sum[r*stride+i] the dot product of query r and row i, where stride
// is the number of rows, padded.
func addDots(sum, buffer []float64, x *vec.Panels, queries [][]float64, rows int) {
	stride := padded(x.Len())
	for b, q := range queries {
		n := rowsOf(rows, b)
		part := buffer[:n*stride]
		x.DotsTo(part, stride, q, n, 0, stride/vec.PanelRows)
		to := sum[b*vec.MaxQueries*stride:][:n*stride]
		for i, v := range part {
			to[i] += v
		}
	}
}
