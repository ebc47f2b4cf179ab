package datafile

import (
	"fmt"
	"io"
	"strings"

	"github.com/slimsvm/slimsvm/format/encode"
)

// mostWarnings bounds what is said of labels that training did not know.
const mostWarnings = 20

// Warn returns a function for Rows.Unknown that tells of every label once, and of the one of
// the encoding's that is probably meant.
func Warn(path string, e *encode.Encoding, stderr io.Writer) func(column, label string) {
	said := map[[2]string]bool{}
	likeness := NewLabelMatcher(e)
	return func(column, label string) {
		key := [2]string{column, label}
		if said[key] || len(said) >= mostWarnings {
			return
		}
		said[key] = true
		fmt.Fprintf(stderr, "WARNING: %s: label %q of column %q does not occur in the training data%s\n", path, label, column, likeness.Hint(column, label))
		if len(said) == mostWarnings {
			fmt.Fprintln(stderr, "WARNING: more such labels are not listed")
		}
	}
}

// warnMixed tells of the columns that would be numeric but for what looks like a word for
// a missing value, but those that are reported.
func (f *File) warnMixed(stderr io.Writer, told func(column int) bool) {
	for _, m := range f.Mixed() {
		if m.Suspect && !told(m.Attribute) {
			remedy := "if that is a missing value, leave the cell empty, or tell slimsvm with --missing " + strings.Join(m.Missing, " --missing ")
			if above := m.Above(); above != "" {
				remedy = above + "; " + remedy
			}
			warn(stderr, m.Error(f.Name), remedy)
		}
	}
}
