package textscan

import (
	"bytes"
	"slices"
)

// Room below which PlainRows makes more: what the assembly needs.
const (
	rowsRoom  = 512
	pairsRoom = 256
)

// PlainRows reads rows of the LIBSVM family from text, from offset at on, which must be the
// beginning of a line that follows a line feed, as long as they are plain: a label, pairs in the
// usual form, and a line feed, perhaps after a blank. With many short rows this is much faster than
// [Float] and [Pairs].
//
// It appends labels, indices and values, and for each row where in value it ends to starts. The
// last element of starts must be len(value) before the call. It returns these slices and the offset
// where it stopped: before a line that must be read by Float and Pairs, or at the end.
//
// It stops at once if the processor lacks the instructions for it, or if cap(text) is less than
// len(text)+Slack.
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
