package datafile

import (
	"context"
	"fmt"
	"math"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/encode"
	"github.com/slimsvm/slimsvm/format/vec"
)

// precomputedRows makes rows of a precomputed kernel of encoded ones: the first column
// that is not the label's is the serial number, which stands at index 0, the next
// ones are the kernel values 1, 2, ..., none of which may be left out.
type precomputedRows struct {
	place []int32 // index of each feature, from feature 1; -1: the label's number
	x     vec.Vector
}

// newPrecomputedRows returns an error unless all columns but the label's are numbers that
// stand as they are.
func newPrecomputedRows(e *encode.Encoding) (*precomputedRows, error) {
	s := new(precomputedRows)
	n := int32(0)
	for i := range e.Columns {
		c := &e.Columns[i]
		switch {
		case i == e.Class:
			s.place = append(s.place, -1)
			continue
		case c.Type == format.Nominal:
			return nil, fmt.Errorf("column %q holds labels, expected kernel values", c.Name)
		case c.Scales != nil:
			return nil, fmt.Errorf("column %q is scaled, and kernel values must stay as they are", c.Name)
		}
		s.place = append(s.place, n)
		s.x.Index = append(s.x.Index, n)
		n++
	}
	s.x.Value = make([]float64, n)
	return s, nil
}

// row returns an encoded row as a row of the kernel, valid until the next call.
func (s *precomputedRows) row(x vec.Vector) vec.Vector {
	clear(s.x.Value)
	for k, i := range x.Index {
		s.x.Value[s.place[i-1]] = x.Value[k]
	}
	return s.x
}

// firstMissing returns the first of some columns that is missing in a row.
func firstMissing(x vec.Vector, of []bool) (column int32, ok bool) {
	for k, i := range x.Index {
		if of[i] && math.IsNaN(x.Value[k]) {
			return i, true
		}
	}
	return 0, false
}

// Precomputed makes a problem with encoded columns one of a precomputed kernel. Row i of it was made of row(i) of
// rows; the others take no part, and what is missing in them is of no use to anybody.
func (p *Problem) Precomputed(ctx context.Context, rows *format.Dataset, row func(i int) int) error {
	if p.Encoding == nil {
		return nil
	}
	s, err := newPrecomputedRows(p.Encoding)
	if err != nil {
		return err
	}
	known := make(map[string]bool, len(p.Encoding.Columns)) // columns that were left out are not
	for i := range p.Encoding.Columns {
		known[p.Encoding.Columns[i].Name] = i != p.Encoding.Class
	}
	values := make([]bool, len(rows.Header.Attributes))
	for i := range values {
		values[i] = known[rows.Header.Attributes[i].Name]
	}
	d := &format.Dataset{Header: p.Data.Header}
	for i := range p.Data.Len() {
		if i&1023 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if column, ok := firstMissing(rows.X.Row(row(i)), values); ok {
			return &encode.RowError{Row: row(i), Err: fmt.Errorf("column %q: the kernel value is missing", rows.Header.Attributes[column].Name)}
		}
		in := format.Instance{X: s.row(p.Data.X.Row(i)), Y: p.Data.Y[i], Weight: 1}
		if p.Data.Weight != nil {
			in.Weight = p.Data.Weight[i]
		}
		d.Append(in)
	}
	p.Data = d
	return nil
}
