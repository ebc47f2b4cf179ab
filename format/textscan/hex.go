package textscan

import (
	"math"
	"math/bits"
)

// hexFloat reads a hexadecimal number at the start of b, which begins with 0x.
// n is 0 when no hexadecimal digit follows.
func hexFloat(b []byte) (v float64, n int, err error) {
	// the number is mant·2^exp; bit 0 of a full mant also stands for any
	// digit other than 0 that was left out
	var mant uint64
	var exp int64
	digits, point := 0, false
	i := 2
	for ; i < len(b); i++ {
		if b[i] == '.' && !point {
			point = true
			continue
		}
		d := hexDigit(b[i])
		if d > 15 {
			break
		}
		digits++
		if point {
			exp -= 4
		}
		switch {
		case mant < 1<<60:
			mant = mant<<4 | d
		case d != 0:
			mant |= 1
			fallthrough
		default:
			exp += 4
		}
	}
	if digits == 0 {
		return 0, 0, nil
	}
	if i < len(b) && b[i]|0x20 == 'p' {
		e, n := exponent(b[i:])
		exp += e
		i += n
	}
	v, err = scale2(mant, exp)
	return v, i, err
}

// hexDigit returns the value of a hexadecimal digit, or more than 15.
func hexDigit(c byte) uint64 {
	if d := c - '0'; d <= 9 {
		return uint64(d)
	}
	if d := c | 0x20 - 'a'; d < 6 {
		return uint64(d) + 10
	}
	return 16
}

// scale2 returns the float64 nearest to mant·2^exp, and ErrRange as Float does.
func scale2(mant uint64, exp int64) (float64, error) {
	if mant == 0 {
		return 0, nil
	}
	z := bits.LeadingZeros64(mant)
	mant <<= z
	exp -= int64(z)
	// 2^63 <= mant < 2^64, so 2^top <= value < 2^(top+1)
	top := exp + 63
	switch {
	case top > 1023:
		return math.Inf(1), ErrRange
	case top < -1075:
		return 0, ErrRange
	case top >= -1022:
		v := math.Ldexp(float64(mant), int(exp))
		if math.IsInf(v, 0) {
			return v, ErrRange
		}
		return v, nil
	}
	// subnormal: round to a multiple of 2^-1074, which is what the bits count
	drop := -1074 - exp
	kept, rest := mant>>drop, mant<<(64-drop)
	const half = 1 << 63
	if rest > half || rest == half && kept&1 == 1 {
		kept++
	}
	v := math.Float64frombits(kept)
	normal := top == -1023 && float64(mant) == 1<<64 // after rounding to 53 bits
	if rest != 0 && !normal {
		return v, ErrRange
	}
	return v, nil
}
