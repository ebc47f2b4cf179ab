package textscan

import (
	"encoding/binary"
	"math"
	"math/bits"
)

// maxShort is the largest number of digits that shortDecimal gives.
const maxShort = 17

// shortDecimal rounds the finite float64 with the given bits, its sign aside and
// not 0, to so many significant digits, ties to even:
//
//	|x| ~ digits·10^(exp-prec+1),  10^(prec-1) <= digits < 10^prec
//
// for 1 <= prec <= maxShort. ok is false where the product with a power of ten that
// is too small in its last bits does not decide.
//
// With x = m·2^e, 2^63 <= m < 2^64, the digits are the integer part of the product
// m·10^q, of 192 bits, and the bits behind it say how to round. So does the method
// of Adams, "Ryu revisited: printf floating point conversion", OOPSLA 2019, with a
// longer table in the place of the rare other way.
func shortDecimal(u uint64, prec int) (digits uint64, exp int, ok bool) {
	m := u & (1<<52 - 1)
	e := int(u >> 52 & 0x7ff)
	if e == 0 {
		e = 1
	} else {
		m |= 1 << 52
	}
	z := bits.LeadingZeros64(m)
	m <<= z
	e -= 1075 + z
	limit := power10[prec]
	exp = log10Pow2(e + 63) // of the power of two below x; that of x may be one more
	for {
		q := prec - 1 - exp
		hi, mid, lo, exact := timesPower(m, q)
		// x·10^q = hi,mid,lo·2^(e+log2Pow10(q)-127), and its integer part is in hi
		drop := uint(-(e + log2Pow10(q) - 127 + 128)) & 63
		digits = hi >> drop
		if digits >= limit {
			exp++
			continue
		}
		rest, half := hi&(1<<drop-1), uint64(1)<<drop>>1
		switch {
		case rest > half || rest == half && (!exact || mid|lo != 0 || digits&1 == 1):
			digits++
		case rest == half-1 && mid == math.MaxUint64 && !exact:
			return halfway(m, e, q, exp, prec)
		}
		if digits == limit {
			return limit / 10, exp + 1, true
		}
		return digits, exp, true
	}
}

// halfway is shortDecimal for x = m·2^e near the middle of two results. It is there
// for integers, of which every tenth may be one: m·2^e/10^-q by integer division.
func halfway(m uint64, e, q, exp, prec int) (digits uint64, _ int, ok bool) {
	if e > 0 || bits.TrailingZeros64(m) < -e || q >= 0 || q < -maxDigits64 {
		return 0, 0, false
	}
	p := power10[-q]
	digits, rest := m>>-e/p, m>>-e%p
	if rest > p/2 || rest == p/2 && digits&1 == 1 {
		digits++
	}
	if digits == power10[prec] {
		return digits / 10, exp + 1, true
	}
	return digits, exp, true
}

// eightDigits returns the decimal digits of x < 10^8 as the bytes of a word, the
// first the lowest.
func eightDigits(x uint64) uint64 {
	// in each step, a number in so many bits becomes two in half as many each, the
	// quotient by a product that is exact for so few digits
	w := x/10_000 + x%10_000<<32
	q := w * 10486 >> 20 & 0x7f_0000_007f // /100
	w = q + (w-q*100)<<16
	q = w * 103 >> 10 & 0xf_000f_000f_000f // /10
	return q + (w-q*10)<<8
}

func leadingZeroBytes(w uint64) int { return bits.TrailingZeros64(w) / digitWidth }

// appendWord appends the first n bytes of w.
func appendWord(dst []byte, w uint64, n int) []byte {
	k := len(dst)
	dst = append(dst, 0, 0, 0, 0, 0, 0, 0, 0)
	binary.LittleEndian.PutUint64(dst[k:], w)
	return dst[:k+n]
}

// putDigits writes digits, which are prec, at text[at:], zeros behind them up to 17
// or 8 in all, and returns how many there are without zeros at the end.
func putDigits(text *[40]byte, at int, digits uint64, prec int) int {
	if prec <= 8 {
		w := eightDigits(digits * power10[8-prec])
		binary.LittleEndian.PutUint64(text[at:], w|everyZero)
		return 8 - bits.LeadingZeros64(w)/digitWidth
	}
	digits *= power10[maxShort-prec]
	rest := digits % 1e8
	digits /= 1e8
	first := digits / 1e8
	w, v := eightDigits(digits%1e8), eightDigits(rest)
	text[at] = '0' + byte(first)
	binary.LittleEndian.PutUint64(text[at+1:], w|everyZero)
	binary.LittleEndian.PutUint64(text[at+9:], v|everyZero)
	switch {
	case rest != 0:
		return 17 - bits.LeadingZeros64(v)/digitWidth
	case w != 0:
		return 9 - bits.LeadingZeros64(w)/digitWidth
	}
	return 1
}

// putExponent writes e and exp, with two digits or three, at text[at:] and returns
// where that ends.
func putExponent(text *[40]byte, at, exp int) int {
	text[at], text[at+1] = 'e', '+'
	if exp < 0 {
		text[at+1] = '-'
		exp = -exp
	}
	at += 2
	if exp >= 100 {
		text[at] = '0' + byte(exp/100)
		exp %= 100
		at++
	}
	text[at], text[at+1] = '0'+byte(exp/10), '0'+byte(exp%10)
	return at + 2
}
