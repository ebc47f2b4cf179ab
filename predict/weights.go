package predict

import (
	"math"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
)

// Problem: the values of linear machines,
//
//	f_m(x) = sum_i c_mi z_i.x - rho_m = w_m.x - rho_m,
//
// with a bound on the difference to the first form as it is rounded.
//
// Method: w_m and W_m = sum_i |c_mi| |z_i|, element by element, are made once. Each
// form has sums of n and of d terms, so that with v = 2^-53 the two differ by no more
// than 2 (n + d + 2) v W_m.|x|, and by what is too small for that.

// weights hold the w_m and W_m.
type weights struct {
	machines int
	both     []float64 // w and W of index i and machine m at [2(machines i + m)]
	longest  int       // the most entries that a vector has
}

// newWeights returns the weights of m, nil if they would take more memory than the
// vectors, or if numbers are too large.
func newWeights(m *models.Model, start []int) *weights {
	machines, indices := len(m.Machines), m.Vectors.MaxIndex()+1
	const free = 1 << 16 // numbers, whatever the vectors
	if indices > (m.Vectors.NNZ()+free)/machines/2 {
		return nil
	}
	w := &weights{machines: machines, both: make([]float64, 2*machines*indices)}
	for i := range m.Vectors.Len() {
		w.longest = max(w.longest, len(m.Vectors.Row(i).Index))
		if !(m.Vectors.SquaredNorm(i) <= largestCoef*largestCoef) {
			return nil
		}
	}
	for k := range m.Machines {
		c := &m.Machines[k]
		add := func(i int, coef float64) {
			z := m.Vectors.Row(i)
			for e, index := range z.Index {
				at := 2 * (machines*int(index) + k)
				term := float64(coef * z.Value[e])
				w.both[at] += term
				w.both[at+1] += math.Abs(term)
			}
		}
		if c.Index != nil {
			for n, i := range c.Index {
				add(int(i), c.Coef[n])
			}
			continue
		}
		n := 0
		for _, span := range c.Spans(start) {
			for i := span.From; i < span.To; i++ {
				add(i, c.Coef[n])
				n++
			}
		}
	}
	return w
}

// valuesTo sets the sums, sizes and errors for xs.
func (w *weights) valuesTo(s *filtered, xs []vec.Vector) {
	clear(s.sums)
	clear(s.sizes)
	for r, x := range xs {
		s.errors[r] = float64(w.longest+len(x.Index)+8) * 0x1p-50
		if !(vec.SquaredNorm(x) <= largestCoef*largestCoef) {
			s.errors[r] = math.Inf(1)
		}
		for e, index := range x.Index {
			at := 2 * w.machines * int(index)
			if at >= len(w.both) {
				break // indices increase
			}
			v := x.Value[e]
			size := math.Abs(v)
			both := w.both[at : at+2*w.machines]
			for m := range w.machines {
				s.sums[m*filterRows+r] += float64(both[2*m] * v)
				s.sizes[m*filterRows+r] += float64(both[2*m+1] * size)
			}
		}
	}
}
