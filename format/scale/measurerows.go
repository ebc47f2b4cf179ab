package scale

import (
	"math"
	"slices"
)

// Problem: find the ranges of the features of rows of any kind, in hardly more time than reading
// their values from memory takes.
//
// Method: a run of rows that share a list is included in ranges of its features, side by side. If
// rows alternate between a few lists, each list has its own ranges, which are merged at the end.
// All other rows are processed feature by feature, whatever they list, many rows at a time.

const (
	// longRun is how many rows make a run that is worth ranges of its own.
	longRun = 8

	// rowsOfList is how many rows a list has at least, in the mean, that has ranges of its own.
	rowsOfList = 12

	// fewApart is how many rows do without a look at all lists.
	fewApart = 16

	// manyLists is how many lists have ranges at the same time, as a power of two.
	manyLists = 1 << 6

	// runValues is how many ranges of a list stand side by side.
	runValues = 128
)

// A listRanges is the ranges of features that rows with one list have.
type listRanges struct {
	list     listed
	rows     int     // with the list
	slots    []int32 // of the features
	max, min []float64
}

// AddRows adds rows as Add does, but faster.
func (m *Measure) AddRows(rows *Rows) {
	if rows.Ones {
		m.addOnes(rows)
		return
	}
	m.settle() // what is open may have a -0
	if len(m.negativeZeros) > 0 || minusZero(rows.Value) {
		m.addInOrder(rows)
		return
	}
	// without -0 it does not matter which row comes when
	m.last = m.last[:0]
	n := len(rows.Labels)
	if n == 0 {
		return
	}
	if m.rows == 0 {
		m.labels = Range{rows.Labels[0], rows.Labels[0]}
	}
	m.labels.includeMany(rows.Labels)
	m.rows += n
	m.pairs += int64(rows.Starts[n] - rows.Starts[0])
	few, looked, atOnce, apart := false, false, longRun, 0
	for i := 0; i < n; {
		from := i
		if rows.lasts(i, longRun) {
			if stop := rows.run(i, n); stop-i >= longRun {
				m.addRun(rows, i, stop)
				i, atOnce = stop, longRun
				continue
			}
		}
		if few {
			i, atOnce = m.addListed(rows, i, min(i+atOnce, n)), min(2*atOnce, manyAtOnce)
			continue
		}
		for i++; i < n && !rows.lasts(i, longRun); i++ {
		}
		if apart += i - from; apart > fewApart && !looked {
			looked = true
			if few = rows.lists(0, n)*rowsOfList <= n && hasRows() && len(rows.Value) > 0; few {
				i = from
				continue
			}
		}
		if !looked {
			rows.lists(from, i) // for its panic
		}
		m.addApart(rows, from, i)
	}
	if !few {
		return
	}
	for k := range m.lists {
		m.close(&m.lists[k])
	}
}

// sideBySide is how many ranges stand side by side to take in many values.
const sideBySide = 64

// includeMany includes all values, which if there are many must be numbers. Whether one is as large
// as the largest no processor foresees, so that is not asked.
func (r *Range) includeMany(values []float64) {
	lo, hi := r.Min, r.Max
	k, minus := 0, uint64(1<<63)
	plain := lo <= hi && math.Float64bits(lo) != minus && math.Float64bits(hi) != minus
	if plain && len(values) > 2*sideBySide && vectors() && !minusZero(values) {
		var highest, lowest [sideBySide]float64
		for k := range highest {
			highest[k], lowest[k] = hi, lo
		}
		for ; len(values) > 0; values = values[k:] {
			k = min(len(values), sideBySide)
			includeAll(highest[:k], lowest[:k], values[:k])
		}
		r.Min, r.Max = slices.Min(lowest[:]), slices.Max(highest[:])
		return
	}
	if plain {
		for ; k < len(values); k++ {
			v := values[k]
			if v > hi {
				hi = v
			}
			if v < lo {
				lo = v
			}
			if math.Float64bits(v) == minus || v != v {
				break // the last zero's sign counts, and what is none
			}
		}
	}
	r.Min, r.Max = lo, hi
	for _, v := range values[k:] {
		r.include(v)
	}
}

