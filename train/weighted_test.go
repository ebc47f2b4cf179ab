package train

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
)

// TestWeighted: rows of weight 0 are left out, and the first invalid weight is named.
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
		{[]float64{1, -1, nan}, "row 2: weight -1: expected a finite number, 0 or more"},
		{[]float64{0, 0, nan}, "row 3: weight NaN: expected a finite number, 0 or more"},
		{[]float64{inf, 0, 0}, "row 1: weight +Inf: expected a finite number, 0 or more"},
	} {
		d := &format.Dataset{Weight: c.weights}
		for i := range 3 {
			d.X.Append(vec.Vector{Index: []int32{1}, Value: []float64{float64(i)}})
			d.Y = append(d.Y, float64(i))
		}
		kept, rows, err := DropZeroWeights(d)
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

// TestForgottenWeight: for rows that were made without weights, the error says which weights they
// should have.
func TestForgottenWeight(t *testing.T) {
	d := &format.Dataset{}
	d.Append(format.Instance{X: vec.Vector{Index: []int32{1}, Value: []float64{2}}, Y: 1})
	const want = "row 1: weight 0 is not a positive number: rows like others have 1, and DropZeroWeights leaves out those of 0"
	var row *RowError
	if err := CheckWeights(d, true); !errors.As(err, &row) || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// TestFitWeightedSigmoid: the sigmoid of rows with weights is that of rows which are repeated as
// often as their weights say, whatever the unit of the weights; with equal weights it is that of
// rows without weights.
func TestFitWeightedSigmoid(t *testing.T) {
	rng := NewRand(2)
	var values, labels, weights, alike []float64
	var often, oftenLabels []float64
	for i := range 120 { // half weigh 1, half 3; each is there twice: as many as by weights
		y, w := 1.0, 3.0
		if i%2 == 0 {
			y, w = -1, 1
		}
		if i%12 < 2 {
			w = 4 - w
		}
		v := float64(rng.Int()%2000)/500 - 2 + y/2
		for range 2 {
			values, labels, weights, alike = append(values, v), append(labels, y), append(weights, w), append(alike, 1e300)
		}
		for range int(w) {
			often, oftenLabels = append(often, v), append(oftenLabels, y)
		}
	}
	if len(often) != len(values) {
		t.Fatalf("the test is void: %d rows and %d", len(often), len(values))
	}
	want, plain := FitSigmoid(often, oftenLabels, nil), FitSigmoid(values, labels, nil)
	if math.Abs(want.B-plain.B) < 0.01 {
		t.Fatalf("the test is void: %v and %v", want, plain)
	}
	for _, unit := range []float64{1, 0.1, 1e-300, 1e307} {
		scaled := make([]float64, len(weights))
		for i, w := range weights {
			scaled[i] = w * unit
		}
		got := FitWeightedSigmoid(values, labels, scaled, nil)
		if math.Abs(got.A-want.A) > 1e-6 || math.Abs(got.B-want.B) > 1e-6 {
			t.Errorf("unit %v: %v, want %v", unit, got, want)
		}
	}
	if got := FitWeightedSigmoid(values, labels, alike, nil); got != plain {
		t.Errorf("weights alike: %v, want %v", got, plain)
	}
}

// TestEstimateNoiseWeighted: the noise of a regression is the weighted mean residual.
func TestEstimateNoiseWeighted(t *testing.T) {
	d := rowsOf(60, false)
	sum, total := 0.0, 0.0
	for i := range d.Y {
		d.Y[i] = 1 + float64(i%7)
		d.Weight = append(d.Weight, []float64{0.5, 8}[i%7/4])
		sum, total = sum+d.Weight[i]*d.Y[i], total+d.Weight[i]
	}
	for _, unit := range []float64{1, 1e-300, 1e305} {
		for i := range d.Weight {
			d.Weight[i] *= unit
		}
		got, err := EstimateNoise(context.Background(), zero{new(int)}, d, NewRand(1), nil)
		if want := sum / total; err != nil || !(math.Abs(got-want) <= 1e-12*want) {
			t.Errorf("unit %v: %v %v, want %v", unit, got, err, want)
		}
		for i := range d.Weight {
			d.Weight[i] /= unit
		}
	}
}
