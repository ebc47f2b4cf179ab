package encode

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
)

// TestDrop: an encoding without some columns is that of data that do not have them, and
// encodes data that have them.
func TestDrop(t *testing.T) {
	for _, c := range []struct {
		o             Options
		data, without string
	}{
		{Options{Drop: []string{"id"}}, "id x y{n,p}\n1 5 n\n2 7 p\n3 ? n", "x y{n,p}\n5 n\n7 p\n? n"},
		{Options{Drop: []string{"first"}, Scaling: Normalize}, "id{q,r,s} x y{n,p}\nq 5 n\nr . p\ns 7 ?", "x y{n,p}\n5 n\n. p\n7 ?"},
		{Options{Drop: []string{"last", "2"}, Class: "1"}, "y a x b\n1 9 2 9\n3 9 4 9 *2", "y x\n1 2\n3 4 *2"},
		{Options{Drop: []string{"3", "s", "t", "s"}, Scaling: Standardize, ColumnsFirst: true}, "x s@string u t@table y\n1 0 3 0 4\n2 1 5 0 6", "x y\n1 4\n2 6"},
		{Options{Drop: []string{"z"}, Class: "x"}, "x{a,b,c} z@date y\na 1 2\nc 2 ?", "x{a,b,c} y\na 2\nc ?"},
	} {
		data, without := parse(t, c.data), parse(t, c.without)
		e, err := Fit(t.Context(), data, c.o)
		if err != nil {
			t.Errorf("%v: %v", c.o, err)
			continue
		}
		o := c.o
		if o.Drop = nil; o.Class == "1" {
			o.Class = "y"
		}
		plain, err := Fit(t.Context(), without, o)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := marshal(t, e), marshal(t, plain); got != want {
			t.Errorf("%v: the encoding\n%swant\n%s", c.o, got, want)
		}
		want, err := plain.Encode(t.Context(), without)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range []*format.Dataset{data, without} {
			got, err := e.Encode(t.Context(), d)
			if err != nil {
				t.Errorf("%v: %v", c.o, err)
				continue
			}
			wantLines(t, showAll(got), strings.Join(showAll(want), "\n"))
		}
	}
}

// TestDropErrors: what cannot be dropped.
func TestDropErrors(t *testing.T) {
	const data = "a s@string b\n1 0 2"
	for _, c := range []struct {
		o    Options
		want string
	}{
		{Options{Drop: []string{"z"}}, `no column is named "z"`},
		{Options{Drop: []string{""}}, `no column is named ""`},
		{Options{Drop: []string{"4"}}, "no column 4: there are 3"},
		{Options{Drop: []string{"s", "last"}}, `column "b": the label's column cannot be dropped`},
		{Options{Drop: []string{"s", "a"}, Class: "a"}, `column "a": the label's column cannot be dropped`},
		{Options{Drop: []string{"s", "a"}}, "there is no column beside the label's"},
		{Options{Drop: []string{"s"}, Class: "z"}, `no column is named "z"`},
	} {
		if _, err := Fit(t.Context(), parse(t, data), c.o); err == nil || err.Error() != c.want {
			t.Errorf("%+v: %v, want %s", c.o, err, c.want)
		}
	}
	text := (*TextError)(nil)
	if _, err := Fit(t.Context(), parse(t, data), Options{Drop: []string{"a"}}); !errors.As(err, &text) || text.Column != 1 {
		t.Errorf("a column of text is column %+v: %v", text, err)
	}
	if _, err := Fit(t.Context(), parse(t, "a s@table b"), Options{Drop: []string{"a"}}); !errors.As(err, &text) || *text != (TextError{Column: 1, Name: "s", Tables: true}) {
		t.Errorf("a column of tables is column %+v: %v", text, err)
	}
	row := (*RowError)(nil)
	if _, err := Fit(t.Context(), parse(t, "s x y\n1 2 3\n1 2 3 *-1"), Options{Drop: []string{"s"}}); !errors.As(err, &row) || row.Row != 1 {
		t.Errorf("a fault of the second row: %v", err)
	}
}

// TestDroppedIndices: an index that no column of the data has is one that none has that is
// left, so that it is reported.
func TestDroppedIndices(t *testing.T) {
	h := parse(t, "a b c").Header
	d, err := NewDropping(h, 2, []string{"a"})
	if err != nil {
		t.Fatal(err)
	}
	x := vec.Vector{Index: []int32{-7, -1, 0, 1, 2, 3, math.MaxInt32}, Value: []float64{1, 2, 3, 4, 5, 6, 7}}
	var left vec.Vector
	d.Row(&left, x)
	want := vec.Vector{Index: []int32{-8, -2, 0, 1, 2, math.MaxInt32 - 1}, Value: []float64{1, 2, 4, 5, 6, 7}}
	if !slices.Equal(left.Index, want.Index) || !slices.Equal(left.Value, want.Value) {
		t.Errorf("%v, want %v", left, want)
	}
}

func marshal(t *testing.T, e *Encoding) string {
	t.Helper()
	text, err := e.MarshalText()
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
