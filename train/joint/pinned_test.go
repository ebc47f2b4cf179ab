package joint

import (
	"fmt"
	"hash/fnv"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
)

// TestPinned: models have the same bits on every processor: no product is fused into a sum, and no
// function is the processor's own. After a change of what is computed, put new numbers here, and
// check that GOARCH=arm64 has the same.
func TestPinned(t *testing.T) {
	d := new(format.Dataset)
	for i := range 60 {
		v := vec.Vector{Index: []int32{1, 2}, Value: []float64{float64(i*79%101) / 37, float64(i*53%97) / 41}}
		y := 0
		if v.Value[0] > 1.3 {
			y = 1
		} else if v.Value[1] > 1.1 {
			y = 2
		}
		d.Append(format.Instance{X: v, Y: float64(y), Weight: 1 + float64(i%3)/7})
	}
	for loss, want := range map[Loss]uint64{
		SquaredHinge: 0x74ee77ff0e12c228, Multiclass: 0x37133442f4d12a35, Softmax: 0xa1bd468e5530a895, Insensitive: 0xe1d8898d7659c7da,
	} {
		c := small(nil)
		c.Loss, c.Kernel = loss, kernel.RBF{Gamma: 0.3}
		if loss == Insensitive {
			c.Task = models.EpsilonSVR
		}
		m, err := c.Train(t.Context(), d, train.NewRand(1))
		if err != nil {
			t.Fatal(err)
		}
		h := fnv.New64a()
		fmt.Fprint(h, m.Kernel, m.Vectors, m.Machines)
		if got := h.Sum64(); got != want {
			t.Errorf("%s: %#x, want %#x", loss, got, want)
		}
	}
}
