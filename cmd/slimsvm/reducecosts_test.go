package main

import (
	"slices"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/reducedset"
	"github.com/slimsvm/slimsvm/train/smo"
)

// TestParentWithout: a model like one of --as weka-smo, trained on other rows, has the classes in the
// same order, which is not that of the rows. The errors on rows held out would be those of a model
// that decides ties otherwise.
func TestParentWithout(t *testing.T) {
	var d format.Dataset
	for i := range 24 {
		d.Append(format.Instance{X: vec.FromSlice([]float64{float64(i % 4), float64(i % 5)}), Y: []float64{2, 0, 1}[i%3], Weight: 1})
	}
	for sorted, want := range map[bool][]int{false: {2, 0, 1}, true: {0, 1, 2}} {
		m, err := train.OneVsOne{Solver: smo.DefaultCSVC(), Kernel: kernel.Linear{}, Task: models.CSVC, SortClasses: sorted}.Train(t.Context(), &d, nil)
		if err != nil {
			t.Fatal(err)
		}
		p := &parent{Model: m, costs: reducedset.Costs{Cost: 1, FromDual: true}}
		same, err := p.without(t.Context(), &d, nil)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(m.Labels, want) || !slices.Equal(same.Labels, want) {
			t.Errorf("sorted %v: classes %v, in a model like it %v, want %v", sorted, m.Labels, same.Labels, want)
		}
	}
}
