package textscan

import (
	"math"
	"strconv"
)

// Problem: write a number in the fewest decimal digits that read back as the same float64.
//
// Method: most numbers in data files were written by hand or with a fixed number of digits, and have
// few. A decimal number of at most 15 digits survives conversion to float64 and back, so no two of
// them become the same float64. If x is the float64 nearest to m·10^-k with m < 10^15, then the
// fewest digits of x are m without the zeros at its end. One division tests that, exactly enough if
// m < 2^53 and 10^k, k <= 22, are float64 themselves: it rounds once (Clinger, How to read floating
// point numbers accurately, 1990, section 4). Other numbers are left to strconv.
const (
	exactDigits = 15
	exactLimit  = 1e15 // 10^exactDigits

	// Between these bounds %g writes a number without exponent.
	plainLow  = 1e-4
	plainHigh = 1e6

	plainLowExponent  = -14 // 2^-14 < plainLow
	plainHighExponent = 19  // plainHigh < 2^20
)

// A plainScale is a power of ten.
type plainScale struct {
	k     int
	power float64 // 10^k
}

// plainScales[e-plainLowExponent] is the largest with x·10^k < exactLimit for 2^e <= x < 2^(e+1).
var plainScales = func() (t [plainHighExponent - plainLowExponent + 1]plainScale) {
	for i := range t {
		x := math.Ldexp(1, i+plainLowExponent+1)
		s := plainScale{0, 1}
		for x*s.power*10 <= exactLimit {
			s.k++
			s.power *= 10
		}
		t[i] = s
	}
	return t
}()

// appendShortest appends v as C's printf("%.*g") writes it with as few digits as
// bring back v.
func appendShortest(dst []byte, v float64) []byte {
	x := math.Abs(v)
	if !(plainLow <= x && x < plainHigh) {
		if x != 0 {
			return appendSlow(dst, v, 'g', -1)
		}
		if math.Signbit(v) {
			dst = append(dst, '-')
		}
		return append(dst, '0')
	}
	if n := int64(v); float64(n) == v {
		return strconv.AppendInt(dst, n, 10)
	}
	s := &plainScales[int(math.Float64bits(x)>>52)-1023-plainLowExponent]
	m := uint64(float64(x*s.power) + 0.5)
	if m >= exactLimit || float64(m)/s.power != x {
		return appendSlow(dst, v, 'g', -1)
	}
	if v < 0 {
		dst = append(dst, '-')
	}
	return appendDecimal(dst, m, s.k)
}

// twoDigits holds the numbers 00 to 99.
var twoDigits = func() (t [200]byte) {
	for i := range 100 {
		t[2*i], t[2*i+1] = byte('0'+i/10), byte('0'+i%10)
	}
	return t
}()

// appendDecimal appends m·10^-k, m > 0, without zeros at its end, but one in front
// of the point. It is no whole number.
func appendDecimal(dst []byte, m uint64, k int) []byte {
	if q := m / 1e8; q*1e8 == m {
		m, k = q, k-8
	}
	if q := m / 1e4; q*1e4 == m {
		m, k = q, k-4
	}
	if q := m / 100; q*100 == m {
		m, k = q, k-2
	}
	if q := m / 10; q*10 == m {
		m, k = q, k-1
	}
	var buf [32]byte // 15 digits behind at most 3 zeros and one more
	i := len(buf)
	for m >= 100 {
		q := m / 100
		r := 2 * (m - 100*q)
		i -= 2
		buf[i], buf[i+1] = twoDigits[r], twoDigits[r+1]
		m = q
	}
	i -= 2
	buf[i], buf[i+1] = twoDigits[2*m], twoDigits[2*m+1]
	if m < 10 {
		i++
	}
	point := len(buf) - k
	for i >= point {
		i--
		buf[i] = '0'
	}
	dst = append(append(dst, buf[i:point]...), '.')
	return append(dst, buf[point:]...)
}
