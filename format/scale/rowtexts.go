package scale

import (
	"slices"
	"unsafe"

	"github.com/slimsvm/slimsvm/format/textscan"
	"github.com/slimsvm/slimsvm/format/vec/simd"
)

// Problem: for rows of some dozens of values, the work done once for each row takes a quarter of
// the time.
//
// Method: rows whose label and numbers have stored texts, or are ready, are composed many at a
// time, by assembly. Others are composed one at a time.

// rowTexts is what the assembly needs.
type rowTexts struct {
	zeros    *byte
	zerosEnd int
	marks    *mark
	room     int // how many marks there are

	index, lists, starts *int32
	labels               *float64
	kept                 *labelText
	shift                int // of the label's bits

	// numbers points to the value at place first of Value, or to the first word of its text in a
	// SixDigits, and y to what it is scaled to.
	numbers unsafe.Pointer
	first   int
	y       *float64

	texts     *valueText
	places    *uint16
	textShift int
	last      int

	columns *column
	pairs   *pairText
}

// roomForRow is how many bytes of text a row may become beside those of its values, and behind.
func (p *Printer) roomForRow() int { return len(labelText{}.text) + len(p.zeros) + textSlack }

// rowWork sets what rows have in common. ok is false if rows are not to be put together so.
func (p *Printer) rowWork(rows *Rows) (ok bool) {
	if simd.Current() < simd.AVX2 || p.s.ranges.Y != nil || len(p.marks) == 0 || len(rows.Value) == 0 {
		return false
	}
	w := &p.rows
	w.zeros, w.zerosEnd = unsafe.SliceData(p.zeros[:len(p.zeros)+zerosSlack]), len(p.zeros)
	w.marks, w.room = &p.marks[0], len(p.marks)
	w.index, w.lists, w.starts, w.labels = unsafe.SliceData(rows.Index), &rows.Lists[0], &rows.Starts[0], &rows.Labels[0]
	return true
}

// together puts rows from one on to before another together behind dst, in which there is room for
// them, by a function of the assembly, and returns where it stopped. Texts of labels are made where
// they are not there.
func (p *Printer) together(by func(room []byte, w *rowTexts, from, to int) (row, bytes, more int), dst []byte, rows *Rows, from, to int) (text []byte, stop, pairs int) {
	w := &p.rows
	for ahead, missing := 1, -1; ; ahead = min(2*ahead, fewLabels) {
		w.kept, w.shift = &p.labels.kept[0], p.labels.shift
		row, bytes, more := by(dst[len(dst):cap(dst)], w, from, to)
		p.labels.looked += row - from
		dst, pairs = dst[:len(dst)+bytes], pairs+more+(row-from)*len(p.s.zeros)
		if from = row; row == to || p.labels.has(rows.Labels[row]) {
			return dst, row, pairs
		}
		if row == missing { // others took its place
			ahead = 1
		}
		missing = row
		for _, y := range rows.Labels[row:min(row+ahead, to)] {
			p.labels.text(y)
			p.labels.looked-- // it is looked for again
		}
		if p.labels.text(rows.Labels[row]).size > usualLabel {
			return dst, row, pairs
		}
	}
}

// fitting returns before which row the rows from one on end that have so many values together, and
// for which there is room. It panics if one is not where Index and Value are.
func (p *Printer) fitting(rows *Rows, from, to, values, room int) (stop int) {
	first, each := rows.Starts[from], p.roomForRow()
	for stop = from; stop < to; stop++ {
		_, index, _ := rows.row(stop)
		if room -= each + len(index)*numberRoom; room < 0 || int(rows.Starts[stop+1]-first) > values {
			break
		}
	}
	return stop
}

// appendReady is appendPlaced for rows as long as all of their numbers are such as SixDigits
// writes.
func (p *Printer) appendReady(dst []byte, rows *Rows, from, to, size int) (text []byte, stop, pairs int) {
	if !p.rowWork(rows) {
		return dst, from, 0
	}
	w, b := &p.rows, &p.piece
	for stop = from; stop < to && len(dst) < size; {
		dst = slices.Grow(dst, textscan.SixDigitsLen*numberRoom+2*p.roomForRow())
		end := p.fitting(rows, stop, to, textscan.SixDigitsLen, cap(dst)-len(dst))
		first := int(rows.Starts[stop])
		n := int(rows.Starts[end]) - first
		if n == 0 {
			break
		}
		values := rows.Value[first : first+n]
		p.formulaOfMarks(b.values[:n], p.indices(rows, stop, end), values)
		b.sixes.Set((*[textscan.SixDigitsLen]float64)(b.values[:]), n)
		w.numbers, w.first, w.y = unsafe.Pointer(&b.sixes.Lo[0]), first, &b.values[0]
		more := 0
		dst, stop, more = p.together(numberRows, dst, rows, stop, end)
		if pairs += more; stop < end {
			break
		}
	}
	return dst, stop, pairs
}

// indices returns the indices of some rows' values behind each other, of at most SixesAtOnce.
func (p *Printer) indices(rows *Rows, from, to int) []int32 {
	if rows.inTurn(from, to) {
		return rows.Index[rows.Lists[from]:][:rows.Starts[to]-rows.Starts[from]]
	}
	all := p.piece.slots[:0]
	for i := from; i < to; i++ {
		_, index, _ := rows.row(i)
		all = append(all, index...)
	}
	return all
}

// inTurn reports whether the lists of some rows are behind each other.
func (r *Rows) inTurn(from, to int) bool {
	at := r.Lists[from]
	for i := from; i < to; i++ {
		if r.Lists[i] != at {
			return false
		}
		at += r.Starts[i+1] - r.Starts[i]
	}
	return true
}

// appendKnown is appendTexts for rows as long as the texts of all of their values are there.
func (p *Printer) appendKnown(dst []byte, rows *Rows, from, to, size int) (text []byte, stop, pairs int) {
	if !p.rowWork(rows) {
		return dst, from, 0
	}
	t, w := &p.texts, &p.rows
	w.numbers, w.first = unsafe.Pointer(&rows.Value[0]), 0
	w.texts, w.places, w.textShift, w.last = &t.list[0], &t.places[0], t.shift(), len(t.places)-1
	dst, stop, pairs = p.appendCopied(textRows, dst, rows, from, to, size)
	t.credit = min(t.credit+int(rows.Starts[stop]-rows.Starts[from]), textCredit)
	return dst, stop, pairs
}

// appendCopied puts rows from one on together by texts that are there, until one of a row is not,
// or there is a text of so many bytes, or a little less.
func (p *Printer) appendCopied(by func(room []byte, w *rowTexts, from, to int) (row, bytes, more int), dst []byte, rows *Rows, from, to, size int) (text []byte, stop, pairs int) {
	stop = from
	for atOnce := 8; stop < to && len(dst) < size; atOnce = min(2*atOnce, manyAtOnce) {
		dst = slices.Grow(dst, textscan.SixDigitsLen*numberRoom+2*p.roomForRow())
		room := cap(dst) - len(dst)
		if left := size - len(dst); left < room {
			room = min(room, left+p.roomForRow()) // for a row at least
		}
		end := p.fitting(rows, stop, min(stop+atOnce, to), len(rows.Value), room)
		more, before := 0, stop
		dst, stop, more = p.together(by, dst, rows, stop, end)
		if pairs += more; stop < end || stop == before {
			break
		}
	}
	return dst, stop, pairs
}
