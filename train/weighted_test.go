package train

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
)

// TestWeighted: rows of weight 0 are left out, and the first weight that is none is named.
func TestWeighted(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct {
		weights []float64
		want    string
	}{
		{nil, "[0 1 2] [] []"},
		{[]float64{1, 2, 0.5}, "[0 1 2] [1 2 0.5] []"},
		{[]float64{1, 0, 0.5}, "[0 2] [1 0.5] [0 2]"},
		{[]float64{0, math.Copysign(0, -1), 3}, "[2] [3] [2]"},
		{[]float64{0, 0, 0}, "all rows have weight 0"},
		{[]float64{1, -1, nan}, "row 2: weight -1 is not a positive number"},
		{[]float64{0, 0, nan}, "row 3: weight NaN is not a positive number"},
		{[]float64{inf, 0, 0}, "row 1: weight +Inf is not a positive number"},
	} {
		d := &format.Dataset{Weight: c.weights}
		for i := range 3 {
			d.X.Append(vec.Vector{Index: []int32{1}, Value: []float64{float64(i)}})
			d.Y = append(d.Y, float64(i))
		}
		kept, rows, err := Weighted(d)
		got := ""
		if err != nil {
			got = err.Error()
			var row *RowError
			if !errors.As(err, &row) && !errors.Is(err, ErrWeightless) {
				t.Errorf("weights %v: the error is a %T", c.weights, err)
			}
		} else {
			got = fmt.Sprint(kept.Y, kept.Weight, rows)
			for i := range kept.Len() {
				if x := kept.X.Row(i).At(1); x != kept.Y[i] {
					t.Errorf("weights %v: row %v has label %v", c.weights, x, kept.Y[i])
				}
			}
		}
		if got != c.want {
			t.Errorf("weights %v: %s, expected %s", c.weights, got, c.want)
		}
	}
}

// TestForgottenWeight: who makes rows without a word about their weights is told what these should be.
func TestForgottenWeight(t *testing.T) {
	d := &format.Dataset{}
	d.Append(format.Instance{X: vec.Vector{Index: []int32{1}, Value: []float64{2}}, Y: 1})
	const want = "row 1: weight 0 is not a positive number: rows like others have 1, and Weighted leaves out those of 0"
	var row *RowError
	if err := CheckWeights(d, true); !errors.As(err, &row) || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}
