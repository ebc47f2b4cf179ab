package scale

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"unsafe"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/format/vec/pages"
	"github.com/slimsvm/slimsvm/internal/ended"
)

// A Measure finds the ranges of features and labels of rows that are added one by one. Time grows
// with the number of listed values, memory with the number of different indices. The zero Measure
// is empty and ready.
type Measure struct {
	rows          int
	pairs         int64
	index         slots
	features      []seen // by slot
	negativeZeros map[int32]negativeZero
	labels        Range

	// Rows often list the same features as the row before. From the second such row
	// on, their ranges are in open, and features settle later.
	last []int32 // indices of the row before
	open struct {
		max, min []float64
		rows     int // whose values they hold besides
	}

	lists [manyLists]listRanges // of one Rows
	run   listRanges            // of a run, as often as there are rows side by side
	ones  []int32               // how many rows list an index with a 1; all 0 between calls
}

// seen is a feature with the range of its listed values.
type seen struct {
	Feature
	rows int // that list it
}

// A negativeZero is the last -0 of a feature, if no 0 is listed behind it. Of zeros of either
// sign the last counts, those included that stand for rows which do not list the feature.
type negativeZero struct {
	row  int // its number, from 1
	rows int // that list the feature, up to there
}

// Add adds a row. Values must be finite.
func (m *Measure) Add(y float64, x vec.Vector) { m.addRow(y, x.Index, x.Value) }

// addRow is Add.
func (m *Measure) addRow(y float64, list []int32, value []float64) {
	m.count(y, len(list))
	if len(list) > 0 && vec.EqualIndices(list, m.last) {
		m.addOpen(value)
		return
	}
	if len(m.open.max) > 0 {
		m.rows-- // the row before is the last that lists what is open
		m.settle()
		m.rows++
	}
	m.last = append(m.last[:0], list...)
	value = value[:len(list)]
	for k, i := range list {
		slot, v := m.slot(i, value[k]), value[k]
		f := &m.features[slot]
		f.rows++
		f.include(v)
		if v == 0 {
			m.zero(slot, v, m.rows)
		}
	}
}

// slot returns the slot of a feature, which if it is new has the range of a value.
func (m *Measure) slot(index int32, v float64) int32 {
	slot := m.index.find(index)
	if slot < 0 {
		slot = m.index.add(index)
		if n := len(m.features); n == cap(m.features) {
			more := make([]seen, n, n+max(n, 64)) // twice: memory that is new is dear
			pages.Move(bytesOf(more), bytesOf(m.features))
			m.features = more
		}
		m.features = append(m.features, seen{Feature: Feature{index, Range{v, v}}})
	}
	return slot
}

// count counts a row.
func (m *Measure) count(y float64, pairs int) {
	if m.rows == 0 {
		m.labels = Range{y, y}
	}
	m.labels.include(y)
	m.rows++
	m.pairs += int64(pairs)
}

// zero notes a zero of the feature in a slot, listed in a row.
func (m *Measure) zero(slot int32, v float64, row int) {
	switch {
	case math.Signbit(v):
		if m.negativeZeros == nil {
			m.negativeZeros = map[int32]negativeZero{}
		}
		m.negativeZeros[slot] = negativeZero{row, m.features[slot].rows}
	case len(m.negativeZeros) > 0:
		delete(m.negativeZeros, slot)
	}
}

// addOpen takes in the values of a row with the indices of the row before.
func (m *Measure) addOpen(value []float64) {
	if len(m.open.max) == 0 {
		for _, index := range m.last {
			slot := m.index.find(index)
			r := m.features[slot].Range
			if !m.endsNegative(slot, m.rows-1) {
				delete(m.negativeZeros, slot)
				r.Max, r.Min = r.Max+0, r.Min+0 // no -0
			}
			m.open.max, m.open.min = append(m.open.max, r.Max), append(m.open.min, r.Min)
		}
	}
	includeAll(m.open.max, m.open.min, value)
	m.open.rows++
}

// includePortable includes each value in the range of its place.
func includePortable(highest, lowest, value []float64) {
	for k, v := range value {
		r := Range{lowest[k], highest[k]}
		r.include(v)
		lowest[k], highest[k] = r.Min, r.Max
	}
}

