package textscan

import (
	"encoding/binary"
	"slices"
)

// A Name is a short text that is written before a number: up to seven bytes, the first one lowest,
// with their count in the highest byte. 0 is none.
type Name uint64

// NewName returns text as a Name, or 0 if it is empty or too long.
func NewName(text []byte) Name {
	if len(text) > 7 {
		return 0
	}
	var b [8]byte
	copy(b[:], text)
	b[7] = byte(len(text))
	return Name(binary.LittleEndian.Uint64(b[:]))
}

// An Insertion is a text that stands before number Place: Size bytes of a slice, from From on.
type Insertion struct{ Place, From, Size int }

const (
	// namedRoom is where a name, a number of SixDigits and a blank fit.
	namedRoom = 7 + 16 + 1

	// InsertionSlack is how many bytes after an Insertion's bytes may be read.
	InsertionSlack = 32
)

// AppendNamed appends to dst the numbers k to end-1 of x, whose texts Set has made. Each has its
// name before it and a blank after it. The texts in between are inserted where they belong. Numbers
// that are 0 are left out. It stops at a number without text or name.
//
// An Insertion refers to bytes of all, after which [InsertionSlack] bytes can be read. Their places
// ascend from k to end. The element after the last is overwritten if there is room for one.
//
// It returns the text, the number where it stopped, how many numbers it has appended, and the
// elements of between that it has not reached.
func (s *SixDigits) AppendNamed(dst []byte, x *[SixDigitsLen]float64, names *[SixDigitsLen]Name, k, end int, between []Insertion, all []byte) (text []byte, stop, written int, rest []Insertion) {
	if k < 0 || k > end || end > SixDigitsLen {
		panic("textscan: AppendNamed: numbers out of range")
	}
	room, last := (end-k)*namedRoom+InsertionSlack, k
	for _, b := range between {
		if b.Place < last || b.Place > end || b.Size < 0 || b.From < 0 || b.From > cap(all)-b.Size-InsertionSlack {
			panic("textscan: AppendNamed: texts out of range")
		}
		last = b.Place
		room += b.Size
	}
	dst = slices.Grow(dst, room)
	if size, stop, zeros, done, ok := s.namedVector(dst[len(dst):cap(dst)], x, names, k, append(between, Insertion{end, 0, -1}), all); ok {
		return dst[:len(dst)+size], stop, stop - k - zeros, between[done:]
	}
	for {
		next := end
		if len(between) > 0 {
			next = between[0].Place
		}
		if k < next {
			var size, n int
			size, k, n = s.putNamed(dst[len(dst):cap(dst)], x, names, k, next)
			dst = dst[:len(dst)+size]
			written += n
			if k < next {
				return dst, k, written, between
			}
		}
		if len(between) == 0 {
			return dst, k, written, nil
		}
		b := between[0]
		dst = append(dst, all[b.From:b.From+b.Size]...)
		between = between[1:]
	}
}

// putNamed writes the numbers from k to before end, and more, to room. It returns how many
// bytes it wrote, where it stopped, and how many numbers it wrote.
func (s *SixDigits) putNamed(room []byte, x *[SixDigitsLen]float64, names *[SixDigitsLen]Name, k, end int) (at, stop, written int) {
	for ; k < end; k++ {
		if x[k] == 0 {
			continue
		}
		name, size := names[k], int(s.N[k])
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
	return at, k, written
}
