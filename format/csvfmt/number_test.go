package csvfmt

import (
	"math/rand/v2"
	"regexp"
	"testing"

	"github.com/slimsvm/slimsvm/format/textscan"
)

// The kinds in another notation.
var (
	numberPattern = regexp.MustCompile(`^[+-]?(([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?|(?i:inf|infinity|nan))$`)
	commaPattern  = regexp.MustCompile(`^[+-]?([0-9]*,[0-9]+|[0-9]+(,[0-9]{3})+|[0-9]+(,[0-9]{3})+\.[0-9]+|[0-9]+(\.[0-9]{3})+,[0-9]+)([eE][+-]?[0-9]+)?$`)
)

func patternKind(s string) kind {
	switch {
	case numberPattern.MatchString(s):
		return number
	case commaPattern.MatchString(s):
		return comma
	}
	return text
}

func checkKind(t *testing.T, s string) {
	t.Helper()
	got := kindOf([]byte(s))
	if want := patternKind(s); got != want {
		t.Fatalf("%q is of kind %d, want %d", s, got, want)
	}
	if v, n, _ := textscan.Float([]byte(s)); got == number && n != len(s) {
		t.Fatalf("%q is a number, but only %d bytes of it are: %v", s, n, v)
	}
}

func TestKind(t *testing.T) {
	for s, want := range map[string]kind{
		"0": number, "-12.5e-3": number, ".5": number, "5.": number, "+.5E10": number, "INF": number, "-nan": number, "iNfInItY": number,
		"": text, "-": text, ".": text, "e5": text, "1e": text, "1e+": text, "0x1": text, "1 ": text, " 1": text, "nan(1)": text, "infi": text, "--1": text, "+-inf": text, "1.2.3": text, "1f": text,
		"1,5": comma, "-1,5": comma, "1,234": comma, "1,234,567": comma, "1,234.5": comma, "1.234,5": comma, "1.234.567,8": comma, "1,234,567.8": comma, "1,5e3": comma, ",5": comma, "-,50e1": comma,
		"1,2,3": text, ",5.5": text, ",500,500": text, ",": text, "1,": text, "1,,5": text, "1.2,3": text, "1,23.4": text, "1,2e": text, "a,5": text,
	} {
		if got := kindOf([]byte(s)); got != want || patternKind(s) != want {
			t.Errorf("%q is of kind %d, by pattern %d, want %d", s, got, patternKind(s), want)
		}
	}
	// all short texts, and some long ones, of what matters
	const bytes = "012.,eE+-"
	var all func(s string)
	all = func(s string) {
		checkKind(t, s)
		if len(s) < 5 {
			for _, c := range bytes {
				all(s + string(c))
			}
		}
	}
	all("")
	rng := rand.New(rand.NewPCG(1, 2))
	const more = "0123456789..,,eE+-infatyINxX _()"
	for range 300_000 {
		b := make([]byte, rng.IntN(14))
		for i := range b {
			b[i] = more[rng.IntN(len(more))]
		}
		checkKind(t, string(b))
	}
	for range 300_000 {
		b := make([]byte, rng.IntN(16))
		for i := range b {
			b[i] = "0123456789.,,"[rng.IntN(13)]
		}
		checkKind(t, string(b))
	}
}

// Number and CommaNumber take what the cells of a Numeric column are, and say what is wrong with
// others.
func TestNumber(t *testing.T) {
	for _, c := range []struct {
		text        string
		value       float64
		point, mark string // what is wrong where a point begins fractions, and where a comma does
	}{
		{"-15e1", -150, "", ""},
		{"1e-999", 0, "", ""},
		{"1.5", 1.5, "", `the number "1.5" has a point: expected a decimal comma, and nothing between thousands`},
		{"1,5", 1.5, `the number "1,5" has a comma: expected a decimal point, and nothing between thousands`, ""},
		{"1e999", 0, `the number "1e999" is too large: expected less than 1.8e308`, `the number "1e999" is too large: expected less than 1.8e308`},
		{"-nan", 0, `expected a number, found "-nan"`, `expected a number, found "-nan"`},
		{"0x10", 0, `expected a number, found "0x10"`, `expected a number, found "0x10"`},
		{"", 0, `expected a number, found ""`, `expected a number, found ""`},
	} {
		check := func(v float64, err error, want string) {
			if want == "" && (err != nil || v != c.value) || want != "" && (err == nil || err.Error() != want) {
				t.Errorf("%q: %v, %v, want %v, %s", c.text, v, err, c.value, want)
			}
		}
		v, err := Number([]byte(c.text))
		check(v, err, c.point)
		v, err = CommaNumber([]byte(c.text))
		check(v, err, c.mark)
	}
}

var plainPattern = regexp.MustCompile(`^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)`)

// Every byte at every place of a number, which is looked at in words of eight.
func TestPlainNumber(t *testing.T) {
	check := func(b []byte, at int) {
		t.Helper()
		if got, want := plainNumber(b, at), at+len(plainPattern.Find(b[at:])); got != want {
			t.Fatalf("the number at %q[%d:] ends at %d, want %d", b, at, got, want)
		}
	}
	for _, s := range []string{"", "-", ".", "-.", "123456789012345678901234567890", "-1234567.890123456789012345", "1234567.", "+12345678.1234567", "0.000000001"} {
		for n := range len(s) + 1 {
			check([]byte(s[:n]), 0)
			for c := range 256 {
				b := append([]byte(s[:n]), byte(c))
				check(b, 0)
				check(append(b, "12345678901"...), 0)
				check(append(append(b, s[n:]...), "\xff0\x00"...), n/2)
			}
		}
	}
}
