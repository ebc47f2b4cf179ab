package encode

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
)

const trained = "x colour{red,green,blue} size{s,l} y{n,p}\n1 red s n\n3 blue l p"

// TestMapper: columns are found by name, labels by text.
func TestMapper(t *testing.T) {
	normalize := Options{Scaling: Normalize}
	for _, c := range []struct {
		rule       string
		o          Options
		data, want string
		unknown    string
	}{
		{"the same", Options{}, "x colour{red,green,blue} size{s,l} y{n,p}\n5 green l p", "1 1:5 3:1 5:1", ""},
		{"columns in another order", Options{}, "y{n,p} size{s,l} x colour{red,green,blue}\np l 5 green", "1 1:5 3:1 5:1", ""},
		{"labels in another order", Options{}, "x colour{blue,red,green} size{l,s} y{p,n}\n5 green l p\n5 blue s n", "1 1:5 3:1 5:1\n0 1:5 4:1", ""},
		{"labels in another order, left out", Options{}, "x colour{blue,red,green} size{l,s} y{p,n}\n. . . .\n. ? s .", "1 4:1 5:1\n1 1:0 2:1", ""},
		{"fewer labels", Options{}, "x colour{blue} size{l} y{p}\n5 blue l p", "1 1:5 4:1 5:1", ""},
		{"columns more", Options{}, "a x b{q} colour{red,green,blue} size{s,l} y{n,p} c@string\n7 5 q green l p 1", "1 1:5 3:1 5:1", ""},
		{"no label's column", Options{}, "x colour{red,green,blue} size{s,l}\n5 green l", "NaN 1:5 3:1 5:1", ""},
		{"labels missing", Options{}, "x colour{red,green,blue} size{s,l} y{n,p}\n5 green l ?", "NaN 1:5 3:1 5:1", ""},
		{"the label's column without labels", Options{}, "x colour{red,green,blue} size{s,l} y{}\n5 green l ?\n5 green l .", "NaN 1:5 3:1 5:1\nNaN 1:5 3:1 5:1", ""},
		{"a column without labels", Options{}, "x colour{} size{} y{n,p}\n5 ? ? n\n5 . . n", "0 1:5 2:1\n0 1:5 2:1", ""},
		{"an unknown label: all 0", Options{}, "x colour{pink,red} size{s,l,xl} y{n,p}\n5 pink xl n", "0 1:5", "colour=pink size=xl"},
		{"an unknown label left out", Options{}, "x colour{pink,red} size{xl,l} y{n,p}\n5 . . n", "0 1:5", "colour=pink size=xl"},
		{"an unknown label, scaled", normalize, "x colour{pink,red} size{s,l} y{n,p}\n5 pink l n\n5 red s n", "0 1:2 5:1\n0 1:2 2:1", "colour=pink"},
		{"an unknown label of the row: missing", Options{}, "x colour{red} size{s} y{maybe,n}\n5 red s maybe\n5 red s .\n5 red s n", "NaN 1:5 2:1\nNaN 1:5 2:1\n0 1:5 2:1", "y=maybe y=maybe"},
		{"a declared label that does not occur is no matter", Options{}, "x colour{pink,red} size{s,l} y{n,p}\n5 red l n", "0 1:5 2:1 5:1", ""},
		{"a column more with a label unknown", Options{}, "colour{red,green,blue} x more{a,b} size{s,l} y{n,p}\nred 5 b l n", "0 1:5 2:1 5:1", ""},
	} {
		t.Run(c.rule, func(t *testing.T) {
			e, _ := fit(t, trained, c.o)
			var told []string
			got := mapped(t, e, c.data, func(column, label string) { told = append(told, column+"="+label) })
			wantLines(t, got, strings.ReplaceAll(c.want, "1 1:0 2:1", "1 2:1"))
			if strings.Join(told, " ") != c.unknown {
				t.Errorf("told of %v, want %s", told, c.unknown)
			}
			if again := mapped(t, e, c.data, nil); !slices.Equal(again, got) {
				t.Errorf("without Unknown %v", again)
			}
		})
	}
}

// TestMissingTarget: a missing label stays missing even where all others are one.
func TestMissingTarget(t *testing.T) {
	e, _ := fit(t, "x y\n1 5\n2 5", Options{Scaling: Normalize, ColumnsFirst: true})
	wantLines(t, mapped(t, e, "x y\n2 ?\n2 5", nil), "NaN 1:1\n0 1:1")
}

