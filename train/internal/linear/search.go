package linear

import (
	"math"
	"slices"

	"github.com/slimsvm/slimsvm/predict/columns"
)

// search is the state of the method.
//
//	symbol  field
//	a       a       a_i of each place of the tiles, at w and b
//	a^k     anchor
//	F       free    places whose a is between its bounds
//	u       u       sum_i a_i r_i
//	f       f       w.r_i + b
type search struct {
	x       *Features
	tiles   []int
	y, cost []float64
	sigma   float64

	w      []float64
	b      float64
	f      []float64
	anchor []float64
	a      []float64
	off    float64 // sum of a
	u      []float64
	free   []int

	// rows used so far, one after the other
	width  int // number of features, padded
	slot   []int
	packed []float64

	// scratch for one step
	dw, df     []float64
	gather     []float64 // rows of F, one panel of features after the other
	transposed []float64 // the features of the rows of F
	matrix     [][]float64
	edge       []float64 // sigma R_F'1
}

func newSearch(x *Features, tiles []int, y, cost []float64, start *Machine) *search {
	n, m := len(y), x.Len()
	s := &search{
		x: x, tiles: tiles, y: y, cost: cost,
		w: make([]float64, m), f: make([]float64, n), anchor: make([]float64, n), a: make([]float64, n), u: make([]float64, m),
		width: columns.Padded(max(1, m)), slot: make([]int, n), dw: make([]float64, m), df: make([]float64, n), edge: make([]float64, m),
	}
	s.matrix = make([][]float64, m)
	all := make([]float64, m*s.width)
	for k := range s.matrix {
		s.matrix[k] = all[k*s.width : (k+1)*s.width]
	}
	if start != nil {
		if len(start.W) > m || len(start.Alpha) != n {
			panic("linear: the start does not fit the rows")
		}
		copy(s.w, start.W)
		s.b = start.Bias
		copy(s.anchor, start.Alpha)
	}
	s.values(s.f, s.w, s.b)
	return s
}

// values sets dst to w.r + b at all places.
func (s *search) values(dst, w []float64, b float64) {
	for i := range dst {
		dst[i] = b
	}
	s.x.AddTo(dst, w, s.tiles)
}

// at returns a_i for a value f_i, and whether it is between its bounds.
func (s *search) at(i int, f float64) (a float64, free bool) {
	a = s.anchor[i] + float64(s.sigma*(s.y[i]-f))
	if s.y[i] > 0 {
		return min(max(a, 0), s.cost[i]), a > 0 && a < s.cost[i]
	}
	return max(min(a, 0), -s.cost[i]), a < 0 && a > -s.cost[i]
}

// place adds t df to the values f, and sets a, off and free for them. It brings u up to date from
// the rows whose a has changed.
func (s *search) place(t float64) {
	s.free = s.free[:0]
	s.off = 0
	for i, f := range s.f {
		if s.y[i] == 0 {
			continue
		}
		if t != 0 {
			f += float64(t * s.df[i])
			s.f[i] = f
		}
		a, free := s.at(i, f)
		if free {
			s.free = append(s.free, i)
		}
		s.off += a
		if a != s.a[i] {
			columns.Axpy(s.u, a-s.a[i], s.row(i))
			s.a[i] = a
		}
	}
}

// row returns the features of the row at place i.
func (s *search) row(i int) []float64 {
	m := s.x.Len()
	if s.slot[i] == 0 {
		at := len(s.packed)
		s.packed = slices.Grow(s.packed, s.width)[:at+s.width]
		s.x.row(s.packed[at:at+m], s.tiles[i/TileRows], i%TileRows)
		clear(s.packed[at+m:])
		s.slot[i] = at/s.width + 1
	}
	return s.packed[(s.slot[i]-1)*s.width:][:m]
}

// machine returns the machine at the current point, and its gap. The dual value is reduced by |b|
// times the amount by which the sum of a differs from 0.
func (s *search) machine() *Machine {
	clear(s.u) // recompute u, to remove the rounding errors of its changes
	for i, a := range s.a {
		if a != 0 {
			columns.Axpy(s.u, a, s.row(i))
		}
	}
	m := &Machine{W: slices.Clone(s.u), Bias: s.b, Alpha: slices.Clone(s.a), Values: make([]float64, len(s.y))}
	s.values(m.Values, m.W, m.Bias)
	half := float64(columns.Dot(s.u, s.u) / 2)
	loss, sum := 0.0, 0.0
	for i, f := range m.Values {
		loss += float64(s.cost[i] * max(0, 1-float64(s.y[i]*f)))
		sum += float64(s.y[i] * s.a[i])
	}
	m.Objective = half + loss
	dual := sum - half - math.Abs(s.b*s.off)
	if m.Gap = (m.Objective - dual) / (1 + math.Abs(m.Objective)); math.IsNaN(m.Gap) {
		m.Gap = math.Inf(1)
	}
	return m
}
