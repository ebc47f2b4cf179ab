package predict

import (
	"math"
	"sort"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/predict/internal/combine"
)

// Problem: compute the values of linear machines,
//
//	f_m(x) = sum_i c_mi z_i.x - rho_m = w_m.x - rho_m,
//
// with a bound on the difference from the first form as Decisions rounds it.
//
// Method: w_m is computed once, and so is S_m = sum_i |c_mi| |z_i|. The two forms have sums of n
// and of d terms. The absolute values of the terms add up to at most S_m |x|. So with v = 2^-53 the
// forms differ by at most 2 (n + d + 2) v S_m |x|, plus what is too small for that.
//
// The numbers of all machines for an index are stored together: a row's value times these numbers
// is added to the sums of all machines, whether the row lists few indices or all.

// weights has w_m and S_m for the machines of a block, by slot.
type weights struct {
	lanes   int       // number of machines, including padding that is 0
	of      []float64 // w of index i for machine m at [lanes*i+m]
	sizes   []float64 // S_m
	longest int       // largest number of entries of a vector
}

// fewLanes is the number of machines from which they are padded for vector registers.
const fewLanes = 4

// weightClasses is the number of classes on each side of a block.
const weightClasses = 30

// newWeights returns the weights of l's model in blocks. It returns nil if they would take more
// memory than the vectors, or if numbers are too large.
func newWeights(l *layout) (blocks []block, list []weights) {
	m := l.model
	indices := m.Vectors.MaxIndex() + 1
	const free = 1 << 16 // as many numbers are allowed in any case
	if indices > (m.Vectors.NNZ()+free)/weightLanes(len(m.Machines)) {
		return nil, nil
	}
	norms, longest := make([]float64, m.Vectors.Len()), 0
	for i := range norms {
		longest = max(longest, len(m.Vectors.Row(i).Index))
		if norms[i] = math.Sqrt(m.Vectors.SquaredNorm(i)); !(norms[i] <= largestCoef) {
			return nil, nil
		}
	}
	blocks = []block{l.all()}
	if l.manyClasses() {
		blocks = l.blocks(nil, weightClasses, weightClasses)
	}
	one := make([]float64, indices) // w of one machine
	for _, of := range blocks {
		machines := l.machines(nil, of)
		w := weights{lanes: weightLanes(len(machines)), sizes: make([]float64, len(machines)), longest: longest}
		w.of = make([]float64, w.lanes*indices)
		for slot, machine := range machines {
			clear(one)
			w.sizes[slot] = l.weigh(one, norms, &m.Machines[machine])
			for i, v := range one {
				w.of[w.lanes*i+slot] = v
			}
		}
		list = append(list, w)
	}
	return blocks, list
}

// weightLanes returns the number of lanes for this many machines.
func weightLanes(machines int) int {
	if machines >= fewLanes {
		return (machines + combine.RowLanes - 1) / combine.RowLanes * combine.RowLanes
	}
	return machines
}

// weigh adds the w of machine c to one, which must be 0, and returns its S.
func (l *layout) weigh(one, norms []float64, c *models.Machine) (size float64) {
	add := func(i int, coef float64) {
		size += float64(math.Abs(coef) * norms[i])
		z := l.model.Vectors.Row(i)
		values := z.Value[:len(z.Index)]
		for e, index := range z.Index {
			one[index] += float64(coef * values[e])
		}
	}
	if c.Index != nil {
		for n, i := range c.Index {
			add(int(i), c.Coef[n])
		}
		return size
	}
	n := 0
	for _, span := range c.Spans(l.start) {
		for i := span.From; i < span.To; i++ {
			add(i, c.Coef[n])
			n++
		}
	}
	return size
}

// error returns the share of S_m |x| by which values for x may be wrong, which is infinite if x is
// too long, and |x|.
func (w *weights) error(x vec.Vector) (share, length float64) {
	if length = math.Sqrt(squares(x.Value)); !(length <= largestCoef) {
		return math.Inf(1), length
	}
	return float64(w.longest+len(x.Index)+8) * 0x1p-50, length
}

// valuesTo sets sums and sizes of the block's machines for xs.
func (w *weights) valuesTo(s *filtered, xs []vec.Vector) {
	indices := len(w.of) / w.lanes
	s.run = room(s.run, w.lanes)
	for r, x := range xs {
		n := len(x.Index)
		if n > 0 && int(x.Index[n-1]) >= indices { // indices increase
			n = sort.Search(n, func(k int) bool { return int(x.Index[k]) >= indices })
		}
		clear(s.run)
		combine.AddRowsTo(s.run, w.of, x.Index[:n], x.Value[:n])
		for slot, size := range w.sizes {
			at := 2*filterRows*slot + r
			s.sums[at], s.sums[at+filterRows] = s.run[slot], size*s.lengths[r]
		}
	}
}

// squares returns the sum of squares. The order of the sum is not defined.
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
