package rsvm_test

import (
	"math/rand/v2"
	"runtime"
	"testing"
	"weak"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train/rsvm"
)

// trainedSmall returns a model of many rows, and pointers to these that do not keep them.
func trainedSmall(t *testing.T, c rsvm.Classifier) (*models.Model, []weak.Pointer[float64]) {
	rng := rand.New(rand.NewPCG(21, 22))
	d := &format.Dataset{}
	for i := range 1000 {
		x := vec.Vector{}
		for j := range int32(40) {
			x.Index, x.Value = append(x.Index, j+1), append(x.Value, rng.NormFloat64())
		}
		d.Append(format.Instance{X: x, Y: float64(i % 2), Weight: 1})
	}
	m, err := c.Train(t.Context(), d, nil)
	if err != nil {
		t.Fatal(err)
	}
	rows := make([]weak.Pointer[float64], d.Len())
	for i := range rows {
		rows[i] = weak.Make(&d.X.Row(i).Value[0])
	}
	return m, rows
}

// TestKeepsNoData: who keeps a model of a reduced set does not keep the rows that it was drawn from.
func TestKeepsNoData(t *testing.T) {
	for _, set := range []rsvm.Set{rsvm.Random{Vectors: 10}, rsvm.DefaultSystematic()} {
		o := rsvm.DefaultOptions()
		o.Kernel, o.Set = kernel.RBF{Gamma: 0.1}, set
		m, rows := trainedSmall(t, rsvm.Classifier{Options: o})
		for range 2 {
			runtime.GC()
		}
		kept := 0
		for _, row := range rows {
			if row.Value() != nil {
				kept++
			}
		}
		if m.Vectors.Len() == 0 || kept > 0 {
			t.Errorf("%s: a model of %d vectors keeps %d of %d rows in memory", rsvm.Name(set), m.Vectors.Len(), kept, len(rows))
		}
		runtime.KeepAlive(m)
	}
}
