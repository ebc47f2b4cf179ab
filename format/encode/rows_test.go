package encode

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
)

// inMemory returns rows of a number and a label, the second of them x.
func inMemory(x vec.Vector) *format.Dataset {
	d := &format.Dataset{Header: &format.Header{Class: -1, Attributes: []format.Attribute{
		{Name: "a"}, {Name: "b", Type: format.Nominal, Labels: []string{"u", "v"}},
	}}}
	d.Append(format.Instance{X: vec.Vector{Index: []int32{0, 1}, Value: []float64{2, 1}}, Weight: 1})
	d.Append(format.Instance{X: x, Weight: 1})
	return d
}

// TestFaultyRows: a row that no reader gives, under columns put together by hand, is named by what
// learns and by what encodes.
func TestFaultyRows(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		x    vec.Vector
		want string // "": it is a row
	}{
		{vec.Vector{}, ""},
		{vec.Vector{Index: []int32{0, 1}, Value: []float64{1, 0}}, ""},
		{vec.Vector{Index: []int32{0, 1}, Value: []float64{nan, nan}}, ""},
		{vec.Vector{Index: []int32{1}, Value: []float64{7}}, `row 2: column "b": there is no label 7 of 2: they are counted from 0`},
		{vec.Vector{Index: []int32{1}, Value: []float64{2}}, `row 2: column "b": there is no label 2 of 2: they are counted from 0`},
		{vec.Vector{Index: []int32{1}, Value: []float64{-1}}, `row 2: column "b": there is no label -1 of 2: they are counted from 0`},
		{vec.Vector{Index: []int32{1}, Value: []float64{0.5}}, `row 2: column "b": there is no label 0.5 of 2: they are counted from 0`},
		{vec.Vector{Index: []int32{1}, Value: []float64{math.Inf(1)}}, `row 2: column "b": there is no label +Inf of 2: they are counted from 0`},
		{vec.Vector{Index: []int32{0, 5}, Value: []float64{1, 1}}, `row 2: a value at position 5, expected 0 to 1: columns are counted from 0`},
		{vec.Vector{Index: []int32{2}, Value: []float64{1}}, `row 2: a value at position 2, expected 0 to 1: columns are counted from 0`},
		{vec.Vector{Index: []int32{-1}, Value: []float64{1}}, `row 2: index -1 is negative`},
		{vec.Vector{Index: []int32{1, 0}, Value: []float64{1, 1}}, `row 2: index 0 follows index 1: indices must increase`},
		{vec.Vector{Index: []int32{0, 0}, Value: []float64{1, 1}}, `row 2: index 0 follows index 0: indices must increase`},
	} {
		d := inMemory(c.x)
		_, err := Fit(t.Context(), d, Options{})
		e, sound := Fit(t.Context(), inMemory(vec.Vector{Index: []int32{0}, Value: []float64{1}}), Options{})
		if sound != nil {
			t.Fatal(sound)
		}
		_, encoded := e.Encode(t.Context(), d)
		m, sound := e.Mapper(d.Header)
		if sound != nil {
			t.Fatal(sound)
		}
		_, read := m.ReadAll(t.Context(), &rowReader{d: d}, false)
		alone := m.Check(c.x)
		if alone != nil {
			alone = &RowError{1, alone}
		}
		for call, err := range map[string]error{"Check": alone, "Fit": err, "Encode": encoded, "ReadAll": read} {
			var row *RowError
			if got := fmt.Sprint(err); c.want == "" && err != nil || c.want != "" && (got != c.want || !errors.As(err, &row) || row.Row != 1) {
				t.Errorf("%s of %v: %v, want %q", call, c.x, err, c.want)
			}
		}
	}
}

