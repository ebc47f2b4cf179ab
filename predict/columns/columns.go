// Package columns computes sums of multiples of columns and rows of numbers: the inner loops that
// prediction and training methods share. It uses vector instructions where the processor has them;
// results have the same bits without them.
package columns

import "github.com/slimsvm/slimsvm/predict/internal/combine"

// Lanes is the unit of a column's length: columns have a multiple of Lanes values.
const Lanes = combine.Lanes

// Padded returns n rounded up to a multiple of Lanes.
func Padded(n int) int { return (n + Lanes - 1) / Lanes * Lanes }

// AddTo adds, for each m, row r and column i in order,
//
//	sums[m][r] += coef[m][i] * values[i*lanes+r]
//
// where lanes is the length of every sum. Each product and each sum is rounded, so that the result
// has the bits of a plain loop. It panics if lengths do not fit.
func AddTo(sums, coef [][]float64, values []float64) { combine.AddTo(sums, coef, values) }

// AddOneTo is [AddTo] for one sum.
func AddOneTo(sum, coef, values []float64) {
	combine.AddTo([][]float64{sum}, [][]float64{coef}, values)
}

// RowLanes is the unit of row lengths for which [AddRows] is fastest: a multiple of RowLanes.
const RowLanes = combine.RowLanes

// PaddedRow returns n rounded up to a multiple of RowLanes.
func PaddedRow(n int) int { return (n + RowLanes - 1) / RowLanes * RowLanes }

// AddRows adds coef[k] * rows[index[k]*len(sum)+j] to sum[j], for each j and for each k in order.
// Each product and each sum is rounded, so that the result has the bits of a plain loop. It panics
// if a row does not exist, or if coef and index differ in length.
func AddRows(sum, rows []float64, index []int32, coef []float64) {
	combine.AddRowsInOrder(sum, rows, index, coef)
}

// Dot returns the dot product x.y. It adds products to four interleaved sums, and returns the sum
// of the first two plus the sum of the last two.
func Dot(x, y []float64) float64 {
	var s0, s1, s2, s3 float64
	y = y[:len(x)]
	i := 0
	for ; i+4 <= len(x); i += 4 {
		a, b := (*[4]float64)(x[i:]), (*[4]float64)(y[i:])
		s0 += float64(a[0] * b[0])
		s1 += float64(a[1] * b[1])
		s2 += float64(a[2] * b[2])
		s3 += float64(a[3] * b[3])
	}
	for ; i < len(x); i++ {
		s0 += float64(x[i] * y[i])
	}
	return (s0 + s1) + (s2 + s3)
}

// longRow is the number of elements from which Axpy uses vector instructions.
const longRow = 256

// only is a list of the only row.
var only = []int32{0}

// Axpy adds a*x to dst. Each product and each sum is rounded.
func Axpy(dst []float64, a float64, x []float64) {
	x = x[:len(dst)]
	if len(dst) >= longRow {
		n := len(dst) / RowLanes * RowLanes
		combine.AddRowsInOrder(dst[:n], x[:n], only, []float64{a})
		dst, x = dst[n:], x[n:]
	}
	for i, v := range x {
		dst[i] += float64(a * v)
	}
}
