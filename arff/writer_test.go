package arff

import (
	"io"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
)

// TestWriterRefusesHeaders: declarations that no Reader would take, or would take for others, are
// errors, and nothing is written of them.
func TestWriterRefusesHeaders(t *testing.T) {
	number := format.Attribute{Name: "n"}
	nested := func(depth int) format.Attribute {
		a := number
		for range depth {
			a = format.Attribute{Name: "bag", Type: format.Relational, Attributes: []format.Attribute{a}}
		}
		return a
	}
	for _, c := range []struct {
		attribute format.Attribute
		want      string // "": it is written
	}{
		{format.Attribute{Name: "a", Weight: -2}, ""},
		{format.Attribute{Name: "a", Weight: math.NaN()}, `attribute "a": the weight is not a number`},
		{format.Attribute{Name: "n", Type: format.String}, `two attributes have the name "n"`},
		{format.Attribute{Name: "a\xff"}, `attribute "a\xff": the name is not UTF-8`},
		{format.Attribute{Name: "a", Type: 7}, `attribute "a": type 7 is unknown`},
		{format.Attribute{Name: "a", Type: -1}, `attribute "a": type -1 is unknown`},
		{format.Attribute{Name: "a", Type: format.Nominal, Labels: []string{"x", "X"}}, ""},
		{format.Attribute{Name: "a", Type: format.Nominal, Labels: []string{"x", "y", "x"}}, `attribute "a": two labels are "x"`},
		{format.Attribute{Name: "a", Type: format.Nominal, Labels: []string{"x\x80"}}, `attribute "a": a label is not UTF-8: "x\x80"`},
		{format.Attribute{Name: "a", Type: format.Date, Pattern: "yyyy-bbb"}, `attribute "a": date pattern "yyyy-bbb": letter 'b' has no meaning; text is quoted`},
		{format.Attribute{Name: "a", Type: format.Date, Pattern: "yyyy\xff"}, `attribute "a": the date pattern is not UTF-8: "yyyy\xff"`},
		{format.Attribute{Name: "a", Type: format.Relational, Attributes: []format.Attribute{number, number}}, `attribute "a": two attributes have the name "n"`},
		{nested(maxDepth), ""},
		{nested(maxDepth + 1), "relations nest more than 16 deep"},
	} {
		var text strings.Builder
		w := NewWriter(&text)
		err := w.WriteHeader(&format.Header{Relation: "r", Class: -1, Attributes: []format.Attribute{number, c.attribute}})
		w.Flush()
		if c.want == "" && (err != nil || text.Len() == 0) || c.want != "" && (err == nil || !strings.HasSuffix(err.Error(), c.want) || text.Len() > 0) {
			t.Errorf("%+v: %v, want %s; written %q", c.attribute, err, c.want, text.String())
		}
	}
	for _, c := range []struct {
		h    format.Header
		want string
	}{
		{format.Header{Class: -1}, "ARFF declares columns, but the data has no attributes"},
		{format.Header{Class: 1, Attributes: []format.Attribute{number}}, "class 1 is none of 1 attribute"},
		{format.Header{Class: -2, Attributes: []format.Attribute{number}}, "class -2 is none of 1 attribute"},
		{format.Header{Relation: "r\xff", Class: -1, Attributes: []format.Attribute{number}}, `the name of the relation is not UTF-8: "r\xff"`},
	} {
		if err := NewWriter(io.Discard).WriteHeader(&c.h); err == nil || err.Error() != c.want {
			t.Errorf("%+v: %v, want %s", c.h, err, c.want)
		}
	}
}

// TestWriterOrder: a row before the header, or another header, would be read as something else.
func TestWriterOrder(t *testing.T) {
	var text strings.Builder
	w := NewWriter(&text)
	h := &format.Header{Relation: "r", Class: -1, Attributes: []format.Attribute{{Name: "n"}}}
	row := format.Instance{X: vec.Vector{Index: []int32{0}, Value: []float64{2}}, Weight: 1}
	for i, step := range []struct {
		do   func() error
		want string // "": none
	}{
		{func() error { return w.Write(row) }, "arff: Write before WriteHeader"},
		{func() error { return w.WriteHeader(h) }, ""},
		{func() error { return w.WriteHeader(h) }, "arff: the header is written already"},
		{func() error { return w.Write(row) }, ""},
		{w.Flush, ""},
	} {
		if err := step.do(); (err == nil) != (step.want == "") || err != nil && err.Error() != step.want {
			t.Errorf("step %d: %v, want %s", i, err, step.want)
		}
	}
	if want := "@relation r\n\n@attribute n numeric\n\n@data\n2\n"; text.String() != want {
		t.Errorf("%q, want %q", text.String(), want)
	}
}

