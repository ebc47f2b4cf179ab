package scale

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/slimsvm/slimsvm/format/textscan"
)

// Rows that do not list the features of the row before often have few different
// values, as those of binary features do. For them the last text of every feature is
// known: that of a value, its name included.

// A known is the text of a value.
type known struct {
	bits          uint64 // of the value, unset if there is none
	text          [knownBytes / 8]uint64
	size          int32 // of the text; 0: the value is not written
	before, after int32 // of the feature's rule
}

const (
	// unset are the bits of what is no value.
	unset = math.MaxUint64

	knownBytes = 24

	// A text that is not known costs as much as so many that are save.
	unknownCost = 4

	// mostKnown bounds the memory of texts to some hundred kilobytes.
	mostKnown = 4 << 10
)

// appendKnown is AppendRow for the pairs of a row. ok is false if a text is too long,
// or a value out of range.
func (p *Printer) appendKnown(dst []byte, index []int32, value []float64) (text []byte, zero, pairs int, ok bool) {
	unknown := 0
	dst = slices.Grow(dst, (len(index)+1)*knownBytes)
	at, room := len(dst), dst[:cap(dst)]
	zeros := len(p.s.zeros) > 0
	for k := 0; k < len(index); k++ {
		if !zeros {
			var done, written int
			if done, at, written = p.copyKnown(room, at, index[k:], value[k:]); done > 0 {
				pairs += written
				if k += done; k == len(index) {
					break
				}
			}
		}
		slot := p.s.index.find(index[k])
		if slot < 0 {
			continue
		}
		e := &p.known[slot]
		if v := value[k]; e.bits != math.Float64bits(v) {
			unknown++
			if !p.learn(e, slot, v) {
				p.worth = math.MinInt
				return dst, 0, 0, false
			}
		}
		if zeros && zero < int(e.after) {
			if before := int(e.before); zero < before {
				if p.beyond < before && p.outOfRange(zero, before) {
					return dst, 0, 0, false
				}
				between := p.zeros[p.starts[zero]:p.starts[before]]
				room = slices.Grow(room[:at], len(between)+(len(index)-k+1)*knownBytes)
				room = room[:cap(room)]
				at += copy(room[at:], between)
				pairs += before - zero
			}
			zero = int(e.after)
		}
		putText((*[knownBytes]byte)(room[at:]), &e.text)
		at += int(e.size)
		pairs += int(-uint32(e.size) >> 31)
	}
	p.worth = min(p.worth+len(index)-(unknownCost+1)*unknown, len(p.known)*unknownCost+1000)
	return room[:at], zero, pairs, true
}

// copyKnown copies texts to room from at on as long as they are known, for many values as
// few instructions each. It returns how many values it is done with, where the text ends,
// and the number of pairs.
func (p *Printer) copyKnown(room []byte, at int, index []int32, value []float64) (done, end, pairs int) {
	direct, known := p.s.index.direct, p.known
	value = value[:len(index)]
	for k, i := range index {
		if uint(i) >= uint(len(direct)) {
			return k, at, pairs
		}
		slot := direct[i] - 1
		if slot < 0 {
			continue
		}
		e := &known[slot]
		if e.bits != math.Float64bits(value[k]) {
			return k, at, pairs
		}
		putText((*[knownBytes]byte)(room[at:]), &e.text)
		at += int(e.size)
		pairs += int(-uint32(e.size) >> 31)
	}
	return len(index), at, pairs
}

// putText writes a short text, and what is behind it.
func putText(to *[knownBytes]byte, words *[knownBytes / 8]uint64) {
	binary.LittleEndian.PutUint64(to[:8], words[0])
	binary.LittleEndian.PutUint64(to[8:16], words[1])
	binary.LittleEndian.PutUint64(to[16:], words[2])
}

// learn sets e to the text of v, if it is short and in range.
func (p *Printer) learn(e *known, slot int32, v float64) bool {
	r := &p.s.rules[slot]
	*e = known{bits: unset, before: int32(r.before), after: int32(r.after)}
	y := 0.0
	if !r.constant {
		y = p.s.ranges.X.Limits.value(v, r)
	}
	if y == 0 {
		e.bits = math.Float64bits(v)
		return true
	}
	if math.IsNaN(y) {
		return false
	}
	if e.text, e.size = p.pairText(slot, y); e.size == 0 {
		return false
	}
	e.bits = math.Float64bits(v)
	return true
}

// pairText returns the text of a pair, name and blank included, and its size, which is 0 if it is not
// short.
func (p *Printer) pairText(slot int32, y float64) (words [knownBytes / 8]uint64, size int32) {
	var buf [3 * knownBytes]byte
	text := append(textscan.AppendInt(buf[:0], int64(p.s.ranges.X.Ranges[slot].Index)), ':')
	text = append(textscan.AppendG(text, y, 6), ' ')
	if len(text) > knownBytes {
		return words, 0
	}
	for k := range words {
		words[k] = binary.LittleEndian.Uint64(buf[8*k:])
	}
	return words, int32(len(text))
}