// addInOrder is AddRows where zeros of both signs may be listed, of which the last counts.
func (m *Measure) addInOrder(rows *Rows) {
	last := noList
	for i := range rows.Labels {
		y, index, value := rows.row(i)
		list := rows.listed(i)
		if list == last && len(index) > 0 {
			m.count(y, len(index))
			m.addOpen(value)
		} else {
			m.addRow(y, index, value)
		}
		last = list
	}
}

// addListed takes in rows from one on to before another by their lists, and returns where it stopped.
func (m *Measure) addListed(rows *Rows, from, to int) (stop int) {
	for {
		if from = m.includeRows(rows, from, to); from == to {
			return to
		}
		_, index, value := rows.row(from)
		list := rows.listed(from)
		l := &m.lists[list.place()]
		m.close(l)
		l.list, l.slots = list, l.slots[:0]
		for k, i := range index {
			l.slots = append(l.slots, m.slot(i, value[k]))
		}
		const more = 7 // are written behind
		l.max = append(slices.Grow(l.max[:0], len(value)+more), value...)
		l.min = append(slices.Grow(l.min[:0], len(value)+more), value...)
	}
}

// close brings the features of a list up to date, and makes it none.
func (m *Measure) close(l *listRanges) {
	if l.rows > 0 {
		m.widen(l.slots, l.max, l.min, l.rows)
	}
	l.list, l.rows = noList, 0
}

// widen takes in what features have in so many rows.
func (m *Measure) widen(slots []int32, highest, lowest []float64, rows int) {
	for k, slot := range slots {
		f := &m.features[slot]
		f.rows += rows
		f.Max, f.Min = max(f.Max, highest[k]), min(f.Min, lowest[k])
	}
}

// addApart takes in rows without a -0 from one on to before another.
func (m *Measure) addApart(rows *Rows, from, to int) {
	for {
		row, done := m.widenRows(rows, from, to)
		if row == to {
			return
		}
		// a new feature, or a far one
		for _, index, value := rows.row(row); done < len(value); done++ {
			f := &m.features[m.slot(index[done], value[done])]
			f.rows++
			f.include(value[done])
		}
		from = row + 1
	}
}

// addRun takes in rows without a -0 from one on to before another, all of which have its list.
func (m *Measure) addRun(rows *Rows, from, to int) {
	_, index, first := rows.row(from)
	n, t := len(index), &m.run
	side := 1
	if vectors() {
		side = max(1, min(runValues/n, (to-from)/8))
	}
	t.slots, t.max, t.min = t.slots[:0], t.max[:0], t.min[:0]
	for k, i := range index {
		t.slots = append(t.slots, m.slot(i, first[k]))
	}
	for range side {
		t.max, t.min = append(t.max, first...), append(t.min, first...)
	}
	for value := rows.Value[rows.Starts[from]:rows.Starts[to]]; len(value) > 0; {
		k := min(len(value), side*n)
		includeAll(t.max[:k], t.min[:k], value[:k])
		value = value[k:]
	}
	for k := n; k < len(t.max); k += n {
		m.widen(t.slots, t.max[k:], t.min[k:], 0)
	}
	m.widen(t.slots, t.max, t.min, to-from)
}

// widenRowsPortable counts the values of rows from one on to before another for their features, and
// widens the ranges of these, until one is of a feature that is not in the table. It returns of which
// row that is, and how many of its values it has done. None may be -0, nor an end of a range.
func (m *Measure) widenRowsPortable(rows *Rows, from, to int) (row, done int) {
	direct, features := m.index.direct, m.features
	for row = from; row < to; row++ {
		_, list, value := rows.row(row)
		value = value[:len(list)]
		for k, index := range list {
			if uint(index) >= uint(len(direct)) {
				return row, k
			}
			slot := direct[index] - 1
			if slot < 0 {
				return row, k
			}
			f, v := &features[slot], value[k]
			f.rows++
			switch {
			case v > f.Max:
				f.Max = v
			case v < f.Min:
				f.Min = v
			}
		}
	}
	return row, 0
}

// minusZero reports whether one of the values is -0.
func minusZero(values []float64) bool {
	done := noneIsMinusZero(values)
	if done < 0 {
		return true
	}
	for _, v := range values[done:] {
		if math.Float64bits(v) == 1<<63 {
			return true
		}
	}
	return false
}
