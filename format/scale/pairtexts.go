package scale

import (
	"encoding/binary"
	"math"
	"unsafe"

	"github.com/slimsvm/slimsvm/format/textscan"
	"github.com/slimsvm/slimsvm/format/vec/simd"
)

// Problem: when all values are small whole numbers (counts, codes, pixels), many more pairs are
// written than there are different ones.
//
// Method: the text of each different pair (name, number and blank) is made once and stored in a
// table that is indexed by the value. Assembly copies it for each pair. That pays off when some
// times as many pairs have been written as there are different ones, since as many again are then
// likely to follow.

// A pairText is the text of a pair with a blank behind.
type pairText struct {
	bits uint64 // of the value; noPair: the pair has no such text
	text [23]byte
	size uint8 // 0: the pair is not written
}

// noPair is no value that is rounded to a whole number.
const noPair = math.MaxUint64

// A column is where the texts of a feature are, of whole values from the lowest on. There are none
// of a feature that is not written.
type column struct {
	first, count uint32
	lowest       int64
}

// pairTexts are the texts of all different pairs.
type pairTexts struct {
	entries int // how many there may be; 0: too many, or not of whole numbers
	written int // pairs, by whatever way, until there are texts
	loss    int // of rows that had to be written by themselves

	columns []column // by index, as marks
	list    []pairText
}

const (
	mostPairs = 1 << 14 // different ones: half a megabyte
	oftenPair = 16      // how many times as many have been written when they are made

	// mostPairLoss is the loss from which on the texts are no longer used, see oddLoss.
	mostPairLoss = 64 * oddLoss
)

// countPairs returns how many different pairs there may be, if values are whole numbers as the ends
// of their ranges are, and 0 if these are not, or if there may be too many.
func (p *Printer) countPairs() (n int) {
	if p.marks == nil {
		return 0
	}
	for slot, f := range p.s.ranges.X.Ranges {
		if p.s.rules[slot].constant {
			continue
		}
		if f.Min != math.Trunc(f.Min) || f.Max != math.Trunc(f.Max) || !(math.Abs(f.Min) <= math.MaxInt32) || !(f.Max-f.Min < mostPairs) {
			return 0
		}
		if n += int(f.Max-f.Min) + 1; n > mostPairs {
			return 0
		}
	}
	return n
}

// byPairs reports whether rows are to be written by texts of pairs, and makes these when it is time.
func (p *Printer) byPairs() bool {
	t := &p.pairs
	if t.entries == 0 || t.written < oftenPair*t.entries || simd.Current() < simd.AVX2 {
		return false
	}
	if t.list == nil {
		p.makePairs()
	}
	return true
}

// makePairs makes the texts of all pairs.
func (p *Printer) makePairs() {
	t, b := &p.pairs, &p.piece
	t.columns = make([]column, len(p.marks))
	t.list = make([]pairText, 0, t.entries+1)
	for slot, f := range p.s.ranges.X.Ranges {
		r := &p.s.rules[slot]
		if r.constant {
			continue
		}
		c := column{uint32(len(t.list)), uint32(f.Max-f.Min) + 1, int64(f.Min)}
		t.columns[f.Index] = c
		for at := 0; at < int(c.count); at += textscan.SixDigitsLen {
			n := min(int(c.count)-at, textscan.SixDigitsLen)
			for k := range n {
				b.values[k] = p.s.ranges.X.Limits.value(f.Min+float64(at+k), r)
			}
			b.sixes.Set((*[textscan.SixDigitsLen]float64)(b.values[:]), n)
			for k := range n {
				t.list = append(t.list, newPairText(f.Min+float64(at+k), p.terms[slot].name, b.values[k], &b.sixes, k))
			}
		}
	}
	t.list = append(t.list, pairText{}) // is read over
}

// newPairText returns the text of a value v that becomes y, number k of those that are ready.
func newPairText(v float64, name textscan.Name, y float64, ready *textscan.SixDigits, k int) pairText {
	e := pairText{bits: math.Float64bits(v)}
	front, n := int(name>>56), int(ready.N[k])
	if y == 0 {
		return e
	}
	if n == 0 { // out of range, or too long
		e.bits = noPair
		return e
	}
	var text [8 + numberRoom]byte // of which a name of an index below mostMarks has 5, and a number 16
	binary.LittleEndian.PutUint64(text[:], uint64(name))
	binary.LittleEndian.PutUint64(text[front:], ready.Lo[k])
	binary.LittleEndian.PutUint64(text[front+8:], ready.Hi[k])
	text[front+n] = ' '
	e.size = uint8(copy(e.text[:], text[:front+n+1]))
	return e
}

// appendPairs is AppendRows by texts of pairs, from one row on. It stops before a row that has a
// pair without one.
func (p *Printer) appendPairs(dst []byte, rows *Rows, from, size int) (text []byte, stop, pairs int) {
	if !p.rowWork(rows) {
		return dst, from, 0
	}
	w := &p.rows
	w.numbers, w.first = unsafe.Pointer(&rows.Value[0]), 0
	w.columns, w.pairs = &p.pairs.columns[0], &p.pairs.list[0]
	return p.appendCopied(pairRows, dst, rows, from, len(rows.Labels), size)
}

// worth notes that so many rows were written before one that had to be by itself, and reports
// whether the texts are still to be used.
func (t *pairTexts) worth(rows int) bool {
	if t.loss = max(t.loss-rows, 0) + oddLoss; t.loss > mostPairLoss {
		*t = pairTexts{}
		return false
	}
	return true
}
