package scale

import "math"

// A listRanges is the ranges of features that rows with one list have.
type listRanges struct {
	list     listed
	rows     int     // with the list, but for the first; 0: the rest does not count
	slots    []int32 // of the features
	max, min []float64
}

// mostMisses is how many more rows than not may have a list of their own until lists are no longer looked for.
const mostMisses = 1 << 10

// AddRows takes in rows as Add does. It takes less time where rows that share a list are not
// neighbours.
func (m *Measure) AddRows(rows *Rows) {
	if rows.Ones {
		m.addOnes(rows)
		return
	}
	first := 0
	if m.gain >= -mostMisses {
		if minus := minusZero(rows.Value); hasRows() || !minus {
			m.settle() // what is open may have a -0
			if len(m.minuses) == 0 {
				first = m.addListed(rows, minus)
			}
		}
	}
	last := noList
	for i := first; i < len(rows.Labels); i++ {
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

// addListed takes in rows by their lists, up to the first with a -0, if there is one, and returns where
// it stopped. Without -0 it does not matter which row comes when.
func (m *Measure) addListed(rows *Rows, minus bool) (stop int) {
	i, atOnce := 0, fewAtOnce
	for i < len(rows.Labels) {
		if run := m.includeRun(rows, i, minus); run > i {
			i, atOnce = run, fewAtOnce
			continue
		}
		if hasRows() {
			from, to := i, min(i+atOnce, len(rows.Labels))
			i, atOnce = m.includeRows(rows, i, to), min(2*atOnce, manyAtOnce)
			for _, y := range rows.Labels[from:i] {
				m.labels.include(y)
			}
			m.rows += i - from
			m.pairs += int64(rows.Starts[i] - rows.Starts[from])
			m.gain = min(m.gain+i-from, mostMisses)
			if i == to {
				continue
			}
		}
		y, index, value := rows.row(i)
		if minus && minusZero(value) {
			break
		}
		i++
		list := rows.listed(i - 1)
		l := &m.lists[list.place()]
		switch {
		case l.list != list:
			m.close(l)
			l.list = list
			m.gain--
			m.last = m.last[:0]
			m.addRow(y, index, value)
			continue
		case l.rows == 0:
			l.slots, l.max, l.min = l.slots[:0], append(l.max[:0], value...), append(l.min[:0], value...)
			for _, i := range index {
				l.slots = append(l.slots, m.index.find(i))
			}
		default:
			includeAll(l.max, l.min, value)
		}
		m.gain = min(m.gain+1, mostMisses)
		l.rows++
		m.count(y, len(index))
	}
	for k := range m.lists {
		m.close(&m.lists[k])
		m.lists[k].list = noList
	}
	m.last = m.last[:0]
	return i
}

// How many rows are included by their lists before a run is looked for: at first, and at most.
const fewAtOnce, manyAtOnce = 1 << 3, 1 << 9

// close brings the features of a list up to date.
func (m *Measure) close(l *listRanges) {
	if l.rows == 0 {
		return
	}
	for k, slot := range l.slots {
		f := &m.features[slot]
		f.rows += l.rows
		f.Max, f.Min = max(f.Max, l.max[k]), min(f.Min, l.min[k])
	}
	l.rows = 0
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
