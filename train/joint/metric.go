package joint

import (
	"context"
	"math"

	"github.com/slimsvm/slimsvm/train/internal/team"
)

// Problem: find coordinates in which the objective has similar curvature in all directions. The
// more curvatures differ, the more iterations L-BFGS needs.
//
// Method: near a point, loss_i has the curvature d_i in every output that has a loss, and F is
// taken to be linear (Gauss and Newton). Weights and offsets of an output then have the Hessian
//
//	H = [Kzz 0; 0 0] + [Kxz -1]' diag(d) [Kxz -1] = U'U,
//
// and U [B_l; rho_l] are their coordinates, in an order that limits the effect of rounding in H
// (factor.go). A feature of vector j has on average
//
//	h_j = |B_j|^2 sum_i d_i |dK_ij/dz_j|^2 / n,
//
// and the logarithm of the width has sum_i d_i |dF_i/dlog gamma|^2 / L. The scales are the square
// roots of these.

// A metric changes the coordinates of points.
type metric struct {
	u     []float64 // (M+1) x (M+1), upper triangle
	order []int     // of the vectors in u; M is the offset
	z     []float64 // scale of each vector
	width float64
}

// metric returns coordinates about a point. If the context is done, they are arbitrary.
func (o *objective) metric(ctx context.Context, p *point) *metric {
	q := o.queries(p)
	n := min(metricStrips(o.vectors), len(o.chunks))
	sums := make([]*moments, n)
	team.Do(ctx, n, func(ctx context.Context, s int) {
		sums[s] = o.newMoments()
		work := o.take()
		for c := s * len(o.chunks) / n; c < (s+1)*len(o.chunks)/n && ctx.Err() == nil; c++ {
			o.moments(ctx, work, q, c, sums[s])
		}
		o.scratch <- work
	})
	m := &metric{u: make([]float64, (o.vectors+1)*(o.vectors+1)), z: make([]float64, o.vectors), width: 1}
	size := o.vectors + 1
	if ctx.Err() != nil {
		m.order = factor(ctx, m.u, size, lost)
		floor(m.z)
		return m
	}
	sum := o.newMoments()
	for _, s := range sums {
		sum.add(s)
	}
	kzz := o.penaltyMatrix(ctx, q, p)
	for j := range o.vectors {
		for i := range j + 1 {
			m.u[i*size+j] = kzz(i, j) + sum.gram[i*padded(o.vectors)+j]
		}
		m.u[j*size+o.vectors] = -sum.k[j]
	}
	m.u[size*size-1] = sum.d
	m.order = factor(ctx, m.u, size, max(lost, 32*o.form.rounding(q.gamma, o.mostNorm(q))))
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

// mostNorm returns the largest squared norm of rows and vectors.
func (o *objective) mostNorm(q *queries) float64 {
	most := largest(q.norms)
	for i := range o.chunks {
		most = max(most, largest(o.chunks[i].norms))
	}
	return most
}

// floor raises scales that are much smaller than the largest to a hundredth of it.
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

// coordinates sets x to the coordinates of weights and offsets, output after output.
func (m *metric) coordinates(x, b, rho []float64) {
	l := len(rho)
	size := len(m.z) + 1
	w := make([]float64, size)
	for out := range l {
		m.gather(w, b, rho, out)
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

// gather copies the weights and the offset of an output, in the metric's order.
func (m *metric) gather(w, b, rho []float64, out int) {
	l := len(rho)
	for i, j := range m.order {
		if j == len(m.z) {
			w[i] = rho[out]
		} else {
			w[i] = b[j*l+out]
		}
	}
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
		for i, j := range m.order {
			if j == len(m.z) {
				rho[out] = w[i]
			} else {
				b[j*l+out] = w[i]
			}
		}
	}
}

// slopes sets g to the gradient by coordinates, given the gradient b, rho by weights and offsets.
func (m *metric) slopes(g, b, rho []float64) {
	l := len(rho)
	size := len(m.z) + 1
	for out := range l {
		w := g[out*size : (out+1)*size]
		m.gather(w, b, rho, out)
		for i := range size { // U'g = w
			row := m.u[i*size : (i+1)*size]
			w[i] /= row[i]
			for j := i + 1; j < size; j++ {
				w[j] -= float64(row[j] * w[i])
			}
		}
	}
}
