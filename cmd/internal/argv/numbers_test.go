package argv

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/format/textscan"
)

// TestBecause: an error tells all values that may have led to it.
func TestBecause(t *testing.T) {
	var n Numbers
	fault := errors.New("fault")
	n.Real("-u", "1")
	if err := n.Because(fault); err != fault {
		t.Errorf("%v, want the error alone", err)
	}
	n.Real("-l", "0,5")
	n.Real("-u", "0,9")
	err, want := n.Because(fault), `fault: option "-l": "0,5" is read as 0: expected a number, option "-u": "0,9" is read as 0: expected a number`
	if !errors.Is(err, fault) || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// TestNumbers: a value that is no number, has a decimal comma or is out of range is told with what it
// is read as. Other text behind a number is not.
func TestNumbers(t *testing.T) {
	for _, c := range []struct {
		value, real, whole string // what is told of it; "": nothing
	}{
		{"1", "", ""},
		{"+1", "", ""},
		{" \t-1", "", ""},
		{"1 ", "", ""},
		{"3.0", "", ""},
		{"-0", "", ""},
		{"5.", "", ""},
		{"0x0", "", ""},
		{"0e5", "", ""},
		{"0x10", "", `"0x10" is read as 0: expected a whole number`},
		{"1e1", "", `"1e1" is read as 1: expected a whole number`},
		{"2.9", "", ""},
		{".5", "", ""},
		{"inf", "", `"inf" is read as 0: expected a whole number`},
		{"-Infinity", "", `"-Infinity" is read as 0: expected a whole number`},
		{"nan", "", `"nan" is read as 0: expected a whole number`},
		{"NaN(1)", "", `"NaN(1)" is read as 0: expected a whole number`},
		{"2147483647", "", ""},
		{"2147483648", "", `"2147483648" is read as -2147483648: the number is out of range`},
		{"99999999999999999999", "", `"99999999999999999999" is read as -1: the number is out of range`},
		{"1e400", `"1e400" is read as inf: the number is out of range`, `"1e400" is read as 1: expected a whole number`},
		{"-1e400", `"-1e400" is read as -inf: the number is out of range`, `"-1e400" is read as -1: expected a whole number`},
		{"1e-400", `"1e-400" is read as 0: the number is out of range`, `"1e-400" is read as 1: expected a whole number`},
		{"1e-310", "", `"1e-310" is read as 1: expected a whole number`},
		{"2abc", "", ""},
		{"1e1x", "", ""},
		{"1,x", "", ""},
		{"0,5", `"0,5" is read as 0: expected a number`, `"0,5" is read as 0: expected a whole number`},
		{"1.5,3", `"1.5,3" is read as 1.5: expected a number`, `"1.5,3" is read as 1: expected a whole number`},
		{"1e", "", ""},
		{"1 2", "", ""},
		{"5x", "", ""},
		{"abc", `"abc" is read as 0: expected a number`, `"abc" is read as 0: expected a whole number`},
		{"-", `"-" is read as 0: expected a number`, `"-" is read as 0: expected a whole number`},
		{"", `"" is read as 0: expected a number`, `"" is read as 0: expected a whole number`},
		{"\x1b[1m", `"\x1b[1m" is read as 0: expected a number`, `"\x1b[1m" is read as 0: expected a whole number`},
	} {
		told := func(read func(n *Numbers)) string {
			var n Numbers
			var b strings.Builder
			read(&n)
			n.Warn(&b)
			return b.String()
		}
		line := func(text string) string {
			if text == "" {
				return ""
			}
			return `WARNING: option "-cost": ` + text + "\n"
		}
		if got := told(func(n *Numbers) {
			if v, want := n.Real("-cost", c.value), textscan.Atof(c.value); v != want && !math.IsNaN(want) {
				t.Errorf("%q is read as the real %v, want %v", c.value, v, want)
			}
		}); got != line(c.real) {
			t.Errorf("%q as a real:\n got %q\nwant %q", c.value, got, line(c.real))
		}
		if got := told(func(n *Numbers) {
			if v, want := n.Whole("-cost", c.value), textscan.Atoi(c.value); v != want {
				t.Errorf("%q is read as the whole number %v, want %v", c.value, v, want)
			}
		}); got != line(c.whole) {
			t.Errorf("%q as a whole number:\n got %q\nwant %q", c.value, got, line(c.whole))
		}
	}
}
