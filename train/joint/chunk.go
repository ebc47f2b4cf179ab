package joint

import (
	"github.com/slimsvm/slimsvm/format/vec"
)

// scratch is the memory in which one thread works on a chunk. Values of a panel of rows are stored
// by vector or output, PanelRows values of each together.
type scratch struct {
	values
	derivative vec.Panels  // what multiplies dF/dK to become W
	dist       []float64   // squared distances of a panel
	g          vec.Panels  // dL/dF, by row
	gx         [][]float64 // the same as queries over the rows of the chunk
	f, t       []float64
	w          [][]float64 // W as queries over the rows of the chunk
	lines      []float64   // for sparse rows: W, a line for each row
	row        []float64
	sums       []float64
}

// values are kernel values of a chunk.
type values struct {
	k        vec.Panels // by row
	byVector vec.Panels // by vector
}

func (v *values) reset(vectors int) {
	v.k.Reset(chunkRows, vectors)
	v.byVector.Reset(vectors, chunkRows)
}

// transpose copies panel p to the values by vector.
func (v *values) transpose(p int) {
	const lanes = vec.PanelRows
	k := v.k.Panel(p)
	for j := range v.byVector.Len() {
		to := (*[(lanes-1)*lanes + 1]float64)(v.byVector.Panel(j / lanes)[p*lanes*lanes+j%lanes:])
		for i, x := range (*[lanes]float64)(k[j*lanes:]) {
			to[i*lanes] = x
		}
	}
}

// take returns scratch memory that is not in use. The caller sends it to o.scratch afterwards.
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
		gx:   queriesOf(o.outputs, chunkRows),
	}
	sums := padded(o.vectors)
	if o.cached == nil {
		s.reset(o.vectors)
		s.derivative.Reset(chunkRows, o.vectors)
	}
	s.g.Reset(chunkRows, o.outputs)
	if o.moveVectors && o.sparse() {
		s.lines = make([]float64, chunkRows*o.width())
	} else if o.moveVectors {
		s.w = queriesOf(o.vectors, chunkRows)
		sums = max(sums, padded(o.inputs+1))
	}
	s.sums = make([]float64, vec.MaxQueries*sums)
	return s
}

// chunk adds the part of chunk at of the objective and gradient to the sum of its strip, in which
// it has the given place.
func (o *objective) chunk(s *scratch, q *queries, at, place int, sum *partial) {
	const lanes = vec.PanelRows
	c, v := &o.chunks[at], &s.values
	if o.cached != nil {
		v = &o.cached.chunks[at]
	}
	for p := range (c.rows + lanes - 1) / lanes {
		rows := min(lanes, c.rows-p*lanes)
		if o.cached == nil {
			o.kernelValues(v, s.derivative.Panel(p), s.dist, q, c, p)
		}
		panelDots(s.f, &v.k, q.outputs, o.outputs, p)
		g := s.g.Panel(p)
		clear(g)
		for i := range rows {
			for l := range o.outputs {
				s.row[l] = s.f[l*lanes+i] - q.rho[l]
			}
			w := o.cost * c.weight[p*lanes+i]
			sum.loss += float64(w * o.loss.of(s.row, c.y[p*lanes+i]))
			for l, v := range s.row { // the loss has replaced the outputs by its gradient
				v = float64(v * w)
				g[l*lanes+i] = v
				sum.rho[l] -= v
			}
		}
		copyQueries(s.gx, g, p)
		if o.moveVectors || o.widths {
			panelDots(s.t, &s.g, q.vectors, o.vectors, p)
			if derivative := s.derivative.Panel(p); o.widths {
				sum.width += scaleAndDot(s.t, derivative, s.dist)
			} else {
				scale(s.t, derivative)
			}
			copyQueries(s.w, s.t, p)
			if s.lines != nil {
				linesOfPanel(s.lines[p*lanes*o.width():], o.width(), s.t, rows)
			}
		}
	}
	used := (c.rows + lanes - 1) / lanes * lanes
	for _, queries := range [][][]float64{s.gx, s.w} {
		for _, q := range queries {
			clear(q[used*len(q)/chunkRows:])
		}
	}
	addDots(sum.b, s.sums, &v.byVector, s.gx, o.outputs)
	switch {
	case o.moveVectors && o.sparse():
		c.sparse.addProducts(sum.z, s.lines, o.width(), sum.places[place])
	case o.moveVectors:
		addDots(sum.z, s.sums, &c.columns, s.w, o.vectors)
	}
}

