package joint

import (
	"context"
	"math"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/train/internal/team"
)

// Problem: coordinates in which the objective curves alike in all directions, since
// L-BFGS needs as many more iterations as curvatures differ.
//
// Method: about a point, loss_i curves by d_i in every output that is not without loss,
// and F is taken to be linear (Gauss and Newton). Weights and offsets of an output then
// have the Hessian
//
//	H = [Kzz 0; 0 0] + [Kxz -1]' diag(d) [Kxz -1] = U'U,
//
// and U [B_l; rho_l] are their coordinates. A feature of vector j has on average
//
//	h_j = |B_j|^2 sum_i d_i |dK_ij/dz_j|^2 / n,
//
// and the logarithm of the width sum_i d_i |dF_i/dlog gamma|^2 / L; square roots of these
// are the scales.

// A metric changes the coordinates of points.
type metric struct {
	u     []float64 // (M+1) x (M+1), upper triangle
	z     []float64 // scale of each vector
	width float64
}

// moments are sums over rows that a metric is made of.
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

// metric returns coordinates about a point.
func (o *objective) metric(ctx context.Context, p *point) *metric {
	q := o.queries(p)
	n := min(strips, len(o.chunks))
	sums := make([]*moments, n)
	team.Do(ctx, n, func(ctx context.Context, s int) {
		sums[s] = o.newMoments()
		work := o.take()
		for c := s * len(o.chunks) / n; c < (s+1)*len(o.chunks)/n && ctx.Err() == nil; c++ {
			o.moments(work, q, c, sums[s])
		}
		o.scratch <- work
	})
	sum := o.newMoments()
	for _, s := range sums {
		sum.add(s)
	}
	kzz := o.penaltyMatrix(q, p)
	m := &metric{u: make([]float64, (o.vectors+1)*(o.vectors+1)), z: make([]float64, o.vectors), width: 1}
	size := o.vectors + 1
	for j := range o.vectors {
		for i := range j + 1 {
			m.u[i*size+j] = kzz(i, j) + sum.gram[i*padded(o.vectors)+j]
		}
		m.u[j*size+o.vectors] = -sum.k[j]
	}
	m.u[size*size-1] = sum.d
	factor(m.u, size)
	for j := range m.z {
		b := 0.0
		for _, v := range p.b[j*o.outputs : (j+1)*o.outputs] {
			b += float64(v * v)
		}
		m.z[j] = math.Sqrt(b * sum.z[j] / float64(o.inputs))
	}
	floor(m.z)
	if sum.width > 0 && !math.IsInf(sum.width, 0) {
		m.width = math.Sqrt(sum.width)
	}
	return m
}

// floor lifts scales that are much smaller than others.
func floor(z []float64) {
	top := 0.0
	for _, v := range z {
		if !math.IsInf(v, 0) && !math.IsNaN(v) {
			top = max(top, v)
		}
	}
	if top == 0 {
		top = 1
	}
	for j, v := range z {
		if !(v >= top/100) || math.IsInf(v, 0) {
			z[j] = top / 100
		}
	}
}

// moments adds a chunk's.
func (o *objective) moments(s *scratch, q *queries, at int, sum *moments) {
	const lanes = vec.PanelRows
	c, v := &o.chunks[at], &s.values
	if o.kept != nil {
		v = &o.kept.chunks[at]
	}
	weighted := queriesOf(o.vectors, chunkRows)
	kd := make([]float64, o.vectors*lanes)
	for p := range (c.rows + lanes - 1) / lanes {
		rows := min(lanes, c.rows-p*lanes)
		if o.kept == nil {
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
				kd[j*lanes+i] = k[j*lanes+i] * w
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
	addDots(sum.gram, s.sums, &v.byVector, weighted, o.vectors)
}

// penaltyMatrix returns the matrix of the penalty on weights.
func (o *objective) penaltyMatrix(q *queries, p *point) func(i, j int) float64 {
	if !o.form.positive() {
		return func(i, j int) float64 {
			if i == j {
				return 1
			}
			return 0
		}
	}
	kzz, _, _ := o.products(q, p)
	return func(i, j int) float64 {
		b := i / vec.MaxQueries
		return kzz[b][j*rowsOf(o.vectors, b)+i%vec.MaxQueries]
	}
}

// factor replaces the upper triangle of a positive matrix by U with U'U = A. Pivots that
// are lost to rounding are lifted.
func factor(a []float64, n int) {
	least := 0.0
	for k := range n {
		least = max(least, a[k*n+k])
	}
	least *= 1e-10
	if !(least > 0) || math.IsInf(least, 0) {
		least = 1
	}
	for k := range n {
		pivot := a[k*n+k]
		if !(pivot > least) {
			pivot = least
		}
		pivot = math.Sqrt(pivot)
		a[k*n+k] = pivot
		row := a[k*n+k+1 : (k+1)*n]
		for j := range row {
			row[j] /= pivot
		}
		for i := k + 1; i < n; i++ {
			f := row[i-k-1]
			if f == 0 {
				continue
			}
			to := a[i*n+i : (i+1)*n]
			for j, v := range row[i-k-1:] {
				to[j] -= float64(f * v)
			}
		}
	}
}

// coordinates sets x to those of weights and offsets, output after output.
func (m *metric) coordinates(x, b, rho []float64) {
	l := len(rho)
	size := len(m.z) + 1
	w := make([]float64, size)
	for out := range l {
		gather(w, b, rho, out)
		to := x[out*size : (out+1)*size]
		for i := range size {
			sum := 0.0
			for j, u := range m.u[i*size+i : (i+1)*size] {
				sum += float64(u * w[i+j])
			}
			to[i] = sum
		}
	}
}

func gather(w, b, rho []float64, out int) {
	l := len(rho)
	for j := range len(w) - 1 {
		w[j] = b[j*l+out]
	}
	w[len(w)-1] = rho[out]
}

// weights is the inverse of coordinates.
func (m *metric) weights(b, rho, x []float64) {
	l := len(rho)
	size := len(m.z) + 1
	w := make([]float64, size)
	for out := range l {
		copy(w, x[out*size:(out+1)*size])
		for i := size - 1; i >= 0; i-- {
			row := m.u[i*size : (i+1)*size]
			sum := w[i]
			for j := i + 1; j < size; j++ {
				sum -= float64(row[j] * w[j])
			}
			w[i] = sum / row[i]
		}
		for j := range size - 1 {
			b[j*l+out] = w[j]
		}
		rho[out] = w[size-1]
	}
}

// slopes sets g to the gradient by coordinates, given that by weights and offsets.
func (m *metric) slopes(g, b, rho []float64) {
	l := len(rho)
	size := len(m.z) + 1
	for out := range l {
		w := g[out*size : (out+1)*size]
		gather(w, b, rho, out)
		for i := range size { // U'g = w
			row := m.u[i*size : (i+1)*size]
			w[i] /= row[i]
			for j := i + 1; j < size; j++ {
				w[j] -= float64(row[j] * w[i])
			}
		}
	}
}
