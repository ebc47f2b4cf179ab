package textscan

import (
	"encoding/binary"
	"math"
	"math/bits"
)

// maxShort is the largest number of digits that shortDecimal gives.
const maxShort = 17

// shortDecimal rounds the finite float64 with the given bits, its sign aside and
// not 0, to prec significant digits, ties to even:
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
		// x·10^q = hi,mid,lo·2^(e+log2Pow10(q)-127), and its integer part is in hi
		drop := uint(-(e + log2Pow10(q) - 127 + 128)) & 63
		if prec <= 8 {
			// so few digits leave 34 bits behind them, which decide even if hi lacks 1
			hi, _ := bits.Mul64(m, powers[q-minPower10].hi)
			digits = hi >> drop
			rest, half := hi&(1<<drop-1), uint64(1)<<drop>>1
			if digits < limit && rest-half+1 > 1 {
				digits += (half - rest) >> 63
				if digits == limit {
					return limit / 10, exp + 1, true
				}
				return digits, exp, true
			}
		}
		hi, mid, lo, exact := timesPower(m, q)
		digits = hi >> drop
		if digits >= limit {
			exp++
			continue
		}
		switch rest, half := hi&(1<<drop-1), uint64(1)<<drop>>1; {
		case rest-half+1 > 1: // mostly: up or down by the bits of hi, without a jump that cannot be foreseen
			digits += (half - rest) >> 63
		case rest == half && (!exact || mid|lo != 0 || digits&1 == 1):
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

// fixedDecimal rounds the absolute value of the float64 with the given bits to a
// whole number of units of 10^-prec, ties to even, for 0 <= prec <= 8. ok is false
// where that is no number, or 10^17 units or more, and for some from 2^56 units on.
func fixedDecimal(u uint64, prec int) (units uint64, ok bool) {
	e := int(u >> 52 & 0x7ff)
	if e == 0 { // below 2^-1022
		return 0, true
	}
	hi, mid, lo, _ := timesPower((u|1<<52)<<11, prec)
	// |x|·10^prec = hi,mid,lo·2^-(128+drop), exactly
	drop := 1075 + 11 - 1 - e - log2Pow10(prec)
	switch {
	case drop < 7:
		return 0, false
	case drop > 64: // less than a half
		return 0, true
	}
	units = hi >> drop
	rest, half := hi&(1<<drop-1), uint64(1)<<(drop-1)
	if rest > half || rest == half && (mid|lo != 0 || units&1 == 1) {
		units++
	}
	return units, units < 1e17
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

// sixDigits is eightDigits(100*x) for x < 10^6.
func sixDigits(x uint64) uint64 {
	return uint64(threeDigits[x/1000]) | uint64(threeDigits[x%1000])<<(3*digitWidth)
}

// threeDigits holds the digits of numbers below 1000 as bytes, the first the lowest.
var threeDigits [1000]uint32

func init() {
	for i := range uint32(len(threeDigits)) {
		threeDigits[i] = i/100 | i/10%10<<8 | i%10<<16
	}
}

func leadingZeroBytes(w uint64) int { return bits.TrailingZeros64(w) / digitWidth }

// appendWord appends the first n bytes of w.
func appendWord(dst []byte, w uint64, n int) []byte {
	k := len(dst)
	dst = append(dst, 0, 0, 0, 0, 0, 0, 0, 0)
	binary.LittleEndian.PutUint64(dst[k:], w)
	return dst[:k+n]
}

// longestShort is the room to write a number of 17 digits in: -1.2345678901234567e-308
// and what words of eight bytes reach behind it.
const longestShort = 40

// putShort writes digits as a number whose first one counts 10^exp, exp between -4
// and 7, at text[at:], without zeros at the end, and returns where that ends. The
// digits are a word as eightDigits makes it.
func putShort(text *[longestShort]byte, at int, w uint64, exp int) int {
	n := 8 - bits.LeadingZeros64(w)/digitWidth
	w |= everyZero
	if exp < 0 {
		const zeros = '0' | '.'<<8 | '0'<<16 | '0'<<24 | '0'<<32
		putWord(text, at, zeros)
		at += 1 - exp
		putWord(text, at, w)
		return at + n
	}
	whole := exp + 1
	putWord(text, at, w)
	at += whole
	if n <= whole {
		return at
	}
	text[at] = '.'
	putWord(text, at+1, w>>(digitWidth*uint(whole)&63))
	return at + 1 + n - whole
}

// putExponent is putShort for an exponent of two digits, which is written behind one digit, a point
// and the others.
func putExponent(text *[longestShort]byte, at int, w uint64, exp int) int {
	n := 8 - bits.LeadingZeros64(w)/digitWidth
	w |= everyZero
	text[at], text[at+1] = byte(w), '.'
	putWord(text, at+2, w>>digitWidth)
	at += n
	if n > 1 {
		at++
	}
	sign := byte('+')
	if exp < 0 {
		sign, exp = '-', -exp
	}
	text[at], text[at+1], text[at+2], text[at+3] = 'e', sign, '0'+byte(exp/10), '0'+byte(exp%10)
	return at + 4
}

func putWord(text *[longestShort]byte, at int, w uint64) {
	binary.LittleEndian.PutUint64(text[at:at+8:at+8], w)
}

// putLong writes digits·10^(exp-16), where the digits are 17, without zeros at the
// end, as %g writes it when asked for prec digits, and returns the length.
func putLong(text []byte, digits uint64, exp, prec int) int {
	rest := digits % 1e8
	digits /= 1e8
	w, v := eightDigits(digits%1e8), eightDigits(rest)
	n := 1
	switch {
	case rest != 0:
		n = 17 - bits.LeadingZeros64(v)/digitWidth
	case w != 0:
		n = 9 - bits.LeadingZeros64(w)/digitWidth
	}
	at := 0 // of the first digit
	if -5 < exp && exp < 0 {
		copy(text, "0.000")
		at = 1 - exp
	}
	w, v = w|everyZero, v|everyZero
	text[at] = '0' + byte(digits/1e8)
	binary.LittleEndian.PutUint64(text[at+1:], w)
	binary.LittleEndian.PutUint64(text[at+9:], v)
	end := at + n
	if at > 0 {
		return end
	}
	plain := 0 <= exp && exp < prec
	whole := 1 // digits before the point
	if plain {
		whole = exp + 1
	}
	switch {
	case n <= whole:
	case whole < 8: // the digits one place on, and over them those before the point, and it
		first := digits/1e8 + '0' | w<<digitWidth
		shift := digitWidth * uint(whole) & 63
		front := uint64(1)<<shift - 1
		binary.LittleEndian.PutUint64(text, first&front|'.'<<shift|first<<digitWidth&^(front<<digitWidth|0xff))
		binary.LittleEndian.PutUint64(text[8:], w>>(6*digitWidth)|v<<(2*digitWidth))
		binary.LittleEndian.PutUint64(text[10:], v)
		end++
	default:
		copy(text[whole+1:], text[whole:n])
		text[whole] = '.'
		end++
	}
	if plain {
		return max(end, whole) // zeros before the point stay
	}
	text[end], text[end+1] = 'e', '+'
	if exp < 0 {
		text[end+1] = '-'
		exp = -exp
	}
	end += 2
	if exp >= 100 {
		text[end] = '0' + byte(exp/100)
		exp %= 100
		end++
	}
	text[end], text[end+1] = '0'+byte(exp/10), '0'+byte(exp%10)
	return end + 2
}
