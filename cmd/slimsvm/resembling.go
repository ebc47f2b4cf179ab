package main

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/csvfmt"
	"github.com/slimsvm/slimsvm/format/encode"
)

// warnResembling tells of columns of CSV whose texts look like numbers with something around them, or
// like dates, and become labels. It returns their places.
func (w *warner) warnResembling(in *input) (told []int) {
	texts := in.Texts()
	if texts == nil {
		return nil
	}
	for _, m := range texts.Resembling() {
		told = append(told, m.Attribute)
		a := &in.header.Attributes[m.Attribute]
		if in.drops(m.Attribute) {
			continue
		}
		as := "a label for each"
		if a.Type == format.String {
			as = "text"
		}
		says := fmt.Errorf("column %q has %d different texts, %d of which look like %s, %q, and becomes %s", a.Name, m.Different, m.Numbers, likeWhat(&m), m.Text, as)
		w.warn("%v; %s", &format.Error{Path: in.path, Line: m.Line, Column: m.Column, Err: says}, sayNumbers(&m, a.Name))
	}
	return told
}

// likeWhat says what texts look like.
func likeWhat(m *csvfmt.Resembling) string {
	if m.Dates {
		return "dates or times"
	}
	return "numbers"
}

// sayNumbers is the remedy for a resembling column.
func sayNumbers(m *csvfmt.Resembling, name string) string {
	meant := "write numbers alone, without signs, units and marks between thousands"
	if m.Dates {
		meant = "write days as numbers, or declare the column as a date in ARFF"
	}
	return fmt.Sprintf("%s; --%s %s leaves the column out, --%s says that these are labels", meant, drop, quote(name), nominal)
}

// drops reports whether the command's options leave out a column.
func (in *input) drops(column int) bool {
	return slices.ContainsFunc(in.dropped, func(name string) bool {
		k, err := encode.FindColumn(in.header, name)
		return err == nil && k == column
	})
}

// warnAlike tells of columns of CSV with two labels that are probably meant to be one.
func (w *warner) warnAlike(in *input) {
	if in.Texts() == nil {
		return
	}
	for k := range in.header.Attributes {
		a := &in.header.Attributes[k]
		if in.drops(k) {
			continue
		}
		seen := make(map[string]string, len(a.Labels))
		for _, label := range a.Labels {
			key := shown(label)
			if other, again := seen[key]; again {
				w.warn("%s: column %q: the labels %q and %q differ in capitals, blanks or characters that do not show only, and count as two", in.path, a.Name, other, label)
				break
			}
			seen[key] = label
		}
	}
}

// shown returns what a label shows, in small letters if it is a word in capitals, or begins with one.
// Capitals inside words, and letters alone, may tell labels apart.
func shown(label string) string {
	seen := strings.Join(strings.Fields(strings.Map(func(c rune) rune {
		if unicode.Is(unicode.Cf, c) {
			return -1
		}
		return c
	}, label)), " ")
	lower := strings.ToLower(seen)
	if _, size := utf8.DecodeRuneInString(seen); size < len(seen) && (seen == strings.ToUpper(seen) || seen[size:] == strings.ToLower(seen[size:])) {
		return lower
	}
	return seen
}
