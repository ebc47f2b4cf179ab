package scale

import (
	"math"

	"github.com/slimsvm/slimsvm/format/textscan"
)

// Rows that list different features are written value by value: what stands for the features before
// that are not listed, the name, the number. All that takes of a feature lies in one place, its mark.

// A mark is what the numbers of a feature are scaled by and stand behind.
type mark struct {
	name          textscan.Name
	spread        uint64 // of the class of features with its range; 0: they are not written
	before, after uint32 // where in the text of the zeros its own begins, and ends
	min, span     float64
}

const (
	// mostMarks bounds the memory of marks: indices are below.
	mostMarks = 1 << 13

	// manyClasses is how many classes are looked at, as a power of two. If there are more, features
	// with one range may be of several.
	manyClasses = 1 << 8
)

// newMarks returns the marks of features by index, and that of those beyond, or nil if there are
// too many, or none.
func (p *Printer) newMarks() []mark {
	ranges := p.s.ranges.X.Ranges
	if n := len(ranges); n == 0 || ranges[n-1].Index >= mostMarks || p.beyond < len(p.s.zeros) {
		return nil
	}
	marks := make([]mark, ranges[len(ranges)-1].Index+2)
	for i := range marks {
		marks[i].before = math.MaxUint32 // never next
	}
	var classes [manyClasses]struct{ min, max, spread uint64 }
	for slot, f := range ranges {
		r := &p.s.rules[slot]
		if r.constant {
			continue
		}
		low, high := math.Float64bits(r.Min), math.Float64bits(r.Max)
		c := &classes[(low*spreadBits+high*spreadClass)/(1<<64/manyClasses)]
		if c.spread == 0 || c.min != low || c.max != high {
			c.min, c.max, c.spread = low, high, uint64(slot+1)*spreadClass
		}
		t := &p.terms[slot]
		marks[f.Index] = mark{t.name, c.spread, uint32(p.starts[r.before]), uint32(p.starts[r.after()]), t.min, t.span}
	}
	return marks
}

// putZeros copies the text of the zeros from one on to what stands before a mark's, if that is not
// done, to room. It returns how many bytes these are, how many more pairs than zeros that is, and
// the next zero.
func (m *mark) putZeros(room, zeros []byte, zero int) (size, more, next int) {
	if int(m.before) < zero {
		return 0, 0, zero
	}
	if m.before < m.after {
		more = -1
	}
	return copy(room, zeros[zero:m.before]), more, int(m.after)
}

// byMarks reports whether row i is to be written by marks. Alike says that rows mostly have the
// list of the one before.
func (p *Printer) byMarks(rows *Rows, i int, alike bool) bool {
	return p.marks != nil && (!alike || p.texts.suit(rows, i, alike))
}

// appendMarked is AppendRows by marks. It stops before a row for which these do not do.
func (p *Printer) appendMarked(dst []byte, rows *Rows, from, size int, alike bool) (text []byte, stop, pairs int) {
	for stop = from; stop < len(rows.Labels) && len(dst) < size; {
		var n int
		dst, stop, n = p.appendTexts(dst, rows, stop, size, alike)
		if pairs += n; alike {
			break
		}
		to, before := len(rows.Labels), stop
		if p.texts.credit >= 0 {
			to = min(stop+1, to) // texts do not do for one row
		}
		dst, stop, n = p.appendPlaced(dst, rows, stop, to, size)
		if pairs += n; stop == before {
			break
		}
	}
	return dst, stop, pairs
}
