package csvfmt

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/textscan"
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
	case again < 0 && s.mayCount():
		return false, s.unclearCount()
	}
	return datum < 0 && again < 0, nil
}

var errRepeated = errors.New("the line has the names of the first line again, as where one table stands behind another")

// repeatsNames reports whether some row is like the first record, and that must be one of names:
// there are different texts in it, no other row has a text in some column, and that has numbers.
func (s *survey) repeatsNames() bool {
	if s.repeats == 0 {
		return false
	}
	seen := make(map[string]bool, len(s.first))
	for _, f := range s.first {
		if f.kind != text || f.missing || f.text == "" || seen[f.text] || slices.Contains(missingWords, strings.ToLower(f.text)) {
			return false
		}
		seen[f.text] = true
	}
	return slices.ContainsFunc(s.columns, func(c column) bool { return c.numbers > 0 && c.cells-c.numbers == s.repeats })
}

// hasAll reports whether the first record holds all of the given names, of which there is at
// least one, and no name twice.
func (s *survey) hasAll(names []string) bool {
	if len(names) == 0 || len(names) > len(s.first) {
		return false
	}
	cells := make(map[string]bool, len(s.first))
	for k := range s.first {
		if f := &s.first[k]; f.isName() {
			if cells[f.text] {
				return false
			}
			cells[f.text] = true
		}
	}
	for _, name := range names {
		if !cells[name] {
			return false
		}
	}
	return true
}

// names returns the names of the columns: those that the first record has, and for the
// others names that it has not.
func (s *survey) names() ([]string, error) {
	names, taken := make([]string, len(s.columns)), make(map[string]bool, len(s.columns))
	for k, f := range s.first {
		if !f.isName() {
			continue
		}
		if taken[f.text] {
			return nil, &format.Error{Line: f.place.line, Column: f.place.column, Err: fmt.Errorf("another column has the name %s already", textscan.Quote([]byte(f.text)))}
		}
		names[k], taken[f.text] = f.text, true
	}
	for k := range names {
		if s.first != nil && s.first[k].isName() {
			continue
		}
		name := "att" + strconv.Itoa(k+1)
		names[k] = name
		for n := 2; taken[names[k]]; n++ {
			names[k] = name + "_" + strconv.Itoa(n)
		}
		taken[names[k]] = true
	}
	return names, nil
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
		textscan.Quote([]byte(f.text)), textscan.Quote([]byte(s.first[datum].text)), datum+1, why)}
}

// watchDigits begins to look for numbers that are not digits alone, if the first record may
// hold names that are whole numbers: different ones, and otherwise text.
func (s *survey) watchDigits() {
	seen, digits := map[string]bool{}, make([]bool, len(s.first))
	for k, f := range s.first {
		switch {
		case f.kind == text && (!f.missing || f.text == ""):
		case f.missing || f.text == "" || !digitsOnly([]byte(f.text)) || seen[f.text]:
			return
		default:
			digits[k], seen[f.text] = true, true
		}
	}
	if len(seen) > 1 {
		s.digits = digits
	}
}

// mayCount reports whether the whole numbers of the first record, whose texts do not occur again,
// may be names: 0, 1, 2, which pandas gives columns without names, or years.
//
// They may be if the record has nothing else, they count up, some number below is not whole, and
// they are 0, 1, 2 or more than three. They may also be if there is a text beside them that no row
// has, above other texts that do occur again, and they count up or many rows have a number that is
// not whole.
func (s *survey) mayCount() bool {
	if s.digits == nil {
		return false
	}
	counts, last, numbers, texts := true, "", 0, 0
	notWhole, classes := false, false
	for k, f := range s.first {
		col := &s.columns[k]
		switch {
		case f.missing:
		case f.kind == text:
			texts++
			n := col.texts.len()
			classes = classes || n > 0 && 2*n <= col.cells
		default:
			counts = counts && (numbers == 0 || f.text == successor(last))
			last = f.text
			numbers++
			notWhole = notWhole || col.notDigits
		}
	}
	if texts == 0 {
		return counts && notWhole && (numbers > 3 || numbers == 3 && last == "2")
	}
	return classes && (counts || notWhole && s.rows >= manyRows)
}

// manyRows is how many rows tell that a label in the first line, which none of them has,
// is more likely a name.
const manyRows = 10

// successor returns the decimal digits of the number behind that of some digits.
func successor(digits string) string {
	b := []byte(digits)
	for i := len(b) - 1; i >= 0; i-- {
		if b[i]++; b[i] <= '9' {
			return string(b)
		}
		b[i] = '0'
	}
	return "1" + string(b)
}

// unclearCount is the error of a first line whose whole numbers may be names.
func (s *survey) unclearCount() error {
	var numbers []string
	at, word := place{}, ""
	for _, f := range s.first {
		switch {
		case f.missing:
		case f.kind != text:
			if len(numbers) == 0 {
				at = f.place
			}
			if numbers = append(numbers, f.text); len(numbers) > 3 {
				numbers = append(numbers[:3], "...")
			}
		case word == "":
			word = f.text
		}
	}
	why := "the numbers below are not whole"
	if word != "" {
		why = "no row has the text " + textscan.Quote([]byte(word))
	}
	return &format.Error{Line: at.line, Column: at.column, Err: fmt.Errorf(
		"cannot tell whether the first line holds names: its numbers, %s, may be those of columns, and %s; say which it is", strings.Join(numbers, ", "), why)}
}
