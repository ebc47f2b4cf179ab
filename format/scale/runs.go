package scale

import (
	"slices"
	"unsafe"

	"github.com/slimsvm/slimsvm/format/textscan"
	"github.com/slimsvm/slimsvm/format/vec"
)

// Problem: for rows that list the same few features, as in most dense data, the overhead of a row
// takes longer than its values.
//
// Method: such rows are processed many at a time, their values as those of one long row, in which
// what belongs to a feature is repeated side by side for each row.

// fewRows is how many rows make a run for which this pays.
const fewRows = 4

// run returns the end of the rows from one on that have its list, up to another.
func (r *Rows) run(from, to int) (end int) {
	list, starts := r.Lists[from], r.Starts[from:to+1]
	n := starts[1] - starts[0]
	for end = from + 1; end < to && r.Lists[end] == list && starts[end-from+1]-starts[end-from] == n; {
		end++
	}
	return end
}

// lasts reports whether the row from lists something and begins a run of so many rows, as far as
// the last of these tells.
func (r *Rows) lasts(from, rows int) bool {
	last := from + rows - 1
	return last < len(r.Labels) && r.Starts[from] < r.Starts[from+1] && r.listed(last) == r.listed(from)
}

// appendRun is AppendRows for rows from one on, as many as are appended at a time, where AppendRows
// would append each by appendShort. It returns where it stopped: at once if there is no run, or a
// value of it is out of range.
func (p *Printer) appendRun(dst []byte, rows *Rows, from int) (_ []byte, stop, pairs int) {
	g, b := p.stage, &p.piece
	if g.skips || !rows.lasts(from, fewRows) {
		return dst, from, 0
	}
	n := len(g.slot) / g.rows
	most := min(textscan.SixDigitsLen/n, fewRows+runText/(len(p.zeros)+1))
	stop = rows.run(from, min(from+most, len(rows.Labels)))
	if stop-from < fewRows {
		return dst, from, 0
	}
	g.repeat(stop - from)
	dst, pairs = p.flush(dst)
	value := rows.Value[rows.Starts[from]:rows.Starts[stop]]
	work, values := p.rowWork(rows), (*[textscan.SixDigitsLen]float64)(b.values[:])
	if work {
		dst = slices.Grow(dst, len(value)*numberRoom+(stop-from)*p.roomForRow())
		w := &p.rows
		w.numbers, w.first, w.y = unsafe.Pointer(&b.sixes.Lo[0]), int(rows.Starts[from]), &b.values[0]
	}
	if work && g.solid && g.plain {
		g.formulaOfRun(p.s.ranges.X.Limits, b.values[:len(value)], value)
		b.sixes.Set(values, len(value))
		p.run, p.runFrom = g, from
		if text, row, more := p.together(p.numberRun, dst, rows, from, stop); row > from {
			return text, row, pairs + more
		}
		work = false // numberRows would stop there too
	}
	if _, ok := p.scale(g, 0, value, true); !ok {
		return dst, from, pairs
	}
	if work {
		b.sixes.Set(values, len(value))
		if text, row, more := p.together(numberRows, dst, rows, from, stop); row > from {
			return text, row, pairs + more
		}
	}
	between := slices.Grow(b.between, (stop-from)*(len(g.before)+2)+1)
	text, used := slices.Grow(b.text, (stop-from)*8+len(labelText{}.text)), b.used
	for _, y := range rows.Labels[from:stop] {
		text = p.appendLabel(text, y)
		between = append(between, textscan.Insertion{Place: b.n, From: used, Size: len(text) - used})
		used = len(text)
		for _, t := range g.before {
			t.Place += b.n
			between = append(between, t)
		}
		b.n += n
		if g.behind.Size > 0 {
			between = append(between, textscan.Insertion{Place: b.n, From: g.behind.From, Size: g.behind.Size})
		}
		text = append(text, '\n')
	}
	b.between, b.text, b.used = between, text, used
	zeros := g.count * (stop - from)
	b.zeros += zeros
	dst, more := p.flush(dst)
	g.skips = len(value)+zeros-more > len(value)/4
	return dst, stop, pairs + more
}

// numberRun is numberRows for rows of a run whose stage, p.run, is solid. Their numbers stand in
// the piece.
func (p *Printer) numberRun(room []byte, w *rowTexts, from, to int) (row, bytes, more int) {
	g, b := p.run, &p.piece
	each := len(g.slot) / g.rows
	k := (from - p.runFrom) * each
	w.numbers, w.y = unsafe.Pointer(&b.sixes.Lo[k]), &b.values[k]
	row, bytes, written := numberRun(room, w, &g.name[k : (to-p.runFrom)*each][0], each, from, to)
	return row, bytes, written - (row-from)*len(p.s.zeros)
}

// runText is about how much text of zeros rows have that are appended at a time.
const runText = 1 << 14

// repeat makes what values are scaled by stand there for so many rows.
func (g *stage) repeat(rows int) {
	for each := len(g.slot) / g.rows; g.rows < rows; {
		more := min(g.rows, rows-g.rows)
		n := more * each
		g.slot, g.name = append(g.slot, g.slot[:n]...), append(g.name, g.name[:n]...)
		g.min, g.span = append(g.min, g.min[:n]...), append(g.span, g.span[:n]...)
		g.rows += more
	}
}

// shareRun is Intern for the first rows as long as they list the same few features, some at a time.
// It returns 0 if that is not for long.
func (s *Interner) shareRun(index []int32, at, to int, starts, lists []int32) (done, end int) {
	n := int(starts[1] - starts[0])
	if n == 0 || n > shortRow {
		return 0, to
	}
	for all := index[at:]; done+manyRows <= len(lists); done += manyRows {
		k := done
		for k < done+manyRows && int(starts[k+1]-starts[k]) == n {
			k++
		}
		// each list is the one before
		if some := all[max(done-1, 0)*n : k*n]; k < done+manyRows || !vec.EqualIndices(some[n:], some[:len(some)-n]) {
			break
		}
	}
	if done == 0 {
		return 0, to
	}
	_, end, _ = s.shareRows(index, at, to, starts[:2], lists[:1])
	for i := range lists[1:done] {
		lists[1+i] = lists[0]
	}
	return done, end
}

// manyRows is how many rows it takes to look whether they all list the same.
const manyRows = 1 << 5
