package textscan

import "errors"

// ErrNotNumber reports a text that is no number from its first byte to its last.
var ErrNotNumber = errors.New("expected a number")

// Number returns the number that all of a text is: decimal, with a point and an exponent
// or without, or else inf, infinity or nan in any case, each with a sign or without. It
// knows no blanks, no hexadecimal, and no underscores between digits. What is too
// small for a float64 is the nearest there is; what is too large is ErrRange.
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
