package csvfmt

import (
	"fmt"
	"slices"
	"strings"

	"github.com/slimsvm/slimsvm/format"
)

// missingWords often stand for a missing value, and seldom for a column.
var missingWords = []string{"na", "n/a", "#n/a", "nil", "null", "none", "missing", "unknown", "-", "--", ".", "*", `\n`}

// hasNames tells whether the first record holds names, see the package comment.
func (s *survey) hasNames() (bool, error) {
	if s.isMarked() {
		return true, nil
	}
	// the first columns with: a name above numbers; what may be one, or stand for
	// a missing value; what is no name; what comes again below or beside
	name, word, datum, again := -1, -1, -1, -1
	note := func(k int, first *int) {
		if *first < 0 {
			*first = k
		}
	}
	seen := map[string]bool{}
	for k, f := range s.first {
		if f.kind != text || f.missing && f.text != "" {
			note(k, &datum)
		}
		if f.missing || f.kind != text || f.text == "" {
			continue
		}
		if col := &s.columns[k]; col.cells > 0 && !col.isText() {
			if slices.Contains(missingWords, strings.ToLower(f.text)) {
				note(k, &word)
			} else {
				note(k, &name)
			}
		}
		if s.columns[k].recurs || seen[f.text] {
			note(k, &again)
		}
		seen[f.text] = true
	}
	switch {
	case name >= 0 && datum >= 0:
		return false, s.unclear(name, datum, "is no name")
	case name >= 0:
		return true, nil
	case word >= 0 && datum >= 0:
		return false, s.unclear(word, datum, "is no name")
	case word >= 0 && again >= 0:
		return false, s.unclear(word, again, "comes again")
	}
	return datum < 0 && again < 0, nil
}

// isMarked reports whether all of the first record is in quotes and nothing of
// some column below it.
func (s *survey) isMarked() bool {
	free := false
	for k, f := range s.first {
		if !f.quoted {
			return false
		}
		free = free || s.columns[k].quoted == 0
	}
	return free
}

// unclear is the error of a first line in which the text of one column looks like
// a name, since all below are numbers, and that of another does not.
func (s *survey) unclear(name, datum int, why string) error {
	f := s.first[name]
	return &format.Error{Line: f.place.line, Column: f.place.column, Err: fmt.Errorf(
		"cannot tell whether the first line holds names: there are only numbers below %s, but %s in column %d %s; say which it is, or which words are missing values",
		quoteText([]byte(f.text)), quoteText([]byte(s.first[datum].text)), datum+1, why)}
}
