package textscan

import (
	"bytes"
	"math"
	"math/big"
	"math/bits"
	"strconv"
	"strings"
	"sync"
)

// A decimal number mant·10^exp becomes the float64 nearest to it. Five ways, by size:
//
//	mant < 2^53, |exp| <= 22      both factors are float64, one operation rounds
//	mant < 2^64                   a product of 64 and 128 bits, if that decides
//	mant < 2^64, |exp| <= 27      5^|exp| < 2^64: one 128-bit product or quotient
//	mant >= 2^64                  two products, of the first 19 digits and the next
//	                              number above; if they agree
//	anything else                 strconv.ParseFloat
//
// The second is the method of Lemire, "Number parsing at a gigabyte per second",
// Software: Practice and Experience 51 (2021).
const (
	maxDigits64 = 19 // every number of 19 digits is below 2^64
	maxPow10    = 22 // 10^22 = 2^22·5^22, 5^22 < 2^53
	maxPow5     = 27 // 5^27 < 2^64 < 5^28
)

var pow5 = func() (t [maxPow5 + 1]uint64) {
	t[0] = 1
	for i := 1; i < len(t); i++ {
		t[i] = t[i-1] * 5
	}
	return t
}()

var pow10 = func() (t [maxPow10 + 1]float64) {
	for i := range t {
		t[i] = float64(pow5[i]) * float64(uint64(1)<<i)
	}
	return t
}()

// scale10 returns the float64 nearest to mant·10^exp; ok is false where the
// number must be read another way: when it is not normal, and hardly ever otherwise.
func scale10(mant uint64, exp int64) (v float64, ok bool) {
	if mant < 1<<53 && -maxPow10 <= exp && exp <= maxPow10 {
		if exp < 0 {
			return float64(int64(mant)) / pow10[-exp], true
		}
		return float64(int64(mant)) * pow10[exp], true
	}
	if mant == 0 {
		return 0, true
	}
	if v, ok = scaleProduct(mant, exp); !ok && -maxPow5 <= exp && exp <= maxPow5 {
		return scaleExact(mant, int(exp)), true
	}
	return v, ok
}

// scaleProduct is scale10 for mant > 0, by a product that may be too small in its
// last bits.
func scaleProduct(mant uint64, exp int64) (v float64, ok bool) {
	if exp < minPower10 || exp > maxPower10 {
		return 0, false
	}
	z := bits.LeadingZeros64(mant)
	q := int(exp)
	top, mid, lo, exact := timesPower(mant<<z, q)
	if !exact {
		// what is missing is more than 0, and could carry into top only from here
		if mid == math.MaxUint64 {
			return 0, false
		}
		mid |= 1
	}
	// top >= 2^62, the rest only breaks ties
	half := top>>1 | top&1
	if mid|lo != 0 {
		half |= 1
	}
	u := math.Float64bits(float64(int64(half)))
	// the number is (2·half)·2^shift, and this its exponent as a float64 keeps it
	shift := log2Pow10(q) - 127 + 128 - z
	e := int(u>>52) + shift + 1
	if e <= 1 || e >= 0x7ff {
		return 0, false
	}
	return math.Float64frombits(u + uint64(shift+1)<<52), true
}

// scaleExact is scale10 for mant > 0 and |exp| <= maxPow5.
func scaleExact(mant uint64, exp int) float64 {
	// mant·10^exp = (top + rest)·2^shift, 0 <= rest < 1, top >= 2^62
	var top, rest uint64
	var shift int
	if exp >= 0 {
		hi, lo := bits.Mul64(mant, pow5[exp])
		if hi == 0 {
			hi, lo, shift = lo, 0, -64
		}
		z := bits.LeadingZeros64(hi)
		top, rest = hi<<z|lo>>(64-z), lo<<z
		shift += exp + 64 - z
	} else {
		m, d := bits.LeadingZeros64(mant), bits.LeadingZeros64(pow5[-exp])
		mant <<= m
		// half the dividend, so that the quotient fits in 64 bits
		top, rest = bits.Div64(mant>>1, mant<<63, pow5[-exp]<<d)
		shift = exp + d - m - 63
	}
	if rest != 0 {
		// far below the 53 bits kept, so it only breaks ties
		top |= 1
	}
	return float64(top) * math.Float64frombits(uint64(1023+shift)<<52)
}

