package csvfmt_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/format/csvfmt"
)

// Texts that people mean for numbers are told of, and labels are not.
func TestResembling(t *testing.T) {
	each := func(pattern string) (cells []string) {
		for i := range 20 {
			cells = append(cells, fmt.Sprintf(pattern, i))
		}
		return cells
	}
	with := func(cells []string, more ...string) []string { return append(more, cells...) }
	for _, c := range []struct {
		cells []string
		want  string // count of numbers, dates, line and text; "": none
	}{
		{each("%d%%"), "20 false 2 0%"},
		{each("$%d,000"), "20 false 2 $0,000"},
		{each("-€ %d.50"), "20 false 2 -€ 0.50"},
		{each("%d.5 kg"), "20 false 2 0.5 kg"},
		{each("%d kg/m²"), "20 false 2 0 kg/m²"},
		{each("1 %03d"), "20 false 2 1 000"},
		{each("1\u202f%03d\u202f000"), "20 false 2 1\u202f000\u202f000"},
		{each("1'%03d"), "20 false 2 1'000"},
		{each("\u22121.%d"), "20 false 2 \u22121.0"},
		{each("\u00a0%d"), "20 false 2 \u00a00"},
		{each("(%d)"), "20 false 2 (0)"},
		{each("0x%02x"), "20 false 2 0x00"},
		{each("%d,000+"), "20 false 2 0,000+"},
		{with(each("%d"), "1", "<0.5"), "21 false 3 <0.5"},
		{with(each("%d%%"), "N/A", "?"), "20 false 2 N/A"},
		{with(each("%d%%"), "much"), "20 false 2 much"},
		{each("2024-01-%02d"), "20 true 2 2024-01-00"},
		{each("%d/12/2023 11:30"), "20 true 2 0/12/2023 11:30"},
		{each("%d-Mar-21"), "20 true 2 0-Mar-21"},
		{each("11:%02d"), "20 true 2 11:00"},
		{each("a%d"), ""},
		{each("0x%dg"), ""},
		{each("Type %d"), ""},
		{each("10-%d"), ""},
		{each("10.0.0.%d"), ""},
		{each("555-12-34%02d"), ""},
		{each("%d Main Street"), ""},
		{each("1 %d"), ""},
		{with(each("%d%%"), "much", "more", "most"), ""},
		{each("%d%%")[:9], ""},
		{strings.Fields("12a 12b 12c 12d 13a 13b 13c 13d 14a 14b 14c 14d"), ""},
		{with(each("%d"), "x"), ""},
		{each(`"%d.5"`), "20 false 2 0.5"},
		{with(each(`"1,%d00"`), `"7"`), "21 false 2 7"},
		{each(`"%d"`), ""},
		{each(`"%d.5"`)[:9], ""},
		{with(each(`"%d.5"`), "2"), ""}, // numbers
	} {
		text := "a;b\n" + strings.Join(c.cells, ";1\n") + ";2\n"
		r := csvfmt.NewReader(strings.NewReader(text))
		r.Separator, r.FirstLine = ';', csvfmt.FirstLineNames
		if _, err := r.Header(); err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, m := range r.Resembling() {
			got += fmt.Sprintf("%d %t %d %s", m.Numbers, m.Dates, m.Line, m.Text)
			if m.Attribute != 0 || m.Column != 1 || m.Different != len(c.cells)-strings.Count(text, "?") && c.cells[0] != "1" {
				t.Errorf("%q: %+v", c.cells[0], m)
			}
		}
		if got != c.want {
			t.Errorf("%q and so on: %s, want %s", c.cells[0], got, c.want)
		}
		nominal := csvfmt.NewReader(strings.NewReader(text))
		nominal.Nominal, nominal.FirstLine, nominal.Separator = []string{"a"}, csvfmt.FirstLineNames, ';'
		if _, err := nominal.Header(); err != nil || len(nominal.Resembling()) > 0 {
			t.Errorf("%q and so on, of a column that is nominal: %v, error %v", c.cells[0], nominal.Resembling(), err)
		}
	}
}

// Where all cells are in quotes and the names are not, whole numbers that become labels are told of
// too, but for those of the class.
func TestResemblingQuotedTable(t *testing.T) {
	whole := "age,zip,y\n"
	for i := range 20 {
		whole += fmt.Sprintf("\"%d\",,\"%d\"\n", i+20, i)
	}
	for _, c := range []struct{ text, want string }{
		{whole, "[{0 20 20 false true 2 1 20}]"},
		{whole + "\"1\",5,\"1\"\n", "[]"},                                 // the quotes tell two kinds of columns
		{strings.Replace(whole, "age,zip,y", `"age","zip","y"`, 1), "[]"}, // numbers
	} {
		r := csvfmt.NewReader(strings.NewReader(c.text))
		if _, err := r.Header(); err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(r.Resembling()); got != c.want {
			t.Errorf("%.40q: %s, want %s", c.text, got, c.want)
		}
	}
}

// The first number in quotes may stand in the first line, if that is a row.
func TestResemblingPlace(t *testing.T) {
	var text strings.Builder
	for i := range 12 {
		fmt.Fprintf(&text, "%c,\"%d.5\",%d\n", "xy"[i%2], i, i)
	}
	for _, first := range []csvfmt.FirstLine{csvfmt.FirstLineDetected, csvfmt.FirstLineRow} {
		r := csvfmt.NewReader(strings.NewReader(text.String()))
		r.FirstLine = first
		if _, err := r.Header(); err != nil {
			t.Fatal(err)
		}
		if got, want := fmt.Sprint(r.Resembling()), "[{1 12 12 false true 1 3 0.5}]"; got != want {
			t.Errorf("FirstLine %d: %s, want %s", first, got, want)
		}
	}
}