// scale multiplies each element of t by the one of by.
func scale(t, by []float64) {
	by = by[:len(t)]
	for i, v := range by {
		t[i] *= v
	}
}

// scaleAndDot is scale, and returns the dot product of the new t and x, in four sums. The lengths
// are multiples of 4.
func scaleAndDot(t, by, x []float64) float64 {
	var s0, s1, s2, s3 float64
	by, x = by[:len(t)], x[:len(t)]
	for i := 0; i+4 <= len(t); i += 4 {
		t, by, x := (*[4]float64)(t[i:]), (*[4]float64)(by[i:]), (*[4]float64)(x[i:])
		v0, v1, v2, v3 := float64(t[0]*by[0]), float64(t[1]*by[1]), float64(t[2]*by[2]), float64(t[3]*by[3])
		t[0], t[1], t[2], t[3] = v0, v1, v2, v3
		s0 += float64(v0 * x[0])
		s1 += float64(v1 * x[1])
		s2 += float64(v2 * x[2])
		s3 += float64(v3 * x[3])
	}
	return s0 + s1 + (s2 + s3)
}

// kernelValues computes the kernel values of panel p of a chunk.
func (o *objective) kernelValues(v *values, derivative, dist []float64, q *queries, c *chunk, p int) {
	const lanes = vec.PanelRows
	k, norms := v.k.Panel(p), c.norms[p*lanes:(p+1)*lanes]
	switch {
	case c.sparse == nil:
		o.panelKernel(k, derivative, dist, q, &c.x, norms, p)
	case o.form.cancels(q.gamma, largest(norms)):
		c.sparse.distances(dist, q, o.vectors, o.inputs, p)
		o.form.ofDistances(k, derivative, dist, q.gamma)
	default:
		c.sparse.dots(k, q.lines, o.width(), p)
		o.form.values(k, derivative, dist, norms, q)
	}
	v.transpose(p)
}

// panelKernel sets k to the kernel values of the vectors and of panel p of rows x, whose squared
// norms are given, and derivative and dist as the form's values does.
func (o *objective) panelKernel(k, derivative, dist []float64, q *queries, x *vec.Panels, norms []float64, p int) {
	if o.form.cancels(q.gamma, largest(norms)) {
		panelDistances(dist, x, q.z, o.vectors, p)
		o.form.ofDistances(k, derivative, dist, q.gamma)
		return
	}
	panelDots(k, x, q.z, o.vectors, p)
	o.form.values(k, derivative, dist, norms, q)
}

// queriesOf returns memory for queries.
func queriesOf(rows, columns int) (q [][]float64) {
	for from := 0; from < rows; from += vec.MaxQueries {
		q = append(q, make([]float64, min(vec.MaxQueries, rows-from)*columns))
	}
	return q
}

// panelDots sets dst[r*PanelRows+i] to the dot product of query r and row i of a panel.
func panelDots(dst []float64, x *vec.Panels, queries [][]float64, rows, panel int) {
	for b, q := range queries {
		n := rowsOf(rows, b)
		at := b * vec.MaxQueries * vec.PanelRows
		x.DotsTo(dst[at:at+n*vec.PanelRows], vec.PanelRows, q, n, panel, 1)
	}
}

// panelDistances is panelDots with sums of squared differences.
func panelDistances(dst []float64, x *vec.Panels, queries [][]float64, rows, panel int) {
	for b, q := range queries {
		n := rowsOf(rows, b)
		at := b * vec.MaxQueries * vec.PanelRows
		x.DistancesTo(dst[at:at+n*vec.PanelRows], vec.PanelRows, q, n, panel, 1)
	}
}

// copyQueries copies values of panel p of the chunk's rows to their place in queries.
func copyQueries(dst [][]float64, values []float64, p int) {
	const lanes = vec.PanelRows
	for b, q := range dst {
		n := len(q) / chunkRows
		at, from := q[p*lanes*n:(p+1)*lanes*n], values[b*vec.MaxQueries*lanes:]
		if n == vec.MaxQueries { // most are
			from := (*[vec.MaxQueries * lanes]float64)(from)
			for i := range lanes {
				to := (*[vec.MaxQueries]float64)(at[i*vec.MaxQueries:])
				for r := range to {
					to[r] = from[r*lanes+i]
				}
			}
			continue
		}
		for r := range n {
			for i, v := range (*[lanes]float64)(from[r*lanes:]) {
				at[i*n+r] = v
			}
		}
	}
}

// addDots adds to sum[r*stride+i] the dot product of query r and row i, where stride is the number
// of rows, padded.
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
