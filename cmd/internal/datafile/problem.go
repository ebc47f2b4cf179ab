package datafile

import (
	"context"
	"errors"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/encode"
)

// A Problem is a training set in numbers.
type Problem struct {
	Data     *format.Dataset
	Encoding *encode.Encoding // nil: numbers as they stood
}

// ErrUnlabelled reports data without a row that has a label.
var ErrUnlabelled = errors.New("no row has a label")

var errNoRows = errors.New("the data set has no rows")

// LeftOut is the format of what is said of rows that teach nothing, since they have no label: the
// name of the data, and the number of rows.
const LeftOut = "%s: rows without a label are left out: %d"

// Encode returns rows of a format as numbers. Rows with declared columns are
// encoded by what is learned from them, and those without a label left out.
func Encode(ctx context.Context, rows *format.Dataset, o encode.Options) (p Problem, err error) {
	if len(rows.Header.Attributes) == 0 {
		return Problem{Data: rows}, nil
	}
	e, err := encode.Fit(ctx, rows, o)
	if err != nil {
		return p, err
	}
	return EncodeAs(ctx, rows, e)
}

// EncodeAs returns rows with declared columns as an encoding that was learned from them has them.
// Those without a label are left out.
func EncodeAs(ctx context.Context, rows *format.Dataset, e *encode.Encoding) (p Problem, err error) {
	p.Encoding = e
	if rows.Len() == 0 {
		return p, errNoRows
	}
	if p.Data, err = e.Encode(ctx, rows); err == nil && p.Data.Len() == 0 {
		err = ErrUnlabelled
	}
	return p, err
}

// Inputs returns the text that is kept with a model, nil for none.
func (p *Problem) Inputs() ([]byte, error) {
	if p.Encoding == nil {
		return nil, nil
	}
	return p.Encoding.MarshalText()
}
