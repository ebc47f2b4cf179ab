package encode

import (
	"errors"
	"fmt"
	"iter"
	"math"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
)

// Rows is the rows of a data set in order. It must give the same rows each time it is called. A row
// is valid until the next; an error must be the last element.
type Rows = iter.Seq2[format.Instance, error]

func rowsOf(d *format.Dataset) Rows {
	return func(yield func(format.Instance, error) bool) {
		for i := range d.Len() {
			in := format.Instance{X: d.X.Row(i), Weight: 1}
			if d.Weight != nil {
				in.Weight = d.Weight[i]
			}
			if !yield(in, nil) {
				return
			}
		}
	}
}

// checked gives rows up to the first that does not fit the columns: its *RowError is the last thing.
func checked(columns []format.Attribute, rows Rows) Rows {
	return func(yield func(format.Instance, error) bool) {
		i := -1
		for in, err := range rows {
			i++
			if err == nil {
				err = checkRow(columns, i, in.X)
			}
			if !yield(in, err) || err != nil {
				return
			}
		}
	}
}

// checkRow returns a *RowError unless x, row i, is a row under the columns.
func checkRow(columns []format.Attribute, i int, x vec.Vector) error {
	if err := fits(columns, x); err != nil {
		return &RowError{i, err}
	}
	return nil
}

// fits returns an error unless x is a row under the columns, as those of every reader are: indices
// that increase and are columns, and labels where there are any.
func fits(columns []format.Attribute, x vec.Vector) error {
	if err := x.CheckIndices(); err != nil {
		return err
	}
	if n := len(x.Index); n > 0 && int(x.Index[n-1]) >= len(columns) {
		return fmt.Errorf("a value at position %d, expected 0 to %d: columns are counted from 0", x.Index[n-1], len(columns)-1)
	}
	for k, at := range x.Index {
		if a := &columns[at]; a.Type == format.Nominal {
			if v := x.Value[k]; !isPosition(v, len(a.Labels)) && !math.IsNaN(v) {
				return fmt.Errorf("column %q: there is no label %v of %d: they are counted from 0", a.Name, v, len(a.Labels))
			}
		}
	}
	return nil
}

// isPosition reports whether v is one of n positions.
func isPosition(v float64, n int) bool { return v >= 0 && v < float64(n) && v == math.Trunc(v) }

// checkColumn returns an error unless features can be made of a column.
func checkColumn(at int, a *format.Attribute) error {
	switch a.Type {
	case format.Numeric, format.Date:
		return nil
	case format.Nominal:
		if label, ok := repeated(a.Labels); ok {
			return fmt.Errorf("column %q: two labels %q", a.Name, label)
		}
		return nil
	case format.String, format.Relational:
		return &TextError{Column: at, Name: a.Name, Tables: a.Type == format.Relational}
	}
	return fmt.Errorf("column %q: unknown type %d", a.Name, a.Type)
}

// repeated returns the first label that is like one before it.
func repeated(labels []string) (label string, ok bool) {
	seen := make(map[string]bool, len(labels))
	for _, label := range labels {
		if seen[label] {
			return label, true
		}
		seen[label] = true
	}
	return "", false
}

// errNoColumns reports data that are numbered features, or nothing.
var errNoColumns = errors.New("the data declare no columns")
