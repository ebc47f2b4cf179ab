package encode

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/internal/ended"
)

// A Mapper encodes the rows of one data set, whose columns, and the labels of whose nominal
// columns, may be in another order than in training. It reuses its memory; only one goroutine may
// use it at a time. To make one takes as long as to encode many rows: a program that answers for
// single rows keeps them, in a sync.Pool for example, or calls [Encoding.Row].
type Mapper struct {
	e *Encoding
	// to[i] is the column that the data's column i is; -1: one that the
	// encoding does not know.
	to []int
	// labels[i] translates the labels of the data's column i; nil: they are the
	// same. unknown stands for one that the encoding does not know.
	labels [][]int
	sorted bool    // to increases
	zeros  []entry // columns that a row must not just leave out
	// lasting[c] are the labels of the encoding's column c whose features are scaled to something
	// else than 0 where they are 0; nil: there is none in any column.
	lasting [][]int32
	row     []entry // the present row

	// Unknown, if not nil, is called with the column and the text of each label that the training
	// rows did not declare. All features of that column are then 0 before scaling; if it is the
	// row's own label, that is missing.
	Unknown func(column, label string)
	header  *format.Header // of the data
}

// entry is a value of a column.
type entry struct {
	from, column int     // the data's column, the encoding's
	value        float64 // in the encoding's terms
}

// unknown is the position of a label that the encoding does not know.
const unknown = -1

// identity returns a mapper for the data that the encoding was learned from.
func (e *Encoding) identity() *Mapper {
	m := &Mapper{e: e, header: e.Header(), sorted: true, to: make([]int, len(e.Columns)), labels: make([][]int, len(e.Columns))}
	for i := range m.to {
		m.to[i] = i
	}
	m.findZeros()
	return m
}

// Header returns the declarations of the training data, the label's column included, for rows that
// a program makes itself: see [Mapper.Check]. It shares the labels of columns with e.
func (e *Encoding) Header() *format.Header {
	h := &format.Header{Relation: e.Relation, Class: e.Class}
	for i := range e.Columns {
		c := &e.Columns[i]
		h.Attributes = append(h.Attributes, format.Attribute{Name: c.Name, Type: c.Type, Labels: c.Labels, Pattern: c.Pattern})
	}
	return h
}

// Mapper returns a mapper for data with the given header. It finds columns by name and labels by
// text. All columns of the encoding except the label's must be there, with the same type; other
// columns are ignored. Errors: [ErrMissingColumn], [ErrColumnType].
//
// The types of CSV columns are found out from their cells. A nominal column without a label, or with
// labels that are all numbers, is then Numeric unless the reader is told, as in the example.
func (e *Encoding) Mapper(h *format.Header) (*Mapper, error) {
	if h == nil || len(h.Attributes) == 0 {
		return nil, errNoColumns
	}
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
		switch {
		case seen[i]:
			return nil, fmt.Errorf("two columns have the name %q", a.Name)
		case a.Type != c.Type:
			return nil, fmt.Errorf("column %q: %w: %s, expected %s", a.Name, ErrColumnType, describe(a.Type), describe(c.Type))
		}
		m.sorted = m.sorted && i > last
		last, seen[i] = i, true
		m.to = append(m.to, i)
		m.labels = append(m.labels, translate(a.Labels, c.Labels))
	}
	var missing []string
	for i, ok := range seen {
		if !ok && i != e.Class {
			missing = append(missing, e.Columns[i].Name)
		}
	}
	if len(missing) > 0 {
		return nil, missingColumns(h, missing)
	}
	m.findZeros()
	return m, nil
}

// missingColumns is the error of columns that data with the header h have not.
func missingColumns(h *format.Header, missing []string) error {
	more, but := "", ""
	if n := len(missing); n > 1 {
		more = fmt.Sprintf(", and %d more", n-1)
	}
	if like, ok := h.ColumnLike(missing[0]); ok {
		but = fmt.Sprintf("; there is one named %q", like)
	}
	return fmt.Errorf("%w: %q%s%s", ErrMissingColumn, missing[0], more, but)
}

// describe names a type in messages.
func describe(t format.Type) string {
	names := [...]string{
		format.Numeric: "numbers", format.Nominal: "declared labels", format.String: "text",
		format.Date: "dates", format.Relational: "tables",
	}
	if t < 0 || int(t) >= len(names) {
		return fmt.Sprintf("unknown type %d", t)
	}
	return names[t]
}

