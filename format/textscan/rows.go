package textscan

import (
	"bytes"
	"slices"
)

// Room behind which PlainRows makes more: what the assembly wants.
const (
	rowsRoom  = 512
	pairsRoom = 256
)

// PlainRows reads rows of the LIBSVM family from a text, from the line at text[at] on, before
// which a line feed stands, as long as they are plain: a label, pairs as most are written, and a
// line feed, perhaps behind a blank. It appends labels, indices and values, and to starts where in
// value each row ends; the last of starts must be where the first begins, behind all of value.
// It returns these and where it stopped: before a line that is for Float and Pairs to read, or at
// the end. Many short rows take much less time than by these, if there are the instructions for
// it and cap(text) is larger than len(text) by Slack; else it stops at once.
func PlainRows(text []byte, at int, labels []float64, starts, index []int32, value []float64) (_ []float64, _, _ []int32, _ []float64, stop int) {
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
	return labels, starts, index, value, at
}