// scaleLong is scale10 for the number mantissa·10^exp, where mantissa is the text
// of a decimal number with more than maxDigits64 digits behind its leading zeros
// and exp counts from its last digit.
func scaleLong(mantissa []byte, exp int64) (v float64, ok bool) {
	var mant uint64
	n, rest := 0, int64(0)
	for _, c := range mantissa {
		switch {
		case c == '.':
		case n == maxDigits64:
			rest++
		case n > 0 || c != '0':
			mant = mant*10 + uint64(c-'0')
			n++
		}
	}
	v, ok = scale10(mant, exp+rest)
	if !ok {
		return 0, false
	}
	above, ok := scale10(mant+1, exp+rest)
	return v, ok && v == above
}

// leadingZeros returns how many digits of a decimal number come before its
// first one that is not 0.
func leadingZeros(mantissa []byte) (n int) {
	for _, c := range mantissa {
		if c == '0' {
			n++
		} else if c != '.' {
			break
		}
	}
	return n
}

const (
	// minNormal is the smallest normal float64, 2^-1022.
	minNormal = 0x1p-1022

	// enoughDigits is more than the 767 that a float64, and the 768 that the
	// middle between two of them can have; of further digits it only matters
	// whether all are 0.
	enoughDigits = 800

	// subnormalDigits is fewer than any subnormal float64 has: m·2^-k =
	// m·5^k·10^-k with m odd and k >= 1023.
	subnormalDigits = 700
)

// longFloat returns the float64 nearest to mantissa·10^exp, where mantissa is
// the text of a decimal number without sign and exponent and exp counts from
// its last digit. err is ErrRange as in Float. The time is proportional to the
// length of the text, whatever exp is.
func longFloat(mantissa []byte, exp int64) (v float64, err error) {
	whole, frac, _ := bytes.Cut(mantissa, []byte("."))
	whole = bytes.TrimLeft(whole, "0")
	if len(whole) == 0 {
		frac = bytes.TrimLeft(frac, "0")
	}
	// first is the decimal exponent of 0.ddd, whichever digits are 0 at the end
	first := exp + int64(len(whole)+len(frac))
	frac = bytes.TrimRight(frac, "0")
	if len(frac) == 0 {
		whole = bytes.TrimRight(whole, "0")
	}
	n := len(whole) + len(frac)
	if n == 0 {
		return 0, nil
	}
	// 0.1·10^first <= value < 10^first
	if first > 309 {
		return math.Inf(1), ErrRange
	}
	if first < -323 {
		return 0, ErrRange
	}
	text := append(make([]byte, 0, enoughDigits+16), '.')
	text = append(text, whole[:min(len(whole), enoughDigits)]...)
	text = append(text, frac[:min(len(frac), enoughDigits+1-len(text))]...)
	if n > enoughDigits {
		// the last digit of the number is not 0
		text = append(text, '1')
	}
	digits := text[1:]
	text = strconv.AppendInt(append(text, 'e'), first, 10)
	v, e := strconv.ParseFloat(string(text), 64)
	if e != nil || v <= minNormal && tinyInexact(digits, v) {
		err = ErrRange
	}
	return v, err
}

// tinyInexact reports whether the decimal number with the given significant
// digits, whose nearest float64 is v <= minNormal, is below 2^-1022 after
// rounding to 53 bits and differs from v.
func tinyInexact(digits []byte, v float64) bool {
	switch {
	case v == 0:
		return true
	case v == minNormal:
		return string(digits) < tinyLimit()
	case len(digits) < subnormalDigits:
		return true
	}
	// v = bits·2^-1074
	return string(digits) != binaryDigits(math.Float64bits(v), 1074)
}

// tinyLimit returns the digits of 2^-1022 - 2^-1076, the smallest number that
// becomes 2^-1022 when it is rounded to 53 bits. Numbers near it have the same
// decimal exponent, so digits compare as text.
var tinyLimit = sync.OnceValue(func() string { return binaryDigits(1<<54-1, 1076) })

// binaryDigits returns the significant decimal digits of m·2^-k = m·5^k·10^-k.
func binaryDigits(m uint64, k int64) string {
	p := new(big.Int).Exp(big.NewInt(5), big.NewInt(k), nil)
	p.Mul(p, new(big.Int).SetUint64(m))
	return strings.TrimRight(p.String(), "0")
}