// translate returns the position in to of each label in from, or nil when they
// are the same.
func translate(from, to []string) []int {
	if slices.Equal(from, to) {
		return nil
	}
	place := placesOf(to)
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

// findZeros lists the columns that stand for something else than features which
// are 0 where a row leaves them out.
func (m *Mapper) findZeros() {
	m.findLasting()
	var v vec.Vector
	for i, c := range m.to {
		if c < 0 {
			continue
		}
		zero := m.entry(i, 0)
		v.Index, v.Value = v.Index[:0], v.Value[:0]
		if c != m.e.Class {
			m.put(&v, c, zero.value)
		}
		if c == m.e.Class || len(v.Index) > 0 || m.isUnknown(zero) {
			m.zeros = append(m.zeros, zero)
		}
	}
	slices.SortFunc(m.zeros, byColumn)
}

// findLasting finds the features of nominal columns that no row leaves out.
func (m *Mapper) findLasting() {
	for i := range m.e.Columns {
		c := &m.e.Columns[i]
		if i == m.e.Class || c.Scales == nil || c.Type != format.Nominal || len(c.Labels) <= 2 {
			continue
		}
		for f, s := range c.Scales {
			if s.apply(0) == 0 {
				continue
			}
			if m.lasting == nil {
				m.lasting = make([][]int32, len(m.e.Columns))
			}
			m.lasting[i] = append(m.lasting[i], int32(f))
		}
	}
}

func byColumn(a, b entry) int { return a.column - b.column }

// entry returns the value v of the data's column i in the encoding's terms. What
// stands in a column without labels is missing.
func (m *Mapper) entry(i int, v float64) entry {
	if labels := m.labels[i]; labels != nil && !math.IsNaN(v) {
		if len(labels) == 0 {
			v = math.NaN()
		} else {
			v = float64(labels[int(v)])
		}
	}
	return entry{i, m.to[i], v}
}

// isUnknown reports whether an entry is a label that the encoding does not know.
func (m *Mapper) isUnknown(e entry) bool { return e.value == unknown && m.labels[e.from] != nil }

// Check returns an error unless x is a row under the mapper's header as readers give it: its
// indices increase and are columns, and its values of nominal columns are labels. Use it for rows
// that a program makes itself. In these a column that x does not list is 0, or the first label; NaN
// is a missing value. Infinite values are found by the Check of a predict.Predictor.
func (m *Mapper) Check(x vec.Vector) error { return fits(m.header.Attributes, x) }

// Row sets dst to the features of x that are not 0, and returns its label: NaN if it is missing or
// unknown, or if the data have no such column. For a row that Check refuses, Row may panic or give
// meaningless features.
func (m *Mapper) Row(dst *vec.Vector, x vec.Vector) (y float64) {
	dst.Index, dst.Value = dst.Index[:0], dst.Value[:0]
	m.row = m.row[:0]
	y = math.NaN()
	for k, i := range x.Index {
		if m.to[i] < 0 {
			continue
		}
		e := m.entry(int(i), x.Value[k])
		if m.Unknown != nil && m.isUnknown(e) {
			a := &m.header.Attributes[i]
			m.Unknown(a.Name, a.Labels[int(x.Value[k])])
		}
		m.row = append(m.row, e)
	}
	if !m.sorted {
		slices.SortFunc(m.row, byColumn)
	}
	zeros := m.zeros
	for _, e := range m.row {
		for len(zeros) > 0 && zeros[0].column < e.column {
			m.leftOut(dst, zeros[0], &y)
			zeros = zeros[1:]
		}
		if len(zeros) > 0 && zeros[0].column == e.column {
			zeros = zeros[1:]
		}
		m.take(dst, e, &y)
	}
	for _, z := range zeros {
		m.leftOut(dst, z, &y)
	}
	return y
}

// leftOut takes what a column that the row leaves out stands for.
func (m *Mapper) leftOut(dst *vec.Vector, e entry, y *float64) {
	if m.Unknown != nil && m.isUnknown(e) {
		a := &m.header.Attributes[e.from]
		m.Unknown(a.Name, a.Labels[0])
	}
	m.take(dst, e, y)
}

// take sets y if the entry is the row's label, or else appends its features.
func (m *Mapper) take(dst *vec.Vector, e entry, y *float64) {
	if e.column == m.e.Class {
		*y = m.label(e.value)
	} else {
		m.put(dst, e.column, e.value)
	}
}

// label returns a label as it is trained on.
func (m *Mapper) label(v float64) float64 {
	c := m.e.ClassColumn()
	switch {
	case c.Type == format.Nominal && v == unknown:
		return math.NaN()
	case c.Scales != nil && !math.IsNaN(v):
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
		m.putLabel(dst, i, int(v))
	}
}

// putLabel appends the features of column i, which has one for each label, that are not 0. There
// may be very many labels, so only those are looked at.
func (m *Mapper) putLabel(dst *vec.Vector, i, label int) {
	c := &m.e.Columns[i]
	var lasting []int32
	if m.lasting != nil {
		lasting = m.lasting[i]
	}
	for len(lasting) > 0 && int(lasting[0]) < label {
		m.append(dst, c, int(lasting[0]), 0)
		lasting = lasting[1:]
	}
	if label != unknown {
		m.append(dst, c, label, 1)
		if len(lasting) > 0 && int(lasting[0]) == label {
			lasting = lasting[1:]
		}
	}
	for _, f := range lasting {
		m.append(dst, c, int(f), 0)
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

// ReadAll reads a data set and encodes it. Rows without a label are left out, or kept with label
// NaN if unlabelled is true. A row that does not fit the mapper's header is a [*RowError].
func (m *Mapper) ReadAll(ctx context.Context, src format.Reader, unlabelled bool) (*format.Dataset, error) {
	d := &format.Dataset{Header: &format.Header{Relation: m.e.Relation, Class: -1}}
	var out format.Instance
	for n := 0; ; n++ {
		if n&1023 == 0 && ctx.Err() != nil {
			return nil, ended.Err(ctx)
		}
		in, err := src.Read()
		if err == io.EOF {
			return d, nil
		}
		if err != nil {
			return nil, err
		}
		if err := checkRow(m.header.Attributes, n, in.X); err != nil {
			return nil, err
		}
		out.Y, out.Weight = m.Row(&out.X, in.X), in.Weight
		if unlabelled || !math.IsNaN(out.Y) {
			d.Append(out)
		}
	}
}
