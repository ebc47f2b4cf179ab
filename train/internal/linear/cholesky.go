package linear

import (
	"math"

	"github.com/slimsvm/slimsvm/predict/columns"
)

// panel is the number of columns that are processed together.
const panel = 2 * columns.Lanes

// factorize replaces the lower half of a by its Cholesky factor L, A = L L'. It returns false if a
// is not positive definite. Rows are as long as the matrix, rounded up to lanes. What is above the
// diagonal is undefined.
//
// It goes from panel to panel of columns. A product of matrices subtracts what the earlier columns
// contribute to a panel. Only the contributions within the panel are computed element by element.
func factorize(a [][]float64) bool {
	m := len(a)
	turned := make([]float64, m*panel) // columns of the panel's rows that are done
	minus := make([]float64, m*m)      // -L, row by row
	sums, coef := make([][]float64, 0, m), make([][]float64, 0, m)
	for from := 0; from < m; from += panel {
		to := min(from+panel, m)
		if from > 0 {
			lanes := min(panel, len(a[0])-from)
			for k := range from {
				for j := range to - from {
					turned[k*lanes+j] = a[from+j][k]
				}
				clear(turned[k*lanes+to-from : (k+1)*lanes])
			}
			sums, coef = sums[:0], coef[:0]
			for i := from; i < m; i++ {
				sums, coef = append(sums, a[i][from:from+lanes]), append(coef, minus[i*m:i*m+from])
			}
			columns.AddTo(sums, coef, turned[:from*lanes])
		}
		for i := from; i < m; i++ {
			row := a[i]
			for j := from; j < min(i, to); j++ {
				row[j] = (row[j] - columns.Dot(row[from:j], a[j][from:j])) / a[j][j]
			}
			if i < to {
				d := row[i] - columns.Dot(row[from:i], row[from:i])
				if !(d > 0) || math.IsInf(d, 0) {
					return false
				}
				row[i] = math.Sqrt(d)
			}
			for j := from; j < min(i, to); j++ {
				minus[i*m+j] = -row[j]
			}
		}
	}
	return true
}

// solve replaces x by A^-1 x, given the factor.
func solve(l [][]float64, x []float64) {
	for i, row := range l {
		x[i] = (x[i] - columns.Dot(row[:i], x[:i])) / row[i]
	}
	for i := len(l) - 1; i >= 0; i-- {
		x[i] /= l[i][i]
		for j, v := range l[i][:i] {
			x[j] -= float64(v * x[i])
		}
	}
}

// Solve replaces b by the x with A x = b, and the lower half of the rows of a by the factor of A.
// It returns false if A is not positive definite. Each row must have room for Padded of their
// number.
func Solve(a [][]float64, b []float64) bool {
	if !factorize(a) {
		return false
	}
	solve(a, b)
	return true
}