// TestFaultyPasses: a row that fits is another in a later pass, as where a file changes meanwhile.
func TestFaultyPasses(t *testing.T) {
	good := inMemory(vec.Vector{Index: []int32{0, 1}, Value: []float64{1, 0}})
	for _, weight := range []float64{1, 0.5} { // of which there are two passes for what is missing
		for at := range 4 {
			pass := -1
			rows := func(yield func(format.Instance, error) bool) {
				pass++
				for i := range good.Len() {
					in := format.Instance{X: good.X.Row(i), Weight: weight}
					if i == 1 && pass == at {
						in.X = vec.Vector{Index: []int32{0, 1}, Value: []float64{1, 7}}
					}
					if !yield(in, nil) {
						return
					}
				}
			}
			_, err := FitRows(t.Context(), good.Header, rows, Options{Scaling: Standardize})
			var row *RowError
			if errors.As(err, &row) != (pass == at) || err != nil && err.Error() != `row 2: column "b": there is no label 7 of 2: they are counted from 0` {
				t.Errorf("weight %g, pass %d of %d: %v", weight, at, pass, err)
			}
		}
	}
}

// A rowReader reads the rows of a data set.
type rowReader struct {
	d    *format.Dataset
	next int
}

func (r *rowReader) Header() (*format.Header, error) { return r.d.Header, nil }

func (r *rowReader) Read() (format.Instance, error) {
	if r.next == r.d.Len() {
		return format.Instance{}, io.EOF
	}
	r.next++
	return format.Instance{X: r.d.X.Row(r.next - 1), Weight: 1}, nil
}

// TestFaultyHeaders: columns put together by hand of which no features can be made.
func TestFaultyHeaders(t *testing.T) {
	good := inMemory(vec.Vector{})
	e, err := Fit(t.Context(), good, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		change func(d *format.Dataset)
		o      Options
		want   string
	}{
		{func(d *format.Dataset) { d.Header = nil }, Options{}, "the data declare no columns"},
		{func(d *format.Dataset) { d.Header = &format.Header{Class: -1} }, Options{}, "the data declare no columns"},
		{func(d *format.Dataset) { d.Header.Attributes[0].Type = 7 }, Options{}, `column "a": unknown type 7`},
		{func(d *format.Dataset) { d.Header.Attributes[1].Labels = []string{"u", "v", "u"} }, Options{}, `column "b": two labels "u"`},
		{func(*format.Dataset) {}, Options{Scaling: "foo"}, `no scaling "foo": there are "normalize" and "standardize"`},
	} {
		d := inMemory(vec.Vector{})
		c.change(d)
		if _, err := Fit(t.Context(), d, c.o); err == nil || err.Error() != c.want {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
	for _, c := range []struct {
		change func(d *format.Dataset)
		want   string
	}{
		{func(d *format.Dataset) { d.Header = nil }, "the data declare no columns"},
		{func(d *format.Dataset) { d.Header.Attributes = nil }, "the data declare no columns"},
		{func(d *format.Dataset) { d.Header.Attributes[0].Type = 7 }, `column "a": the column is of another type than in training: unknown type 7, expected numbers`},
		{func(d *format.Dataset) { d.Header.Attributes[0].Name = "x" }, `column is missing: "a"`},
	} {
		d := inMemory(vec.Vector{})
		c.change(d)
		if _, err := e.Encode(t.Context(), d); err == nil || err.Error() != c.want {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
	if at, err := FindColumn(&format.Header{}, "last"); err == nil {
		t.Errorf("the last of no columns is at %d", at)
	}
	if _, err := FindClass(&format.Header{}, ""); err == nil {
		t.Error("no columns have a label's column")
	}
}

// TestEncodingIsItsOwn: what becomes of the header it was learned from does not change an encoding.
func TestEncodingIsItsOwn(t *testing.T) {
	d := inMemory(vec.Vector{})
	e, err := Fit(t.Context(), d, Options{})
	if err != nil {
		t.Fatal(err)
	}
	before, err := e.MarshalText()
	if err != nil {
		t.Fatal(err)
	}
	d.Header.Attributes[0].Name = "changed"
	d.Header.Attributes[1].Labels[0] = "changed"
	if after, err := e.MarshalText(); err != nil || !bytes.Equal(before, after) {
		t.Errorf("%s, %v, want\n%s", after, err, before)
	}
}
