package joint

import (
	"context"

	"github.com/slimsvm/slimsvm/format/vec"
)

// moments are the sums over rows from which a metric is made.
type moments struct {
	gram  []float64 // K'dK: M x padded(M)
	k     []float64 // K'd
	d     float64
	z     []float64 // sum_i d_i |dK_ij/dz_j|^2
	width float64
}

func (m *moments) add(b *moments) {
	for _, s := range [][2][]float64{{m.gram, b.gram}, {m.k, b.k}, {m.z, b.z}} {
		for i, v := range s[1] {
			s[0][i] += v
		}
	}
	m.d += b.d
	m.width += b.width
}

func (o *objective) newMoments() *moments {
	return &moments{gram: make([]float64, o.vectors*padded(o.vectors)), k: make([]float64, o.vectors), z: make([]float64, o.vectors)}
}

// moments adds the moments of chunk at to sum, or a part of them if the context is done.
func (o *objective) moments(ctx context.Context, s *scratch, q *queries, at int, sum *moments) {
	const lanes = vec.PanelRows
	c, v := &o.chunks[at], &s.values
	if o.cached != nil {
		v = &o.cached.chunks[at]
	}
	weighted := queriesOf(o.vectors, chunkRows)
	kd := make([]float64, o.vectors*lanes)
	for p := range (c.rows + lanes - 1) / lanes {
		rows := min(lanes, c.rows-p*lanes)
		if o.cached == nil {
			o.kernelValues(v, s.derivative.Panel(p), s.dist, q, c, p)
		}
		panelDots(s.f, &v.k, q.outputs, o.outputs, p)
		var d [lanes]float64
		for i := range rows {
			for l := range o.outputs {
				s.row[l] = s.f[l*lanes+i] - q.rho[l]
			}
			o.loss.of(s.row, c.y[p*lanes+i])
			lossy := 0
			for _, g := range s.row {
				if g != 0 {
					lossy++
				}
			}
			d[i] = 2 * o.cost * c.weight[p*lanes+i] * float64(lossy) / float64(o.outputs)
			sum.d += d[i]
		}
		k := v.k.Panel(p)
		for j := range o.vectors {
			for i, w := range d {
				kd[j*lanes+i] = float64(k[j*lanes+i] * w)
				sum.k[j] += kd[j*lanes+i]
			}
		}
		copyQueries(weighted, kd, p)
		if o.moveVectors {
			o.form.steep(sum.z, d[:], s.derivative.Panel(p), s.dist, c.norms[p*lanes:(p+1)*lanes], q.gamma)
		}
		if o.widths {
			for j, x := range s.derivative.Panel(p) {
				s.t[j] = x * s.dist[j] * q.gamma
			}
			for l := range o.outputs {
				for i, w := range d {
					f := 0.0
					for j := range o.vectors {
						f += float64(s.t[j*lanes+i] * q.b[j*o.outputs+l])
					}
					sum.width += w * f * f / float64(o.outputs)
				}
			}
		}
	}
	used := (c.rows + lanes - 1) / lanes * lanes
	for _, q := range weighted {
		clear(q[used*len(q)/chunkRows:])
	}
	for b := range weighted { // with thousands of vectors, each takes long
		if ctx.Err() != nil {
			return
		}
		addDots(sum.gram[b*vec.MaxQueries*padded(o.vectors):], s.sums, &v.byVector, weighted[b:b+1], rowsOf(o.vectors, b))
	}
}

// penaltyMatrix returns the matrix of the penalty on weights.
func (o *objective) penaltyMatrix(ctx context.Context, q *queries, p *point) func(i, j int) float64 {
	if !o.form.positive() {
		return func(i, j int) float64 {
			if i == j {
				return o.norm
			}
			return 0
		}
	}
	kzz, _, _ := o.products(ctx, q, p)
	return func(i, j int) float64 { return o.norm * o.entry(kzz, i, j) }
}
