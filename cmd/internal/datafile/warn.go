package datafile

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

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

// argument returns a text as one word of a shell, in quotes unless it has only characters that need none.
func argument(text string) string {
	special := func(c rune) bool {
		return !unicode.IsLetter(c) && !unicode.IsDigit(c) && !strings.ContainsRune("-+./,:%_", c)
	}
	switch {
	case text != "" && !strings.ContainsFunc(text, special):
		return text
	case !utf8.ValidString(text) || strings.ContainsFunc(text, func(c rune) bool { return !unicode.IsPrint(c) }):
		return strconv.Quote(text) // a terminal must see no control characters
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// warnMixed tells of the columns that would be numeric but for what looks like a word for
// a missing value, but those that are reported.
func (f *File) warnMixed(stderr io.Writer, told func(column int) bool) {
	for _, m := range f.Mixed() {
		if m.Suspect && !told(m.Attribute) {
			remedy := "if that is a missing value, leave the cell empty, or tell slimsvm with"
			for _, text := range m.Missing {
				remedy += " --missing " + argument(text)
			}
			if above := m.Above(); above != "" {
				remedy = above + "; " + remedy
			}
			warn(stderr, m.Error(f.Name), remedy)
		}
	}
}
