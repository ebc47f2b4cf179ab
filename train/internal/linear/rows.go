package linear

import "github.com/slimsvm/slimsvm/predict/columns"

// Problem: compute Newton's step if fewer rows are free than there are features.
//
// Method: B = I + sigma R_F R_F' has as many rows as are free. A^-1 R_F' = R_F' B^-1, and
// A^-1 = I - sigma R_F' B^-1 R_F. With q = B^-1 R_F (-g) and t = B^-1 1, elimination of dw leaves
//
//	sigma sum(t) db = sum_i a_i - sigma sum(q),   dw = -g - sigma R_F' (q + db t).

// byRows replaces dw = -g by the step, using the factor of B, and returns db.
func (s *search) byRows() (db float64, ok bool) {
	n := len(s.free)
	b := make([][]float64, n)
	for j := range b {
		b[j] = s.matrix[j][:columns.Padded(n)]
	}
	s.products(b)
	for j, row := range b {
		for k := range row[:j+1] {
			row[k] *= s.sigma
		}
		row[j]++
	}
	if !factorize(b) {
		return 0, false
	}
	q, t := make([]float64, n), make([]float64, n)
	for j, i := range s.free {
		q[j], t[j] = columns.Dot(s.row(i), s.dw), 1
	}
	solve(b, q)
	solve(b, t)
	sumQ, sumT := 0.0, 0.0
	for j := range q {
		sumQ += q[j]
		sumT += t[j]
	}
	if room := s.sigma * sumT; room > 0 {
		db = (s.off - float64(s.sigma*sumQ)) / room
	}
	for j, i := range s.free {
		columns.Axpy(s.dw, -s.sigma*(q[j]+float64(db*t[j])), s.row(i))
	}
	return db, true
}

// products sets the lower half of b to R_F R_F', one panel of columns after the other.
func (s *search) products(b [][]float64) {
	m, n := s.x.Len(), len(s.free)
	if len(s.gather) < m*panel {
		s.gather = make([]float64, m*panel)
	}
	sums, coef := make([][]float64, 0, n), make([][]float64, 0, n)
	for from := 0; from < n; from += panel {
		to := min(from+panel, len(b[0]))
		lanes := to - from
		clear(s.gather[:m*lanes])
		for j := from; j < min(to, n); j++ {
			for k, v := range s.row(s.free[j]) {
				s.gather[k*lanes+j-from] = v
			}
		}
		sums, coef = sums[:0], coef[:0]
		for j := from; j < n; j++ {
			row := b[j][from:to]
			clear(row)
			sums, coef = append(sums, row), append(coef, s.row(s.free[j]))
		}
		columns.AddTo(sums, coef, s.gather[:m*lanes])
	}
}
