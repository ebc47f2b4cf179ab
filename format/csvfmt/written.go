package csvfmt

import (
	"errors"
	"fmt"

	"github.com/slimsvm/slimsvm/format/textscan"
)

// Why a Reader would take the texts of a column for numbers.
var (
	errAllCommas = errors.New("a reader would take labels for numbers, since all have a comma, which separates")
	errAllQuoted = errors.New("a reader would take labels for numbers, since no column or name goes without quotes")
)

// writtenTexts are what the texts of a Nominal or String column, as far as they were written, look
// like, but for empty ones, which a Reader takes for missing values among numbers.
type writtenTexts struct {
	words  bool // some is no number
	points bool // some is a number without a comma
	commas bool // some is a number with a comma
}

func (t *writtenTexts) add(k kind) {
	switch k {
	case text:
		t.words = true
	case comma:
		t.commas = true
	default:
		t.points = true
	}
}

// checkWritten returns an error if the texts of a column will be taken for numbers.
//
// The header does not tell: a column may have other labels that no row has, and the only column
// without quotes may have no values.
func (w *Writer) checkWritten() error {
	for k := range w.written {
		t, err := &w.written[k], error(nil)
		switch {
		case t.words || !t.points && !t.commas:
			continue
		case w.forced && !t.points:
			err = errAllCommas
		case !w.bare:
			err = errAllQuoted
		default:
			continue
		}
		a := &w.header.Attributes[k]
		return fmt.Errorf("column %d, %s: %w", k+1, textscan.Quote([]byte(a.Name)), err)
	}
	return nil
}
