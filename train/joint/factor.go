package joint

import "math"

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
