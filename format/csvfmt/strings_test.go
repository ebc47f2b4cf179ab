package csvfmt_test

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/csvfmt"
)

// Columns with many different texts are String, but for the class.
func TestStrings(t *testing.T) {
	table := func(n, different int) string {
		var b strings.Builder
		b.WriteString("a,b,class\n")
		for i := range n {
			fmt.Fprintf(&b, "t%d,%d,c%d\n", i%different, i, i)
		}
		return b.String()
	}
	for _, c := range []struct {
		rows, different int
		want            format.Type
	}{
		{64, 64, format.Nominal}, {65, 65, format.String}, {128, 65, format.String}, {129, 65, format.String}, {130, 65, format.Nominal}, {131, 65, format.Nominal},
		{70_000, 1000, format.Nominal}, {132_000, 1 << 16, format.Nominal}, {132_000, 1<<16 + 1, format.String},
	} {
		r := csvfmt.NewReader(strings.NewReader(table(c.rows, c.different)))
		h, err := r.Header()
		if err != nil {
			t.Fatal(err)
		}
		if h.Attributes[0].Type != c.want || h.Attributes[1].Type != format.Numeric || h.Attributes[2].Type != format.Nominal || len(h.Attributes[2].Labels) != c.rows {
			t.Errorf("%d rows, %d different: types %d %d %d", c.rows, c.different, h.Attributes[0].Type, h.Attributes[1].Type, h.Attributes[2].Type)
		}
		for i := range c.rows {
			in, err := r.Read()
			if err != nil {
				t.Fatal(err)
			}
			want := fmt.Sprintf("t%d %d c%d", i%c.different, i, i)
			got := fmt.Sprint(strings.Trim(cellOf(h.Attributes[0], in.X.Value[0], in.Strings), `"`), " ", int(in.X.Value[1]), " ", cellOf(h.Attributes[2], in.X.Value[2], nil))
			if got != want {
				t.Fatalf("row %d is %s, want %s", i, got, want)
			}
		}
	}
	// missing values do not count as cells; numbers in front of the first text do
	text := "a,b\n" + strings.Repeat(",1\n", 1000)
	for i := range 33 {
		text += fmt.Sprintf("%d,1\nx%d,1\n", i, i)
	}
	r := csvfmt.NewReader(strings.NewReader(text))
	if h, err := r.Header(); err != nil || h.Attributes[0].Type != format.String {
		t.Errorf("%+v, %v", h, err)
	}
}

// Texts that are too long to be kept while they are counted.
func TestLongTexts(t *testing.T) {
	long := strings.Repeat("long text, with \"quotes\" and\nlines; ", 600)
	quoted := func(i int) string { return fmt.Sprintf(`"%d %s"`, i, strings.ReplaceAll(long, `"`, `""`)) }
	type column struct {
		cell func(i int) string
		want format.Type
	}
	columns := []column{
		{func(i int) string { return quoted(i % 70) }, format.Nominal},
		{func(i int) string { return quoted(i % 71) }, format.String}, // more than half of 140
		{func(i int) string { return quoted(i) }, format.String},
		{func(i int) string { // numbers first
			if i < 30 {
				return fmt.Sprint(i)
			}
			return quoted(i % 60)
		}, format.String},
		{func(i int) string {
			if i < 20 {
				return fmt.Sprint(i % 7)
			}
			return quoted(i % 60)
		}, format.Nominal},
		{func(i int) string { return quoted(i) }, format.Nominal}, // the class
	}
	for _, names := range []bool{true, false} {
		var text strings.Builder
		if names {
			text.WriteString("a,b,c,d,e,class\n")
		}
		const rows = 140
		for i := range rows {
			for k, c := range columns {
				text.WriteString(c.cell(i))
				text.WriteString([]string{",", "\n"}[k/(len(columns)-1)])
			}
		}
		for _, in := range []io.Reader{strings.NewReader(text.String()), iotest.HalfReader(strings.NewReader(text.String()))} {
			r := csvfmt.NewReader(in)
			h, err := r.Header()
			if err != nil {
				t.Fatal(err)
			}
			for k, c := range columns {
				var labels []string
				for i := range rows {
					if s := unquote(c.cell(i)); c.want == format.Nominal && !slices.Contains(labels, s) {
						labels = append(labels, s)
					}
				}
				if a := h.Attributes[k]; a.Type != c.want || !slices.Equal(a.Labels, labels) {
					t.Errorf("names: %v: column %d is of type %d with %d labels, want %d with %d", names, k+1, a.Type, len(a.Labels), c.want, len(labels))
				}
			}
			for i := range rows {
				row, err := r.Read()
				if err != nil {
					t.Fatal(err)
				}
				for k, c := range columns {
					got := cellOf(h.Attributes[k], row.X.Value[k], row.Strings)
					if h.Attributes[k].Type == format.String {
						got = row.Strings[int(row.X.Value[k])]
					}
					if want := unquote(c.cell(i)); got != want {
						t.Fatalf("row %d, column %d: %.50q, want %.50q", i+1, k+1, got, want)
					}
				}
			}
			if _, err := r.Read(); err != io.EOF {
				t.Error(err)
			}
		}
	}
}

// unquote returns what is in a cell.
func unquote(s string) string {
	if s[0] != '"' {
		return s
	}
	return strings.ReplaceAll(s[1:len(s)-1], `""`, `"`)
}

// The separator of a text whose first record is longer than what is looked at first,
// or than what is looked at at all.
func TestSeparatorOfLongNames(t *testing.T) {
	for n, separators := range map[int]string{1000: ",;\t|", 70_000: ",;\t|", 300_000: ";", 5 << 20: "|"} {
		for _, separator := range separators {
			long := strings.Repeat("x,;", n/3)
			text := strings.ReplaceAll("a;\""+long+"\";\"c\nd\"\n1;2;3\n", "\";", "\""+string(separator))
			text = strings.Replace(text, "a;", "a"+string(separator), 1)
			text = strings.Replace(text, "1;2;3", strings.Join([]string{"1", "2", "3"}, string(separator)), 1)
			if got, want := meaning(csvfmt.NewReader(strings.NewReader(text))), "a "+long+" *c\nd | 1 2 3"; got != want {
				t.Errorf("%d bytes, %q: %.100s ... %.50s", n, separator, got, got[max(0, len(got)-50):])
			}
		}
	}
}
