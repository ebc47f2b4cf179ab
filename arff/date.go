package arff

import (
	"errors"
	"fmt"
	"strings"
)

// defaultPattern is the pattern of a date attribute that names none.
const defaultPattern = "yyyy-MM-dd'T'HH:mm:ss"

// A datePattern is a pattern of Java's SimpleDateFormat.
//
// Letters stand for fields, as many of one kind in a row as say how it is
// written; text in single quotes stands for itself, as do characters that are no
// letters, and two quotes for one. The letters are
//
//	G era             E name of weekday   H hour 0-23     m minute
//	y year            u weekday 1-7       k hour 1-24     s second
//	Y year of weeks   w week of year      K hour 0-11     S millisecond
//	M L month         W week of month     h hour 1-12     z zone: name or GMT+hh:mm
//	d day of month    F 2: second such    a AM or PM      Z zone: +hhmm
//	D day of year       weekday of month                  X zone: Z or +hh, +hhmm, +hh:mm
type datePattern struct {
	text  string
	parts []datePart
}

// A datePart is a field, or a text where letter is 0.
type datePart struct {
	letter byte
	count  int
	text   string
	// A number that another follows at once has as many characters as its field
	// has letters.
	fixed bool
}

const dateLetters = "GyYMLdDEuFwWaHkKhmsSzZX"

// compileDate reads a pattern.
func compileDate(pattern string) (*datePattern, error) {
	p := &datePattern{text: pattern}
	var text strings.Builder
	flush := func() {
		if text.Len() > 0 {
			p.parts = append(p.parts, datePart{text: text.String()})
			text.Reset()
		}
	}
	inQuotes := false
	for i := 0; i < len(pattern); i++ {
		c := pattern[i]
		switch {
		case c == '\'' && i+1 < len(pattern) && pattern[i+1] == '\'':
			text.WriteByte(c)
			i++
		case c == '\'':
			inQuotes = !inQuotes
		case inQuotes || (c < 'A' || c > 'Z') && (c < 'a' || c > 'z'):
			text.WriteByte(c)
		case strings.IndexByte(dateLetters, c) < 0:
			return nil, fmt.Errorf("letter %q has no meaning; text is quoted", c)
		default:
			flush()
			n := 1
			for i+n < len(pattern) && pattern[i+n] == c {
				n++
			}
			if c == 'X' && n > 3 {
				return nil, fmt.Errorf("%d times X, expected 1 to 3", n)
			}
			p.parts = append(p.parts, datePart{letter: c, count: n})
			i += n - 1
		}
	}
	if inQuotes {
		return nil, errors.New("a quote is not closed")
	}
	flush()
	for k := range p.parts[:max(len(p.parts)-1, 0)] {
		p.parts[k].fixed = p.parts[k+1].isNumber()
	}
	return p, nil
}

// isNumber reports whether a part is a field that is written as a number.
func (p datePart) isNumber() bool {
	switch p.letter {
	case 'M', 'L':
		return p.count <= 2
	case 0, 'G', 'E', 'a', 'z', 'Z', 'X':
		return false
	}
	return true
}

// Names, in the order of the values of their fields.
var (
	eraNames     = []string{"BC", "AD"}
	longEraNames = []string{"Before Christ", "Anno Domini"}
	halfNames    = []string{"AM", "PM"}
	monthNames   = []string{"January", "February", "March", "April", "May", "June", "July", "August",
		"September", "October", "November", "December"}
	weekdayNames  = []string{"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"}
	shortMonths   = shortened(monthNames)
	shortWeekdays = shortened(weekdayNames)
)

// shortName is the length of the short names of months and weekdays.
const shortName = 3

func shortened(names []string) (short []string) {
	for _, name := range names {
		short = append(short, name[:shortName])
	}
	return short
}

// matchName returns which of the names, in any case, text begins with, and its
// length; the long names come first.
func matchName(text []byte, long, short []string) (k, n int) {
	for _, names := range [][]string{long, short} {
		for k, name := range names {
			if hasFold(text, name) {
				return k, len(name)
			}
		}
	}
	return 0, 0
}

// hasFold reports whether text begins with an ASCII word in any case.
func hasFold(text []byte, word string) bool {
	if len(text) < len(word) {
		return false
	}
	for i := range len(word) {
		if c, d := text[i], word[i]; c != d && (c|0x20 != d|0x20 || d|0x20-'a' > 'z'-'a') {
			return false
		}
	}
	return true
}
