package textscan

import "errors"

// ErrNotNumber reports a text that is not a number from its first byte to its last.
var ErrNotNumber = errors.New("expected a number")

// Number returns the number that the whole text is: a decimal number with optional point and
// exponent, or inf, infinity or nan in any letter case, each with an optional sign. Blanks,
// hexadecimal and underscores are not accepted. A number too small for a float64 is the nearest
// there is; one too large is [ErrRange].
func Number(text string) (float64, error) {
	for i := range len(text) {
		if c := text[i]; IsSpace(c) || c == '(' || c|0x20 == 'x' {
			return 0, ErrNotNumber
		}
	}
	v, n, err := Float([]byte(text))
	switch {
	case n == 0 || n < len(text):
		return 0, ErrNotNumber
	case err != nil && !(v > -1 && v < 1):
		return v, err
	}
	return v, nil
}
