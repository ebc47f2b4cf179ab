package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/slimsvm/slimsvm/cmd/internal/datafile"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/phrase"
	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/encode"
)

// warnMixed tells of columns of CSV that would be numeric but for texts which look like a
// word for a missing value, and of nan as a label, but those that are reported.
func (w *warner) warnMixed(in *input, told []int) {
	for _, m := range in.Mixed() {
		if m.Suspect && !slices.Contains(told, m.Attribute) && !in.drops(m.Attribute) {
			w.warn("%v; %s", m.Error(in.path), sayMixed(&m))
		}
	}
}

// sayQuote is the hint for single quotes that are read as part of a text.
const sayQuote = `if cells stand in single quotes, as in Weka's CSV, say --quote "'"`

// warnQuotes tells of a table of CSV in which single quotes around a name or label are
// read as part of it.
func (w *warner) warnQuotes(in *input) {
	if s := in.SingleQuotes(); s != nil {
		w.warn("%v; %s", s.Err, sayQuote)
	}
}

// sayMixed is the hint for a column that would be numeric but for some texts.
func sayMixed(m *datafile.MixedColumn) string {
	missing := sayMissing(m.Missing...)
	if above := m.Above(); above != "" {
		return above + "; " + missing
	}
	return missing
}

// sayMissing is the hint for the text of a cell that is no number, the first of those that may be
// words for a missing value.
func sayMissing(texts ...string) string {
	missing := "if that is a missing value, say"
	for _, text := range texts {
		missing += " --missing " + argument(text)
	}
	if slices.Contains(footers, strings.ToLower(strings.Trim(texts[0], " :*"))) {
		return "if that begins a line of sums or means, which is no row, remove it; " + missing
	}
	return missing
}

// footers are what begins a line that spreadsheets and reports have below a table.
var footers = []string{"total", "totals", "grand total", "subtotal", "sum", "sums", "average", "averages", "mean", "means", "count"}

// argument returns a text as one word of a shell, in quotes where it needs them.
func argument(text string) string {
	if strings.ContainsAny(text, "$`\\!\"'*?[]{}()<>|&;#~") || strings.HasPrefix(text, "=") || strings.ContainsFunc(text, func(c rune) bool { return unicode.IsSpace(c) && c != ' ' }) {
		return phrase.Shell(text)
	}
	return phrase.Word(text)
}

// columnFault gives an error of learning an encoding its hint. That of a column of text
// is one of its first text, where the others are numbers.
func (in *input) columnFault(err error) error {
	text := (*encode.TextError)(nil)
	switch {
	case errors.Is(err, encode.ErrClassDropped):
		return hinted{err, "--class says which column has the label"}
	case !errors.As(err, &text):
		return err
	}
	leaves := in.sayText(text)
	for _, s := range in.Resembling() {
		if s.Column == text.Column {
			return hinted{err, s.Remedy + "; " + leaves}
		}
	}
	for _, m := range in.Mixed() {
		if m.Attribute == text.Column {
			return hinted{m.Error(in.path), sayMixed(&m) + "; " + leaves}
		}
	}
	return hinted{err, leaves}
}

// sayText is the hint for a column of text, with all others in which there is text or tables too, so that one
// more try is enough.
func (in *input) sayText(text *encode.TextError) string {
	class, err := encode.FindClass(in.header, in.class)
	if err != nil {
		class = -1
	}
	keeps := ""
	if in.Texts() != nil {
		keeps = fmt.Sprintf("--%s %s keeps its texts as labels", nominal, argument(text.Name))
	}
	if text.Column == class {
		hint := "--class says which column has the label"
		if keeps != "" {
			hint += ", " + keeps
		}
		return hint
	}
	all := []string{fmt.Sprintf("--%s %s", drop, argument(text.Name))}
	for i := range in.header.Attributes {
		a := &in.header.Attributes[i]
		if (a.Type == format.String || a.Type == format.Relational) && i != text.Column && i != class && !in.drops(i) {
			all = append(all, fmt.Sprintf("--%s %s", drop, argument(a.Name)))
		}
	}
	hint := all[0] + " leaves the column out"
	if keeps != "" {
		hint += ", " + keeps
	}
	switch {
	case len(all) > mostTexts:
		hint += fmt.Sprintf("; %d other columns hold text or tables too, inspect lists them", len(all)-1)
	case len(all) > 1:
		hint += "; " + strings.Join(all, " ") + " leaves out all that have no numbers"
	}
	return hint
}

// mostTexts is the most columns that sayText names.
const mostTexts = 20

// dropsDeclared returns wrong usage if columns are to be left out of data that declare none. What is in
// those columns does not matter from now on.
func (in *input) dropsDeclared(columns []string) error {
	if len(columns) > 0 && !in.declared() {
		return usagef("--%s leaves out columns, and %s is %s, which declares none", drop, in.path, in.Codec.Name)
	}
	if texts := in.Texts(); texts != nil {
		find := encode.ColumnFinder(in.header)
		for _, column := range columns {
			if at, err := find(column); err == nil { // else it is reported later
				texts.AllowInvalidNumbers([]int32{int32(at)})
			}
		}
	}
	return nil
}
