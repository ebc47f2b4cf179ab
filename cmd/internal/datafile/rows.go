package datafile

import (
	"fmt"
	"io"
	"math"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/encode"
	"github.com/slimsvm/slimsvm/format/textscan"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// Rows are the rows of a file with declared columns as an encoding of other data
// turns them into numbers. Columns are found by name, labels by text, whatever
// their order in the file.
type Rows struct {
	// Unknown is told the column and text of labels that the training data did
	// not declare; nil: nobody is told.
	Unknown func(column, label string)

	f      *File
	mapper *encode.Mapper
	retype retype
	header *format.Header // with the types that the model wants
	class  int32          // the labels' column in the file; -1: none
	texts  bool           // labels are compared as the numbers that their texts are
	number int            // of rows so far
	x      vec.Vector
	square *square // nil: features are no kernel values
	values []bool  // which of the file's columns become features
}

// UnknownLabel is the label of a row whose text the training data did not have.
const UnknownLabel = -1

// NewRows returns the rows of f for an encoding.
func NewRows(f *File, e *encode.Encoding) (*Rows, error) {
	h, err := f.Header()
	if err != nil {
		return nil, f.At(err)
	}
	r := &Rows{f: f, class: -1}
	r.header, r.retype = retyped(h, e, f.Codec)
	if r.mapper, err = e.Mapper(r.header); err != nil {
		return nil, f.At(err)
	}
	r.mapper.Unknown = func(column, label string) {
		if r.Unknown != nil && !r.retype.standIn(column, label) {
			r.Unknown(column, label)
		}
	}
	known := make(map[string]bool, len(e.Columns))
	for i := range e.Columns {
		known[e.Columns[i].Name] = i != e.Class
	}
	r.values = make([]bool, len(r.header.Attributes))
	for i, a := range r.header.Attributes {
		r.values[i] = known[a.Name]
		if a.Name == e.ClassColumn().Name {
			r.class = int32(i)
		}
	}
	return r, nil
}

// NewRowsFor returns the rows of f as a model with the given encoding wants them:
// features may be kernel values, and labels are numbers for a one-class model.
func NewRowsFor(m *models.Model, f *File, e *encode.Encoding) (*Rows, error) {
	r, err := NewRows(f, e)
	if err != nil {
		return nil, err
	}
	r.texts = m.Task == models.OneClass && e.Nominal()
	if m.Kernel == (kernel.Precomputed{}) {
		r.square, err = newSquare(e)
	}
	return r, err
}

// Number returns the number of the last row, from 1.
func (r *Rows) Number() int { return r.number }

// Next returns the features and the label of the next row, or io.EOF. The label
// is NaN where there is none, and UnknownLabel where training did not have it.
func (r *Rows) Next() (x vec.Vector, y float64, err error) {
	in, err := r.f.Read()
	if err != nil {
		if err != io.EOF {
			err = r.f.At(err)
		}
		return x, 0, err
	}
	r.number++
	row := in.X
	if r.retype != nil {
		r.retype.row(row, r.Unknown)
	}
	if r.square != nil {
		if column, ok := firstMissing(row, r.values); ok {
			return x, 0, r.f.At(fmt.Errorf("row %d: column %q is missing, which is no kernel value", r.number, r.header.Attributes[column].Name))
		}
	}
	y = r.mapper.Row(&r.x, row)
	if r.class >= 0 {
		y = r.label(row.At(r.class), y)
	}
	if r.square != nil {
		return r.square.row(r.x), y, nil
	}
	return r.x, y, nil
}

// label returns the label of a row that has v in the labels' column, given what
// the encoding takes it for.
func (r *Rows) label(v, y float64) float64 {
	switch {
	case math.IsNaN(v):
		return v
	case r.texts: // a one-class model answers 1 and -1
		return number(r.header.Attributes[r.class].Labels[int(v)])
	case math.IsNaN(y):
		return UnknownLabel
	}
	return y
}

// number returns the number that a text is, or NaN.
func number(text string) float64 {
	if v, n, _ := textscan.Float([]byte(text)); n > 0 && n == len(text) {
		return v
	}
	return math.NaN()
}
