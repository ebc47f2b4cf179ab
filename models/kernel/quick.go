package kernel

import (
	"math"
	"math/bits"
)

// Problem: compute float32(Exp(x)) with less work than Exp(x).
//
// Method: compute a float64 y near e^x whose error is below a known bound. Float32 keeps all but
// the last 29 bits of y. If those are farther from their midpoint than the bound, y and Exp(x)
// round to the same float32. Otherwise, for a few values in 100,000, Exp decides. If the float32 is
// subnormal, from 2^-149 to 2^-126, its last place is that of 2^-126 + y, which is examined and
// rounded instead; gaussPortable leaves such values to Exp. The assembly has loops for results that
// are normal or 0, and leaves them for one round if another result occurs.
//
// With x = k ln2/N + r, |r| <= ln2/2N, 2^(k/N) comes from a table and e^r - 1 is the Taylor
// polynomial of degree D. Relative errors, for |x| < 105:
//
//	                                     N = 16, D = 5    N = 128, D = 3
//	(ln2/2N)^(D+1) / (D+1)! e^r             1.5e-13          2.3e-12
//	ln2/N and its product with k, rounded   2 times 105 * 2^-53 = 2.4e-14
//	the polynomial and the power, rounded   less than 1e-15
//
// In units of 2^-52 of a mantissa below 2 this is less than 1600, and 21,000. The error of Exp
// itself is less than 2 such units. quickAVX512 is the left column, gaussPortable the right one,
// with a slack of 32,768.
//
// quickAVX2 has no table. It takes x/ln2 = k + r, |r| <= 1/2, and 2^r is a polynomial of degree 8
// with a relative error of 1.07e-12. The product with gamma/ln2 instead of gamma is wrong by up to
// four roundings, 151 * 4 * 2^-53 ln2 = 4.7e-14. Together that is less than 10,200 units.
const (
	quickUnits512, quickUnits2 = 1602, 10202

	quickSlack  = 1 << 15
	quickMiddle = 1 << 28
	quickLow    = 1<<29 - 1
	quickSize   = 87 // for smaller arguments, by absolute value, results are normal float32

	// 128/ln 2 and ln 2/128
	quickInverse = 128 / math.Ln2
	quickStep    = math.Ln2 / 128
)

// A slack holds constants with which the assembly tests for a number of units, a power of two s:
// four words of s minus the middle, and four words of a mask. If a float64's bits plus the first
// word have only zeros under the mask, the bits that float32 drops are less than s from their
// middle.
type slack = [8]uint64

// newSlack returns a slack for at least this many units.
func newSlack(units int) *slack {
	size := uint64(1) << bits.Len(uint(units-1))
	w, m := size-quickMiddle, quickLow&^(2*size-1)
	return &slack{w, w, w, w, m, m, m, m}
}

// slacks are the slacks for both forms of the assembly.
type slacks struct{ avx2, avx512 slack }

var slack512, slack2 = newSlack(quickUnits512), newSlack(quickUnits2)

// quickPowers[j] has the bits of 2^(j/128) minus j << 45: adding k << 45 gives 2^(k/128) if k mod
// 128 = j.
var quickPowers [128]uint64

func init() {
	for j := range quickPowers {
		quickPowers[j] = math.Float64bits(expTable[j][0]) - uint64(j)<<45
	}
}

// gaussPortable does in plain Go what the assembly does.
func gaussPortable(dst []float32, dots, norms []float64, norm, scale float64) {
	dots, norms = dots[:len(dst)], norms[:len(dst)]
	for i := range dst {
		x := float64(scale * (norm + norms[i] - float64(2*dots[i])))
		if x > -quickSize && x < quickSize {
			shifted := float64(x*quickInverse) + toInt
			k := math.Float64bits(shifted)
			r := x - float64((shifted-toInt)*quickStep)
			t := r + float64(float64(r*r)*(0.5+float64(r*(1.0/6))))
			s := math.Float64frombits(quickPowers[k%128] + k<<45)
			y := s + float64(s*t)
			if (math.Float64bits(y)-(quickMiddle-quickSlack))&quickLow >= 2*quickSlack {
				dst[i] = float32(y)
				continue
			}
		}
		if x < -zeroBelow {
			dst[i] = 0
			continue
		}
		dst[i] = float32(Exp(x))
	}
}
