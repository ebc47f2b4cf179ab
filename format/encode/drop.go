package encode

import (
	"context"
	"errors"
	"fmt"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
)

// ErrClassDropped reports that Options.Drop names the label's column.
var ErrClassDropped = errors.New("the label's column cannot be dropped")

// A Dropping shows rows without some of their columns.
type Dropping struct {
	Header *format.Header // of the remaining columns

	from []int   // the data's column of each that is left
	to   []int32 // what is left of the data's columns; dropped: nothing
}

const dropped = -1

// NewDropping returns a Dropping that leaves out the columns drop of h, which [FindColumn] must
// find. The label's column, at position class, must not be one of them.
func NewDropping(h *format.Header, class int, drop []string) (*Dropping, error) {
	if h == nil {
		return nil, errNoColumns
	}
	d := &Dropping{to: make([]int32, len(h.Attributes))}
	find := ColumnFinder(h)
	for _, column := range drop {
		i, err := find(column)
		if err != nil {
			return nil, err
		}
		if i == class {
			return nil, fmt.Errorf("column %q: %w", h.Attributes[i].Name, ErrClassDropped)
		}
		d.to[i] = dropped
	}
	left := *h
	left.Attributes = nil
	for i, a := range h.Attributes {
		if d.to[i] == dropped {
			continue
		}
		if i == class {
			left.Class = len(left.Attributes)
		}
		d.to[i] = int32(len(left.Attributes))
		d.from = append(d.from, i)
		left.Attributes = append(left.Attributes, a)
	}
	d.Header = &left
	return d, nil
}

// From returns the position in the data of the remaining column i.
func (d *Dropping) From(i int) int { return d.from[i] }

// To returns the position among the remaining columns of the data's column i. ok is false if that
// is dropped.
func (d *Dropping) To(i int) (to int, ok bool) { return int(d.to[i]), d.to[i] != dropped }

// Row sets dst to x without the dropped columns. An index that is not a column of the data becomes
// one that is not a remaining column.
func (d *Dropping) Row(dst *vec.Vector, x vec.Vector) {
	dst.Index, dst.Value = dst.Index[:0], dst.Value[:0]
	for k, i := range x.Index {
		switch {
		case i >= 0 && int(i) < len(d.to):
			i = d.to[i]
		case i >= 0:
			i -= int32(len(d.to) - len(d.from))
		default:
			i-- // -1 is dropped
		}
		if i != dropped {
			dst.Index, dst.Value = append(dst.Index, i), append(dst.Value, x.Value[k])
		}
	}
}

// rows returns rows of the data without the columns.
func (d *Dropping) rows(all Rows) Rows {
	return func(yield func(format.Instance, error) bool) {
		var left vec.Vector
		for in, err := range all {
			d.Row(&left, in.X)
			in.X = left
			if !yield(in, err) {
				return
			}
		}
	}
}

// fitWithout is FitRows for options that drop columns.
func fitWithout(ctx context.Context, h *format.Header, rows Rows, o Options) (*Encoding, error) {
	class, err := FindClass(h, o.Class)
	if err != nil {
		return nil, err
	}
	d, err := NewDropping(h, class, o.Drop)
	if err != nil {
		return nil, err
	}
	o.Class, o.Drop = "", nil // it is the header's own
	e, err := FitRows(ctx, d.Header, d.rows(rows), o)
	if text := (*TextError)(nil); errors.As(err, &text) {
		return nil, &TextError{Column: d.from[text.Column], Name: text.Name, Tables: text.Tables}
	}
	return e, err
}