func TestMapperErrors(t *testing.T) {
	for _, c := range []struct {
		columns, want string
		is            error
	}{
		{"x size{s,l} y{n,p}", `column is missing: "colour"`, ErrMissingColumn},
		{"y{n,p}", `column is missing: "x", and 2 more`, ErrMissingColumn},
		{"X size{s,l} y{n,p}", `column is missing: "x", and 1 more; there is one named "X"`, ErrMissingColumn},
		{"X colour{red,green,blue} size{s,l} y{n,p}", `column is missing: "x"; there is one named "X"`, ErrMissingColumn},
		{"x colour size{s,l} y{n,p}", `column "colour": the column is of another type than in training: numbers, expected declared labels`, ErrColumnType},
		{"x{a} colour{red} size{s,l} y{n,p}", `column "x": the column is of another type than in training: declared labels, expected numbers`, ErrColumnType},
		{"x@date colour{red} size{s,l} y{n,p}", `column "x": the column is of another type than in training: dates, expected numbers`, ErrColumnType},
		{"x colour@string size{s,l} y{n,p}", `column "colour": the column is of another type than in training: text, expected declared labels`, ErrColumnType},
		{"x colour{red} size@table y{n,p}", `column "size": the column is of another type than in training: tables, expected declared labels`, ErrColumnType},
		{"x colour{red} size{s,l} y", `column "y": the column is of another type than in training: numbers, expected declared labels`, ErrColumnType},
		{"x colour{red} x size{s,l} y{n,p}", `two columns have the name "x"`, nil},
	} {
		e, _ := fit(t, trained, Options{})
		_, err := e.Mapper(parse(t, c.columns).Header)
		if err == nil || err.Error() != c.want || c.is != nil && !errors.Is(err, c.is) {
			t.Errorf("%s: %v, want %s", c.columns, err, c.want)
		}
	}
}

// scripted is a reader of rows, then an error.
type scripted struct {
	d   *format.Dataset
	n   int
	end error
}

func (s *scripted) Header() (*format.Header, error) { return s.d.Header, nil }

func (s *scripted) Read() (format.Instance, error) {
	if s.n == s.d.Len() {
		return format.Instance{}, s.end
	}
	s.n++
	return format.Instance{X: s.d.X.Row(s.n - 1), Weight: float64(s.n)}, nil
}

func TestReadAll(t *testing.T) {
	e, _ := fit(t, trained, Options{})
	d := parse(t, "x colour{red,green,blue} size{s,l} y{n,p}\n5 green l p\n6 green l ?\n7 red s n")
	fault := errors.New("line 3")
	for _, c := range []struct {
		unlabelled bool
		end        error
		want       string
		weights    string
	}{
		{false, io.EOF, "1 1:5 3:1 5:1\n0 1:7 2:1", "[1 3]"},
		{true, io.EOF, "1 1:5 3:1 5:1\nNaN 1:6 3:1 5:1\n0 1:7 2:1", "[1 2 3]"},
		{true, fault, "", ""},
	} {
		m, err := e.Mapper(d.Header)
		if err != nil {
			t.Fatal(err)
		}
		got, err := m.ReadAll(t.Context(), &scripted{d: d, end: c.end}, c.unlabelled)
		if c.end != io.EOF {
			if err != c.end || got != nil {
				t.Errorf("%v, %v, want the reader's error", got, err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		wantLines(t, showAll(got), c.want)
		if w := fmt.Sprint(got.Weight); w != c.weights {
			t.Errorf("weights %s, want %s", w, c.weights)
		}
	}
}

func TestCancelled(t *testing.T) {
	e, d := fit(t, trained, Options{})
	why := errors.New("not needed any more")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(why)
	says := func(err error) bool { return errors.Is(err, context.Canceled) && errors.Is(err, why) }
	if e, err := Fit(ctx, d, Options{}); !says(err) || e != nil {
		t.Errorf("Fit: %v, %v", e, err)
	}
	if _, err := e.Encode(ctx, d); !says(err) {
		t.Errorf("Encode: %v", err)
	}
	m, err := e.Mapper(d.Header)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.ReadAll(ctx, &scripted{d: d, end: io.EOF}, true); !says(err) {
		t.Errorf("ReadAll: %v", err)
	}
}

// TestManyLabels: a row takes no longer because its column has very many labels. Where each was
// looked at for each row this would take minutes.
func TestManyLabels(t *testing.T) {
	const n = 1 << 18
	column := format.Attribute{Name: "id", Type: format.Nominal, Labels: make([]string, n)}
	for i := range column.Labels {
		column.Labels[i] = fmt.Sprint("label", i)
	}
	class := format.Attribute{Name: "class", Type: format.Nominal, Labels: []string{"n", "p"}}
	h := &format.Header{Attributes: []format.Attribute{column, class}, Class: 1}
	rows := func(yield func(format.Instance, error) bool) {
		for i := range n {
			x := vec.Vector{Index: []int32{0, 1}, Value: []float64{float64(i), float64(i & 1)}}
			if !yield(format.Instance{X: x, Weight: 1}, nil) {
				return
			}
		}
	}
	for _, o := range []Options{{}, {Scaling: Normalize}, {Scaling: Standardize, ColumnsFirst: true}} {
		e, err := FitRows(context.Background(), h, rows, o)
		if err != nil {
			t.Fatal(err)
		}
		m, err := e.Mapper(h)
		if err != nil {
			t.Fatal(err)
		}
		var x vec.Vector
		i := 0
		for in := range rows {
			if m.Row(&x, in.X); len(x.Index) != 1 || x.Index[0] != int32(i+1) || x.Value[0] != 1 {
				t.Fatalf("%v: row %d became %v", o, i+1, x)
			}
			i++
		}
	}
}
