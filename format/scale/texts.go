package scale

import (
	"encoding/binary"
	"math"
	"math/bits"
	"slices"

	"github.com/slimsvm/slimsvm/format/textscan"
)

// Values often come again: classes, counts, numbers that were rounded. So the text of each is kept,
// for all features with one range, and a row is put together by copying: what stands for the
// features that it does not list, the name of one that it lists, the text of its value.

// A valueText is the text of a value of the features of a class, with a blank behind.
type valueText struct {
	bits, spread uint64    // of the value, and of the class
	text         [2]uint64 // the highest byte is the size; 0: the value is not written
}

const (
	textBytes = 16             // of text that are written for a number
	markBytes = 7              // of a name
	textSlack = 64 + textBytes // bytes that are written behind a text

	// zerosSlack is how many bytes may be read behind the text of the zeros.
	zerosSlack = 64

	// manyTexts bounds the memory of texts to half a megabyte.
	manyTexts = 1 << 14
	fewTexts  = 1 << 11

	// A text that is made costs as much as so many that are copied save.
	textCost   = 24
	textCredit = 384 * textCost
)

// texts are those of values that came before.
type texts struct {
	marks  []mark      // by index
	list   []valueText // the first is none
	places []uint16    // of texts in the list, by a hash; 0: none. At least half are
	credit int         // below 0: they are not worth it
}

// Factors that spread what is in bits and classes in the higher bits.
const (
	spreadBits  = 0x9e3779b97f4a7c15
	spreadClass = 0xc2b2ae3d27d4eb4f
)

// newTexts returns texts without any, to be used with marks if there are any.
func newTexts(marks []mark) texts {
	if marks == nil {
		return texts{credit: -1}
	}
	return texts{marks: marks, credit: textCredit, list: make([]valueText, 1, 64), places: make([]uint16, 2*fewTexts)}
}

// suit reports whether texts may be worth it for row i: not for a long one where rows are alike,
// which takes as little time by its stage.
func (t *texts) suit(rows *Rows, i int, alike bool) bool {
	return t.credit >= 0 && (!alike || rows.Starts[i+1]-rows.Starts[i] <= shortRow)
}

// appendTexts is AppendRows by texts of values, as far as they suit and do. It returns where it
// stopped.
func (p *Printer) appendTexts(dst []byte, rows *Rows, from, size int, alike bool) (text []byte, stop, pairs int) {
	to := len(rows.Labels)
	if alike {
		for to = from; to < len(rows.Labels) && p.texts.suit(rows, to, alike); to++ {
		}
	}
	for stop = from; stop < to && len(dst) < size && p.texts.credit >= 0; {
		n := 0
		dst, stop, n = p.appendKnown(dst, rows, stop, to, size)
		if pairs += n; stop == to || len(dst) >= size {
			break
		}
		y, index, value := rows.row(stop)
		y, err := p.s.Label(y)
		if err != nil {
			break
		}
		before, ok := len(dst), false
		if dst, n, ok = p.appendRowTexts(dst, y, index, value); !ok {
			return dst[:before], stop, pairs
		}
		pairs += n
		stop++
	}
	return dst, stop, pairs
}

// appendRowTexts appends a row by texts of values. ok is false if that does not do.
func (p *Printer) appendRowTexts(dst []byte, y float64, index []int32, value []float64) (text []byte, pairs int, ok bool) {
	t := &p.texts
	dst = slices.Grow(dst, len(labelText{}.text)+len(value)*(markBytes+textBytes)+len(p.zeros)+textSlack)
	dst = p.appendLabel(dst, y)
	t.credit = min(t.credit+len(value), textCredit)
	pairs = len(p.s.zeros)
	zero := 0
	for {
		done, size, more, next := t.copyTo(dst[len(dst):cap(dst)], p.zeros, zero, index, value)
		dst, pairs, zero = dst[:len(dst)+size], pairs+more, next
		if index, value = index[done:], value[done:]; len(index) == 0 {
			break
		}
		if !p.makeText(value[0], index[0]) {
			return dst, 0, false
		}
	}
	return append(append(dst, p.zeros[zero:]...), '\n'), pairs, true
}

// copyToPortable copies the texts of a row's features, from one on, and of the zeros before them to
// room, as long as there are such; zero is where the text of the zeros goes on. It returns how many
// it did, how many bytes these have, how many more pairs than zeros of its own it wrote, and the
// next zero.
func (t *texts) copyToPortable(room, zeros []byte, zero int, index []int32, value []float64) (done, size, more, next int) {
	value = value[:len(index)]
	for k, i := range index {
		if uint(i) >= uint(len(t.marks)) || t.marks[i].spread == 0 {
			continue
		}
		m := &t.marks[i]
		e := t.find(math.Float64bits(value[k]), m.spread)
		if e == nil {
			return k, size, more, zero
		}
		n, own, next := m.putZeros(room[size:], zeros, zero)
		size, more, zero = size+n, more+own, next
		if n = int(e.text[1] >> 56); n == 0 {
			continue
		}
		more++
		to := (*[markBytes + textBytes + 8]byte)(room[size:])
		front := int(m.name>>56) & 7
		binary.LittleEndian.PutUint64(to[:8], uint64(m.name))
		binary.LittleEndian.PutUint64(to[front:front+8], e.text[0])
		binary.LittleEndian.PutUint64(to[front+8:front+16], e.text[1])
		size += front + n
	}
	return len(index), size, more, zero
}

// place returns the place of a value of a class, behind which it is if others took that before.
func (t *texts) place(value, spread uint64) uint64 {
	return (value*spreadBits + spread) >> t.shift()
}

// shift returns by how many bits a hash is longer than a place.
func (t *texts) shift() int { return bits.LeadingZeros64(uint64(len(t.places))) + 1 }

// find returns the text of a value, nil if there is none.
func (t *texts) find(value, spread uint64) *valueText {
	for place := t.place(value, spread); ; place++ {
		n := t.places[place&uint64(len(t.places)-1)]
		if n == 0 {
			return nil
		}
		if e := &t.list[n]; e.bits == value && e.spread == spread {
			return e
		}
	}
}

// makeText makes the text of a value of a feature, if it is in range.
func (p *Printer) makeText(v float64, index int32) bool {
	t := &p.texts
	if t.credit -= textCost; len(t.list) == manyTexts {
		t.credit = -1 // rather than rows that are begun in vain
	}
	if t.credit < 0 {
		return false
	}
	y := p.s.ranges.X.Limits.value(v, &p.s.rules[p.s.index.find(index)])
	if math.IsNaN(y) {
		return false
	}
	e := valueText{bits: math.Float64bits(v), spread: t.marks[index].spread}
	if y != 0 {
		var buf [64]byte // AppendG wants more room than it uses
		n := len(append(textscan.AppendG(buf[:0], y, 6), ' '))
		e.text = [2]uint64{binary.LittleEndian.Uint64(buf[:]), binary.LittleEndian.Uint64(buf[8:])&(1<<56-1) | uint64(n)<<56}
	}
	t.list = append(t.list, e)
	if 2*len(t.list) > len(t.places) {
		t.places = make([]uint16, 2*len(t.places))
		for n := range t.list[1:] {
			t.enter(n + 1)
		}
	} else {
		t.enter(len(t.list) - 1)
	}
	return true
}

// enter gives a text of the list a place.
func (t *texts) enter(n int) {
	place := t.place(t.list[n].bits, t.list[n].spread)
	for t.places[place&uint64(len(t.places)-1)] != 0 {
		place++
	}
	t.places[place&uint64(len(t.places)-1)] = uint16(n)
}
