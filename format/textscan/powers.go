package textscan

import "math/bits"

// The table of powers of ten for numbers of 64 bits:
//
//	10^q = (power + rest)·2^(log2Pow10(q)-127),  2^127 <= power < 2^128,  0 <= rest < 1
//
// with rest = 0 for 0 <= q <= maxExact10. They span what a float64 can have as
// exponent of 19 digits when it is read, and as factor to 17 digits when it is
// written.
const (
	minPower10 = -348
	maxPower10 = 347
	maxExact10 = 55 // 5^55 < 2^128 < 5^56
)

// power is the integer power of 128 bits.
type power struct{ hi, lo uint64 }

// log2Pow10 returns floor(log2(10^q)) for the powers of the table.
func log2Pow10(q int) int { return q * 217706 >> 16 }

// log10Pow2 returns floor(log10(2^e)) for the exponents e of a float64.
func log10Pow2(e int) int { return e * 315653 >> 20 }

// timesPower returns the words of m·power for 10^q, the highest first, and
// whether that is m·10^q but for a power of two. Where it is not, it is less, by
// less than one in the middle word.
func timesPower(m uint64, q int) (hi, mid, lo uint64, exact bool) {
	p := &powers[q-minPower10]
	hi, mid = bits.Mul64(m, p.hi)
	carry, lo := bits.Mul64(m, p.lo)
	mid, c := bits.Add64(mid, carry, 0)
	return hi + c, mid, lo, uint(q) <= maxExact10
}
