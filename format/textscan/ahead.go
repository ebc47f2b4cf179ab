package textscan

// PlainRows is the function of that name for the lines behind the one that Next returned last, as
// far as they are read already and end within so many bytes. Next returns the line behind them.
func (l *Lines) PlainRows(most int, labels []float64, starts, index []int32, value []float64) (_ []float64, _, _ []int32, _ []float64) {
	before := len(labels)
	labels, starts, index, value, l.lo = PlainRows(l.buf[:min(l.hi, l.lo+most)], l.lo, labels, starts, index, value)
	l.number += len(labels) - before
	return labels, starts, index, value
}
