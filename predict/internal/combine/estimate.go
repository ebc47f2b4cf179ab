package combine

import (
	"math"

	"github.com/slimsvm/slimsvm/format/vec/simd"
)

// EstimateLanes is the number of rows of AddEstimatesTo.
const EstimateLanes = 64

// AddEstimatesTo adds, for each m and row r < EstimateLanes,
//
//	sums[m][r] += sum over i of coef[m][i] * values[i*EstimateLanes+r]
//
// where the sum over i is computed in float32. If nothing overflows, it is wrong by at most n 2^-24
// times the sum of the absolute values of its n products. Vector instructions fuse product and sum.
func AddEstimatesTo(sums [][]float64, coef [][]float32, values []float32) {
	if len(sums) != len(coef) {
		panic("combine: sums and coefficients differ in number")
	}
	if len(sums) == 0 {
		return
	}
	n := len(coef[0])
	for m := range sums {
		if len(sums[m]) != EstimateLanes || len(coef[m]) != n {
			panic("combine: sums or coefficients differ in length")
		}
	}
	if len(values) != n*EstimateLanes {
		panic("combine: the values do not fit the sums")
	}
	if n > 0 {
		addEstimates(simd.Current(), sums, coef, values)
	}
}

func addEstimatesPortable(sums [][]float64, coef [][]float32, values []float32) {
	for m := range sums {
		var s [EstimateLanes]float32
		for i, c := range coef[m] {
			for r, v := range (*[EstimateLanes]float32)(values[i*EstimateLanes:]) {
				s[r] += float32(c * v)
			}
		}
		for r, v := range s {
			sums[m][r] += float64(v)
		}
	}
}

// JoinTo replaces a by a + b, and b by |a| + |b|.
func JoinTo(a, b *[EstimateLanes]float64) { join(simd.Current(), a, b) }

func joinPortable(a, b *[EstimateLanes]float64) {
	for r, x := range a {
		y := b[r]
		a[r], b[r] = x+y, math.Abs(x)+math.Abs(y)
	}
}
