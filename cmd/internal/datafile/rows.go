package datafile

import (
	"fmt"
	"io"
	"math"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/csvfmt"
	"github.com/slimsvm/slimsvm/format/encode"
	"github.com/slimsvm/slimsvm/format/textscan"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// A Source is an open file with declared columns: a File, or what reads one.
type Source interface {
	format.Reader
	At(err error) error    // puts the file's name into an error of reading it
	Check(err error) error // returns what an error of its content comes from
	Texts() *csvfmt.Reader // which tells the texts of cells; nil: what Read returns is all there is
}

var _ Source = (*File)(nil)

// Rows are the rows of a file with declared columns as an encoding of other data
// turns them into numbers. Columns are found by name, labels by text, whatever
// their order in the file.
type Rows struct {
	// Unknown is called with the column and text of labels that the training data
	// did not declare; it may be nil.
	Unknown func(column, label string)

	in          Source
	mapper      *encode.Mapper
	retype      retype
	absent      []int32        // columns added to the header, missing in every row
	declared    *format.Header // of the file
	header      *format.Header // with the types and columns that the encoding wants
	class       int32          // the labels' column in the file; -1: none
	texts       *csvfmt.Reader // tells the texts of columns that change; nil: nobody does
	numbers     bool           // labels are compared as the numbers that their texts are
	number      int            // of rows so far
	raw         format.Instance
	fitted      vec.Vector // raw.X under header, if that takes a change
	x           vec.Vector
	unknownText string
	precomputed *precomputedRows // nil: features are no kernel values
	values      []bool           // which of the file's columns become features
}

// UnknownLabel is the label of a row whose text the training data did not have.
const UnknownLabel = -1

// NewRows returns the rows of f for an encoding. All its columns but the label's must
// be there, with their types, except that any may be text. CSV declares no types: there
// cells are told by their texts.
func NewRows(f *File, e *encode.Encoding) (*Rows, error) {
	if r := f.Texts(); r != nil && e.DecimalComma {
		r.LikelyComma = true // unless the header was read
	}
	h, err := f.Header()
	if err != nil {
		return nil, f.At(err)
	}
	r := &Rows{in: f, declared: h}
	return r, r.begin(h, e, byType)
}

// begin makes the mapper for the header h, with types as they were in training. by says what tells what the
// cells are in a file that declares types.
func (r *Rows) begin(h *format.Header, e *encode.Encoding, by cellsBy) (err error) {
	texts := r.in.Texts()
	if texts != nil {
		by = byTexts
	}
	if r.header, r.retype, err = retyped(h, e, by); err != nil {
		return r.in.At(err)
	}
	if r.retype != nil && texts != nil {
		r.texts = texts
		for _, n := range r.retype {
			if n != nil {
				n.comma = texts.Decimal() == ','
			}
		}
		texts.KeepTexts(r.retype.columns())
		texts.AllowInvalidNumbers(r.retype.columns()) // as the model has them they are other than numbers
	}
	if r.mapper, err = e.Mapper(r.header); err != nil {
		return r.in.At(err)
	}
	standIns := r.retype.standIns()
	r.mapper.Unknown = func(column, label string) {
		if r.Unknown == nil {
			return
		}
		if text, changes := standIns[column]; !changes || text != label {
			r.Unknown(column, label)
		}
	}
	known := make(map[string]bool, len(e.Columns))
	for i := range e.Columns {
		known[e.Columns[i].Name] = i != e.Class
	}
	r.values, r.class = make([]bool, len(r.header.Attributes)), -1
	for i, a := range r.header.Attributes {
		r.values[i] = known[a.Name]
		if a.Name == e.ClassColumn().Name {
			r.class = int32(i)
		}
	}
	return nil
}

// NewRowsFor returns the rows of f as a model with the given encoding wants them:
// features may be kernel values, and labels are numbers for a one-class model.
func NewRowsFor(m *models.Model, f *File, e *encode.Encoding) (*Rows, error) {
	r, err := NewRows(f, e)
	if err != nil {
		return nil, err
	}
	r.numbers = m.Task == models.OneClass && e.Nominal()
	return r, r.TakeKernel(m, e)
}

// TakeKernel makes features kernel values if the kernel of a model with the given encoding is precomputed.
func (r *Rows) TakeKernel(m *models.Model, e *encode.Encoding) (err error) {
	if m.Kernel == (kernel.Precomputed{}) {
		r.precomputed, err = newPrecomputedRows(e)
	}
	return err
}

// Number returns the number of the last row, from 1.
func (r *Rows) Number() int { return r.number }

// Raw returns the last row as the file has it, valid until the next.
func (r *Rows) Raw() *format.Instance { return &r.raw }

// UnknownText returns the text of the last row's label if that is UnknownLabel, else "".
func (r *Rows) UnknownText() string { return r.unknownText }

// Next returns the features and the label of the next row, or io.EOF. The label
// is NaN where there is none, and UnknownLabel where training did not have it.
func (r *Rows) Next() (x vec.Vector, y float64, err error) {
	r.unknownText = ""
	if r.raw, err = r.in.Read(); err != nil {
		if err != io.EOF {
			err = r.in.At(err)
		}
		return x, 0, err
	}
	r.number++
	row, err := r.fit()
	if err != nil {
		return x, 0, r.in.Check(err)
	}
	if r.precomputed != nil {
		if column, ok := firstMissing(row, r.values); ok {
			return x, 0, r.in.Check(r.Here(fmt.Errorf("column %q: the kernel value is missing", r.header.Attributes[column].Name)))
		}
	}
	y = r.mapper.Row(&r.x, row)
	if r.class >= 0 {
		y = r.label(row.At(r.class), y)
	}
	if r.precomputed != nil {
		return r.precomputed.row(r.x), y, nil
	}
	return r.x, y, nil
}

// Here puts the file's name and the line of the last row, or its number where nobody tells
// lines, into an error of that row.
func (r *Rows) Here(err error) error {
	if l, ok := r.in.(interface{ Line() int }); ok && l.Line() > 0 {
		return r.in.At(&format.Error{Line: l.Line(), Err: err})
	}
	return r.in.At(fmt.Errorf("row %d: %w", r.number, err))
}

// fit returns the values of the last row under the header.
func (r *Rows) fit() (x vec.Vector, err error) {
	if r.retype == nil && r.absent == nil {
		return r.raw.X, nil
	}
	f, n := &r.fitted, int32(len(r.declared.Attributes))
	f.Index, f.Value = append(f.Index[:0], r.raw.X.Index...), append(f.Value[:0], r.raw.X.Value...)
	if r.retype != nil {
		if len(f.Index) < int(n) { // zeros are numbers too
			f.Index, f.Value = f.Index[:0], f.Value[:0]
			for i := range n {
				f.Index, f.Value = append(f.Index, i), append(f.Value, r.raw.X.At(i))
			}
		}
		for k, i := range f.Index {
			if n := r.retype[i]; n != nil && (!math.IsNaN(f.Value[k]) || r.isLabel(n)) {
				if f.Value[k], err = r.value(n, f.Value[k]); err != nil {
					return x, err
				}
			}
		}
	}
	for _, i := range r.absent {
		f.Index, f.Value = append(f.Index, i), append(f.Value, math.NaN())
	}
	return *f, nil
}

// isLabel reports whether a cell that is read as no number is a label of training by its text, such as NaN.
func (r *Rows) isLabel(n *change) bool {
	if r.texts == nil || n.column.Type != format.Nominal || r.texts.Lacks(n.at) {
		return false
	}
	text, _ := r.cell(n, 0)
	_, ok := n.places[text]
	return ok
}

// label returns the label of a row that has v in the labels' column, given what
// the encoding takes it for.
func (r *Rows) label(v, y float64) float64 {
	switch {
	case math.IsNaN(v):
		return v
	case r.retype != nil && r.retype[r.class] != nil && r.header.Attributes[r.class].Type == format.Numeric:
		return y
	case r.numbers: // a one-class model answers 1 and -1
		return number(r.labelText())
	case math.IsNaN(y):
		r.unknownText = r.labelText()
		return UnknownLabel
	}
	return y
}

// labelText returns the text that stands in the label's column of the last row.
func (r *Rows) labelText() string {
	v := r.raw.X.At(r.class)
	if r.retype != nil && r.retype[r.class] != nil {
		text, _ := r.cell(r.retype[r.class], v)
		return text
	}
	return r.declared.Attributes[r.class].Labels[int(v)]
}

// number returns the number that a text is, or NaN.
func number(text string) float64 {
	if v, n, _ := textscan.Float([]byte(text)); n > 0 && n == len(text) {
		return v
	}
	return math.NaN()
}
