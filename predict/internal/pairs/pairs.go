// Package pairs computes probabilities from the values of hyperplanes between two classes, side by
// side for many rows: which values are above 0, for certain or at all; their sigmoids; and the
// coupling of the sigmoids of all pairs of classes.
package pairs

import (
	"math"

	"github.com/slimsvm/slimsvm/format/vec/simd"
)

// Lanes is the unit of lengths: they are multiples of it.
const Lanes = 8

func check(n int, others ...int) {
	for _, other := range others {
		if other != n {
			panic("pairs: lengths differ")
		}
	}
	if n%Lanes != 0 {
		panic("pairs: a length is no multiple of the lanes")
	}
}

// Signs subtracts rho from the values and sets bit r%64 of dst[r/64] to whether values[r] is then
// above 0. Bits without a value keep their state.
func Signs(dst []uint64, values []float64, rho float64) {
	check(len(values))
	if len(dst) < (len(values)+63)/64 {
		panic("pairs: too few words for the signs")
	}
	if len(values) > 0 {
		signs(simd.Current(), dst, values, rho)
	}
}

func signsPortable(dst []uint64, values []float64, rho float64) {
	for at := 0; at < len(values); at += Lanes {
		var b uint64
		for k, v := range values[at : at+Lanes] {
			v -= rho
			values[at+k] = v
			var bit uint64
			if v > 0 {
				bit = 1
			}
			b |= bit << k
		}
		shift := at % 64
		dst[at/64] = dst[at/64]&^(0xff<<shift) | b<<shift
	}
}

// Certain reports for 64 rows, one bit each, whether the value is certainly above 0, and whether it
// is certainly below. The value is sums[r] - rho. Its error is at most (errors[r] + relative)
// sizes[r], a little more, plus absolute. A NaN is neither.
func Certain(sums, sizes, errors *[64]float64, rho, relative, absolute float64) (above, below uint64) {
	return certain(simd.Current(), sums, sizes, errors, rho, relative, absolute)
}

// CertainOfTwo is Certain for the sums a[r] + b[r] and the sizes |a[r]| + |b[r]|.
func CertainOfTwo(a, b, errors *[64]float64, rho, relative, absolute float64) (above, below uint64) {
	return certainOfTwo(simd.Current(), a, b, errors, rho, relative, absolute)
}

func certainOfTwoPortable(a, b, errors *[64]float64, rho, relative, absolute float64) (above, below uint64) {
	var sums, sizes [64]float64
	for r, x := range a {
		sums[r], sizes[r] = x+b[r], math.Abs(x)+math.Abs(b[r])
	}
	return certainPortable(&sums, &sizes, errors, rho, relative, absolute)
}

// more compensates for the rounding of bounds.
const more = 1.05

func certainPortable(sums, sizes, errors *[64]float64, rho, relative, absolute float64) (above, below uint64) {
	for r, v := range sums {
		v -= rho
		bound := float64((errors[r]+relative)*more*sizes[r]) + absolute
		var yes, no uint64
		if v > bound {
			yes = 1
		}
		if v < -bound {
			no = 1
		}
		above |= yes << r
		below |= no << r
	}
	return above, below
}

// Arguments sets z[k] = a values[rows[k]] + b, with product and sum rounded separately, and size[k]
// = -|z[k]|.
func Arguments(z, size, values []float64, rows []int32, a, b float64) {
	check(len(z), len(size), len(rows))
	var most uint32 // at least the largest row
	for at := 0; at < len(rows); at += Lanes {
		r := (*[Lanes]int32)(rows[at:])
		most |= uint32(r[0]|r[1]) | uint32(r[2]|r[3]) | uint32(r[4]|r[5]) | uint32(r[6]|r[7])
	}
	if uint64(most) >= uint64(len(values)) {
		for _, r := range rows {
			_ = values[r]
		}
	}
	if len(z) > 0 {
		arguments(simd.Current(), z, size, values, rows, a, b)
	}
}

func argumentsPortable(z, size, values []float64, rows []int32, a, b float64) {
	for k, r := range rows {
		v := float64(a*values[r]) + b
		z[k], size[k] = v, -math.Abs(v)
	}
}

// Logistic sets dst[k] to 1/(1 + e^z[k]), cut to the range from least to 1 - least. exps[k] must be
// e^-|z[k]|.
func Logistic(dst, z, exps []float64, least float64) {
	check(len(dst), len(z), len(exps))
	if len(dst) > 0 {
		logistic(simd.Current(), dst, z, exps, least, 1-least)
	}
}

func logisticPortable(dst, z, exps []float64, least, most float64) {
	for k, e := range exps {
		// 1/(1+e) where z is negative, e/(1+e) elsewhere, without a branch
		negative := uint64(int64(math.Float64bits(z[k])) >> 63)
		head := math.Float64frombits(math.Float64bits(1)&negative | math.Float64bits(e)&^negative)
		p := head / (1 + e)
		if p < least {
			p = least
		}
		if p > most {
			p = most
		}
		dst[k] = p
	}
}

// ThreeTo sets dst[k] to Three of r[k], r[stride+k] and r[2*stride+k].
func ThreeTo(dst, r []float64, stride int) {
	check(len(dst))
	if len(dst) > stride || len(r) < 2*stride+len(dst) {
		panic("pairs: the probabilities do not fit")
	}
	if len(dst) > 0 {
		three(simd.Current(), dst, r, stride)
	}
}

func threePortable(dst, r []float64, stride int) {
	for k := range dst {
		dst[k] = Three(r[k], r[stride+k], r[2*stride+k])
	}
}

// FourTo sets dst[k] to Four of the six numbers r[q*stride+k].
func FourTo(dst, r []float64, stride int) {
	check(len(dst))
	if len(dst) > stride || len(r) < 5*stride+len(dst) {
		panic("pairs: the probabilities do not fit")
	}
	if len(dst) > 0 {
		four(simd.Current(), dst, r, stride)
	}
}

func fourPortable(dst, r []float64, stride int) {
	for k := range dst {
		var of [6]float64
		for q := range of {
			of[q] = r[q*stride+k]
		}
		dst[k] = Four(&of)
	}
}
