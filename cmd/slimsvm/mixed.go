package main

import (
	"errors"

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

// mixedFault returns the error of a column of text as one of its first text, where the
// others are numbers.
func (in *input) mixedFault(err error) error {
	text := (*encode.TextError)(nil)
	if !errors.As(err, &text) {
		return err
	}
	for _, m := range in.Mixed() {
		if m.Attribute == text.Column {
			return hinted{m.Error(in.path), sayMissing(m.Text) + "; a column of text has no numbers: remove it"}
		}
	}
	return err
}
