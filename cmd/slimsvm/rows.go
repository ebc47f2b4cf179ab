package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
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

// rowsFor returns the rows of in for a model with the given encoding. class is the
// label's column as --class has it; "": the one that is called as in training.
func (e *env) rowsFor(in *input, class string, encoding *encode.Encoding, w *warner) (*rows, error) {
	r := &rows{in: in, raw: new(format.Instance)}
	switch {
	case !in.declared():
		return r, nil
	case encoding == nil:
		return nil, hinted{in.at(datafile.ErrNoInputs),
			"train it with slimsvm train on data that declare their columns, or encode the data"}
	}
	from, err := labelledBy(in, class, encoding)
	if err != nil {
		return nil, err
	}
	r.named, err = datafile.NewLooseRows(from, encoding, func(text string) { w.warn("%s: %s", in.path, text) })
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

// relabelled is a file with another name for the label's column.
type relabelled struct {
	*input
	header *format.Header
}

// Header returns the columns.
func (r *relabelled) Header() (*format.Header, error) { return r.header, nil }

// labelledBy returns in with the column that class tells as the encoding's label.
func labelledBy(in *input, class string, e *encode.Encoding) (datafile.Source, error) {
	at, err := labelColumn(in, class, e)
	if class == "" || err != nil {
		return in, err
	}
	label := e.ClassColumn()
	if a := in.header.Attributes[at]; !datafile.FitsLabel(a, label, in.Texts() != nil) {
		return nil, in.at(fmt.Errorf("column %q holds no labels as column %q of the training data", a.Name, label.Name))
	}
	h := *in.header
	h.Attributes = slices.Clone(h.Attributes)
	for i := range h.Attributes {
		if a := &h.Attributes[i]; i == at {
			a.Name = label.Name
		} else if a.Name == label.Name {
			a.Name += "\x00" // which no column is called
		}
	}
	return &relabelled{in, &h}, nil
}

// labelColumn returns the column of in that has the labels for an encoding, -1: none.
func labelColumn(in *input, class string, e *encode.Encoding) (int, error) {
	if class != "" {
		at, err := encode.FindClass(in.header, class)
		return at, in.at(err)
	}
	return slices.IndexFunc(in.header.Attributes, func(a format.Attribute) bool { return a.Name == e.ClassColumn().Name }), nil
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
