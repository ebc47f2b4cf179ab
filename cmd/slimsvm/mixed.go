package main

import (
	"errors"
	"fmt"

	"github.com/slimsvm/slimsvm/format/encode"
)

// warnMixed tells of columns of CSV that would be numeric but for texts which look like a
// word for a missing value.
func (w *warner) warnMixed(in *input) {
	for _, m := range in.Mixed() {
		if m.Suspect {
			w.warn("%v; %s", m.Error(in.path), sayMissing(m.Text))
		}
	}
}

// sayMissing is the remedy for the text of a cell that is no number.
func sayMissing(text string) string {
	return "if that is a missing value, say --missing " + oneWord(text)
}

// columnFault gives an error of learning an encoding its remedy. That of a column of text
// is one of its first text, where the others are numbers.
func (in *input) columnFault(err error) error {
	text := (*encode.TextError)(nil)
	switch {
	case errors.Is(err, encode.ErrClassDropped):
		return hinted{err, "--class says which column has the label"}
	case !errors.As(err, &text):
		return err
	}
	leaves := fmt.Sprintf("--%s %s leaves the column out", drop, oneWord(text.Name))
	if in.Texts() != nil {
		leaves += fmt.Sprintf(", --%s %s takes its texts for labels", nominal, oneWord(text.Name))
	}
	for _, m := range in.Mixed() {
		if m.Attribute == text.Column {
			return hinted{m.Error(in.path), sayMissing(m.Text) + "; " + leaves}
		}
	}
	return hinted{err, leaves}
}

// dropsDeclared returns wrong usage if columns are to be left out of data that declare none. What is in
// those columns does not matter from now on.
func (in *input) dropsDeclared(columns []string) error {
	if len(columns) > 0 && !in.declared() {
		return usagef("--%s leaves out columns, and %s is %s, which declares none", drop, in.path, in.Codec.Name)
	}
	if texts := in.Texts(); texts != nil {
		for _, column := range columns {
			if at, err := encode.FindColumn(in.header, column); err == nil { // else it is told later
				texts.Forgive([]int32{int32(at)})
			}
		}
	}
	return nil
}
