package textscan

import (
	"math"
	"strconv"
	"unsafe"
)

// pow10 holds the powers of ten that are exact in float64.
var pow10 = [...]float64{
	1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
	1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
}

// Float reads the longest prefix of b that C's strtod accepts in the C locale:
// white space, an optional sign, then a decimal or hexadecimal number,
// "inf", "infinity", "nan" or "nan(chars)" in any case. It returns the nearest
// float64 (ties to even) and the number of bytes used; n is 0 when there is no
// number. err is ErrRange where strtod sets ERANGE: the value overflowed to an
// infinity, or it is subnormal or zero and not exact.
func Float(b []byte) (v float64, n int, err error) {
	i := skipSpace(b)
	neg := false
	if i < len(b) && (b[i] == '+' || b[i] == '-') {
		neg = b[i] == '-'
		i++
	}
	start := i
	if i >= len(b) {
		return 0, 0, nil
	}
	if c := b[i] | 0x20; c == 'i' || c == 'n' {
		v, n = special(b[i:])
		if n == 0 {
			return 0, 0, nil
		}
		return withSign(v, neg), i + n, nil
	}
	if b[i] == '0' && i+1 < len(b) && b[i+1]|0x20 == 'x' {
		if v, n, err = hexFloat(b[i:]); n > 0 {
			return withSign(v, neg), i + n, err
		}
		return withSign(0, neg), i + 1, nil
	}
	// mantissa digits, dropping leading zeros; exponent counts the shift
	var mant uint64
	digits, nd, exp := 0, 0, 0
	for ; i < len(b) && b[i]-'0' <= 9; i++ {
		digits++
		if nd < 19 {
			mant = mant*10 + uint64(b[i]-'0')
			if mant != 0 {
				nd++
			}
		} else {
			nd++
			exp++
		}
	}
	if i < len(b) && b[i] == '.' {
		i++
		for ; i < len(b) && b[i]-'0' <= 9; i++ {
			digits++
			if nd < 19 {
				mant = mant*10 + uint64(b[i]-'0')
				if mant != 0 {
					nd++
				}
				exp--
			} else {
				nd++
			}
		}
	}
	if digits == 0 {
		return 0, 0, nil
	}
	if i < len(b) && b[i]|0x20 == 'e' {
		j := i + 1
		eneg := false
		if j < len(b) && (b[j] == '+' || b[j] == '-') {
			eneg = b[j] == '-'
			j++
		}
		if j < len(b) && b[j]-'0' <= 9 {
			e := 0
			for ; j < len(b) && b[j]-'0' <= 9; j++ {
				if e < 1e8 {
					e = e*10 + int(b[j]-'0')
				}
			}
			if eneg {
				e = -e
			}
			exp += e
			i = j
		}
	}
	if mant == 0 {
		return withSign(0, neg), i, nil
	}
	if nd <= 19 && mant < 1<<53 && -22 <= exp && exp <= 22 {
		// both factors are exact, so one rounding gives the nearest float64
		v = float64(mant)
		if exp < 0 {
			v /= pow10[-exp]
		} else {
			v *= pow10[exp]
		}
		return withSign(v, neg), i, nil
	}
	text := unsafe.String(&b[start], i-start)
	v, e := strconv.ParseFloat(text, 64)
	switch {
	case e != nil || v == 0:
		err = ErrRange
	case v <= minNormal && !decimalExact(text, v):
		err = ErrRange
	}
	return withSign(v, neg), i, err
}

func withSign(v float64, neg bool) float64 {
	if neg {
		return math.Copysign(v, -1)
	}
	return v
}

// special reads inf, infinity, nan and nan(chars) at the start of b.
func special(b []byte) (v float64, n int) {
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
		return math.Copysign(math.NaN(), 1), n
	}
	return 0, 0
}

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

// Atof reads an option value as C's atof does: the strtod prefix, 0 when there
// is no number, an infinity or the nearest small number when out of range.
func Atof(s string) float64 {
	v, _, _ := Float([]byte(s))
	return v
}
