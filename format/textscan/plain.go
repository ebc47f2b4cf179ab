package textscan

import (
	"math"
	"strconv"
)

// Below these bounds AppendPlain writes a number without exponent: plainMost is that of the
// numbers that people read, wholeBelow that of the whole numbers that float64 tells apart.
const (
	plainMost  = 1e15
	wholeBelow = 1 << 53
)

// AppendPlain appends x in the fewest digits that read back as x. It uses no exponent for whole
// numbers below 2^53 and for numbers from 1e-4 to below 1e15: it writes 1000001 where AppendG
// writes 1.000001e+06. Other numbers are as AppendG writes them.
func AppendPlain(dst []byte, x float64) []byte {
	if u := math.Abs(x); u >= plainHigh && u < wholeBelow {
		switch whole := int64(x); {
		case float64(whole) == x:
			return strconv.AppendInt(dst, whole, 10)
		case u < plainMost:
			return strconv.AppendFloat(dst, x, 'f', -1, 64)
		}
	}
	return appendShortest(dst, x)
}
