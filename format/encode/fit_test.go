package encode

import (
	"context"
	"errors"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
)

// TestFitErrors: data that cannot be encoded, and why.
func TestFitErrors(t *testing.T) {
	normalize, standardize := Options{Scaling: Normalize}, Options{Scaling: Standardize}
	for _, c := range []struct {
		o          Options
		data, want string
		overflow   bool
	}{
		{Options{}, "", "the data declare no columns", false},
		{Options{}, "a\n1", "there is no column beside the label's", false},
		{Options{Class: "z"}, "a b", `no column is named "z"`, false},
		{Options{}, "a s@string b", `column "s" holds text, which has no numbers: remove it, or declare its values as nominal`, false},
		{Options{}, "a s@string", `column "s" holds text, which has no numbers: remove it, or declare its values as nominal`, false},
		{Options{}, "a s@table b", `column "s" holds tables, which have no numbers: remove it`, false},
		{Options{}, "a y{}\n1 ?", `the label's column "y" declares no labels`, false},
		{Options{}, "a b a", `two columns have the name "a"`, false},
		{Options{}, "a y\n1 1\n2 2 *-1", "row 2: weight -1: expected a finite number, 0 or more", false},
		{Options{}, "a y\n1 1 *NaN", "row 1: weight NaN: expected a finite number, 0 or more", false},
		{Options{}, "a y\n1 1 *Inf", "row 1: weight +Inf: expected a finite number, 0 or more", false},
		{Options{}, "a y\n1 1 *1e308\n1 1 *1e308", "weights of rows: values are infinite or too large", true},
		{Options{}, "a y\nInf ?\n1 1\nInf 1", `row 3: column "a": values are infinite or too large`, true},
		{Options{}, "a y\nInf 1 *0\n1 1\nInf 1", `row 3: column "a": values are infinite or too large`, true},
		{Options{}, "a y\nInf 1 *0\n1e308 1\n1e308 1", `column "a": values are infinite or too large`, true},
		{Options{}, "a y\nInf 1\n-Inf 1", `row 1: column "a": values are infinite or too large`, true},
		{Options{}, "a y\n1 1\n-Inf 1", `row 2: column "a": values are infinite or too large`, true},
		{Options{}, "a y\n1 1\n1 Inf", `row 2: column "y": values are infinite or too large`, true},
		{Options{}, "a y\n1e308 1\n1e308 1", `column "a": values are infinite or too large`, true},
		{normalize, "a y\n1e308 1\n-1e308 1", `column "a": values are infinite or too large`, true},
		{standardize, "a y\n1e200 1\n-1e200 1", `column "a": values are infinite or too large`, true},
		{standardize, "a y\n1e308 1\n-1e308 1", `column "a": values are infinite or too large`, true},
		{standardize, "a y\n1e308 1\n? 1", `column "a": values are infinite or too large`, true}, // their sum is, with what replaces the missing one
		{Options{Scaling: Normalize, ColumnsFirst: true}, "a y\n1 1e308\n1 -1e308", `column "y": values are infinite or too large`, true},
	} {
		e, err := Fit(t.Context(), parse(t, c.data), c.o)
		if err == nil || err.Error() != c.want || errors.Is(err, ErrOverflow) != c.overflow || e != nil {
			t.Errorf("%q: %+v, %v, want %s", c.data, e, err, c.want)
		}
	}
	if _, err := Fit(t.Context(), &format.Dataset{}, Options{}); err == nil {
		t.Error("data without a header are encoded")
	}
	uneven := parse(t, "a y\n1 1\n2 3")
	e, err := Fit(t.Context(), uneven, Options{})
	if err != nil {
		t.Fatal(err)
	}
	uneven.Y = uneven.Y[:1]
	if _, err := Fit(t.Context(), uneven, Options{}); err == nil || err.Error() != "2 rows but 1 labels" {
		t.Errorf("a row without a label is learned from: %v", err)
	}
	if _, err := e.Encode(t.Context(), uneven); err == nil || err.Error() != "2 rows but 1 labels" {
		t.Errorf("a row without a label is encoded: %v", err)
	}
	if e, err := Fit(t.Context(), parse(t, "a y\n1e308 1\n-1e308 1"), Options{}); err != nil || e.Columns[0].Fill != 0 {
		t.Errorf("finite values: %v", err)
	}
}

// TestFitWeightless: rows whose weights a program forgot to set are reported, where an encoding was
// learned that makes all features 0. Where no row is, nothing has been forgotten.
func TestFitWeightless(t *testing.T) {
	h := &format.Header{Attributes: []format.Attribute{{Name: "a"}, {Name: "b"}}, Class: 1}
	row := format.Instance{X: vec.Vector{Index: []int32{0, 1}, Value: []float64{2, 3}}}
	for _, o := range []Options{{}, {Scaling: Normalize}, {Scaling: Standardize, ColumnsFirst: true}} {
		d := &format.Dataset{Header: h}
		if _, err := Fit(t.Context(), d, o); err != nil {
			t.Errorf("of no rows: %v", err)
		}
		d.Append(row)
		d.Append(row)
		if e, err := Fit(t.Context(), d, o); !errors.Is(err, ErrWeightless) || e != nil {
			t.Errorf("%v, %v", e, err)
		}
		row := row
		row.Weight = 1
		d.Append(row)
		if _, err := Fit(t.Context(), d, o); err != nil {
			t.Errorf("of one row that counts: %v", err)
		}
	}
}

// TestFitLaterPasses: rows that cannot be read again, such as those of a file that is gone, end the
// fit in whichever pass they fail; and so does a context that is done meanwhile. Nothing is learned of
// the rows before.
func TestFitLaterPasses(t *testing.T) {
	d := parse(t, "a z{a,b} y\n1 a 1 *0.5\n? b 2 *0.25\n4 ? 3 *0.5") // fractions of weights take another pass
	broken := errors.New("the file is gone")
	o := Options{Scaling: Standardize, ScaleLabel: true}
	for _, cancelled := range []bool{false, true} {
		for bad := 1; ; bad++ {
			ctx, cancel := context.WithCancel(t.Context())
			pass := 0
			e, err := FitRows(ctx, d.Header, func(yield func(format.Instance, error) bool) {
				pass++
				if pass == bad && cancelled {
					cancel()
				}
				n := 0
				for in := range rowsOf(d) {
					if n++; n == 2 && pass == bad && !cancelled {
						yield(format.Instance{}, broken)
						return
					}
					if !yield(in, nil) {
						return
					}
				}
			}, o)
			cancel()
			if pass < bad { // that many it does not take
				if err != nil || e == nil || bad != 4 {
					t.Errorf("%d passes, expected 3: %v", pass, err)
				}
				break
			}
			if want := map[bool]error{false: broken, true: context.Canceled}[cancelled]; !errors.Is(err, want) || e != nil || pass != bad {
				t.Errorf("pass %d of %d: %v, expected %v", bad, pass, err, want)
			}
		}
	}
}
