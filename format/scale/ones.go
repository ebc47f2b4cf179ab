package scale

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/slimsvm/slimsvm/format/textscan"
)

// Binary features are often listed where they are 1, and nowhere else: what a row takes then
// is counting when it is measured, and copying a short text for each feature when it is
// printed.

// AllOne reports whether all values are 1.
func AllOne(values []float64) bool {
	const one = 0x3ff << 52
	n := allOneFast(values)
	if n < 0 {
		return false
	}
	for values = values[n:]; len(values) >= 8; values = values[8:] { // eight at a time: they take no jumps
		v := (*[8]float64)(values)
		if (math.Float64bits(v[0])^one)|(math.Float64bits(v[1])^one)|(math.Float64bits(v[2])^one)|(math.Float64bits(v[3])^one)|
			(math.Float64bits(v[4])^one)|(math.Float64bits(v[5])^one)|(math.Float64bits(v[6])^one)|(math.Float64bits(v[7])^one) != 0 {
			return false
		}
	}
	for _, v := range values {
		if v != 1 {
			return false
		}
	}
	return true
}

// addOnes is AddRows for rows whose values are all 1.
func (m *Measure) addOnes(rows *Rows) {
	m.settle()
	m.last = m.last[:0]
	// how many rows list an index is counted in a table, if it does not take longer to look through
	// that than at the rows
	var counts []int32
	if size := min(len(m.index.direct), mostOnes); len(rows.Value) >= size {
		if size > len(m.ones) {
			m.ones = make([]int32, size)
		}
		counts = m.ones[:size]
	}
	for i, y := range rows.Labels {
		lo, list := rows.Starts[i], rows.Lists[i]
		n := rows.Starts[i+1] - lo
		m.count(y, int(n))
		for _, index := range rows.Index[list : list+n] {
			if uint(index) < uint(len(counts)) {
				counts[index]++
			} else {
				m.listOnes(index, 1)
			}
		}
	}
	for index, n := range counts {
		if n > 0 {
			m.listOnes(int32(index), int(n))
			counts[index] = 0
		}
	}
}

// listOnes takes in so many rows that list a feature with a 1.
func (m *Measure) listOnes(index int32, rows int) {
	f := &m.features[m.slot(index, 1)]
	f.rows += rows
	if f.Max < 1 || f.Min > 1 {
		f.include(1)
	}
}

// A oneText is what a feature that is 1 is written as.
type oneText struct {
	text [2]uint64 // the first byte is the lowest
	size int       // of the text and 1 more; 0: not known yet
}

const (
	oneBytes = 16

	// mostOnes bounds the memory of such texts: indices are below.
	mostOnes = 4 << 10
)

// ones says how rows are written whose values are all 1.
type ones struct {
	texts []oneText // by index; nil: not yet made
	off   bool      // a text is too long, or a result out of range
}

// onesSize returns how many indices may have a text.
func (p *Printer) onesSize() int {
	list := p.s.ranges.X.Ranges
	if len(list) == 0 {
		return 0
	}
	return int(list[len(list)-1].Index) + 1
}

// takesOnes reports whether appendOnes may be tried.
func (p *Printer) takesOnes() bool {
	return !p.ones.off && p.s.ranges.X != nil && len(p.s.zeros) == 0 && p.onesSize() <= mostOnes
}

// appendOnes is AppendRows for rows whose values are all 1, where nothing is written for
// features that a row does not list. ok is false if it does not do for the row where it
// stopped.
func (p *Printer) appendOnes(dst []byte, rows *Rows, from, size int) (text []byte, stop, pairs int, ok bool) {
	if p.ones.texts == nil {
		p.ones.texts = make([]oneText, p.onesSize())
	}
	for stop = from; stop < len(rows.Labels) && len(dst) < size; stop++ {
		y, err := p.s.Label(rows.Labels[stop])
		if err != nil {
			return dst, stop, pairs, false
		}
		list := rows.Lists[stop]
		index := rows.Index[list : list+rows.Starts[stop+1]-rows.Starts[stop]]
		dst = slices.Grow(dst, len(labelText{}.text)+(len(index)+1)*oneBytes)
		before, written := len(dst), 0
		dst = p.appendLabel(dst, y)
		at, room := len(dst), dst[:cap(dst)]
		for {
			size, done, more := p.copyOnes(room[at:], index)
			at += size
			written += more
			if index = index[done:]; len(index) == 0 {
				break
			}
			if !p.learnOne(index[0]) {
				p.ones.off = true
				return dst[:before], stop, pairs, false
			}
		}
		room[at] = '\n'
		dst = room[:at+1]
		pairs += written
	}
	return dst, stop, pairs, true
}

// copyOnesPortable copies the texts of indices, but for those beyond, to room, where they and one
// more fit, until one is not known. It returns how many bytes they have, how many indices it is done
// with, and how many of them have texts that are not empty.
func (p *Printer) copyOnesPortable(room []byte, index []int32) (at, done, written int) {
	texts := p.ones.texts
	for k, i := range index {
		if uint(i) >= uint(len(texts)) {
			continue
		}
		e := &texts[i]
		if e.size == 0 {
			return at, k, written
		}
		to := (*[oneBytes]byte)(room[at:])
		binary.LittleEndian.PutUint64(to[:8], e.text[0])
		binary.LittleEndian.PutUint64(to[8:], e.text[1])
		at += e.size - 1
		written += int(uint64(1-e.size) >> 63) // 1 if there is a text, without a jump
	}
	return at, len(index), written
}

// learnOne finds the text of a feature that is 1, if it is short and in range.
func (p *Printer) learnOne(index int32) bool {
	e := &p.ones.texts[index]
	e.size = 1
	slot := p.s.index.find(index)
	if slot < 0 || p.s.rules[slot].constant {
		return true
	}
	y := p.s.ranges.X.Limits.value(1, &p.s.rules[slot])
	if y == 0 {
		return true
	}
	if math.IsNaN(y) {
		return false
	}
	buf := append(textscan.AppendInt(nil, int64(index)), ':')
	buf = append(textscan.AppendG(buf, y, 6), ' ')
	if len(buf) > oneBytes {
		return false
	}
	e.size = len(buf) + 1
	buf = append(buf, make([]byte, oneBytes)...)
	e.text = [2]uint64{binary.LittleEndian.Uint64(buf), binary.LittleEndian.Uint64(buf[8:])}
	return true
}
