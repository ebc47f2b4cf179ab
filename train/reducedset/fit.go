package reducedset

import (
	"github.com/slimsvm/slimsvm/predict/columns"
	"github.com/slimsvm/slimsvm/train/internal/linear"
)

// A fit is the w and bias that minimise sum_i v_i (w.r_i + bias - y_i)^2, for rows
// whose features grow in number: sums that are known stay.
type fit struct {
	gram [][]float64 // lower half of sum_i v_i r_i r_i'
	sums []float64   // sum_i v_i r_i
	with []float64   // sum_i v_i y_i r_i
	w    []float64
	bias float64
}

// ridge keeps the least squares solvable: a share of the mean squared feature.
const ridge = 1e-10

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
	// of the features without their means the bias is none
	trace := total
	for k, row := range f.gram {
		trace += row[k]
	}
	small := ridge * trace / float64(m+1)
	a := make([][]float64, m)
	f.w = make([]float64, m)
	for k, row := range f.gram {
		a[k] = make([]float64, columns.Padded(m))
		for j, g := range row {
			a[k][j] = g - float64(f.sums[k]*f.sums[j])/total
		}
		a[k][k] += small
		f.w[k] = f.with[k] - float64(f.sums[k]*totalY)/total
	}
	if !linear.Solve(a, f.w) {
		return errSingular
	}
	f.bias = totalY / total
	for k, w := range f.w {
		f.bias -= float64(w*f.sums[k]) / total
	}
	return nil
}
