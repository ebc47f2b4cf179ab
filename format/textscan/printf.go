package textscan

import (
	"math"
	"strconv"
)

// AppendG appends x as C's printf("%.*g", prec, x) writes it.
func AppendG(dst []byte, x float64, prec int) []byte {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return appendSpecial(dst, x)
	}
	return strconv.AppendFloat(dst, x, 'g', prec, 64)
}

// AppendF appends x as C's printf("%.*f", prec, x) writes it.
func AppendF(dst []byte, x float64, prec int) []byte {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return appendSpecial(dst, x)
	}
	return strconv.AppendFloat(dst, x, 'f', prec, 64)
}

func appendSpecial(dst []byte, x float64) []byte {
	if math.Signbit(x) {
		dst = append(dst, '-')
	}
	if math.IsNaN(x) {
		return append(dst, "nan"...)
	}
	return append(dst, "inf"...)
}
