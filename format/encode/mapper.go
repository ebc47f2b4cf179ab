package encode

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
)

// A Mapper encodes the rows of one data set, whose columns may stand in another
// order and whose nominal columns may declare their labels in another order. It
// reuses its memory and serves one goroutine.
type Mapper struct {
	e *Encoding
	// to[i] is the column that the data's column i is; -1: one that the
	// encoding does not know.
	to []int
	// labels[i] translates the labels of the data's column i; nil: they are the
	// same. unknown stands for one that the encoding does not know.
	labels  [][]int
	sorted  bool    // to increases
	classAt int     // the data's column of labels, -1: none
	zeros   []entry // what columns that a row leaves out stand for, if not all 0
	row     []entry // the present row

	// Unknown is told the column and text of labels that the training rows did
	// not declare; all features of the column are then 0 before scaling. nil:
	// nobody is told.
	Unknown func(column, label string)
	header  *format.Header
}

// entry is a value of a column.
type entry struct {
	column int
	value  float64
}

// unknown is the position of a label that the encoding does not know.
const unknown = -1

// identity returns a mapper for the data that the encoding was learned from.
func (e *Encoding) identity() *Mapper {
	m := &Mapper{e: e, sorted: true, to: make([]int, len(e.Columns)), labels: make([][]int, len(e.Columns))}
	for i := range m.to {
		m.to[i] = i
	}
	m.findZeros()
	return m
}

// Mapper returns a mapper for data with the given header. Columns are found by
// name, labels by text. All columns but the label's must be there, with the same
// type; others are left out.
func (e *Encoding) Mapper(h *format.Header) (*Mapper, error) {
	byName := make(map[string]int, len(e.Columns))
	for i := range e.Columns {
		byName[e.Columns[i].Name] = i
	}
	m := &Mapper{e: e, sorted: true, header: h}
	seen := make([]bool, len(e.Columns))
	last := -1
	for _, a := range h.Attributes {
		i, ok := byName[a.Name]
		if !ok {
			m.to, m.labels = append(m.to, -1), append(m.labels, nil)
			continue
		}
		c := &e.Columns[i]
		if (a.Type == format.Nominal) != (c.Type == format.Nominal) || a.Type == format.String || a.Type == format.Relational {
			return nil, fmt.Errorf("column %q is of another type than in training", a.Name)
		}
		m.sorted = m.sorted && i > last
		last, seen[i] = i, true
		m.to = append(m.to, i)
		m.labels = append(m.labels, translate(a.Labels, c.Labels))
	}
	for i, ok := range seen {
		if !ok && i != e.Class {
			return nil, fmt.Errorf("%w: %q", ErrMissingColumn, e.Columns[i].Name)
		}
	}
	m.findZeros()
	return m, nil
}

// translate returns the position in to of each label in from, or nil when they
// are the same.
func translate(from, to []string) []int {
	if slices.Equal(from, to) {
		return nil
	}
	place := make(map[string]int, len(to))
	for i, label := range to {
		place[label] = i
	}
	t := make([]int, len(from))
	for i, label := range from {
		if p, ok := place[label]; ok {
			t[i] = p
		} else {
			t[i] = unknown
		}
	}
	return t
}

// findZeros lists the columns whose features are not all 0 for a row that leaves
// them out.
func (m *Mapper) findZeros() {
	m.classAt = slices.Index(m.to, m.e.Class)
	var v vec.Vector
	for i, c := range m.to {
		if c < 0 || c == m.e.Class {
			continue
		}
		v.Index, v.Value = v.Index[:0], v.Value[:0]
		m.put(&v, c, m.translated(i, 0))
		if len(v.Index) > 0 {
			m.zeros = append(m.zeros, entry{c, m.translated(i, 0)})
		}
	}
	slices.SortFunc(m.zeros, func(a, b entry) int { return a.column - b.column })
}

// translated returns the value of the data's column i in the encoding's terms.
func (m *Mapper) translated(i int, v float64) float64 {
	if m.labels[i] == nil || math.IsNaN(v) {
		return v
	}
	return float64(m.labels[i][int(v)])
}

