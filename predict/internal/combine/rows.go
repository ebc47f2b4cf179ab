package combine

import (
	"fmt"

	"github.com/slimsvm/slimsvm/format/vec/simd"
)

// RowLanes is the unit of the fastest lengths of sums in AddRowsTo and AddRowsInOrder, which are
// its multiples.
const RowLanes = 8

// AddRowsTo adds, for each j,
//
//	sums[j] += sum over k of coef[k] * rows[index[k]*len(sums)+j]
//
// in any order. Vector instructions fuse product and sum. If nothing overflows, it is wrong by at
// most (n+1) 2^-53 times the sum of the absolute values of sums[j] and of its n products, plus what
// is too small for that.
func AddRowsTo(sums, rows []float64, index []int32, coef []float64) {
	checkRows(sums, rows, index, coef)
	switch {
	case len(index) == 0 || len(sums) == 0:
	case len(sums) == 1:
		sums[0] += dotListed(rows, index, coef)
	case len(sums)%RowLanes == 0:
		addRows(simd.Current(), true, sums, rows, index, coef)
	default:
		addRowsPortable(sums, rows, index, coef)
	}
}

// AddRowsInOrder adds, for each j and for each k in order,
//
//	sums[j] += coef[k] * rows[index[k]*len(sums)+j]
//
// Each product and each sum is rounded, so that a sum has the bits of a plain loop.
func AddRowsInOrder(sums, rows []float64, index []int32, coef []float64) {
	checkRows(sums, rows, index, coef)
	AddKnownRowsInOrder(sums, rows, index, coef)
}

// AddKnownRowsInOrder is AddRowsInOrder for a caller that knows that the rows exist and that there
// are as many coefficients. It reads memory of others if they don't.
func AddKnownRowsInOrder(sums, rows []float64, index []int32, coef []float64) {
	if len(index) == 0 || len(sums) == 0 {
		return
	}
	if len(sums)%RowLanes == 0 {
		addRows(simd.Current(), false, sums, rows, index, coef)
		return
	}
	addRowsPortable(sums, rows, index, coef)
}

// checkRows panics if a listed row does not exist.
func checkRows(sums, rows []float64, index []int32, coef []float64) {
	if len(index) != len(coef) {
		panic("combine: indices and coefficients differ in number")
	}
	if len(sums) == 0 {
		return
	}
	for n := uint(len(rows) / len(sums)); len(index) > 0; index = index[1:] {
		if i := index[0]; uint(i) >= n { // or negative
			panic(fmt.Sprintf("combine: row %d of %d numbers, %d each", i, len(rows), len(sums)))
		}
	}
}

func addRowsPortable(sums, rows []float64, index []int32, coef []float64) {
	for k, i := range index {
		c := coef[k]
		row := rows[int(i)*len(sums):][:len(sums)]
		for j, v := range row {
			sums[j] += float64(c * v)
		}
	}
}

// dotListed uses two sums, so that it can add to one while the other is not ready yet.
func dotListed(numbers []float64, index []int32, coef []float64) float64 {
	a, b := 0.0, 0.0
	k := 0
	for coef := coef[:len(index)]; k+2 <= len(index); k += 2 {
		a += float64(numbers[index[k]] * coef[k])
		b += float64(numbers[index[k+1]] * coef[k+1])
	}
	if k < len(index) {
		a += float64(numbers[index[k]] * coef[k])
	}
	return a + b
}
