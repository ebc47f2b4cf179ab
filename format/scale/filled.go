package scale

import (
	"slices"
	"unsafe"

	"github.com/slimsvm/slimsvm/format/textscan"
	"github.com/slimsvm/slimsvm/format/vec"
)

// Problem: dense data whose zeros are not listed. If nearly all rows list nearly all of the same
// few features, hardly two consecutive rows list the same, and the work for each row takes as long
// as that for its values.
//
// Method: features that a row does not list are listed as 0, which gives the same result. Then all
// rows list the same features and form a run.

// filled is what belongs to all of the features.
type filled struct {
	list  []int32
	stage stage
	masks [manyLists]struct { // of lists of the same rows, by where they begin
		listed
		mask uint32
	}

	// of some rows
	mask  [textscan.SixDigitsLen]uint32
	value [textscan.SixDigitsLen + 8]float64
}

const (
	filledPart = 16 // one of so many values may be filled in
	filledRows = 64 // so many rows are enough to tell

	// A row that has to be written by itself costs what so many rows gain that are filled.
	oddLoss  = 16
	mostLoss = 4 * oddLoss // of some rows, from which on no more are filled
)

// fills reports whether rows from one on are to be filled, and then sets what belongs to the
// features. It is for rows that are not alike, and of which texts of values are not worth it.
func (p *Printer) fills(rows *Rows, from int) bool {
	end := min(from+alikeRows, len(rows.Labels))
	if end-from < filledRows || !hasRows() || p.marks == nil || p.texts.credit >= 0 {
		return false
	}
	most, longest := int32(0), from
	for i := from; i < end; i++ {
		if n := rows.Starts[i+1] - rows.Starts[i]; n > most {
			most, longest = n, i
		}
	}
	all, there := int(most)*(end-from), int(rows.Starts[end]-rows.Starts[from])
	if most == 0 || most > shortRow || (all-there)*filledPart > all {
		return false
	}
	_, list, _ := rows.row(longest)
	f := &p.filled
	if !vec.EqualIndices(list, f.list) {
		f.list = append(f.list[:0], list...)
		f.stage.set(p, list)
	}
	// zeros that are left out are better not there
	return list[0] > 0 && f.stage.short && f.stage.solid && f.stage.plain && (len(list)-len(p.s.zeros))*filledPart <= len(list)
}

// appendFilled is AppendRows for rows from one on, filled. It stops before one that lists another
// feature, or does not become numbers that SixDigits writes.
func (p *Printer) appendFilled(dst []byte, rows *Rows, from, size int) (text []byte, stop, pairs int) {
	if !p.rowWork(rows) {
		return dst, from, 0
	}
	for k := range p.filled.masks {
		p.filled.masks[k].listed = noList
	}
	for stop = from; stop < len(rows.Labels) && len(dst) < size; {
		before, n := stop, 0
		if dst, stop, n = p.appendSomeFilled(dst, rows, stop); stop == before {
			break
		}
		pairs += n
	}
	return dst, stop, pairs
}

// appendSomeFilled is appendFilled for as many rows as are appended at a time.
func (p *Printer) appendSomeFilled(dst []byte, rows *Rows, from int) (text []byte, stop, pairs int) {
	f, g, b, w := &p.filled, &p.filled.stage, &p.piece, &p.rows
	each := len(f.list)
	most := min(from+textscan.SixDigitsLen/each, len(rows.Labels))
	for stop = from; stop < most; stop++ {
		list := rows.listed(stop)
		m := &f.masks[list.place()]
		if m.listed != list {
			mask, ok := f.maskOf(rows.Index[list.from:list.to])
			if !ok {
				break
			}
			m.listed, m.mask = list, mask
		}
		f.mask[stop-from] = m.mask
	}
	if stop == from {
		return dst, from, 0
	}
	f.fill(rows.Value[rows.Starts[from]:rows.Starts[stop]], stop-from)
	g.repeat(stop - from)
	n := (stop - from) * each
	dst = slices.Grow(dst, n*numberRoom+(stop-from)*p.roomForRow())
	g.formulaOfRun(p.s.ranges.X.Limits, b.values[:n], f.value[:n])
	b.sixes.Set((*[textscan.SixDigitsLen]float64)(b.values[:]), n)
	p.run, p.runFrom = g, from
	w.numbers, w.first, w.y = unsafe.Pointer(&b.sixes.Lo[0]), 0, &b.values[0]
	return p.together(p.numberRun, dst, rows, from, stop)
}

// maskOf returns which of the features a row lists, and whether it lists no others.
func (f *filled) maskOf(index []int32) (mask uint32, ok bool) {
	k := 0
	for i, want := range f.list {
		if k < len(index) && index[k] == want {
			mask |= 1 << i
			k++
		}
	}
	return mask, k == len(index)
}
