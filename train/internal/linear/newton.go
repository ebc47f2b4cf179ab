package linear

import (
	"math"

	"github.com/slimsvm/slimsvm/predict/columns"
)

// still is the size of the gradient, relative to the two terms whose difference it is, at which the
// minimum about an anchor counts as reached.
const still = 1e-9

// newton takes a step towards the minimum about the anchor. It returns false if the minimum is
// reached as closely as rounding allows.
//
// With g = w - u and A = I + sigma R_F'R_F, e = sigma R_F'1, the step is
//
//	A dw + e db = -g,   e.dw + sigma |F| db = sum_i a_i
func (s *search) newton() bool {
	g, size, total := 0.0, 0.0, 0.0
	for k, w := range s.w {
		s.dw[k] = s.u[k] - w
		g += float64(s.dw[k] * s.dw[k])
		size += float64(w*w) + float64(s.u[k]*s.u[k])
	}
	for _, a := range s.a {
		total += math.Abs(a)
	}
	if math.Sqrt(g) <= still*(1+math.Sqrt(size)) && math.Abs(s.off) <= still*(1+total) {
		return false
	}
	var db float64
	ok := true
	switch n := len(s.free); {
	case n == 0:
		db = s.off / s.sigma // as if one row were free
	case n < s.x.Len():
		db, ok = s.byRows()
	default:
		db, ok = s.byFeatures()
	}
	if !ok {
		return false
	}
	if math.IsNaN(db) {
		return false
	}
	s.values(s.df, s.dw, db)
	t := s.step(db)
	if t == 0 {
		return false
	}
	columns.Axpy(s.w, t, s.dw)
	s.b += float64(t * db)
	s.place(t)
	return true
}

// byFeatures replaces dw = -g by the step, using the factor of A, and returns db.
func (s *search) byFeatures() (db float64, ok bool) {
	s.assemble()
	if !factorize(s.matrix) {
		return 0, false
	}
	solve(s.matrix, s.dw)
	edge := append([]float64(nil), s.edge...)
	solve(s.matrix, edge)
	room := float64(s.sigma*float64(len(s.free))) - columns.Dot(s.edge, edge)
	if room > 0 {
		db = (s.off - columns.Dot(s.edge, s.dw)) / room
	}
	columns.Axpy(s.dw, -db, edge)
	return db, true
}

// assemble sets the lower half of matrix, and edge.
func (s *search) assemble() {
	m, n := s.x.Len(), len(s.free)
	if len(s.transposed) < m*n {
		s.transposed = make([]float64, m*n)
	}
	if len(s.gather) < n*panel {
		s.gather = make([]float64, n*panel)
	}
	for j, i := range s.free {
		for k, v := range s.row(i) {
			s.transposed[k*n+j] = v
		}
	}
	for k := range m {
		sum := 0.0
		for _, v := range s.transposed[k*n : (k+1)*n] {
			sum += v
		}
		s.edge[k] = s.sigma * sum
	}
	var sums, coef [][]float64
	for from := 0; from < m; from += panel {
		to := min(from+panel, s.width)
		lanes := to - from
		for j, i := range s.free {
			s.row(i)
			copy(s.gather[j*lanes:(j+1)*lanes], s.packed[(s.slot[i]-1)*s.width+from:][:lanes])
		}
		sums, coef = sums[:0], coef[:0]
		for k := from; k < m; k++ {
			row := s.matrix[k][from:to]
			clear(row)
			sums, coef = append(sums, row), append(coef, s.transposed[k*n:(k+1)*n])
		}
		columns.AddTo(sums, coef, s.gather[:n*lanes])
	}
	for k, row := range s.matrix {
		for j := range row[:k+1] {
			row[j] *= s.sigma
		}
		row[k]++
	}
}

// step returns how far to go along dw and db: to a point where the slope of the function is small.
// It returns 0 if rounding leaves no way down. The slope rises along the way.
func (s *search) step(db float64) float64 {
	ww, wd := columns.Dot(s.dw, s.dw), columns.Dot(s.w, s.dw)
	slope := func(t float64) float64 {
		sum := wd + float64(t*ww)
		for i, f := range s.f {
			if s.y[i] == 0 {
				continue
			}
			d := s.df[i]
			a, _ := s.at(i, f+float64(t*d))
			sum -= float64(a * d)
		}
		return sum
	}
	first := slope(0)
	if !(first < 0) {
		return 0
	}
	const enough = 0.1
	low, high := 0.0, 1.0
	atLow, atHigh := first, slope(1)
	for range 60 {
		if atHigh > enough*first || math.IsNaN(atHigh) {
			break
		}
		low, atLow = high, atHigh
		high *= 2
		atHigh = slope(high)
	}
	if math.Abs(atHigh) <= -enough*first {
		return high
	}
	for round := range 60 {
		t := low + (high-low)*atLow/(atLow-atHigh)
		if round%3 == 2 || !(t > low && t < high) {
			t = low + float64((high-low)/2)
		}
		at := slope(t)
		if math.Abs(at) <= -enough*first {
			return t
		}
		if at < 0 {
			low, atLow = t, at
		} else {
			high, atHigh = t, at
		}
	}
	return low
}
