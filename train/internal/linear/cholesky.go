package linear

import (
	"math"

	"github.com/slimsvm/slimsvm/predict/columns"
)

// factorize replaces the lower half of a by its Cholesky factor L, A = L L'. It
// returns false if a is not positive definite.
func factorize(a [][]float64) bool {
	for i, row := range a {
		for j := range row[:i] {
			row[j] = (row[j] - columns.Dot(row[:j], a[j][:j])) / a[j][j]
		}
		d := row[i] - columns.Dot(row[:i], row[:i])
		if !(d > 0) || math.IsInf(d, 0) {
			return false
		}
		row[i] = math.Sqrt(d)
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

// Solve replaces b by the x with A x = b, and the lower half of the rows of a by
// the factor of A. It returns false if A is not positive definite.
func Solve(a [][]float64, b []float64) bool {
	if !factorize(a) {
		return false
	}
	solve(a, b)
	return true
}