// TestWriterRefusesRows: values that a row cannot say are errors, and nothing is written of the row.
func TestWriterRefusesRows(t *testing.T) {
	inner := []format.Attribute{{Name: "day", Type: format.Date, Pattern: "yy"}}
	h := &format.Header{Relation: "r", Class: -1, Attributes: []format.Attribute{
		{Name: "n"}, {Name: "k", Type: format.Nominal, Labels: []string{"p", "q"}}, {Name: "s", Type: format.String},
		{Name: "d", Type: format.Date, Pattern: "yy"}, {Name: "bag", Type: format.Relational, Attributes: inner},
	}}
	year := func(y int) float64 { return float64(time.Date(y, 1, 1, 0, 0, 0, 0, time.UTC).UnixMilli()) }
	good := func() format.Instance {
		day := format.Instance{X: vec.Vector{Index: []int32{0}, Value: []float64{year(1999)}}, Weight: 1}
		return format.Instance{
			X:       vec.Vector{Index: []int32{0, 1, 2, 3, 4}, Value: []float64{1, 1, 0, year(2005), 0}},
			Strings: []string{"text"}, Tables: [][]format.Instance{{day}}, Weight: 1,
		}
	}
	for _, c := range []struct {
		century int
		change  func(in *format.Instance)
		want    string
	}{
		{1950, func(in *format.Instance) {}, ""},
		{1950, func(in *format.Instance) { in.Weight = math.NaN() }, "the weight of a row is not a number"},
		{1950, func(in *format.Instance) { in.X.Index[4] = 5 }, "row with index 5, in 5 attributes"},
		{1950, func(in *format.Instance) { in.X.Index[1] = 0 }, "a row that ARFF cannot hold: index 0 follows index 0: indices must increase"},
		{1950, func(in *format.Instance) { in.X.Value[1] = 2 }, `attribute "k": 2 is no position among 2 values`},
		{1950, func(in *format.Instance) { in.X.Value[1] = -1 }, `attribute "k": -1 is no position among 2 values`},
		{1950, func(in *format.Instance) { in.X.Value[1] = 0.5 }, `attribute "k": 0.5 is no position among 2 values`},
		{1950, func(in *format.Instance) { in.X.Value[2] = 1 }, `attribute "s": 1 is no position among 1 value`},
		{1950, func(in *format.Instance) { in.Strings[0] = "x\xff" }, `attribute "s": text is not UTF-8: "x\xff"`},
		{1950, func(in *format.Instance) { in.X.Value[3] += 0.5 }, `attribute "d": 1.1045376000005e+12 is no date in milliseconds`},
		{1950, func(in *format.Instance) { in.X.Value[3]++ }, `attribute "d": the date of 1104537600001 milliseconds cannot be told by the pattern "yy"`},
		{2000, func(in *format.Instance) {}, `attribute "bag": attribute "day": the date of 915148800000 milliseconds cannot be told by the pattern "yy"`},
		{1906, func(in *format.Instance) {}, ""},
		{1905, func(in *format.Instance) {}, `attribute "d": the date of 1104537600000 milliseconds cannot be told by the pattern "yy"`},
		{1950, func(in *format.Instance) { in.Tables = nil }, `attribute "bag": 0 is no position among 0 values`},
		{1950, func(in *format.Instance) { // what is left out is 0 too
			in.X = vec.Vector{Index: []int32{0, 1, 3, 4}, Value: []float64{1, 1, year(2005), 0}}
			in.Strings = nil
		}, `attribute "s": 0 is no position among 0 values`},
	} {
		for _, sparse := range []bool{false, true} {
			var text strings.Builder
			w := NewWriter(&text)
			w.Century = c.century
			if err := w.WriteHeader(h); err != nil {
				t.Fatal(err)
			}
			in := good()
			in.Sparse = sparse
			c.change(&in)
			err := w.Write(in)
			w.Flush()
			_, rows, _ := strings.Cut(text.String(), "@data\n")
			want := "1,q,text,05,'99'\n"
			if sparse {
				want = "{0 1,1 q,2 text,3 05,4 '99'}\n"
			}
			if c.want == "" && (err != nil || rows != want) || c.want != "" && (err == nil || err.Error() != c.want || rows != "") {
				t.Errorf("century %d, sparse %t, %+v: %v, want %s; written %q", c.century, sparse, in, err, c.want, rows)
			}
		}
	}
}

// TestAppendQuoted: what means something in quotes, or shows nothing, is escaped.
func TestAppendQuoted(t *testing.T) {
	const text, want = "\x00\x0b\x1f\x7f\t\n\r'\"\\% é@{}", `'\000\013\037\177\t\n\r\'\"\\\% é@{}'`
	if got := string(appendQuoted(nil, text)); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	l := lexer{src: linesOf([]byte(want))}
	if err := l.nextLine(); err != nil {
		t.Fatal(err)
	}
	if f := l.next(); f != nil {
		t.Fatal(f.Err)
	}
	if got, f := l.text(); f != nil || string(got) != text {
		t.Errorf("read as %q, want %q", got, text)
	}
}
