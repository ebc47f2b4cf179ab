package csvfmt_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/format/csvfmt"
)

// Rows are the same whatever separates their cells, as long as no cell holds it: no number goes on
// over it.
func TestAnySeparator(t *testing.T) {
	rows := [][]string{{"a", "b", "c", "d"}, {"nan", "5)", "-nan", "2"}, {"1", "x", "inf", "nan"}, {" +infinity", "5", "1e5", "nan "}, {"0", "nan", "\"-2.5\"", "5)"}, {"NaN", "5_x)", "4", "5_x)"}}
	text := func(separator string) string {
		var b strings.Builder
		for _, row := range rows {
			b.WriteString(strings.Join(row, separator) + "\n")
		}
		return b.String()
	}
	want := meaning(csvfmt.NewReader(strings.NewReader(text(","))))
	tried := 0
	for c := range byte(128) {
		if c == ')' || !csvfmt.CanSeparate(c) {
			continue
		}
		tried++
		r := csvfmt.NewReader(strings.NewReader(text(string(rune(c)))))
		r.Separator = c
		if got := meaning(r); got != want {
			t.Errorf("separated by %q: %s, want %s", c, got, want)
		}
	}
	if tried < 20 || strings.Contains(want, "changed") {
		t.Errorf("%d separators, %s", tried, want)
	}
}

// Where no separator fits, and two give as many records the first number of cells, it is the more
// common one.
func TestSeparatorOfFaults(t *testing.T) {
	for _, text := range []string{"x,1;q\ny,2\nz;3\n", "x;1,q\ny;2\nz,3\n"} {
		r := csvfmt.NewReader(strings.NewReader(text))
		r.Read() // its fault is in a later row
		if separator, _ := r.Found(); separator != ',' {
			t.Errorf("%q is separated by %q, want a comma", text, separator)
		}
	}
}

// Bytes that are not UTF-8 in the first line do not hide what separates the cells of all.
func TestSeparatorOfLatin1(t *testing.T) {
	for text, want := range map[string]byte{
		"name;gr\xf6\xdfe;kind\nx;1,5;a\ny;2,5;b\n":    ';',
		"name\tl\xe4nge\tkind\nx\t1,5\ta\ny\t2,5\tb\n": '\t',
		"n\xe4me,k;nd\nx,1;2\ny,2;3\n":                 ',',
	} {
		r := csvfmt.NewReader(strings.NewReader(text))
		if _, err := r.Read(); !errors.Is(err, csvfmt.ErrEncoding) {
			t.Errorf("%q: %v, want that it is not UTF-8", text, err)
		}
		if separator, _ := r.Found(); separator != want {
			t.Errorf("%q is separated by %q, want %q", text, separator, want)
		}
	}
}
