package predict

import (
	"math"
	"sort"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/predict/internal/combine"
)

// Problem: the values of linear machines,
//
//	f_m(x) = sum_i c_mi z_i.x - rho_m = w_m.x - rho_m,
//
// with a bound on the difference to the first form as it is rounded.
//
// Method: w_m is made once, and so is S_m = sum_i |c_mi| |z_i|. Each form has sums of n
// and of d terms, whose absolute values add up to no more than S_m |x|, so that with
// v = 2^-53 the two differ by no more than 2 (n + d + 2) v S_m |x|, and by what is too
// small for that.
//
// The numbers of an index stand together for all machines: a row's value times them is
// added to the sums of all, whether it lists few indices or all.

// weights hold the w_m and S_m.
type weights struct {
	lanes   int       // machines, and some that are 0
	of      []float64 // w of index i and machine m at [lanes*i+m]
	sizes   []float64 // S_m
	longest int       // the most entries that a vector has
}

// fewLanes is the number of machines from which there are lanes for vector registers.
const fewLanes = 4

// newWeights returns the weights of m, nil if they would take more memory than the
// vectors, or if numbers are too large.
func newWeights(m *models.Model, start []int) *weights {
	w := &weights{lanes: len(m.Machines), sizes: make([]float64, len(m.Machines))}
	if w.lanes >= fewLanes {
		w.lanes = (w.lanes + combine.RowLanes - 1) / combine.RowLanes * combine.RowLanes
	}
	indices := m.Vectors.MaxIndex() + 1
	const free = 1 << 16 // numbers, whatever the vectors
	if indices > (m.Vectors.NNZ()+free)/w.lanes {
		return nil
	}
	norms := make([]float64, m.Vectors.Len())
	for i := range norms {
		w.longest = max(w.longest, len(m.Vectors.Row(i).Index))
		if norms[i] = math.Sqrt(m.Vectors.SquaredNorm(i)); !(norms[i] <= largestCoef) {
			return nil
		}
	}
	w.of = make([]float64, w.lanes*indices)
	one := make([]float64, indices) // w of one machine
	for k := range m.Machines {
		c := &m.Machines[k]
		clear(one)
		add := func(i int, coef float64) {
			w.sizes[k] += math.Abs(coef) * norms[i]
			z := m.Vectors.Row(i)
			values := z.Value[:len(z.Index)]
			for e, index := range z.Index {
				one[index] += float64(coef * values[e])
			}
		}
		if c.Index != nil {
			for n, i := range c.Index {
				add(int(i), c.Coef[n])
			}
		} else {
			n := 0
			for _, span := range c.Spans(start) {
				for i := span.From; i < span.To; i++ {
					add(i, c.Coef[n])
					n++
				}
			}
		}
		for i, v := range one {
			w.of[w.lanes*i+k] = v
		}
	}
	return w
}

// valuesTo sets the sums, sizes and errors for xs.
func (w *weights) valuesTo(s *filtered, xs []vec.Vector) {
	indices := len(w.of) / w.lanes
	s.run = room(s.run, w.lanes)
	for r, x := range xs {
		length := math.Sqrt(squares(x.Value))
		s.errors[r] = float64(w.longest+len(x.Index)+8) * 0x1p-50
		if !(length <= largestCoef) {
			s.errors[r] = math.Inf(1)
		}
		n := len(x.Index)
		if n > 0 && int(x.Index[n-1]) >= indices { // indices increase
			n = sort.Search(n, func(k int) bool { return int(x.Index[k]) >= indices })
		}
		clear(s.run)
		combine.AddRowsTo(s.run, w.of, x.Index[:n], x.Value[:n])
		for m, size := range w.sizes {
			s.sums[m*filterRows+r] = s.run[m]
			s.sizes[m*filterRows+r] = size * length
		}
	}
}

// squares returns the sum of squares, in no certain order.
func squares(values []float64) float64 {
	var a, b, c, d float64
	for ; len(values) >= 4; values = values[4:] {
		a += float64(values[0] * values[0])
		b += float64(values[1] * values[1])
		c += float64(values[2] * values[2])
		d += float64(values[3] * values[3])
	}
	for _, v := range values {
		a += float64(v * v)
	}
	return (a + b) + (c + d)
}
