package arff

import (
	"errors"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
)

// A column of labels that has none has no first label that a sparse row could mean
// by leaving it out.
func TestLeavesOutEmptyNominal(t *testing.T) {
	const text = "@relation r\n@attribute a numeric\n@attribute b {}\n@attribute c {x,y}\n@data\n{0 1,1 ?}\n{0 2,2 y}\n{0 3}\n"
	r := NewReader(strings.NewReader(text))
	if _, err := r.Header(); err != nil {
		t.Fatal(err)
	}
	if in, err := r.Read(); err != nil || !math.IsNaN(in.X.At(1)) {
		t.Fatalf("%v, %v", in, err)
	}
	for _, line := range []string{"7:1: ", "8:1: "} {
		_, err := r.Read()
		const want = `the row leaves out attribute "b" with index 1: what is left out is its first label, and it has none`
		if err == nil || err.Error() != line+want {
			t.Fatalf("%v, want %s%s", err, line, want)
		}
		r.Skip()
	}
	r = NewReader(strings.NewReader(text))
	r.Weka = true
	if _, err := r.Header(); err != nil {
		t.Fatal(err)
	}
	for row, want := range [][3]float64{{1, math.NaN(), 0}, {2, math.NaN(), 1}, {3, math.NaN(), 0}} {
		in, err := r.Read()
		if err != nil {
			t.Fatal(err)
		}
		for i, w := range want {
			if v := in.X.At(int32(i)); v != w && !(math.IsNaN(v) && math.IsNaN(w)) {
				t.Errorf("row %d, attribute %d: %v, want %v", row+1, i, v, w)
			}
		}
	}
}

// Nor does a Writer leave such a column out: what it writes a Reader reads.
func TestWritesEmptyNominal(t *testing.T) {
	var text strings.Builder
	w := NewWriter(&text)
	h := &format.Header{Relation: "r", Class: -1, Attributes: []format.Attribute{{Name: "a"}, {Name: "b", Type: format.Nominal}, {Name: "c"}}}
	if err := w.WriteHeader(h); err != nil {
		t.Fatal(err)
	}
	row := format.Instance{Weight: 1, X: vec.Vector{Index: []int32{0}, Value: []float64{1}}}
	for _, row.Sparse = range []bool{true, false} {
		const want = `attribute "b": 0 is no position among 0 values`
		if err := w.Write(row); err == nil || err.Error() != want {
			t.Errorf("sparse %t, without a value: %v, want %s", row.Sparse, err, want)
		}
	}
	row.X = vec.Vector{Index: []int32{0, 1}, Value: []float64{1, math.NaN()}}
	for _, row.Sparse = range []bool{true, false} {
		if err := w.Write(row); err != nil {
			t.Errorf("sparse %t, with a missing value: %v", row.Sparse, err)
		}
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	r := NewReader(strings.NewReader(text.String()))
	for range 2 {
		if in, err := r.Read(); err != nil || in.X.At(0) != 1 || !math.IsNaN(in.X.At(1)) {
			t.Errorf("%v, %v of\n%s", in.X, err, text.String())
		}
	}
}

// A relation without attributes has no rows; Weka cannot read one either.
func TestRowsOfEmptyRelation(t *testing.T) {
	const head = "@relation r\n@attribute n numeric\n@attribute bag relational\n@end bag\n@data\n"
	for _, c := range []struct {
		row  string
		weka bool
		err  string
	}{
		{"1,''", false, ""}, {"1,''", true, ""}, {"1,' \\n'", true, ""},
		{"1,'1'", false, `6:4: in relation "bag": expected the end of the row after 0 values, found "1"`},
		{"1,'1'", true, `6:4: in relation "bag": expected no row, since the relation declares no attributes`},
		{"1,'{}'", true, `6:4: in relation "bag": expected no row, since the relation declares no attributes`},
	} {
		r := NewReader(strings.NewReader(head + c.row + "\n"))
		r.Weka = c.weka
		in, err := r.Read()
		if c.err == "" && (err != nil || len(in.Tables) != 1 || len(in.Tables[0]) != 0) || c.err != "" && (err == nil || err.Error() != c.err) {
			t.Errorf("%s, as Weka %v: %v, %v, want %s", c.row, c.weka, in, err, c.err)
		}
	}
}

// Nor does a Writer write one that a Reader would not find: an empty line, unless it has a weight.
func TestWritesEmptyRelation(t *testing.T) {
	h := &format.Header{Relation: "r", Class: -1, Attributes: []format.Attribute{{Name: "n"}, {Name: "bag", Type: format.Relational}}}
	for _, c := range []struct {
		rows []format.Instance
		err  string
	}{
		{nil, ""},
		{[]format.Instance{{Weight: 1, Sparse: true}, {Weight: 2}}, ""},
		{[]format.Instance{{Weight: 2}, {Weight: 1}}, `attribute "bag": the relation has no attributes, and cannot tell a row`},
	} {
		var text strings.Builder
		w := NewWriter(&text)
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		in := format.Instance{Weight: 1, X: vec.Vector{Index: []int32{0, 1}, Value: []float64{1, 0}}, Tables: [][]format.Instance{c.rows}}
		err := w.Write(in)
		if c.err != "" {
			if err == nil || err.Error() != c.err {
				t.Errorf("%+v: %v, want %s", c.rows, err, c.err)
			}
			continue
		}
		if err := errors.Join(err, w.Flush()); err != nil {
			t.Fatal(err)
		}
		again, err := NewReader(strings.NewReader(text.String())).Read()
		if err != nil || len(again.Tables) != 1 || len(again.Tables[0]) != len(c.rows) {
			t.Errorf("%+v come back as %+v, %v", c.rows, again.Tables, err)
		}
	}
}

// TestNoHeader: without a header nothing is written.
func TestNoHeader(t *testing.T) {
	if err := NewWriter(io.Discard).WriteHeader(nil); err == nil || err.Error() != "ARFF declares columns, but the data has no attributes" {
		t.Errorf("no header: %v", err)
	}
}
