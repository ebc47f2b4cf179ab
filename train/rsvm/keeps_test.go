package rsvm_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train/rsvm"
	"github.com/slimsvm/slimsvm/train/traintest"
)

// TestKeepsNoData: a model of a reduced set does not keep the rows in memory from which that was
// drawn.
func TestKeepsNoData(t *testing.T) {
	rows := func() *format.Dataset {
		rng := rand.New(rand.NewPCG(21, 22))
		d := &format.Dataset{}
		for i := range 1000 {
			x := vec.Vector{}
			for j := range int32(40) {
				x.Index, x.Value = append(x.Index, j+1), append(x.Value, rng.NormFloat64())
			}
			d.Append(format.Instance{X: x, Y: float64(i % 2), Weight: 1})
		}
		return d
	}
	for _, set := range []rsvm.Set{rsvm.Random{Vectors: 10}, rsvm.DefaultSystematic()} {
		t.Run(fmt.Sprintf("%T", set), func(t *testing.T) {
			o := rsvm.DefaultOptions()
			o.Kernel, o.Set = kernel.RBF{Gamma: 0.1}, set
			if m := traintest.KeepsNoData(t, rsvm.Classifier{Options: o}, rows); m.Vectors.Len() == 0 {
				t.Error("no vectors")
			}
		})
	}
}
