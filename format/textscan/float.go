package textscan

import (
	"encoding/binary"
	"math"
)

// Float reads the longest prefix of b that C's strtod accepts in the C locale: white space, an
// optional sign, then a decimal or hexadecimal number, "inf", "infinity", "nan" or "nan(chars)" in
// any letter case.
//
// It returns the nearest float64 (ties to even) and the number of bytes used; n is 0 if there is no
// number. err is [ErrRange] where strtod sets ERANGE: the value overflows to an infinity, or it is
// tiny and not exact. Tiny means below 2^-1022 after rounding to 53 bits, whatever the exponent, as
// on x86-64.
//
// It deliberately differs from the GNU C library before 2.41 in two cases: chars in nan(chars) that
// form a number above 2^64 are not a range error, and a subnormal number of exactly 54 bits is
// rounded correctly. The chars never affect the bits of the NaN.
func Float(b []byte) (v float64, n int, err error) {
	if v, n = shortInteger(b); n > 0 {
		return v, n, nil
	}
	i := skipSpace(b)
	neg := false
	if i < len(b) && (b[i] == '-' || b[i] == '+') {
		neg = b[i] == '-'
		i++
	}
	start := i
	mant, digits, frac, i := scanDecimal(b, i)
	exp := int64(-frac)
	end := i
	switch {
	case digits == 0:
		v, n = word(b[start:])
		if n == 0 {
			return 0, 0, nil
		}
		return withSign(v, neg), start + n, nil
	case i < len(b) && b[i]|0x20 == 'e':
		e, n := exponent(b[i:])
		exp += e
		i += n
	case i < len(b) && b[i]|0x20 == 'x' && b[start] == '0' && i == start+1:
		if v, n, err = hexFloat(b[start:]); n > 0 {
			return withSign(v, neg), start + n, err
		}
	}
	var ok bool
	if digits > maxDigits64 {
		digits -= leadingZeros(b[start:end])
	}
	if digits <= maxDigits64 {
		v, ok = scale10(mant, exp)
	} else {
		v, ok = scaleLong(b[start:end], exp)
	}
	if !ok {
		v, err = longFloat(b[start:end], exp)
	}
	return withSign(v, neg), i, err
}

// shortInteger is Float for a sign, or none, and up to six digits with a blank or the
// end of the line behind them, as most labels are. n is 0 for others.
func shortInteger(b []byte) (v float64, n int) {
	if len(b) < 8 {
		return 0, 0
	}
	w := binary.LittleEndian.Uint64(b)
	sign := uint64(0)
	if c := byte(w); c == '-' || c == '+' {
		sign = uint64(c&4) << 61 // '-' is 45, '+' is 43
		w >>= digitWidth
		n = 1
	}
	width := leadingDigits(w)
	if next := byte(w >> (width & 63)); width == 0 || width > 6*digitWidth || next != ' ' && next != '\n' {
		return 0, 0
	}
	v = float64(int64(digitsValue(w, width)))
	return math.Float64frombits(math.Float64bits(v) | sign), n + int(width/digitWidth)
}

// Atof reads an option value as C's atof does: the longest prefix that strtod accepts. It is 0 if
// there is no number, and an infinity or the nearest small number if the value is out of range.
func Atof(s string) float64 {
	v, _, _ := Float([]byte(s))
	return v
}

func withSign(v float64, neg bool) float64 {
	if neg {
		return math.Copysign(v, -1)
	}
	return v
}

// exponent reads the exponent of a number at the start of b, its letter
// included. n is 0 when no digit follows the letter. A value too large to be
// made up for by any number of digits in front is cut off.
func exponent(b []byte) (e int64, n int) {
	i := 1
	neg := false
	if i < len(b) && (b[i] == '-' || b[i] == '+') {
		neg = b[i] == '-'
		i++
	}
	for ; i < len(b) && b[i]-'0' <= 9; i++ {
		if e < 1e17 {
			e = e*10 + int64(b[i]-'0')
		}
		n = i + 1
	}
	if neg {
		e = -e
	}
	return e, n
}

// word reads inf, infinity, nan or nan(chars) at the start of b; n is 0 when
// there is none.
func word(b []byte) (v float64, n int) {
	switch {
	case hasFold(b, "infinity"):
		return math.Inf(1), 8
	case hasFold(b, "inf"):
		return math.Inf(1), 3
	case hasFold(b, "nan"):
		n = 3
		if n < len(b) && b[n] == '(' {
			j := n + 1
			for j < len(b) && (b[j] == '_' || b[j]-'0' <= 9 || b[j]|0x20-'a' < 26) {
				j++
			}
			if j < len(b) && b[j] == ')' {
				n = j + 1
			}
		}
		return math.Float64frombits(quietNaN), n
	}
	return 0, 0
}

// quietNaN is C's NAN; math.NaN has another bit set.
const quietNaN = 0x7ff8 << 48

// hasFold reports whether b begins with the lower-case word in any case.
func hasFold(b []byte, word string) bool {
	if len(b) < len(word) {
		return false
	}
	for i := range len(word) {
		if b[i]|0x20 != word[i] {
			return false
		}
	}
	return true
}
