package csvfmt

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

// Short cells are searched eight bytes at a time, as one word with the first byte
// the lowest: there is no branch in that to be mispredicted. Of the bytes that a
// search marks by their top bit, the first is right, others may be wrong, since
// what carries and borrows do to a byte only matters behind it.

const (
	everyByte = 0x0101010101010101
	topBits   = 0x80 * everyByte
	wordBytes = 8
)

// firstMark returns which byte is the first one marked; wordBytes if none is.
func firstMark(marks uint64) int { return bits.TrailingZeros64(marks) / wordBytes }

// markEqual marks the bytes of w that are those of the pattern.
func markEqual(w, pattern uint64) uint64 {
	x := w ^ pattern
	return (x - everyByte) &^ x & topBits
}

// markNoDigit marks the bytes of w that are no digits.
func markNoDigit(w uint64) uint64 {
	const aboveNine = (0x80 - '9' - 1) * everyByte // carries into the top bit of what is above '9'
	return ((w + aboveNine) | (w - '0'*everyByte)) & topBits
}

// cellEnd returns the position of the first separator in b[at:], or the end of b.
func cellEnd(b []byte, at int, separator byte) int {
	if at+wordBytes <= len(b) {
		n := firstMark(markEqual(binary.LittleEndian.Uint64(b[at:]), uint64(separator)*everyByte))
		if at += n; n < wordBytes {
			return at
		}
	}
	if n := bytes.IndexByte(b[at:], separator); n >= 0 {
		return at + n
	}
	return len(b)
}

// digitsEnd returns where the digits at b[at:] end, at <= len(b).
func digitsEnd(b []byte, at int) int {
	for at+wordBytes <= len(b) {
		n := firstMark(markNoDigit(binary.LittleEndian.Uint64(b[at:])))
		if at += n; n < wordBytes {
			return at
		}
	}
	for at < len(b) && b[at]-'0' <= 9 {
		at++
	}
	return at
}
