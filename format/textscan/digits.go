package textscan

import (
	"encoding/binary"
	"math/bits"
)

// Digits are read and written eight at a time: eight bytes of text are one word,
// the first byte its lowest.

const (
	everyByte  = 0x0101010101010101
	everyZero  = '0' * everyByte
	everyTop   = 0x80 * everyByte
	aboveNine  = (0x80 - '9' - 1) * everyByte // carries into the top bit of what is above '9'
	digitWidth = 8                            // bits of a digit in a word
)

// load8 returns the eight bytes from b[i] on, as zeros those behind the end of b;
// i <= len(b).
func load8(b []byte, i int) (w uint64) {
	if len(b) >= 8 {
		return load8of(b, i)
	}
	for k, c := range b[i:] {
		w |= uint64(c) << (digitWidth * k)
	}
	return w
}

// load8of is load8 for b of eight bytes or more.
func load8of(b []byte, i int) uint64 {
	if i+8 <= len(b) {
		return binary.LittleEndian.Uint64(b[i : i+8 : i+8])
	}
	last := len(b) - 8
	return binary.LittleEndian.Uint64(b[last:]) >> (digitWidth * uint(i-last))
}

// leadingDigits returns how many digits w begins with, times digitWidth. What
// carries and borrows do to a byte only matters behind the first that is no digit.
func leadingDigits(w uint64) uint {
	return uint(bits.TrailingZeros64(((w+aboveNine)|(w-everyZero))&everyTop)) &^ (digitWidth - 1)
}

// digitsValue returns the number that the first width/digitWidth bytes of w, which
// are digits, stand for; there is at least one.
func digitsValue(w uint64, width uint) uint64 {
	w = (w ^ everyZero) << ((64 - width) & 63)
	w = w*10 + w>>8 // of every two bytes the upper one is their number
	return (w&0xff000000ff*(100+1_000_000<<32) + w>>16&0xff000000ff*(1+10_000<<32)) >> 32
}

// power10 holds the powers of ten of 64 bits.
var power10 = func() (t [maxDigits64 + 1]uint64) {
	t[0] = 1
	for i := 1; i < len(t); i++ {
		t[i] = t[i-1] * 10
	}
	return t
}()

// scanDecimal reads digits with perhaps a point between, before or behind them at
// b[i:]. It returns all digits as one number, which has wrapped around if they are
// more than maxDigits64 without leading zeros, how many they are, how many of them
// stand behind the point, and where the text ends.
func scanDecimal(b []byte, i int) (mant uint64, digits, frac, end int) {
	start := i
	w := load8(b, i)
	width := leadingDigits(w)
	if width > 0 {
		mant = digitsValue(w, width)
		i += int(width / digitWidth)
		for width == 64 {
			w = load8(b, i)
			if width = leadingDigits(w); width > 0 {
				mant = mant*power10[width/digitWidth] + digitsValue(w, width)
				i += int(width / digitWidth)
			}
		}
	}
	digits = i - start
	if i == len(b) || b[i] != '.' {
		return mant, digits, 0, i
	}
	i++
	start = i
	for {
		w = load8(b, i)
		if width = leadingDigits(w); width > 0 {
			mant = mant*power10[width/digitWidth] + digitsValue(w, width)
			i += int(width / digitWidth)
		}
		if width < 64 {
			break
		}
	}
	frac = i - start
	return mant, digits + frac, frac, i
}
