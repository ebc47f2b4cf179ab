package encode

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
)

// TestPartsEncodeTheSame compares encoding by several goroutines with encoding by one: rows, labels
// and weights, with rows left out, and the first row with a fault.
func TestPartsEncodeTheSame(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 71))
	for i := range 300 {
		raw := &format.Dataset{Header: &format.Header{Class: 2, Attributes: []format.Attribute{
			{Name: "a", Type: format.Numeric}, {Name: "b", Type: format.Nominal, Labels: []string{"x", "y", "z"}},
			{Name: "c", Type: format.Nominal, Labels: []string{"no", "yes"}},
		}}}
		n := r.IntN(40)
		for k := range n {
			row := vec.Vector{Index: []int32{0, 1, 2}, Value: []float64{float64(r.IntN(5)), float64(r.IntN(3)), float64(r.IntN(2))}}
			if r.IntN(10) == 0 {
				row.Value[r.IntN(3)] = math.NaN()
			}
			weight := 1.0
			if i%3 == 0 && k > n/2 || i%3 == 1 && k < 2 {
				weight = float64(r.IntN(3))
			}
			raw.Append(format.Instance{X: row, Weight: weight})
		}
		e, err := Fit(t.Context(), raw, Options{})
		if err != nil {
			continue // no row has a label
		}
		bad := -1
		if i%5 == 4 && n > 3 { // the first of two faults is told
			bad = n / 3
			at := raw.X
			raw.X = vec.Matrix{}
			for k := range n {
				row := at.Row(k).Clone()
				if k == bad || k == n-1 {
					row.Value[1] = 17
				}
				raw.X.Append(row)
			}
		}
		want, wantErr := e.encode(t.Context(), raw, 1)
		for _, workers := range []int{2, 3, 7, 100} {
			got, err := e.encode(t.Context(), raw, workers)
			if fmt.Sprint(err) != fmt.Sprint(wantErr) {
				t.Fatalf("%d workers: %v, expected %v", workers, err, wantErr)
			}
			if fault := (*RowError)(nil); bad >= 0 && (!errors.As(err, &fault) || fault.Row != bad) {
				t.Fatalf("%d workers: %v, expected row %d", workers, err, bad)
			}
			if err != nil {
				continue
			}
			if got.X.String() != want.X.String() || !reflect.DeepEqual(got.Y, want.Y) || !reflect.DeepEqual(got.Weight, want.Weight) ||
				got.X.NNZ() != want.X.NNZ() || got.X.MaxIndex() != want.X.MaxIndex() {
				t.Fatalf("%d workers, %d rows:\n%v %v %v\nexpected\n%v %v %v", workers, n, got.X.String(), got.Y, got.Weight, want.X.String(), want.Y, want.Weight)
			}
		}
	}
}

// TestEncodeKeepsWeights: rows keep their weights, also behind rows that are left out because they
// have no label.
func TestEncodeKeepsWeights(t *testing.T) {
	e, d := fit(t, "x y{n,p}\n1 n *0.5\n2 ? *7\n3 p\n4 p *3", Options{})
	encoded, err := e.Encode(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	wantLines(t, showAll(encoded), "0 1:1\n1 1:3\n1 1:4")
	if want := []float64{0.5, 1, 3}; !slices.Equal(encoded.Weight, want) {
		t.Errorf("weights %v, want %v", encoded.Weight, want)
	}
}

// TestEncodeOfNoDataSet finds an error, not a panic, as Fit does, for data sets of which nothing or too
// little is there.
func TestEncodeOfNoDataSet(t *testing.T) {
	raw := &format.Dataset{Header: &format.Header{Class: 1, Attributes: []format.Attribute{
		{Name: "a", Type: format.Numeric}, {Name: "b", Type: format.Nominal, Labels: []string{"x", "y"}},
	}}}
	for i := range 4 {
		raw.Append(format.Instance{X: vec.Vector{Index: []int32{0, 1}, Value: []float64{float64(i), float64(i % 2)}}, Weight: 1})
	}
	e, err := Fit(t.Context(), raw, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range []*format.Dataset{nil, {}, {Header: raw.Header, X: raw.X, Y: raw.Y[:2]}} {
		if got, err := e.Encode(t.Context(), d); err == nil || got != nil {
			t.Errorf("%+v: %v, %v, expected an error alone", d, got, err)
		}
	}
}
