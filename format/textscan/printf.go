package textscan

import (
	"math"
	"slices"
	"strconv"
)

// AppendG appends x as C's printf("%.*g", prec, x) writes it. A negative prec gives the fewest
// digits that read back as x.
func AppendG(dst []byte, x float64, prec int) []byte {
	if prec < 0 {
		return appendShortest(dst, x)
	}
	u := math.Float64bits(x)
	switch {
	case u == 0:
		return append(dst, '0')
	case u<<1 == 0:
		return append(dst, "-0"...)
	case u<<1 >= 0x7ff<<53 || prec > maxShort:
		return appendSlow(dst, x, 'g', prec)
	}
	if i := int64(x); prec >= 8 && float64(i) == x && -1e8 < i && i < 1e8 {
		if i < 0 {
			dst, i = append(dst, '-'), -i
		}
		return AppendInt(dst, i)
	}
	prec = max(prec, 1)
	digits, exp, ok := shortDecimal(u, prec)
	if !ok {
		return strconv.AppendFloat(dst, x, 'g', prec, 64)
	}
	n := len(dst)
	dst = slices.Grow(dst, longestShort)
	text := (*[longestShort]byte)(dst[n : n+longestShort])
	text[0] = '-' // gone where there is none
	sign := int(u >> 63)
	if prec <= 8 && -100 < exp && exp < 100 {
		var w uint64
		if prec <= 6 {
			w = sixDigits(digits * power10[6-prec])
		} else {
			w = eightDigits(digits * power10[8-prec])
		}
		if -5 < exp && exp < prec {
			return dst[:n+putShort(text, sign, w, exp)]
		}
		return dst[:n+putExponent(text, sign, w, exp)]
	}
	return dst[:n+sign+putLong(text[sign:], digits*power10[maxShort-prec], exp, prec)]
}

// AppendF appends x as C's printf("%.*f", prec, x) writes it. A negative prec gives the fewest
// digits that read back as x.
func AppendF(dst []byte, x float64, prec int) []byte {
	if uint(prec) > 8 {
		return appendSlow(dst, x, 'f', prec)
	}
	u := math.Float64bits(x)
	units, ok := fixedDecimal(u, prec)
	if !ok {
		return appendSlow(dst, x, 'f', prec)
	}
	if u>>63 != 0 {
		dst = append(dst, '-')
	}
	whole := units / power10[prec]
	dst = AppendInt(dst, int64(whole))
	if prec == 0 {
		return dst
	}
	rest := units - whole*power10[prec]
	return appendWord(append(dst, '.'), eightDigits(rest*power10[8-prec])|everyZero, prec)
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

// appendSlow is AppendG or AppendF without the fast way, and for what is no number.
func appendSlow(dst []byte, x float64, verb byte, prec int) []byte {
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
