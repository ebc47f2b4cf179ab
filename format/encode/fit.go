package encode

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/internal/ended"
)

// Fit learns an encoding from rows with declared columns. Rows without a label and rows of weight 0
// are ignored.
//
// Errors: [ErrOverflow] for a column whose values, or their sum or range, are infinite; a
// [*TextError] for a column of text or tables; a [*RowError] for a row with a fault, such as one that does
// not fit the header; [ErrWeightless]; and what format.Dataset.Check finds.
func Fit(ctx context.Context, d *format.Dataset, o Options) (*Encoding, error) {
	if err := d.Check(); err != nil {
		return nil, err
	}
	return FitRows(ctx, d.Header, rowsOf(d), o)
}

// FitRows does what Fit does, for rows under the header h that are read in at most four passes. A
// pass ends at the row of a [*RowError].
func FitRows(ctx context.Context, h *format.Header, rows Rows, o Options) (*Encoding, error) {
	if h == nil || len(h.Attributes) == 0 {
		return nil, errNoColumns
	}
	if rows == nil {
		return nil, errors.New("no rows")
	}
	if err := o.Scaling.check(); err != nil {
		return nil, err
	}
	if len(o.Drop) > 0 {
		return fitWithout(ctx, h, rows, o)
	}
	class, err := FindClass(h, o.Class)
	if err != nil {
		return nil, err
	}
	if len(h.Attributes) == 1 {
		return nil, errors.New("there is no column beside the label's")
	}
	e := &Encoding{Relation: h.Relation, Class: class, DecimalComma: o.DecimalComma}
	next := int32(1)
	named := make(map[string]bool, len(h.Attributes))
	for i, a := range h.Attributes {
		if named[a.Name] {
			return nil, fmt.Errorf("two columns have the name %q", a.Name)
		}
		named[a.Name] = true
		if err := checkColumn(i, &a); err != nil {
			return nil, err
		}
		c := Column{Name: a.Name, Type: a.Type, Labels: slices.Clone(a.Labels), Pattern: a.Pattern, First: next}
		switch {
		case i == class && a.Type == format.Nominal && len(a.Labels) == 0:
			return nil, fmt.Errorf("the label's column %q declares no labels", a.Name)
		case i == class:
			next++
		default:
			next += int32(c.features())
		}
		e.Columns = append(e.Columns, c)
	}
	rows = checked(h.Attributes, rows) // in each pass: a file may change
	if err := e.fitFill(ctx, rows); err != nil {
		return nil, err
	}
	if o.Scaling != None {
		if err := e.fitScales(ctx, rows, o); err != nil {
			return nil, err
		}
	}
	e.makeIndex()
	return e, nil
}

// A TextError reports a column of text or of tables, which has no features.
type TextError struct {
	Column int // from 0
	Name   string
	Tables bool // it is a relational column
}

// Error names the column.
func (e *TextError) Error() string {
	if e.Tables {
		return fmt.Sprintf("column %q holds tables, which have no numbers: remove it", e.Name)
	}
	return fmt.Sprintf("column %q holds text, which has no numbers: remove it, or declare its values as nominal", e.Name)
}

// A RowError is a fault of one row of the data.
type RowError struct {
	Row int // from 0
	Err error
}

// Error names the row (counted from 1) and the cause.
func (e *RowError) Error() string { return fmt.Sprintf("row %d: %v", e.Row+1, e.Err) }

// Unwrap returns the cause.
func (e *RowError) Unwrap() error { return e.Err }

// ErrOverflow reports a column whose values, or their sum or range, overflow a float64.
var ErrOverflow = errors.New("values are infinite or too large")

// ErrWeightless reports that all rows have weight 0, as those of a program that set none: a row like
// others has weight 1. Nothing can be learned from them.
var ErrWeightless = errors.New("all rows have weight 0")

// learn calls f with each row that has a label, and its weight, if that is not 0.
func (e *Encoding) learn(ctx context.Context, rows Rows, f func(x vec.Vector, weight float64)) error {
	i, weighty := 0, false
	for in, err := range rows {
		if err == nil && i&1023 == 0 {
			err = ended.Err(ctx)
		}
		i++
		weighty = weighty || in.Weight != 0
		if err == nil {
			if wrong := format.CheckWeight(in.Weight); wrong != nil {
				err = &RowError{i - 1, wrong}
			}
		}
		if err != nil {
			return err
		}
		if in.Weight != 0 && !math.IsNaN(in.X.At(int32(e.Class))) {
			f(in.X, in.Weight)
		}
	}
	if i > 0 && !weighty {
		return ErrWeightless
	}
	return nil
}

// fitScales finds shift and width of every feature from the rows with missing
// values replaced.
func (e *Encoding) fitScales(ctx context.Context, rows Rows, o Options) error {
	m := e.identity()
	columns := make([]moments, e.Features()+1) // by number of the feature, and of the label
	if int(e.ClassColumn().First) >= len(columns) {
		columns = append(columns, moments{})
	}
	seen, total := 0, 0.0
	var x vec.Vector
	err := e.learn(ctx, rows, func(raw vec.Vector, weight float64) {
		y := m.Row(&x, raw)
		for k, i := range x.Index {
			columns[i].catchUp(seen, total)
			columns[i].add(x.Value[k], weight)
		}
		columns[e.ClassColumn().First].add(y, weight)
		seen++
		total += weight
	})
	if err != nil {
		return err
	}
	for i := range e.Columns {
		c := &e.Columns[i]
		nominal := c.Type == format.Nominal
		n := c.features()
		switch {
		case i == e.Class && (nominal || !o.ColumnsFirst && !o.ScaleLabel):
			continue
		case nominal && o.ColumnsFirst:
			continue
		}
		for f := range n {
			at := &columns[int(c.First)+f]
			at.catchUp(seen, total)
			s := at.scale(o.Scaling)
			if !finite(s.Shift) || !finite(s.Width) {
				return fmt.Errorf("column %q: %w", c.Name, ErrOverflow)
			}
			c.Scales = append(c.Scales, s)
		}
	}
	return nil
}

// overflow returns the error of a column whose sum is not finite, that of the first row
// with a part in it that holds an infinite value if there is one.
func (e *Encoding) overflow(rows Rows, column int) error {
	i := -1
	for in := range rows {
		i++
		if x := in.X; in.Weight != 0 && math.IsInf(x.At(int32(column)), 0) && !math.IsNaN(x.At(int32(e.Class))) {
			return &RowError{i, fmt.Errorf("column %q: %w", e.Columns[column].Name, ErrOverflow)}
		}
	}
	return fmt.Errorf("column %q: %w", e.Columns[column].Name, ErrOverflow)
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
