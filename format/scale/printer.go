package scale

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/slimsvm/slimsvm/format/textscan"
	"github.com/slimsvm/slimsvm/format/vec"
)

// A Printer writes scaled rows as svm-scale does: the label as C's "%.17g ", each
// pair as "%d:%g ", a line feed. It is for one goroutine at a time.
//
// With limits that 0 is not scaled to 0, most of the text stands for features that
// rows do not list. So that text is kept, and copied by the piece.
type Printer struct {
	s      *Scaler
	names  []textscan.Name // of the rules: an index and a colon
	zeros  []byte          // the text of the scaler's zeros
	starts []int           // where in it each begins, and the end
	beyond int             // the first of the zeros that is out of range, or their number

	labels [manyLabels]labelText

	// a piece of a row: scaled values, which rules they stand under, their texts
	last   []int32 // indices of the row before
	known  []known // of the rules
	worth  int     // whether known texts are: above 0
	stage  *stage  // of the row before; nil: it is not staged
	stages stages
	value  []float64 // of the row, without those that are dropped
	values [textscan.SixesAtOnce + 8]float64
	slots  [textscan.SixesAtOnce + 8]int32
	texts  textscan.Sixes
}

// NewPrinter returns a printer of what s scales.
func NewPrinter(s *Scaler) *Printer {
	p := &Printer{s: s, beyond: len(s.zeros)}
	if s.ranges.X == nil {
		p.starts = []int{0}
		return p
	}
	p.names = make([]textscan.Name, len(s.ranges.X.Ranges))
	if len(p.names) <= mostKnown {
		p.known = slices.Repeat([]known{{bits: unset}}, len(p.names))
		p.worth = len(p.known)*unknownCost + 1000
	}
	var text []byte
	for i, f := range s.ranges.X.Ranges {
		text = append(textscan.AppendInt(text[:0], int64(f.Index)), ':')
		p.names[i] = textscan.NewName(text)
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
	dst = p.appendLabel(dst, y)
	start := len(dst)
	if p.s.ranges.X == nil {
		return append(dst, '\n'), 0, nil
	}
	zero := 0 // the next that may stand for a feature
	again := slices.Equal(x.Index, p.last)
	if !again {
		p.last = append(p.last[:0], x.Index...)
		p.stage = nil
	}
	var ok bool
	if !again && p.worth > 0 {
		if dst, zero, pairs, ok = p.appendKnown(dst, x); !ok {
			dst, zero, pairs = dst[:start], 0, 0
		}
	}
	if !ok {
		if dst, zero, pairs, ok = p.appendStaged(dst, x); !ok {
			return dst, 0, p.s.RowTo(new(vec.Vector), x) // it says what is out of range
		}
	}
	if p.beyond < len(p.s.zeros) && p.outOfRange(zero, len(p.s.zeros)) {
		return dst, 0, p.s.RowTo(new(vec.Vector), x)
	}
	dst = append(dst, p.zeros[p.starts[zero]:]...)
	return append(dst, '\n'), pairs + len(p.s.zeros) - zero, nil
}

// A labelText is the text of a label that came before, and its blank.
type labelText struct {
	bits uint64
	text [55]byte // AppendG wants more room than it uses
	size uint8    // 0: there is none
}

// manyLabels is how many labels' texts are kept, as a power of two: of data with few
// classes nearly all.
const manyLabels = 1 << 6

func (p *Printer) appendLabel(dst []byte, y float64) []byte {
	const golden = 0x9e3779b97f4a7c15 // spreads what is in the higher bits
	bits := math.Float64bits(y)
	l := &p.labels[bits*golden/(1<<64/manyLabels)]
	if l.size == 0 || l.bits != bits {
		l.bits = bits
		l.size = uint8(copy(l.text[:], append(textscan.AppendG(l.text[:0], y, 17), ' ')))
	}
	if n := len(dst); l.size <= 8 && cap(dst)-n >= 8 {
		binary.LittleEndian.PutUint64(dst[n:n+8], binary.LittleEndian.Uint64(l.text[:8]))
		return dst[:n+int(l.size)]
	}
	return append(dst, l.text[:l.size]...)
}

// appendStaged appends the pairs of a row, a piece at a time. It returns the next zero
// and the number of pairs; ok is false if a value is out of range.
func (p *Printer) appendStaged(dst []byte, x vec.Vector) (text []byte, zero, pairs int, ok bool) {
	if p.stage == nil {
		p.stage = p.stages.of(p.s, x.Index)
	}
	value := x.Value
	if p.stage.dropped {
		p.value = p.value[:0]
		for _, k := range p.stage.place {
			p.value = append(p.value, value[k])
		}
		value = p.value
	}
	gaps := p.stage.gaps
	for at := 0; at < len(value); at += textscan.SixesAtOnce {
		piece := p.stage.from(at)
		n, ok := p.scale(&piece, value[at:at+len(piece.slot)])
		if !ok {
			return dst, 0, 0, false
		}
		values, slots := (*[textscan.SixesAtOnce]float64)(p.values[:]), (*[textscan.SixesAtOnce]int32)(p.slots[:])
		p.texts.Set(values, n)
		for k := 0; k < n; {
			end := n
			if len(gaps) > 0 {
				if g := gaps[0]; g.place == at+k {
					if p.beyond < g.to && p.outOfRange(g.from, g.to) {
						return dst, 0, 0, false
					}
					dst = append(dst, p.zeros[p.starts[g.from]:p.starts[g.to]]...)
					pairs += g.to - g.from
					gaps = gaps[1:]
					continue
				}
				end = min(end, gaps[0].place-at)
			}
			var written int
			dst, k, written = p.texts.AppendNamed(dst, values, slots, p.names, k, end)
			pairs += written
			if k < end { // the fast way does not do
				dst = append(textscan.AppendInt(dst, int64(p.s.ranges.X.Ranges[p.slots[k]].Index)), ':')
				dst = append(textscan.AppendG(dst, p.values[k], 6), ' ')
				pairs++
				k++
			}
		}
	}
	return dst, p.stage.zero, pairs, true
}

// outOfRange reports whether one of the zeros from lo to before hi has no text.
func (p *Printer) outOfRange(lo, hi int) bool {
	for i := max(lo, p.beyond); i < hi; i++ {
		if math.IsNaN(p.s.zeros[i].value) {
			return true
		}
	}
	return false
}
