package scale

import (
	"encoding/binary"
	"math"

	"github.com/slimsvm/slimsvm/format/textscan"
	"github.com/slimsvm/slimsvm/format/vec"
)

// A Printer writes scaled rows as svm-scale does: the label as C's "%.17g ", each
// pair as "%d:%g ", a line feed. It is immutable and safe for concurrent use.
//
// With limits that 0 is not scaled to 0, most of the text stands for features that
// rows do not list. So that text is kept, and copied by the piece.
type Printer struct {
	s      *Scaler
	names  []name // of the rules
	zeros  []byte // the text of the scaler's zeros
	starts []int  // where in it each begins, and the end
	beyond int    // the first of the zeros that is out of range, or their number
	// What stands at an end of its range is the most frequent.
	lower, upper []byte
}

// A name is the text in front of a value, an index and a colon, as a word of eight
// bytes; size is 0 if it is longer.
type name struct {
	text uint64
	size int
}

// NewPrinter returns a printer of what s scales.
func NewPrinter(s *Scaler) *Printer {
	p := &Printer{s: s, beyond: len(s.zeros)}
	if s.ranges.X == nil {
		p.starts = []int{0}
		return p
	}
	p.lower = textscan.AppendG(nil, s.ranges.X.Lower, 6)
	p.upper = textscan.AppendG(nil, s.ranges.X.Upper, 6)
	p.names = make([]name, len(s.ranges.X.Ranges))
	var text []byte
	for i, f := range s.ranges.X.Ranges {
		text = append(textscan.AppendInt(text[:0], int64(f.Index)), ':')
		if n := len(text); n <= 8 {
			p.names[i] = name{binary.LittleEndian.Uint64(append(text, make([]byte, 8)...)), n}
		}
	}
	p.starts = make([]int, len(s.zeros)+1)
	for i, z := range s.zeros {
		if math.IsNaN(z.value) {
			p.beyond = min(p.beyond, i)
		}
		p.zeros = append(textscan.AppendInt(p.zeros, int64(z.index)), ':')
		p.zeros = append(textscan.AppendG(p.zeros, z.value, 6), ' ')
		p.starts[i+1] = len(p.zeros)
	}
	return p
}

// AppendRow scales a row, whose indices must ascend, appends its text to dst and
// returns it with the number of pairs written. An error is that of Scaler.Label or
// Scaler.RowTo.
func (p *Printer) AppendRow(dst []byte, y float64, x vec.Vector) (text []byte, pairs int, err error) {
	if y, err = p.s.Label(y); err != nil {
		return dst, 0, err
	}
	dst = append(textscan.AppendG(dst, y, 17), ' ')
	if p.s.ranges.X == nil {
		return append(dst, '\n'), 0, nil
	}
	limits := p.s.ranges.X.Limits
	zero := 0
	for k, index := range x.Index {
		slot := p.s.index.find(index)
		if slot < 0 {
			continue
		}
		r := &p.s.rules[slot]
		if zero < r.before {
			if err := p.outOfRange(zero, r.before); err != nil {
				return dst, 0, err
			}
			dst = append(dst, p.zeros[p.starts[zero]:p.starts[r.before]]...)
			pairs += r.before - zero
			zero = r.before
		}
		if r.constant {
			continue
		}
		if zero < len(p.s.zeros) && p.s.zeros[zero].index == index {
			zero++
		}
		v := limits.value(x.Value[k], r)
		if v == 0 {
			continue
		}
		if math.IsNaN(v) {
			return dst, 0, p.s.beyond(index, x.Value[k])
		}
		dst = append(p.value(p.name(dst, slot), v), ' ')
		pairs++
	}
	if err := p.outOfRange(zero, len(p.s.zeros)); err != nil {
		return dst, 0, err
	}
	dst = append(dst, p.zeros[p.starts[zero]:]...)
	return append(dst, '\n'), pairs + len(p.s.zeros) - zero, nil
}

// outOfRange returns the error of the first zero from lo to before hi that has no
// text, or nil.
func (p *Printer) outOfRange(lo, hi int) error {
	for i := max(lo, p.beyond); i < hi; i++ {
		if z := p.s.zeros[i]; math.IsNaN(z.value) {
			return p.s.beyond(z.index, 0)
		}
	}
	return nil
}

// name appends the index of a feature and a colon.
func (p *Printer) name(dst []byte, slot int32) []byte {
	if n := p.names[slot]; n.size > 0 {
		at := len(dst)
		dst = append(dst, 0, 0, 0, 0, 0, 0, 0, 0)
		binary.LittleEndian.PutUint64(dst[at:], n.text)
		return dst[:at+n.size]
	}
	return append(textscan.AppendInt(dst, int64(p.s.ranges.X.Ranges[slot].Index)), ':')
}

// value appends a scaled value.
func (p *Printer) value(dst []byte, v float64) []byte {
	switch v {
	case p.s.ranges.X.Lower:
		return append(dst, p.lower...)
	case p.s.ranges.X.Upper:
		return append(dst, p.upper...)
	}
	return textscan.AppendG(dst, v, 6)
}
