package reducedset

import (
	"github.com/slimsvm/slimsvm/predict/columns"
	"github.com/slimsvm/slimsvm/train/internal/linear"
)

// A fit has the w and bias that minimise sum_i v_i (w.r_i + bias - y_i)^2 for rows r_i with a
// growing number of features. The sums over features that were there before are kept.
type fit struct {
	gram [][]float64 // lower half of sum_i v_i r_i r_i'
	sums []float64   // sum_i v_i r_i
	with []float64   // sum_i v_i y_i r_i
	w    []float64
	bias float64
}

// Shares of the mean variance of a feature, and of the mean squared feature, that are added to the
// diagonal to keep the least squares solvable. A variance below the latter may be rounding. The fit
// does not depend on the scale of the features.
const (
	ridge    = 1e-10
	rounding = 1e-15
)

// solve brings the fit up to date with the features.
func (f *fit) solve(x *linear.Features, y, v []float64) error {
	m := x.Len()
	vy := make([]float64, len(y))
	total, totalY := 0.0, 0.0
	for i := range y {
		vy[i] = float64(v[i] * y[i])
		total += v[i]
		totalY += vy[i]
	}
	for k := len(f.gram); k < m; k++ {
		row := make([]float64, k+1)
		x.Products(row, v, k)
		f.gram = append(f.gram, row)
		f.sums = append(f.sums, x.Sum(v, k))
		f.with = append(f.with, x.Sum(vy, k))
	}
	// with the means subtracted from the features, there is no bias
	a := make([][]float64, m)
	f.w = make([]float64, m)
	squares, variances := 0.0, 0.0
	for k, row := range f.gram {
		a[k] = make([]float64, columns.Padded(m))
		for j, g := range row {
			a[k][j] = g - float64(f.sums[k]*f.sums[j])/total
		}
		squares += row[k]
		variances += max(0, a[k][k])
		f.w[k] = f.with[k] - float64(f.sums[k]*totalY)/total
	}
	small := (float64(ridge*variances) + float64(rounding*squares)) / float64(m)
	for k := range a {
		a[k][k] += small
	}
	switch {
	case squares == 0: // all features are 0, or there are none
		clear(f.w)
	case !linear.Solve(a, f.w):
		return errSingular
	}
	f.bias = totalY / total
	for k, w := range f.w {
		f.bias -= float64(w*f.sums[k]) / total
	}
	return nil
}
