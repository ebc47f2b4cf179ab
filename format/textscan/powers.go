package textscan

import "math/bits"

// Powers of ten for numbers of 64 bits:
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

type power struct{ hi, lo uint64 }

// powers[q-minPower10] belongs to 10^q. They are computed at the start, in some 20 microseconds.
var powers [maxPower10 - minPower10 + 1]power

func init() { makePowers(&powers) }

// makePowers multiplies and divides by ten with 256 bits, of which every step may
// lose the last five. The error is far below the 128 bits kept.
func makePowers(t *[maxPower10 - minPower10 + 1]power) {
	one := [4]uint64{1 << 63, 0, 0, 0} // the highest word first
	x := one
	for q := 0; ; q++ {
		t[q-minPower10] = power{x[0], x[1]}
		if q == maxPower10 {
			break
		}
		carry := uint64(0)
		for k := 3; k >= 0; k-- {
			hi, lo := bits.Mul64(x[k], 10)
			sum, c := bits.Add64(lo, carry, 0)
			x[k], carry = sum, hi+c
		}
		s := bits.Len64(carry)
		for k := 3; k > 0; k-- {
			x[k] = x[k]>>s | x[k-1]<<(64-s)
		}
		x[0] = x[0]>>s | carry<<(64-s)
	}
	x = one
	for q := -1; q >= minPower10; q-- {
		rest := uint64(0)
		for k := range x {
			x[k], rest = bits.Div64(rest, x[k], 10)
		}
		s := bits.LeadingZeros64(x[0])
		for k := range 3 {
			x[k] = x[k]<<s | x[k+1]>>(64-s)
		}
		x[3] <<= s
		t[q-minPower10] = power{x[0], x[1]}
	}
}

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
