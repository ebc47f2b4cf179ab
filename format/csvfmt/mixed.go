package csvfmt

import (
	"slices"
	"strings"

	"github.com/slimsvm/slimsvm/format"
)

// LooksMissing reports whether the text of a mixed column is a word that often stands for
// a missing value, such as NA.
func (m *Mixed) LooksMissing() bool {
	return slices.Contains(missingWords, strings.ToLower(m.Text))
}

// OneText reports whether all texts of a mixed column are the same. Of a column that is
// String that is not known, and the answer false.
func (r *Reader) OneText(m Mixed) bool {
	a := &r.header.Attributes[m.Attribute]
	n := 0
	for _, label := range a.Labels {
		if kindOf([]byte(label)) == text {
			n++
		}
	}
	return a.Type == format.Nominal && n == 1
}
