package catalog

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// A Range is the numbers that an option may be.
type Range struct {
	Expected string // these in words
	Has      func(v float64) bool
}

// Largest is the largest cost that methods other than LIBSVM's can compute with: it is squared, and summed
// up over rows.
const Largest = 1e100

// Ranges that options share.
var (
	Above     = &Range{"a number above 0", func(v float64) bool { return v > 0 }} // inf is one
	Positive  = &Range{"a finite number above 0", func(v float64) bool { return v > 0 && v <= math.MaxFloat64 }}
	Share     = &Range{"a number above 0 and at most 1", func(v float64) bool { return v > 0 && v <= 1 }}
	ZeroToOne = &Range{"a number from 0 to 1", func(v float64) bool { return v >= 0 && v <= 1 }}
	Least     = &Range{"a finite number, 0 or more", func(v float64) bool { return v >= 0 && v <= math.MaxFloat64 }}
	FromZero  = &Range{"0 or more", func(v float64) bool { return v >= 0 }} // of whole numbers, as the others below
	FromOne   = &Range{"1 or more", func(v float64) bool { return v >= 1 }}

	orDefault = &Range{"0, for the default, or more", func(v float64) bool { return v >= 0 }}
	below     = &Range{"0 or more, and less than 1", func(v float64) bool { return v >= 0 && v < 1 }}
	between   = &Range{"a number above 0 and below 1", func(v float64) bool { return v > 0 && v < 1 }}
)

// Check returns an error if an option of that name has a value, given as the text, that is not in the
// range.
func (r *Range) Check(option, text string, v float64) error {
	if r.Has(v) {
		return nil
	}
	return fmt.Errorf("--%s %s: expected %s", option, text, r.Expected)
}

// Check returns an error if a value, which was given as the text, is none that the option may have.
func (o *Option) Check(value any, text string) error {
	switch v := value.(type) {
	case int:
		if o.Range != nil {
			return o.Range.Check(o.Name, text, float64(v))
		}
	case float64:
		if o.Range != nil {
			return o.Range.Check(o.Name, text, v)
		}
	case string:
		if o.Words != nil {
			return CheckWord(o.Name, v, o.Words)
		}
	}
	return nil
}

// A WordError is a word that is none of those that an option may be.
type WordError struct {
	Option, Word string
	Known        []string
}

// Error implements error.
func (e *WordError) Error() string {
	last := len(e.Known) - 1
	return fmt.Sprintf("--%s %q: expected %s or %s", e.Option, e.Word, strings.Join(e.Known[:last], ", "), e.Known[last])
}

// CheckWord returns a *WordError if a word is none of those, two or more, that an option may be.
func CheckWord(option, word string, known []string) error {
	if slices.Contains(known, word) {
		return nil
	}
	return &WordError{option, word, known}
}
