package encode

import (
	"context"
	"errors"
	"fmt"

	"github.com/slimsvm/slimsvm/format"
)

// ErrClassDropped: the label's column is one that Options.Drop names.
var ErrClassDropped = errors.New("the label's column cannot be dropped")

// dropping shows rows without some of their columns.
type dropping struct {
	header *format.Header // without them
	from   []int          // the data's column of each that is left
	to     []int32        // what is left of the data's columns; dropped: nothing
}

const dropped = -1

// newDropping returns the columns of h without those that are named, or numbered from 1.
// The label's column, at class, is none of them.
func newDropping(h *format.Header, class int, drop []string) (*dropping, error) {
	d := &dropping{to: make([]int32, len(h.Attributes))}
	for _, column := range drop {
		i, err := FindColumn(h, column)
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
	d.header = &left
	return d, nil
}

// rows returns rows of the data without the columns. An index that no column of the data
// has stays one that none has.
func (d *dropping) rows(all Rows) Rows {
	return func(yield func(format.Instance, error) bool) {
		var out format.Instance
		for in, err := range all {
			x := out.X
			x.Index, x.Value = x.Index[:0], x.Value[:0]
			for k, i := range in.X.Index {
				switch {
				case i >= 0 && int(i) < len(d.to):
					i = d.to[i]
				case i >= 0:
					i -= int32(len(d.to) - len(d.from))
				default:
					i-- // -1 is dropped
				}
				if i != dropped {
					x.Index, x.Value = append(x.Index, i), append(x.Value, in.X.Value[k])
				}
			}
			out = in
			out.X = x
			if !yield(out, err) {
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
	d, err := newDropping(h, class, o.Drop)
	if err != nil {
		return nil, err
	}
	o.Class, o.Drop = "", nil // it is the header's own
	e, err := FitRows(ctx, d.header, d.rows(rows), o)
	if text := (*TextError)(nil); errors.As(err, &text) {
		return nil, &TextError{Column: d.from[text.Column], Name: text.Name}
	}
	return e, err
}
