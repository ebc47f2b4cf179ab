package argv

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/slimsvm/slimsvm/format/textscan"
)

// Numbers reads the values of options as C's atof and atoi do: the number with which a value
// begins, else 0. It keeps which values are hardly meant as that: those that begin with no number,
// that have a decimal comma, or that are out of range. Other text behind a number is passed over in
// silence, as by LIBSVM, and so is what a whole number has behind the point.
type Numbers struct {
	misread []string
}

// What a value should have been.
const (
	wantNumber = "expected a number"
	wantWhole  = "expected a whole number"
	wantRange  = "the number is out of range"
)

// Real reads the value of an option as a real.
func (n *Numbers) Real(word, value string) float64 {
	v, kind := number(value)
	switch {
	case kind == noNumber:
		n.tell(word, value, realText(v), wantNumber)
	case kind == tooLarge && (v == 0 || math.IsInf(v, 0)):
		n.tell(word, value, realText(v), wantRange)
	}
	return v
}

// Whole reads the value of an option as a whole number. A real is as good: it is cut.
func (n *Numbers) Whole(word, value string) int {
	i := textscan.Atoi(value)
	switch v, kind := number(value); {
	case kind == cutOff || math.Trunc(v) == float64(i) && kind != noNumber:
	case kind != noNumber && digits(value):
		n.tell(word, value, strconv.Itoa(i), wantRange)
	default:
		n.tell(word, value, strconv.Itoa(i), wantWhole)
	}
	return i
}

// Warn writes a warning of each value that is hardly meant as the number that it is read as.
func (n *Numbers) Warn(w io.Writer) {
	for _, text := range n.misread {
		fmt.Fprintf(w, "WARNING: option %s\n", text)
	}
}

// Because adds to an error about the values those that are hardly meant as they are read.
func (n *Numbers) Because(err error) error {
	if len(n.misread) == 0 {
		return err
	}
	return fmt.Errorf("%w: option %s", err, strings.Join(n.misread, ", option "))
}

func (n *Numbers) tell(word, value, read, want string) {
	n.misread = append(n.misread, fmt.Sprintf("%s: %s is read as %s: %s", textscan.Quote([]byte(word)), textscan.Quote([]byte(value)), read, want))
}

// What a value is, as far as strtod reads it.
type kind int

const (
	aNumber  kind = iota
	cutOff        // a number, and other text behind it
	tooLarge      // for a float64, or too small
	noNumber      // or one with a decimal comma, of which a part is read
)

// number reads a value as a real.
func number(value string) (float64, kind) {
	v, used, err := textscan.Float([]byte(value))
	rest := value[used:]
	switch {
	case used == 0, len(rest) > 1 && rest[0] == ',' && '0' <= rest[1] && rest[1] <= '9':
		return v, noNumber
	case strings.Trim(rest, " \t\n\v\f\r") != "":
		return v, cutOff
	case err != nil:
		return v, tooLarge
	}
	return v, aNumber
}

// digits reports whether a number has nothing but digits and a sign.
func digits(value string) bool { return strings.Trim(value, "0123456789+- \t\n\v\f\r") == "" }

func realText(v float64) string { return string(textscan.AppendG(nil, v, 6)) }
