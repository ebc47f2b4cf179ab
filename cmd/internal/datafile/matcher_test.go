package datafile

import (
	"strings"
	"testing"
)

// A label is found that differs in nothing that is seen at once, or in the way in which a number
// is written, if there is one such.
func TestLikeness(t *testing.T) {
	e := fitted(t, "@relation r\n@attribute colour {red,'Dark Blue',GREEN,green,1.5,7,07,straße,''}\n@attribute x numeric\n@attribute kind {a,b}\n@data\nred,1,a\nGREEN,2,b\n")
	l := NewLabelMatcher(e)
	for text, want := range map[string]string{
		"Red": "red", " red": "red", "red\u00a0": "red", "r\u200bed": "red", "\ufeffRED ": "red", "dark  blue": "Dark Blue", "DARK\tBLUE": "Dark Blue",
		"1.50": "1.5", "+1.5": "1.5", "15e-1": "1.5", "STRAßE": "straße",
		"Green": "", "7.0": "", // which is two
		"darkblue": "", "blue": "", "": "", " ": "", "1,5": "", "nan": "", "rot": "",
	} {
		if got, ok := l.Match("colour", text); got != want || ok != (want != "") {
			t.Errorf("%q: %q, %v, want %q", text, got, ok, want)
		}
	}
	if got, _ := l.Match("kind", "A"); got != "a" {
		t.Errorf("A: %q", got)
	}
	for _, column := range []string{"x", "none"} {
		if got, ok := l.Match(column, "red"); ok {
			t.Errorf("column %s: %q", column, got)
		}
	}
	if got, ok := NewLabelMatcher(nil).Match("colour", "Red"); ok {
		t.Errorf("no encoding: %q", got)
	}
	var b strings.Builder
	tell := Warn("data", e, &b)
	tell("colour", "Red")
	tell("colour", "blue")
	want := `WARNING: data: label "Red" of column "colour" does not occur in the training data, but "red" does` + "\n" +
		`WARNING: data: label "blue" of column "colour" does not occur in the training data` + "\n"
	if b.String() != want {
		t.Errorf("%s, want %s", b.String(), want)
	}
}
