package textscan

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
)

// Problem: write numbers as C's printf("%g") does, with six digits, many at a time, and fast if
// they have no exponent.
//
// Method: for 10^e <= |x| < 10^(e+1) the digits are |x|·10^(5-e), rounded. 10^(5-e) is a float64,
// so a fused multiply-add gives the exact product as a sum of two numbers, which can be rounded
// correctly, ties to even. The powers 10^e with e < 0 are not float64, and those taken are next to
// them. But there is no other float64 between the two, and if |x| is the one taken, either e leads
// to digits that round to one and zeros.
const sixHigh = 1e4 // numbers are below

// SixDigitsLen is how many numbers a [SixDigits] holds.
const SixDigitsLen = 128

// SixDigits holds the texts of numbers with six digits. The text of number k is the first N[k]
// bytes of the words Lo[k] and Hi[k], whose lowest byte is the first. N[k] is 0 for a number that
// has no text here.
type SixDigits struct {
	Lo, Hi [SixDigitsLen]uint64
	N      [SixDigitsLen]int64
}

// sixTables say how numbers with the exponents e = -4..3 are written.
type sixTables struct {
	power  [8]float64 // 10^e
	scale  [8]float64 // 10^(5-e)
	prefix [8]uint64  // 0.000, or the point behind what is kept
	keep   [8]uint64  // the bytes of digits before the point, if there is no prefix
	shift  [8]uint64  // of the other digits, in bits
	extra  [8]int64   // bytes beside the digits, with a point
	whole  [8]int64   // digits before the point, if not fewer than 1

	// the same for AVX2: the upper half of scale, whose lower one is 0, keep and the lower half
	// of prefix; and by bytes, shift, extra, whole and the upper half of prefix
	halves [4][8]uint32
}

var sixes = func() (t sixTables) {
	for k := range 8 {
		e := k - 4
		t.scale[k] = pow10[5-e]
		if e < 0 {
			t.power[k] = 1 / pow10[-e]
			t.prefix[k] = ('0' | '.'<<8 | '0'<<16 | '0'<<24 | '0'<<32) & (1<<(digitWidth*(1-e)) - 1)
			t.shift[k] = uint64(digitWidth * (1 - e))
			t.extra[k] = int64(1 - e)
			continue
		}
		t.power[k] = pow10[e]
		t.whole[k] = int64(e + 1)
		t.keep[k] = 1<<(digitWidth*(e+1)) - 1
		t.prefix[k] = '.' << (digitWidth * (e + 1))
		t.shift[k] = digitWidth
		t.extra[k] = 1
	}
	for k := range 8 {
		t.halves[0][k] = uint32(math.Float64bits(t.scale[k]) >> 32)
		t.halves[1][k] = uint32(t.keep[k])
		t.halves[2][k] = uint32(t.prefix[k])
		t.halves[3][k] = uint32(t.shift[k]) | uint32(t.extra[k])<<8 | uint32(t.whole[k])<<16 | uint32(t.prefix[k]>>32)<<24
	}
	return t
}()

// Set makes the texts of the first n numbers of x, except for those that are 0 or not finite.
func (s *SixDigits) Set(x *[SixDigitsLen]float64, n int) {
	if !s.set(x, n, 1) {
		return
	}
	for k, v := range x[:n] {
		if s.N[k] == 0 && v != 0 && math.Abs(v) <= math.MaxFloat64 {
			var text [longestShort]byte
			s.N[k] = int64(len(AppendG(text[:0], v, 6)))
			s.Lo[k], s.Hi[k] = binary.LittleEndian.Uint64(text[:]), binary.LittleEndian.Uint64(text[8:])
		}
	}
}

// SetEightDigits makes the texts, with eight digits, of those of the first n numbers of x that need
// no more than six: the last two digits are zeros and are not written. Other numbers, and those
// that are 0 or have an exponent, are left to [AppendG].
func (s *SixDigits) SetEightDigits(x *[SixDigitsLen]float64, n int) { s.set(x, n, zerosBehind) }

// zerosBehind is how near a product must be to six digits to have two zeros behind them: it is
// rounded by no more than 2^-34, so the exact one is nearer than half a unit of two more digits.
const zerosBehind = 0x1p-10

// set writes the texts of numbers without an exponent whose product is nearer than near to their
// digits, and reports whether it may have left any that is not 0.
func (s *SixDigits) set(x *[SixDigitsLen]float64, n int, near float64) (odd bool) {
	if n < 0 || n > SixDigitsLen {
		panic(fmt.Sprintf("textscan: SixDigits of %d numbers, expected 0 to %d", n, SixDigitsLen))
	}
	odd, ok := s.setVector(x, n, near)
	if ok {
		return odd
	}
	for k, v := range x[:n] {
		s.put(k, v, near)
	}
	return true
}

// put writes the text of v as number k.
func (s *SixDigits) put(k int, v, near float64) {
	k &= SixDigitsLen - 1
	s.N[k] = 0
	a := math.Abs(v)
	if !(sixes.power[0] <= a && a < sixHigh) {
		return
	}
	class := 0
	for class < 7 && sixes.power[class+1] <= a {
		class++
	}
	p := float64(a * sixes.scale[class])
	r := math.RoundToEven(p)
	switch off := p - r; {
	case math.Abs(off) >= near:
		return
	case off == 0.5 && math.FMA(a, sixes.scale[class], -p) > 0:
		r++
	case off == -0.5 && math.FMA(a, sixes.scale[class], -p) < 0:
		r--
	}
	if r >= 1e6 {
		return
	}
	digits := uint64(int64(r))
	w := sixDigits(digits)
	n := int64(8 - bits.LeadingZeros64(w)/digitWidth)
	w |= everyZero & (1<<(6*digitWidth) - 1)
	keep, shift := sixes.keep[class], sixes.shift[class]
	lo := sixes.prefix[class] | w&keep | w&^keep<<(shift&63)
	hi := w >> ((64 - shift) & 63)
	length := n + sixes.extra[class]
	if n <= sixes.whole[class] {
		length = sixes.whole[class]
	}
	// a minus in front, without a jump
	minus := math.Float64bits(v) >> 63
	sign := minus * digitWidth
	s.Lo[k] = lo<<(sign&63) | '-'*minus
	s.Hi[k] = hi<<(sign&63) | lo>>1>>((63-sign)&63)
	s.N[k] = length + int64(minus)
}
