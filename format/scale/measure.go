package scale

import (
	"context"
	"io"
	"slices"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
)

// A Measure finds the ranges of features and labels from rows given one by one,
// in time linear in the number of listed values and in memory linear in the
// number of different indices. The zero value has seen no rows and is ready.
type Measure struct {
	rows     int
	pairs    int64
	index    slots
	features []seen // by slot
	labels   Range

	// Rows often list the same features as the row before. From the second such row
	// on, their ranges are in open, and features settle later.
	last []int32 // indices of the row before
	open struct{ max, min []float64 }
}

// seen is a feature with its range over the rows up to the last that lists it,
// the rows before that which do not list it included.
type seen struct {
	Feature
	row int // number of the last row that lists it, from 1
}

// Add takes in one row. Values must be finite.
func (m *Measure) Add(y float64, x vec.Vector) {
	if m.rows == 0 {
		m.labels = Range{y, y}
	}
	m.labels.include(y)
	m.rows++
	m.pairs += int64(len(x.Index))
	if len(x.Index) > 0 && slices.Equal(x.Index, m.last) {
		m.addOpen(x.Value)
		return
	}
	if len(m.open.max) > 0 {
		m.rows-- // the row before is the last that lists what is open
		m.settle()
		m.rows++
	}
	m.last = append(m.last[:0], x.Index...)
	for k, index := range x.Index {
		v := x.Value[k]
		slot := m.index.find(index)
		if slot < 0 {
			slot = m.index.add(index)
			f := seen{Feature{index, Range{v, v}}, 0}
			if index > 0 && m.rows > 1 {
				f.Range = Range{}
			}
			f.row = m.rows - 1
			m.features = append(m.features, f)
		}
		f := &m.features[slot]
		if index > 0 && f.row < m.rows-1 {
			f.include(0)
		}
		f.include(v)
		f.row = m.rows
	}
}

// addOpen takes in the values of a row with the indices of the row before.
func (m *Measure) addOpen(value []float64) {
	if len(m.open.max) == 0 {
		for _, index := range m.last {
			r := m.features[m.index.find(index)].Range
			m.open.max, m.open.min = append(m.open.max, r.Max), append(m.open.min, r.Min)
		}
	}
	includeAll(m.open.max, m.open.min, value)
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
		f := &m.features[m.index.find(m.last[k])]
		f.Range = Range{m.open.min[k], hi}
		f.row = m.rows
	}
	m.open.max, m.open.min = m.open.max[:0], m.open.min[:0]
}

// final returns the range of f over all rows.
func (m *Measure) final(f *seen) Range {
	r := f.Range
	if f.Index > 0 && f.row < m.rows {
		r.include(0)
	}
	return r
}

// Rows returns the number of rows.
func (m *Measure) Rows() int { return m.rows }

// Pairs returns the number of listed values, zeros included.
func (m *Measure) Pairs() int64 { return m.pairs }

// HasZero reports whether any row lists index 0.
func (m *Measure) HasZero() bool { return m.index.find(0) >= 0 }

// Ranges returns how the measured data are scaled to x and their labels to y;
// with y nil, labels stay. It holds the features that are not constant. Y is nil
// if there are no rows.
func (m *Measure) Ranges(x Limits, y *Limits) *Ranges {
	r := &Ranges{X: &Features{Limits: x}}
	if y != nil && m.rows > 0 {
		r.Y = &Labels{*y, m.labels}
	}
	m.settle()
	for i := range m.features {
		f := &m.features[i]
		if found := m.final(f); !found.Constant() {
			r.X.Ranges = append(r.X.Ranges, Feature{f.Index, found})
		}
	}
	slices.SortFunc(r.X.Ranges, func(a, b Feature) int { return int(a.Index) - int(b.Index) })
	return r
}

// checkEvery is the number of rows between two looks at the context.
const checkEvery = 1 << 10

// MeasureAll measures all rows of src.
func MeasureAll(ctx context.Context, src format.Reader) (*Measure, error) {
	if _, err := src.Header(); err != nil {
		return nil, err
	}
	m := new(Measure)
	for {
		in, err := src.Read()
		if m.rows%checkEvery == 0 || err != nil {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
		}
		if err == io.EOF {
			return m, nil
		}
		if err != nil {
			return nil, err
		}
		m.Add(in.Y, in.X)
	}
}
