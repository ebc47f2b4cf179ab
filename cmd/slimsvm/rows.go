package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/encode"
	"github.com/slimsvm/slimsvm/format/vec"
)

// rows gives the rows of a data set as a model wants them. Columns are found by
// name and labels by text, and where that is not enough:
//
//   - A column of the training data that the data set lacks is missing in all
//     rows, and there is a warning. If all are, it is an error.
//   - Numbers in a column that was nominal in training, because in CSV it held text
//     as well, are the labels that are these numbers.
//   - The label's column may be anything if it does not hold labels as those of
//     training: then no row has a label.
type rows struct {
	in     *input
	mapper *encode.Mapper // nil: as they are
	absent []int32        // numbers of columns added to the header, always missing
	codes  map[int32]codes
	class  int32 // the label's column in the data; -1: none
	raw    format.Instance
	fitted vec.Vector
	x      vec.Vector
}

// codes are the places of labels that are numbers.
type codes struct {
	place map[float64]float64
	other float64 // the place of all other numbers
}

func (c *codes) of(v float64) float64 {
	if math.IsNaN(v) {
		return v
	}
	if place, ok := c.place[v]; ok {
		return place
	}
	return c.other
}

// unknownLabel stands for labels that were not in the training data. No text of a
// label has a NUL in it.
const unknownLabel = "\x00unknown"

// rowsFor returns the rows of in for a model with the given encoding.
func (e *env) rowsFor(in *input, encoding *encode.Encoding, w *warner) (*rows, error) {
	r := &rows{in: in, class: -1}
	switch {
	case !in.declared():
		return r, nil
	case encoding == nil:
		return nil, hinted{in.at(errors.New("the model does not say how declared columns become features")),
			"train it with slimsvm train on data that declare their columns, or encode the data"}
	}
	h := r.fit(encoding, w)
	if len(r.absent) == len(encoding.Columns)-1 {
		return nil, hinted{in.at(errors.New("no column of the training data is there")), "the model wants columns with these names: " + namesOf(encoding)}
	}
	var err error
	if r.mapper, err = encoding.Mapper(h); err != nil {
		return nil, in.at(err)
	}
	r.mapper.Unknown = func(column, label string) {
		if label != unknownLabel && column != encoding.ClassColumn().Name { // of labels answers tells
			w.warn("%s: label %q of column %q does not occur in the training data; it counts as none of its labels", in.path, label, column)
		}
	}
	return r, nil
}

// fit returns the header of the data as the encoding can take it.
func (r *rows) fit(encoding *encode.Encoding, w *warner) *format.Header {
	h := *r.in.header
	h.Attributes = append([]format.Attribute(nil), h.Attributes...)
	at := map[string]int{}
	for i, a := range h.Attributes {
		at[a.Name] = i
	}
	for k := range encoding.Columns {
		c := &encoding.Columns[k]
		i, ok := at[c.Name]
		switch {
		case k == encoding.Class && ok && !fitsLabel(h.Attributes[i], c):
			h.Attributes[i].Name += "\x00" // which no column is called
			w.warn("%s: column %q holds no labels as in training: there is no score", r.in.path, c.Name)
		case k == encoding.Class && !ok:
		case !ok:
			h.Attributes = append(h.Attributes, format.Attribute{Name: c.Name, Type: c.Type, Labels: c.Labels})
			r.absent = append(r.absent, int32(len(h.Attributes)-1))
			w.warn("%s: column %q is missing, %s stands for it in every row; add the column", r.in.path, c.Name, fillOf(c))
		case isNumeric(h.Attributes[i], c):
			r.takeCodes(int32(i), &h.Attributes[i], c)
		}
		if k == encoding.Class && ok && h.Attributes[i].Name == c.Name {
			r.class = int32(i)
		}
	}
	return &h
}

// fitsLabel reports whether the column a can hold labels or targets of c.
func fitsLabel(a format.Attribute, c *encode.Column) bool {
	switch a.Type {
	case format.String, format.Relational:
		return false
	case format.Nominal:
		return c.Type == format.Nominal
	}
	return a.Type == c.Type || isNumeric(a, c)
}

// isNumeric reports whether a is numeric and the column of training nominal.
func isNumeric(a format.Attribute, c *encode.Column) bool {
	return a.Type == format.Numeric && c.Type == format.Nominal
}

// takeCodes makes a numeric column nominal, with the labels of training.
func (r *rows) takeCodes(i int32, a *format.Attribute, c *encode.Column) {
	a.Type = format.Nominal
	a.Labels = append(append([]string(nil), c.Labels...), unknownLabel)
	known := codes{place: map[float64]float64{}, other: float64(len(c.Labels))}
	for k, label := range c.Labels {
		if v, err := strconv.ParseFloat(label, 64); err == nil {
			known.place[v] = float64(k)
		}
	}
	if r.codes == nil {
		r.codes = map[int32]codes{}
	}
	r.codes[i] = known
}

// fillOf returns what stands for a missing value, in words.
func fillOf(c *encode.Column) string {
	if c.Type == format.Nominal && int(c.Fill) < len(c.Labels) {
		return fmt.Sprintf("%q, the commonest label of training,", c.Labels[int(c.Fill)])
	}
	return fmt.Sprintf("%.6g, the mean of training,", c.Fill)
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
	r.raw, err = r.in.Read()
	if err != nil {
		if err != io.EOF {
			err = r.in.at(err)
		}
		return x, 0, "", err
	}
	if r.mapper == nil {
		return r.raw.X, r.raw.Y, "", nil
	}
	y = r.mapper.Row(&r.x, r.fittedRow())
	if r.class >= 0 && math.IsNaN(y) {
		stranger = r.labelText()
	}
	return r.x, y, stranger, nil
}

// fittedRow returns the values of the row under the header that fit made.
func (r *rows) fittedRow() vec.Vector {
	if r.absent == nil && r.codes == nil {
		return r.raw.X
	}
	f := &r.fitted
	f.Index, f.Value = append(f.Index[:0], r.raw.X.Index...), append(f.Value[:0], r.raw.X.Value...)
	if len(r.codes) > 0 && len(f.Index) < len(r.in.header.Attributes) { // zeros are numbers too
		f.Index, f.Value = f.Index[:0], f.Value[:0]
		for i := range int32(len(r.in.header.Attributes)) {
			f.Index, f.Value = append(f.Index, i), append(f.Value, r.raw.X.At(i))
		}
	}
	for i, c := range r.codes {
		f.Value[i] = c.of(f.Value[i])
	}
	for _, i := range r.absent {
		f.Index, f.Value = append(f.Index, i), append(f.Value, math.NaN())
	}
	return *f
}

// labelText returns the text that stands in the label's column, "" for a missing
// value.
func (r *rows) labelText() string {
	v, a := r.raw.X.At(r.class), r.in.header.Attributes[r.class]
	switch {
	case math.IsNaN(v):
		return ""
	case a.Type == format.Nominal:
		return a.Labels[int(v)]
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}
