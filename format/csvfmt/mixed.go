package csvfmt

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/textscan"
)

// LooksMissing reports whether the text is a word that often stands for a missing value, such as
// NA, or a nan.
func (m *Mixed) LooksMissing() bool {
	return m.Numbers == 0 || slices.Contains(missingWords, strings.ToLower(m.Text))
}

// nanAmongWords returns the first label of a Nominal column that is a nan, if no other label is a number
// and there is one that does not look missing.
func (r *Reader) nanAmongWords(column int) (nan string, ok bool) {
	if r.header == nil {
		return "", false
	}
	found, words := false, false
	for _, label := range r.header.Attributes[column].Labels {
		if r.kind([]byte(label)) == text {
			words = words || !slices.Contains(missingWords, strings.ToLower(label))
			continue
		}
		if v, _, _ := r.float([]byte(label)); !math.IsNaN(v) {
			return "", false
		}
		if !found {
			nan, found = label, true
		}
	}
	return nan, found && words
}

// LookMissing returns the texts of a mixed column that look missing like m.Text, the first of them;
// none if m.LooksMissing is false. In a column of words these are its nans and the word NA, however they
// are spelt: other such words may well be labels there. Of a String column no other texts are known.
func (r *Reader) LookMissing(m Mixed) []string {
	if !m.LooksMissing() {
		return nil
	}
	words := missingWords
	if m.Numbers == 0 {
		words = []string{"na"}
	}
	all := []string{m.Text}
	for _, label := range r.header.Attributes[m.Attribute].Labels {
		if label != m.Text && (slices.Contains(words, strings.ToLower(label)) || m.Numbers == 0 && r.kind([]byte(label)) != text) {
			all = append(all, label)
		}
	}
	return all
}

// OneText reports whether all texts of a mixed column are the same. For a String column that is not
// known, and the answer is false.
func (r *Reader) OneText(m Mixed) bool {
	a := &r.header.Attributes[m.Attribute]
	n := 0
	for _, label := range a.Labels {
		if r.kind([]byte(label)) == text {
			n++
		}
	}
	return a.Type == format.Nominal && n == 1
}

// A NotNumberError reports a cell that must be a number and is not.
type NotNumberError struct{ Text string }

// Error quotes the text.
func (e *NotNumberError) Error() string {
	return fmt.Sprintf("expected a number, found %s", textscan.Quote([]byte(e.Text)))
}

// Number returns the number that a cell's text is, in a column that is known to be Numeric and has
// decimal points.
func Number(b []byte) (float64, error) { return dialect{}.number(b) }

// CommaNumber is [Number] for numbers with a decimal comma.
func CommaNumber(b []byte) (float64, error) { return dialect{comma: true}.number(b) }

func (d dialect) number(b []byte) (float64, error) {
	v, _, err := d.float(b)
	switch kind := d.kind(b); {
	case kind == comma:
		return 0, d.errMark(b)
	case kind != number || math.IsNaN(v): // that has quotes, or it would be missing
		return 0, &NotNumberError{string(b)}
	case err != nil && !(v > -1 && v < 1): // what is too small is the nearest there is
		return 0, errTooLarge(b)
	}
	return v, nil
}

// errMark is the error of a number whose marks are not those of a fraction.
func (d dialect) errMark(b []byte) error {
	if d.comma {
		return fmt.Errorf("the number %s has a point: expected a decimal comma, and nothing between thousands", textscan.Quote(b))
	}
	return fmt.Errorf("the number %s has a comma: expected a decimal point, and nothing between thousands", textscan.Quote(b))
}

func errTooLarge(b []byte) error {
	return fmt.Errorf("the number %s is too large: expected less than 1.8e308", textscan.Quote(b))
}
