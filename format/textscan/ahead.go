package textscan

import "bytes"

// PlainRowsWithin is [PlainRows] for about most bytes: it stops at the end of the line in which
// they end, unless that is long.
func PlainRowsWithin(most int, text []byte, at int, labels []float64, starts, index []int32, value []float64) (_ []float64, _, _ []int32, _ []float64, stop int) {
	if end := at + most; end < len(text) {
		end += bytes.IndexByte(text[end:min(len(text), end+most)], '\n') + 1
		text = text[:end]
	}
	return PlainRows(text, at, labels, starts, index, value)
}

// PlainRowsWithin is the function [PlainRowsWithin] for the lines after the one that Next returned
// last, as far as they have been read from the input. Next then returns the line after them.
func (l *Lines) PlainRowsWithin(most int, labels []float64, starts, index []int32, value []float64) (_ []float64, _, _ []int32, _ []float64) {
	before := len(labels)
	labels, starts, index, value, l.lo = PlainRowsWithin(most, l.buf[:l.hi], l.lo, labels, starts, index, value)
	l.number += len(labels) - before
	return labels, starts, index, value
}
