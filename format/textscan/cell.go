package textscan

import (
	"encoding/binary"
	"math"
)

// Problem: files of columns hold millions of short decimals, a separator behind each, and Float asks
// of each about blanks, exponents, hexadecimal numbers and words.
//
// Method: the digits before the point, and those behind it, are found and converted as words of
// eight bytes. Up to seven of each make a number below 10^14, which one division by a power of ten
// rounds correctly.

// mostCell is the length that Decimal looks at: sign, seven digits, point, seven digits, and the
// byte behind them, where words of eight bytes end at most.
const mostCell = 1 + 7 + 1 + 8

// Decimal is [Float] for the most frequent numbers: an optional sign and up to seven digits, perhaps
// with a point and up to seven digits behind them. It returns n = 0 for anything else, and if b has
// fewer than 17 bytes. If n is not 0, b[n] is there and no digit; whether the number ends there, as
// it does not with an exponent or another point, is for the caller to see.
func Decimal(b []byte) (v float64, n int) {
	if len(b) < mostCell {
		return 0, 0
	}
	w := binary.LittleEndian.Uint64(b)
	sign := uint64(0)
	if c := byte(w); c < '0' && (c == '-' || c == '+') {
		sign = uint64(c&4) << 61 // '-' is 45, '+' is 43
		n = 1
		w = binary.LittleEndian.Uint64(b[1:])
	}
	width := leadingDigits(w)
	if width == 0 || width == 64 {
		return 0, 0
	}
	mant := digitsValue(w, width)
	n += int(width / digitWidth)
	if byte(w>>(width&63)) != '.' {
		v = float64(int64(mant))
		return math.Float64frombits(math.Float64bits(v) | sign), n
	}
	w = binary.LittleEndian.Uint64(b[n+1 : n+9])
	width = leadingDigits(w)
	if width == 0 || width == 64 {
		return 0, 0
	}
	mant = mant*power10[width/digitWidth] + digitsValue(w, width)
	v = float64(int64(mant)) / pow10[width/digitWidth]
	return math.Float64frombits(math.Float64bits(v) | sign), n + 1 + int(width/digitWidth)
}

// Natural reads up to seven digits at the start of b as a number. It returns n = 0 if there are none
// or more, and if b has fewer than eight bytes. If n is not 0, b[n] is there and no digit.
func Natural(b []byte) (i int64, n int) {
	if len(b) < 8 {
		return 0, 0
	}
	w := binary.LittleEndian.Uint64(b)
	width := leadingDigits(w)
	if width == 0 || width == 64 {
		return 0, 0
	}
	return int64(digitsValue(w, width)), int(width / digitWidth)
}
