package rsvm

import (
	"slices"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
)

// TestLabelEvents: labels that look like numbers are reported, for rows in memory and for streamed ones.
func TestLabelEvents(t *testing.T) {
	for classes, want := range map[int][]train.ManyClasses{100: nil, 101: {{Classes: 101, Rows: 202}}} {
		d := new(format.Dataset)
		for i := range 2 * classes {
			x := vec.Vector{Index: []int32{1}, Value: []float64{float64(i)}}
			d.Append(format.Instance{X: x, Y: float64(i % classes), Weight: 1})
		}
		var told []train.ManyClasses
		c := Classifier{Options: testOptions(), OneVsRest: true}
		c.Kernel, c.Set = kernel.RBF{Gamma: 1}, Random{Vectors: 3}
		c.Report = func(e train.Event) {
			if e, is := e.(train.ManyClasses); is {
				told = append(told, e)
			}
		}
		if _, err := c.Train(t.Context(), d, nil); err != nil || !slices.Equal(told, want) {
			t.Errorf("%d classes in memory: told %v, %v", classes, told, err)
		}
		told = nil
		if _, err := c.TrainStream(t.Context(), rowsOf(d, 0, d.Len())); err != nil || !slices.Equal(told, want) {
			t.Errorf("%d classes in a stream: told %v, %v", classes, told, err)
		}
	}
}