// settle brings features up to date.
func (m *Measure) settle() {
	for k, hi := range m.open.max {
		slot := m.index.find(m.last[k])
		f := &m.features[slot]
		f.Range = Range{m.open.min[k], hi}
		f.rows += m.open.rows
		switch 0.0 { // an end that is 0 is the last zero
		case f.Max:
			m.zero(slot, f.Max, m.rows)
		case f.Min:
			m.zero(slot, f.Min, m.rows)
		}
	}
	m.open.max, m.open.min, m.open.rows = m.open.max[:0], m.open.min[:0], 0
}

// final returns the range over all rows of the feature in a slot.
func (m *Measure) final(slot int32) Range {
	f := &m.features[slot]
	r := f.Range
	if f.Index > 0 && f.rows < m.rows {
		r.include(0)
	}
	if m.endsNegative(slot, m.rows) {
		r.include(math.Copysign(0, -1))
	}
	return r
}

// endsNegative reports whether the last zero of so many rows is a -0, of the feature in a
// slot.
func (m *Measure) endsNegative(slot int32, rows int) bool {
	last, ok := m.negativeZeros[slot]
	if !ok {
		return false
	}
	// the rows behind the last -0 all list the feature
	f := &m.features[slot]
	return f.Index == 0 || rows-last.row == f.rows-last.rows
}

// Rows returns the number of rows.
func (m *Measure) Rows() int { return m.rows }

// Pairs returns the number of listed values, zeros included.
func (m *Measure) Pairs() int64 { return m.pairs }

// Release frees the memory of features. Only Rows and Pairs may be called afterwards.
func (m *Measure) Release() {
	pages.Drop(bytesOf(m.features))
	pages.Drop(m.index.direct)
	*m = Measure{rows: m.rows, pairs: m.pairs}
}

// bytesOf returns the memory of features.
func bytesOf(s []seen) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*int(unsafe.Sizeof(seen{})))
}

// HasZero reports whether any row lists index 0.
func (m *Measure) HasZero() bool { return m.index.find(0) >= 0 }

// Ranges returns how the measured data are scaled to x and their labels to y. If y is nil, labels
// stay. The result has the features that are not constant; its Y is nil if there are no rows.
func (m *Measure) Ranges(x Limits, y *Limits) *Ranges {
	r := &Ranges{X: &Features{Limits: x, Ranges: make([]Feature, 0, len(m.features))}}
	if y != nil && m.rows > 0 {
		r.Y = &Labels{*y, m.labels}
	}
	m.settle()
	add := func(slot int32) {
		if found := m.final(slot); !found.Constant() {
			r.X.Ranges = append(r.X.Ranges, Feature{m.features[slot].Index, found})
		}
	}
	for _, slot := range m.index.direct { // in the order of indices
		if slot > 0 {
			add(slot - 1)
		}
	}
	if len(m.index.far) > 0 {
		for _, slot := range m.index.far {
			add(slot)
		}
		slices.SortFunc(r.X.Ranges, func(a, b Feature) int { return int(a.Index) - int(b.Index) })
	}
	return r
}

// checkEvery is the number of rows between two looks at the context.
const checkEvery = 1 << 10

// MeasureAll measures all rows of src. They must be features: columns that are declared are
// format.ErrColumns. A row that is not a valid vector is an error.
func MeasureAll(ctx context.Context, src format.Reader) (*Measure, error) {
	h, err := src.Header()
	if err == nil {
		err = h.CheckFeatures()
	}
	if err != nil {
		return nil, err
	}
	m := new(Measure)
	for {
		in, err := src.Read()
		if m.rows%checkEvery == 0 || err != nil {
			if err := ended.Err(ctx); err != nil {
				return nil, err
			}
		}
		if err == io.EOF {
			return m, nil
		}
		if err != nil {
			return nil, err
		}
		if err := in.X.Check(); err != nil {
			return nil, fmt.Errorf("row %d: %w", m.rows+1, err)
		}
		m.Add(in.Y, in.X)
	}
}