// Row sets dst to the features of a row that are not 0, and returns its label:
// NaN if it is missing, or if the data have no such column.
func (m *Mapper) Row(dst *vec.Vector, x vec.Vector) (y float64) {
	dst.Index, dst.Value = dst.Index[:0], dst.Value[:0]
	m.row = m.row[:0]
	y = math.NaN()
	if m.classAt >= 0 {
		y = m.label(m.translated(m.classAt, 0))
	}
	for k, i := range x.Index {
		c := m.to[i]
		if c < 0 {
			continue
		}
		v := m.translated(int(i), x.Value[k])
		if v == unknown && m.labels[i] != nil && m.Unknown != nil {
			a := &m.header.Attributes[i]
			m.Unknown(a.Name, a.Labels[int(x.Value[k])])
		}
		m.row = append(m.row, entry{c, v})
	}
	if !m.sorted {
		slices.SortFunc(m.row, func(a, b entry) int { return a.column - b.column })
	}
	zeros := m.zeros
	for _, e := range m.row {
		for len(zeros) > 0 && zeros[0].column < e.column {
			m.put(dst, zeros[0].column, zeros[0].value)
			zeros = zeros[1:]
		}
		if len(zeros) > 0 && zeros[0].column == e.column {
			zeros = zeros[1:]
		}
		if e.column == m.e.Class {
			y = m.label(e.value)
			continue
		}
		m.put(dst, e.column, e.value)
	}
	for _, z := range zeros {
		m.put(dst, z.column, z.value)
	}
	return y
}

// label returns a label as it is trained on.
func (m *Mapper) label(v float64) float64 {
	c := m.e.ClassColumn()
	if c.Type == format.Nominal && v < 0 {
		return math.NaN() // a label that training did not know
	}
	if c.Scales != nil {
		return c.Scales[0].apply(v)
	}
	return v
}

// put appends the features of column i with value v that are not 0.
func (m *Mapper) put(dst *vec.Vector, i int, v float64) {
	c := &m.e.Columns[i]
	if math.IsNaN(v) {
		v = c.Fill
	}
	if c.Type != format.Nominal {
		m.append(dst, c, 0, v)
		return
	}
	switch len(c.Labels) {
	case 0, 1:
		m.append(dst, c, 0, 0)
	case 2:
		m.append(dst, c, 0, max(v, 0))
	default:
		for f := range c.Labels {
			is := 0.0
			if v == float64(f) {
				is = 1
			}
			m.append(dst, c, f, is)
		}
	}
}

func (m *Mapper) append(dst *vec.Vector, c *Column, f int, v float64) {
	if c.Scales != nil {
		v = c.Scales[f].apply(v)
	}
	if v != 0 {
		dst.Index = append(dst.Index, c.First+int32(f))
		dst.Value = append(dst.Value, v)
	}
}

// ReadAll reads a data set and encodes it. Rows without a label are left out, or
// with unlabelled set are kept, with label NaN.
func (m *Mapper) ReadAll(ctx context.Context, src format.Reader, unlabelled bool) (*format.Dataset, error) {
	d := &format.Dataset{Header: &format.Header{Relation: m.e.Relation, Class: -1}}
	var out format.Instance
	for n := 0; ; n++ {
		if n&1023 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		in, err := src.Read()
		if err == io.EOF {
			return d, nil
		}
		if err != nil {
			return nil, err
		}
		out.Y, out.Weight = m.Row(&out.X, in.X), in.Weight
		if unlabelled || !math.IsNaN(out.Y) {
			d.Append(out)
		}
	}
}

// Encode encodes the rows that the encoding was learned from, leaving out those
// without a label.
func (e *Encoding) Encode(ctx context.Context, raw *format.Dataset) (*format.Dataset, error) {
	m := e.identity()
	d := &format.Dataset{Header: &format.Header{Relation: e.Relation, Class: -1}}
	var out format.Instance
	err := e.labelled(ctx, raw, func(x vec.Vector, weight float64) {
		out.Y, out.Weight = m.Row(&out.X, x), weight
		d.Append(out)
	})
	return d, err
}
