package textscan

import (
	"math/big"
	"strconv"
	"strings"
)

// minNormal is the smallest normal float64, 2^-1022.
const minNormal = 0x1p-1022

// hexFloat reads a hexadecimal number at the start of b, which begins with 0x.
// n is 0 when no hexadecimal digit follows.
func hexFloat(b []byte) (v float64, n int, err error) {
	i, digits := 2, 0
	for ; i < len(b) && isHex(b[i]); i++ {
		digits++
	}
	if i < len(b) && b[i] == '.' {
		j := i + 1
		for ; j < len(b) && isHex(b[j]); j++ {
			digits++
		}
		if digits > 0 {
			i = j
		}
	}
	if digits == 0 {
		return 0, 0, nil
	}
	text := string(b[:i])
	if i < len(b) && b[i]|0x20 == 'p' {
		j := i + 1
		if j < len(b) && (b[j] == '+' || b[j] == '-') {
			j++
		}
		k := j
		for k < len(b) && b[k]-'0' <= 9 {
			k++
		}
		if k > j {
			text, i = string(b[:k]), k
		}
	}
	if !strings.ContainsAny(text, "pP") {
		text += "p0"
	}
	v, e := strconv.ParseFloat(text, 64)
	switch {
	case e != nil:
		err = ErrRange
	case v <= minNormal && !hexExact(text, v):
		err = ErrRange
	}
	return v, i, err
}

func isHex(c byte) bool { return c-'0' <= 9 || c|0x20-'a' < 6 }

// hexExact reports whether the hexadecimal text, whose nearest float64 is v,
// has exactly that value.
func hexExact(text string, v float64) bool {
	mantissa := text[2:strings.IndexAny(text, "pP")]
	if strings.Trim(mantissa, "0.") == "" {
		return true
	}
	if v == 0 {
		return false
	}
	exact, _, err := big.ParseFloat(text, 0, uint(4*len(mantissa)+64), big.ToNearestEven)
	return err == nil && exact.Cmp(big.NewFloat(v)) == 0
}

// decimalExact reports whether the decimal text, whose nearest float64 is v > 0,
// has exactly that value.
func decimalExact(text string, v float64) bool {
	d1, e1 := significant(text)
	d2, e2 := significant(strconv.FormatFloat(v, 'e', 1100, 64))
	return e1 == e2 && d1 == d2
}

// significant returns the digits of a decimal number without leading and
// trailing zeros, and the power of ten of the first one.
func significant(text string) (digits string, exp int) {
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		exp, _ = strconv.Atoi(text[i+1:])
		text = text[:i]
	}
	whole, frac, _ := strings.Cut(text, ".")
	digits = whole + frac
	exp += len(whole) - 1
	trimmed := strings.TrimLeft(digits, "0")
	exp -= len(digits) - len(trimmed)
	return strings.TrimRight(trimmed, "0"), exp
}
