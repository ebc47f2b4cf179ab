package main

import (
	"errors"
	"io"
	"math"
	"strconv"

	"github.com/slimsvm/slimsvm/cmd/internal/datafile"
	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/encode"
	"github.com/slimsvm/slimsvm/format/vec"
)

// rows gives the rows of a data set as a model wants them, columns declared or not.
type rows struct {
	in    *input
	named *datafile.Rows // nil: as they are
	raw   *format.Instance
}

// rowsFor returns the rows of in for a model with the given encoding.
func (e *env) rowsFor(in *input, encoding *encode.Encoding, w *warner) (*rows, error) {
	r := &rows{in: in, raw: new(format.Instance)}
	switch {
	case !in.declared():
		return r, nil
	case encoding == nil:
		return nil, hinted{in.at(datafile.ErrNoInputs),
			"train it with slimsvm train on data that declare their columns, or encode the data"}
	}
	var err error
	r.named, err = datafile.NewLooseRows(in, encoding, func(text string) { w.warn("%s: %s", in.path, text) })
	if errors.Is(err, datafile.ErrNoColumns) {
		return nil, hinted{err, "the model wants columns with these names: " + namesOf(encoding)}
	}
	if err != nil {
		return nil, err
	}
	r.raw = r.named.Raw()
	r.named.Unknown = func(column, label string) {
		if column != encoding.ClassColumn().Name { // of labels answers tells
			w.warn("%s: label %q of column %q does not occur in the training data; it counts as none of its labels", in.path, label, column)
		}
	}
	return r, nil
}

// namesOf lists the columns that become features.
func namesOf(e *encode.Encoding) string {
	const most = 10
	text, n := "", 0
	for i := range e.Columns {
		if i == e.Class {
			continue
		}
		if n++; n > most {
			return text + ", ..."
		}
		if n > 1 {
			text += ", "
		}
		text += strconv.Quote(e.Columns[i].Name)
	}
	return text
}

// next returns the next row's features and label, which is NaN where there is
// none, or io.EOF. stranger is the text of a label that the model does not know;
// then y is NaN too.
func (r *rows) next() (x vec.Vector, y float64, stranger string, err error) {
	if r.named == nil {
		if *r.raw, err = r.in.Read(); err != nil {
			if err != io.EOF {
				err = r.in.at(err)
			}
			return x, 0, "", err
		}
		return r.raw.X, r.raw.Y, "", nil
	}
	if x, y, err = r.named.Next(); r.named.Stranger() != "" {
		y = math.NaN()
	}
	return x, y, r.named.Stranger(), err
}
