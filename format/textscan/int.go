package textscan

import (
	"errors"
	"math"
)

// ErrRange reports a number whose value cannot be represented, as C's ERANGE does: it overflows, or
// it is a real so small that precision is lost.
var ErrRange = errors.New("number out of range")

// Int reads the longest prefix of b that C's strtol accepts in base 10: white space, an optional
// sign, decimal digits. It returns the value and the number of bytes used; n is 0 if there is no
// number. On overflow the value is the nearest int64 and err is [ErrRange].
func Int(b []byte) (v int64, n int, err error) {
	i := skipSpace(b)
	neg := false
	if i < len(b) && (b[i] == '+' || b[i] == '-') {
		neg = b[i] == '-'
		i++
	}
	// above cutoff, one more digit leaves the range on either side
	const cutoff = (1 << 63) / 10
	start := i
	var u uint64
	over := false
	for ; i < len(b) && b[i]-'0' <= 9; i++ {
		if u > cutoff {
			over = true
			continue
		}
		u = u*10 + uint64(b[i]-'0')
	}
	if i == start {
		return 0, 0, nil
	}
	switch {
	case neg && (over || u > 1<<63):
		return math.MinInt64, i, ErrRange
	case neg:
		return -int64(u), i, nil
	case over || u > math.MaxInt64:
		return math.MaxInt64, i, ErrRange
	}
	return int64(u), i, nil
}

// Atoi reads an option value as C's atoi does on 64-bit systems: the longest prefix that strtol
// accepts, cut to 32 bits. It is 0 if there is no number.
func Atoi(s string) int {
	v, _, _ := Int([]byte(s))
	return int(int32(v))
}
