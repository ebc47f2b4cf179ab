package datafile

import (
	"errors"
	"fmt"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/encode"
)

// ErrNoColumns reports data that have nothing of what a model was trained on.
var ErrNoColumns = errors.New("no column of the training data is there")

// NewLenientRows returns the rows of in for an encoding as NewRows does, but makes do
// with less. What it does then, warn is told:
//
//   - A column of the training data that the file lacks is missing in all rows. If
//     all are, that is ErrNoColumns.
//   - The label's column may be anything if it does not hold labels as those of
//     training: then no row has a label.
//
// Columns of numbers may be labels in any format, unless labels are the same number.
func NewLenientRows(in Source, e *encode.Encoding, warn func(text string)) (*Rows, error) {
	h, err := in.Header()
	if err != nil {
		return nil, in.At(err)
	}
	r := &Rows{in: in, declared: h}
	if h = r.loosen(e, warn); len(r.absent) == len(e.Columns)-1 {
		return nil, in.At(ErrNoColumns)
	}
	return r, r.begin(h, e, byNumbers)
}

// loosen returns the header with the columns that the encoding wants.
func (r *Rows) loosen(e *encode.Encoding, warn func(text string)) *format.Header {
	h := *r.declared
	h.Attributes = append([]format.Attribute(nil), h.Attributes...)
	at := map[string]int{}
	for i, a := range h.Attributes {
		at[a.Name] = i
	}
	var like format.LikeNames // asked for if a column is missing, as all may be of tens of thousands
	for k := range e.Columns {
		c := &e.Columns[k]
		i, ok := at[c.Name]
		switch {
		case k == e.Class && ok && !FitsLabel(h.Attributes[i], c, r.in.Texts() != nil):
			h.Attributes[i].Name += "\x00" // which no column is called
			warn(fmt.Sprintf("column %q does not hold labels, as it did in training: there is no score", c.Name))
		case k == e.Class || ok:
		default:
			h.Attributes = append(h.Attributes, format.Attribute{Name: c.Name, Type: c.Type, Labels: c.Labels})
			r.absent = append(r.absent, int32(len(h.Attributes)-1))
			remedy := "add the column"
			if like == nil {
				like = r.declared.LikeNames()
			}
			if name, ok := like.Only(c.Name); ok {
				remedy = fmt.Sprintf("there is one named %q: give it that name", name)
			}
			warn(fmt.Sprintf("column %q is missing, %s stands for it in every row; %s", c.Name, fillOf(c), remedy))
		}
	}
	return &h
}

// FitsLabel reports whether the column a can hold labels or targets of c. texts says that the file
// declares no types, so that what they look like says little. A column declared as text may hold
// any.
func FitsLabel(a format.Attribute, c *encode.Column, texts bool) bool {
	switch {
	case a.Type == c.Type && a.Type != format.String && a.Type != format.Relational,
		(texts || a.Type == format.String) && retypes(a.Type, c.Type, byTexts) && mayLabel(&a, c):
		return true
	case a.Type != format.Numeric || c.Type != format.Nominal:
		return false
	}
	_, err := newChange(c, 0, a.Type, byNumbers)
	return err == nil
}

// fillOf returns what stands for a missing value, in words.
func fillOf(c *encode.Column) string {
	if c.Type == format.Nominal && int(c.Fill) < len(c.Labels) {
		return fmt.Sprintf("%q, the commonest label of training,", c.Labels[int(c.Fill)])
	}
	return fmt.Sprintf("%.6g, the mean of training,", c.Fill)
}
