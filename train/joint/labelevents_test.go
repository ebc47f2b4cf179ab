package joint

import (
	"slices"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/train"
)

// TestLabelEvents: a weight of a class that no row has, and labels that look like numbers, are reported.
func TestLabelEvents(t *testing.T) {
	for _, c := range []struct {
		classes int
		want    []train.Event
	}{
		{3, []train.Event{train.WeightUnused{Label: 1000}}},
		{101, []train.Event{train.ManyClasses{Classes: 101, Rows: 202}, train.WeightUnused{Label: 1000}}},
	} {
		d := new(format.Dataset)
		for i := range 2 * c.classes {
			x := vec.Vector{Index: []int32{1}, Value: []float64{float64(i + 1)}}
			d.Append(format.Instance{X: x, Y: float64(i % c.classes), Weight: 1})
		}
		var told []train.Event
		s := small(func(e train.Event) {
			switch e.(type) {
			case train.ManyClasses, train.WeightUnused:
				told = append(told, e)
			}
		})
		s.Evaluations, s.WeightEvaluations = 0, 1
		s.Weights = []train.ClassWeight{{Label: 1000, Weight: 2}, {Label: 1, Weight: 2}}
		if _, err := s.Train(t.Context(), d, train.NewRand(1)); err != nil || !slices.Equal(told, c.want) {
			t.Errorf("%d classes: told %+v, %v", c.classes, told, err)
		}
	}
}
