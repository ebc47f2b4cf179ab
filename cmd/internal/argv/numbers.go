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
// begins, else 0. It keeps which values are not the numbers that they are read as.
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
	v, whole, inRange := number(value)
	switch {
	case !whole:
		n.tell(word, value, realText(v), wantNumber)
	case !inRange && (v == 0 || math.IsInf(v, 0)):
		n.tell(word, value, realText(v), wantRange)
	}
	return v
}

// Whole reads the value of an option as a whole number. A real of that value is as good.
func (n *Numbers) Whole(word, value string) int {
	i := textscan.Atoi(value)
	switch v, whole, _ := number(value); {
	case whole && v == float64(i):
	case whole && digits(value):
		n.tell(word, value, strconv.Itoa(i), wantRange)
	default:
		n.tell(word, value, strconv.Itoa(i), wantWhole)
	}
	return i
}

// Warn writes a warning of each value that is not the number that it is read as.
func (n *Numbers) Warn(w io.Writer) {
	for _, text := range n.misread {
		fmt.Fprintf(w, "WARNING: option %s\n", text)
	}
}

// Because adds to an error about the values those that are not the numbers that they are read as.
func (n *Numbers) Because(err error) error {
	if len(n.misread) == 0 {
		return err
	}
	return fmt.Errorf("%w: option %s", err, strings.Join(n.misread, ", option "))
}

func (n *Numbers) tell(word, value, read, want string) {
	n.misread = append(n.misread, fmt.Sprintf("%s: %s is read as %s: %s", textscan.Quote([]byte(word)), textscan.Quote([]byte(value)), read, want))
}

// number reads a value as a real. whole reports whether the number is all of it but white space
// around it, inRange whether a float64 can hold it.
func number(value string) (v float64, whole, inRange bool) {
	v, used, err := textscan.Float([]byte(value))
	return v, used > 0 && strings.Trim(value[used:], " \t\n\v\f\r") == "", err == nil
}

// digits reports whether a number has nothing but digits and a sign.
func digits(value string) bool { return strings.Trim(value, "0123456789+- \t\n\v\f\r") == "" }

func realText(v float64) string { return string(textscan.AppendG(nil, v, 6)) }
