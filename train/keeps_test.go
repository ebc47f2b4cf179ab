package train_test

import (
	"math/rand/v2"
	"runtime"
	"testing"
	"weak"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/smo"
)

// trainedSmall returns a model of many rows, and pointers to these that do not keep them.
func trainedSmall(t *testing.T, trainer train.Trainer) (*models.Model, []weak.Pointer[float64]) {
	rng := rand.New(rand.NewPCG(21, 22))
	d := &format.Dataset{}
	for i := range 1000 {
		y := float64(1 - i%2*2)
		x := vec.Vector{}
		for j := range int32(40) {
			x.Index, x.Value = append(x.Index, j+1), append(x.Value, rng.NormFloat64()/8)
		}
		x.Value[0] = y * (2 + rng.Float64())
		d.Append(format.Instance{X: x, Y: y, Weight: 1})
	}
	m, err := trainer.Train(t.Context(), d, train.NewRand(1))
	if err != nil {
		t.Fatal(err)
	}
	rows := make([]weak.Pointer[float64], d.Len())
	for i := range rows {
		rows[i] = weak.Make(&d.X.Row(i).Value[0])
	}
	return m, rows
}

// TestKeepsNoData: who keeps a small model, as a server keeps many, does not keep the rows that it was
// trained on.
func TestKeepsNoData(t *testing.T) {
	linear := kernel.Linear{}
	one := smo.DefaultOneClass()
	one.Kernel, one.Nu = linear, 0.05
	regression := smo.DefaultEpsilonSVR()
	regression.Kernel, regression.Epsilon = linear, 0.9
	for name, trainer := range map[string]train.Trainer{
		"one-vs-one": train.OneVsOne{Solver: smo.DefaultCSVC(), Kernel: linear}, "one-class": one, "regression": regression,
		"one-vs-rest": train.OneVsRest{Solver: smo.DefaultCSVC(), Kernel: linear},
	} {
		m, rows := trainedSmall(t, trainer)
		if n := m.Vectors.Len(); n == 0 || 8*n > len(rows) {
			t.Errorf("%s: %d vectors of %d rows, want few", name, n, len(rows))
		}
		for range 2 {
			runtime.GC()
		}
		kept := 0
		for _, row := range rows {
			if row.Value() != nil {
				kept++
			}
		}
		if kept > 0 {
			t.Errorf("%s: a model of %d vectors keeps %d of %d rows in memory", name, m.Vectors.Len(), kept, len(rows))
		}
		runtime.KeepAlive(m)
	}
}
