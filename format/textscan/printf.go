package textscan

import (
	"math"
	"strconv"
)

// AppendG appends x as C's printf("%.*g", prec, x) writes it. A negative prec asks
// for the fewest digits that read back as x.
func AppendG(dst []byte, x float64, prec int) []byte {
	u := math.Float64bits(x)
	if u<<1 == 0 || u<<1 >= 0x7ff<<53 || prec < 0 || prec > maxShort {
		return appendOdd(dst, x, 'g', prec)
	}
	if prec == 0 {
		prec = 1
	}
	digits, exp, ok := shortDecimal(u, prec)
	if !ok {
		return strconv.AppendFloat(dst, x, 'g', prec, 64)
	}
	// with room for the longest, -1.2345678901234567e-308, and the words behind it
	var text [40]byte
	const point = 8 // where the digits begin; in front is room for -0.000
	n := putDigits(&text, point, digits, prec)
	start, end := point, point+n
	switch {
	case exp < -4 || exp >= prec:
		if n > 1 {
			start--
			text[start], text[point] = text[point], '.'
		}
		end = putExponent(&text, end, exp)
	case exp < 0:
		copy(text[point-5:], "0.000")
		text[point+exp], text[point+exp-1] = '.', '0'
		start = point + exp - 1
	case exp+1 < n:
		start--
		for k := range exp + 1 {
			text[start+k] = text[start+k+1]
		}
		text[start+exp+1] = '.'
	default:
		end = point + exp + 1 // zeros stand behind the digits
	}
	if u>>63 != 0 {
		start--
		text[start] = '-'
	}
	return append(dst, text[start:end]...)
}

// AppendF appends x as C's printf("%.*f", prec, x) writes it.
func AppendF(dst []byte, x float64, prec int) []byte {
	return appendOdd(dst, x, 'f', prec)
}

// AppendInt appends i as C's printf("%d") writes it.
func AppendInt(dst []byte, i int64) []byte {
	if uint64(i) >= 1e8 {
		return strconv.AppendInt(dst, i, 10)
	}
	w := eightDigits(uint64(i))
	zeros := min(leadingZeroBytes(w), 7)
	return appendWord(dst, (w|everyZero)>>(digitWidth*zeros), 8-zeros)
}

// appendOdd is AppendG or AppendF without the fast way, and for what is no number.
func appendOdd(dst []byte, x float64, verb byte, prec int) []byte {
	if !math.IsNaN(x) && !math.IsInf(x, 0) {
		return strconv.AppendFloat(dst, x, verb, prec, 64)
	}
	if math.Signbit(x) {
		dst = append(dst, '-')
	}
	if math.IsNaN(x) {
		return append(dst, "nan"...)
	}
	return append(dst, "inf"...)
}
