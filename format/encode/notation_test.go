package encode

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
)

// parse reads a data set in the notation of these tests. The first line declares
// columns: x is numeric, x{a,b} nominal, x@date a date, x@string text and x@table
// relational. Each further line is a row of values, or of ? for a missing value
// and . for a column that a sparse row leaves out; *w at its end is its weight.
func parse(t testing.TB, text string) *format.Dataset {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(text), "\n")
	d := &format.Dataset{Header: &format.Header{Relation: "test", Class: -1}}
	for _, word := range strings.Fields(lines[0]) {
		d.Header.Attributes = append(d.Header.Attributes, attribute(word))
	}
	for _, line := range lines[1:] {
		in := format.Instance{Weight: 1}
		for i, word := range strings.Fields(line) {
			if w, ok := strings.CutPrefix(word, "*"); ok {
				in.Weight = number(t, w)
			} else if word != "." {
				in.X.Index = append(in.X.Index, int32(i))
				in.X.Value = append(in.X.Value, value(t, d.Header.Attributes[i], word))
			}
		}
		d.Append(in)
	}
	return d
}

func attribute(word string) format.Attribute {
	if name, labels, ok := strings.Cut(word, "{"); ok {
		a := format.Attribute{Name: name, Type: format.Nominal}
		if labels = strings.TrimSuffix(labels, "}"); labels != "" {
			a.Labels = strings.Split(labels, ",")
		}
		return a
	}
	name, kind, _ := strings.Cut(word, "@")
	types := map[string]format.Type{"": format.Numeric, "date": format.Date, "string": format.String, "table": format.Relational}
	return format.Attribute{Name: name, Type: types[kind]}
}

func value(t testing.TB, a format.Attribute, word string) float64 {
	t.Helper()
	if word == "?" {
		return math.NaN()
	}
	if a.Type == format.Nominal {
		i := slices.Index(a.Labels, word)
		if i < 0 {
			t.Fatalf("column %s has no label %s", a.Name, word)
		}
		return float64(i)
	}
	return number(t, word)
}

func number(t testing.TB, word string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(word, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// show writes features and label as a line of LIBSVM's format.
func show(y float64, x vec.Vector) string {
	var b strings.Builder
	fmt.Fprint(&b, y)
	for k, i := range x.Index {
		fmt.Fprintf(&b, " %d:%v", i, x.Value[k])
	}
	return b.String()
}

func showAll(d *format.Dataset) (lines []string) {
	for i := range d.Len() {
		lines = append(lines, show(d.Y[i], d.X.Row(i)))
	}
	return lines
}

func fit(t testing.TB, text string, o Options) (*Encoding, *format.Dataset) {
	t.Helper()
	d := parse(t, text)
	e, err := Fit(t.Context(), d, o)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return e, d
}

// mapped returns the rows of the data set text as a mapper for e gives them.
func mapped(t testing.TB, e *Encoding, text string, unknown func(column, label string)) []string {
	t.Helper()
	d := parse(t, text)
	m, err := e.Mapper(d.Header)
	if err != nil {
		t.Fatal(err)
	}
	m.Unknown = unknown
	var lines []string
	var x vec.Vector
	for i := range d.Len() {
		y := m.Row(&x, d.X.Row(i))
		lines = append(lines, show(y, x))
	}
	return lines
}

func wantLines(t *testing.T, got []string, want string) {
	t.Helper()
	wanted := strings.Split(want, "\n")
	for i := range wanted {
		wanted[i] = strings.TrimSpace(wanted[i])
	}
	if !slices.Equal(got, wanted) {
		t.Errorf("rows\n\t%s\nwant\n\t%s", strings.Join(got, "\n\t"), strings.Join(wanted, "\n\t"))
	}
}
