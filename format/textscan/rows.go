package textscan

import (
	"bytes"
	"slices"
)

// Room below which AppendText makes more: what the assembly needs.
const (
	rowsRoom  = 512
	pairsRoom = 256
)

// PlainRows are rows of the LIBSVM family, side by side. Row i has the label Labels[i] and the pairs
// from Starts[i] up to Starts[i+1] of Value, and of Index if this has as many elements. Starts
// needs the first of its elements before rows are appended: see Reset.
//
// With many short rows, appending them is much faster than [Float] and [Pairs].
type PlainRows struct {
	Labels []float64
	Starts []int32
	Index  []int32
	Value  []float64
}

// Reset leaves no rows. Their memory is used again.
func (p *PlainRows) Reset() {
	p.Labels, p.Starts, p.Index, p.Value = p.Labels[:0], append(p.Starts[:0], 0), p.Index[:0], p.Value[:0]
}

// Len returns the number of rows.
func (p *PlainRows) Len() int { return len(p.Labels) }

// Row returns the label, the indices and the values of row i, which has no room for more of them.
func (p *PlainRows) Row(i int) (label float64, index []int32, value []float64) {
	lo, hi := p.Starts[i], p.Starts[i+1]
	return p.Labels[i], p.Index[lo:hi:hi], p.Value[lo:hi:hi]
}

// AppendText appends the rows of a text from offset at on, which must be the beginning of a line
// that follows a line feed, as long as they are plain: a label, pairs in the usual form, and a line
// feed, perhaps after a blank. It returns the offset where it stopped: before a line that must be
// read by [Float] and [Pairs], or at the end. The last element of Starts must be len(p.Value).
//
// It stops at once if the processor lacks the instructions for it, or if cap(text) is less than
// len(text)+Slack.
func (p *PlainRows) AppendText(text []byte, at int) (stop int) {
	labels, starts, index, value := p.Labels, p.Starts, p.Index, p.Value
	end := bytes.LastIndexByte(text[at:], '\n') + at + 1
	for vectorRows() && cap(text)-len(text) >= Slack && end-at > 1 {
		n, m, i, k := len(labels), len(starts)-1, len(index), len(value)
		if min(cap(labels)-n, cap(starts)-m) < rowsRoom {
			more := rowsRoom + max(n, (end-at)/64)
			labels, starts = slices.Grow(labels, more), slices.Grow(starts, more)
		}
		if min(cap(index)-i, cap(value)-k) < pairsRoom {
			more := pairsRoom + max(k, (end-at)/8)
			index, value = slices.Grow(index, more), slices.Grow(value, more)
		}
		rowRoom, pairRoom := min(cap(labels)-n, cap(starts)-m), min(cap(index)-i, cap(value)-k)
		rows, pairs, next := readRows(text[at-1:end], labels[n:cap(labels)], starts[m:cap(starts)], index[i:cap(index)], value[:cap(value)], k, rowRoom, pairRoom)
		if next += at - 1; next < end-1 && text[next] == ' ' {
			next++ // perhaps before the line feed
		}
		starts = starts[:m+rows+1]
		if text[next] == '\n' {
			starts[m+rows] = int32(pairs)
			next++
		} else { // a row is not whole
			next = bytes.LastIndexByte(text[:next], '\n') + 1
			rows--
			starts = starts[:m+rows+1]
			pairs = int(starts[m+rows])
		}
		labels, index, value = labels[:n+rows], index[:i+pairs-k], value[:pairs]
		at = next
		if rowRoom-rows >= rowsRoom && pairRoom-(pairs-k) >= pairsRoom {
			break // it stopped for another reason
		}
	}
	p.Labels, p.Starts, p.Index, p.Value = labels, starts, index, value
	return at
}

// AppendSome is [PlainRows.AppendText] for about most bytes: it stops at the end of the line in
// which they end, unless that is long.
func (p *PlainRows) AppendSome(most int, text []byte, at int) (stop int) {
	if end := at + most; end < len(text) {
		end += bytes.IndexByte(text[end:min(len(text), end+most)], '\n') + 1
		text = text[:end]
	}
	return p.AppendText(text, at)
}

// AppendPlainRows is [PlainRows.AppendSome] for the lines after the one that Next returned last, as
// far as they have been read from the input. Next then returns the line after them.
func (l *Lines) AppendPlainRows(p *PlainRows, most int) {
	before := p.Len()
	l.lo = p.AppendSome(most, l.buf[:l.hi], l.lo)
	l.number += p.Len() - before
}
