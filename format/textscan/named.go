package textscan

import (
	"encoding/binary"
	"slices"
)

// A Name is a short text to stand in front of a number: up to seven bytes, the first
// one the lowest, and their number in the highest byte. 0 is none.
type Name uint64

// NewName returns the name of a text, or 0 if that is too long or empty.
func NewName(text []byte) Name {
	if len(text) > 7 {
		return 0
	}
	var b [8]byte
	copy(b[:], text)
	b[7] = byte(len(text))
	return Name(binary.LittleEndian.Uint64(b[:]))
}

// namedRoom is where a name, a number of a Sixes and a blank fit.
const namedRoom = 7 + 16 + 1

// AppendNamed appends to dst the texts of the numbers from k to before end, which Set
// has made of x, each behind its name and with a blank behind; number i is called
// names[slots[i]]. Numbers that are 0 are left out. It stops at a number without text or
// name, and returns dst, the number where it stopped, and how many it has appended. With
// vector instructions slots are not checked.
func (s *Sixes) AppendNamed(dst []byte, x *[SixesAtOnce]float64, slots *[SixesAtOnce]int32, names []Name, k, end int) (text []byte, stop, written int) {
	if end = min(end, SixesAtOnce); k >= end || k < 0 || len(names) == 0 {
		return dst, k, 0
	}
	dst = slices.Grow(dst, (end-k)*namedRoom+64)
	at := len(dst)
	if size, done, written, ok := s.namedVector(dst[at:cap(dst)], x, slots, names, k, end); ok {
		return dst[:at+size], k + done, written
	}
	room := dst[:cap(dst)]
	for ; k < end; k++ {
		if x[k] == 0 {
			continue
		}
		name, size := names[slots[k]], int(s.N[k])
		if name == 0 || size == 0 {
			break
		}
		// each word over what the one before has too much
		to := (*[32]byte)(room[at:])
		front := int(name>>56) & 7
		binary.LittleEndian.PutUint64(to[:8], uint64(name))
		binary.LittleEndian.PutUint64(to[front:front+8], s.Lo[k])
		binary.LittleEndian.PutUint64(to[front+8:front+16], s.Hi[k])
		front += size
		to[front&31] = ' '
		at += front + 1
		written++
	}
	return room[:at], k, written
}
