package csvfmt_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/csvfmt"
)

// Columns that Reader.Nominal names hold labels as they stand, whatever they look like.
func TestNominal(t *testing.T) {
	nominal := func(columns ...string) options {
		return func(r *csvfmt.Reader) { r.Nominal = columns }
	}
	for _, c := range []struct {
		set        options
		text, want string
	}{
		{nominal("k"), "x,k\n1,1001\n2,1002\n3,01001\n4,1.001e3\n", "x *k{1001,1002,01001,1.001e3} | 1 1001 | 2 1002 | 3 01001 | 4 1.001e3"},
		{nominal("2"), "x,k\n1,2000000001\n2,4000000001\n", "x *k{2000000001,4000000001} | 1 2000000001 | 2 4000000001"},
		{nominal("first", "last"), "x,y,k\n1,2,3\n", "x{1} y *k{3} | 1 2 3"},
		{nominal("x"), "x,k\n\"1,5\",1\n1e999,2\nnan,3\n?,4\n,5\n", "x{1,5,1e999,nan} *k | 1,5 1 | 1e999 2 | nan 3 | ? 4 | ? 5"},
		{nominal("x"), "x,k\n?,1\n?,2\n", "x{} *k | ? 1 | ? 2"},
		{func(r *csvfmt.Reader) { r.Nominal, r.FirstLine = []string{"1"}, csvfmt.FirstLineNames }, "y,1\n5,6\n7,8\n", "y *1{6,8} | 5 6 | 7 8"},
		{nominal("att1"), "05,6\n7,8\n", "att1{05,7} *att2 | 05 6 | 7 8"},
		{nominal("x"), "x y\n1 2\n\"01\" 3\n", "x{1,01} *y | 1 2 | 01 3"},
		{nominal("x"), "x,k\n1,1\n2,2\na,3\n1,4\n", "x{1,2,a} *k | 1 1 | 2 2 | a 3 | 1 4"},
		{func(r *csvfmt.Reader) { r.Nominal, r.Numeric = []string{"x"}, true }, "x,k\n01,1\na,2\n", "x{01,a} *k | 01 1 | a 2"},
		{func(r *csvfmt.Reader) { r.Nominal, r.Missing = []string{"x"}, []string{"9"} }, "x,k\n01,1\n9,2\n", "x{01} *k | 01 1 | ? 2"},
		{nominal("z"), "x,k\n1,2\n", `there is no column "z" for labels: expected the name of one, first, last, or a number from 1 to 2`},
		{nominal("x", "3"), "x,k\n1,2\n", `there is no column "3" for labels: expected a number from 1 to 2`},
		{nominal(""), "x,k\n1,2\n", `there is no column "" for labels: expected the name of one, first, last, or a number from 1 to 2`},
	} {
		wantMeaning(t, c.set, c.text, c.want)
	}
	r := csvfmt.NewReader(strings.NewReader("x,k\n1,2\na,3\n"))
	r.Nominal = []string{"x"}
	if _, err := r.Header(); err != nil || len(r.Mixed()) > 0 {
		t.Errorf("what is said to hold labels is told as mixed: %v, %v", r.Mixed(), err)
	}
}

// They are labels however many there are, and however different.
func TestNominalMany(t *testing.T) {
	for _, prefix := range []string{"", "a", strings.Repeat("long", 10)} {
		var text strings.Builder
		text.WriteString("x,k\n")
		const rows = 70_000
		for i := range rows {
			text.WriteString(prefix + strconv.Itoa(i) + ",1\n")
		}
		r := csvfmt.NewReader(strings.NewReader(text.String()))
		r.Nominal = []string{"x"}
		h, err := r.Header()
		if err != nil {
			t.Fatal(err)
		}
		if a := h.Attributes[0]; a.Type != format.Nominal || len(a.Labels) != rows || a.Labels[rows-1] != prefix+strconv.Itoa(rows-1) {
			t.Errorf("%q: type %v, %d labels", prefix, a.Type, len(a.Labels))
		}
	}
}

// So are those of the class, however it is named and whatever the cells of the first row are.
func TestClassMany(t *testing.T) {
	const rows = 70_000
	for _, c := range []struct {
		names, class string
		firstLine    csvfmt.FirstLine
		want         int // the class
	}{
		{"", "first", csvfmt.FirstLineRow, 0},
		{"", "1", csvfmt.FirstLineRow, 0}, // which is the third cell of the first row
		{"", "1", csvfmt.FirstLineDetected, 0},
		{"", "att1", csvfmt.FirstLineDetected, 0},
		{"a,b,c\n", "a", csvfmt.FirstLineNames, 0},
		{"a,b,1\n", "1", csvfmt.FirstLineNames, 2},
	} {
		for _, prefix := range []string{"l", strings.Repeat("long", 10), ""} {
			var text strings.Builder
			text.WriteString(c.names)
			for i := range rows - 1 {
				text.WriteString(prefix + strconv.Itoa(i) + ",2.5," + strconv.Itoa(1+i%7) + "\n")
			}
			text.WriteString("end,2.5,1\n") // which makes labels of numbers
			r := csvfmt.NewReader(strings.NewReader(text.String()))
			r.FirstLine, r.Class = c.firstLine, c.class
			h, err := r.Header()
			if err != nil {
				t.Fatal(err)
			}
			want, labels := format.String, 0
			if c.want == 0 {
				want, labels = format.Nominal, rows
			}
			if a := h.Attributes[0]; h.Class != c.want || a.Type != want || len(a.Labels) != labels {
				t.Errorf("%+v, %q: class %d, type %v, %d labels", c, prefix, h.Class, a.Type, len(a.Labels))
			}
		}
	}
}
