package datafile

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/csvfmt"
)

// A MixedColumn is a column of CSV that would be numeric but for some texts, or one of words in which
// a nan counts as a label.
type MixedColumn struct {
	csvfmt.Mixed
	Name string

	// Suspect says that the texts look like a word for a missing value: they are one, or
	// all the same, or few.
	Suspect bool

	// Missing are its texts that look like words for a missing value, Text the first of them; or Text alone.
	Missing []string

	above int // lines of the file up to the last that is probably above the rows, since other columns have text there too; 0: none

	text bool // its type is String
}

// mostAbove is how many lines there may be above the rows.
const mostAbove = 4

// Above returns what to do with lines above the rows, such as a second one of names or one of units, where
// these are probably why there are texts in the column; "" where not.
func (m *MixedColumn) Above() string {
	if m.above == 0 {
		return ""
	}
	return fmt.Sprintf("if lines 1 to %d are a title, names or units, leave one line of names", m.above)
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
		missing := r.LookMissing(m)
		if len(missing) == 0 {
			missing = []string{m.Text}
		}
		all = append(all, MixedColumn{
			Mixed: m, Name: a.Name, Missing: missing, text: a.Type == format.String,
			Suspect: m.Texts*numbersPerText <= m.Numbers || m.LooksMissing() || r.OneText(m),
		})
	}
	type where struct{ line, texts int }
	like := make(map[where]int, len(all))
	for _, m := range all {
		like[where{m.Line, m.Texts}]++
	}
	for i := range all {
		m := &all[i]
		if last := m.Line + m.Texts - 1; m.Line >= 1 && last > 1 && last <= mostAbove && !m.LooksMissing() && like[where{m.Line, m.Texts}] > 1 {
			m.above = last
		}
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
	if m.Numbers == 0 {
		quoted, count := m.nans(), "counts as a label"
		if len(quoted) > 1 {
			count = "count as labels"
		}
		return fmt.Sprintf("column %q holds words, so that %s, in %d cell%s, %s", m.Name, strings.Join(quoted, " and "), m.Texts, plural(m.Texts), count)
	}
	as := "labels"
	if m.text {
		as = "text"
	}
	return fmt.Sprintf("column %q has %d number%s and %d text%s, %q, and so counts as %s",
		m.Name, m.Numbers, plural(m.Numbers), m.Texts, plural(m.Texts), m.Text, as)
}

// nans are the spellings of nan in a column of words, in quotes.
func (m *MixedColumn) nans() (quoted []string) {
	for _, s := range m.Missing {
		if !strings.EqualFold(s, "na") {
			quoted = append(quoted, strconv.Quote(s))
		}
	}
	return quoted
}

// Error returns an error at the column's first text.
func (m *MixedColumn) Error(path string) error {
	return &format.Error{Path: path, Line: m.Line, Column: m.Column, Err: fmt.Errorf("%v", m)}
}
