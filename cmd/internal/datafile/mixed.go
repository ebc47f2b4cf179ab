package datafile

import (
	"fmt"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/csvfmt"
)

// A MixedColumn is a column of CSV that would be numeric but for some texts.
type MixedColumn struct {
	csvfmt.Mixed
	Name string

	// Suspect says that the texts look like a word for a missing value: they are one, or
	// all the same, or few.
	Suspect bool

	text bool // its type is String
}

// numbersPerText is the number of numbers beside which a text is one of few.
const numbersPerText = 10

// Mixed returns the mixed columns of a file whose header was read.
func (f *File) Mixed() []MixedColumn {
	r := f.Texts()
	if r == nil {
		return nil
	}
	h, err := r.Header()
	if err != nil {
		return nil
	}
	var all []MixedColumn
	for _, m := range r.Mixed() {
		a := &h.Attributes[m.Attribute]
		all = append(all, MixedColumn{
			Mixed: m, Name: a.Name, text: a.Type == format.String,
			Suspect: m.Texts*numbersPerText <= m.Numbers || m.LooksMissing() || r.OneText(m),
		})
	}
	return all
}

// String says what the column holds, and as what it counts for that.
func (m *MixedColumn) String() string {
	plural := func(n int) string {
		if n == 1 {
			return ""
		}
		return "s"
	}
	as := "labels"
	if m.text {
		as = "text"
	}
	return fmt.Sprintf("column %q has %d number%s and %d text%s, %q, and so counts as %s",
		m.Name, m.Numbers, plural(m.Numbers), m.Texts, plural(m.Texts), m.Text, as)
}

// Error returns an error at the column's first text.
func (m *MixedColumn) Error(path string) error {
	return &format.Error{Path: path, Line: m.Line, Column: m.Column, Err: fmt.Errorf("%v", m)}
}
