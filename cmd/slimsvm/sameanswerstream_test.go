package main

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/probe"
	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
)

// The rows that are kept of a stream are those that are chosen where all are in memory.
func TestSampleOfEveryClass(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		var d format.Dataset
		classes, most := 1+r.IntN(20), 1+r.IntN(12)
		for n := r.IntN(100); d.Len() < n; {
			y := float64(min(r.IntN(classes), r.IntN(classes)))
			d.Append(format.Instance{X: vec.Vector{Index: []int32{1}, Value: []float64{float64(d.Len())}}, Y: y, Weight: 1})
		}
		chosen := probe.OfEveryClass(&d, most)
		got, err := sampleOfEveryClass(instancesOf(t.Context(), &d), most)
		if err != nil {
			t.Fatal(err)
		}
		var rows []int
		for i := range got.Len() {
			rows = append(rows, int(got.X.Row(i).Value[0]))
			if got.Y[i] != d.Y[rows[i]] {
				t.Errorf("row %d has label %v, not %v", rows[i], got.Y[i], d.Y[rows[i]])
			}
		}
		if !slices.Equal(rows, chosen) {
			t.Fatalf("%d rows of %d classes, at most %d: rows %v, want %v", d.Len(), classes, most, rows, chosen)
		}
	}
}

// A fault of the rows is reported.
func TestSampleOfFaulty(t *testing.T) {
	wrong := errors.New("faulty")
	_, err := sampleOfEveryClass(func(yield func(format.Instance, error) bool) {
		_ = yield(format.Instance{Weight: 1}, nil) && yield(format.Instance{}, wrong)
	}, 10)
	if !errors.Is(err, wrong) {
		t.Errorf("%v", err)
	}
}
