package train_test

import (
	"math/rand/v2"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/smo"
	"github.com/slimsvm/slimsvm/train/traintest"
)

// easy returns 1000 rows, few of which become vectors.
func easy() *format.Dataset {
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
	return d
}

// TestKeepsNoData: a small model does not keep its training rows in memory.
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
		t.Run(name, func(t *testing.T) {
			m := traintest.KeepsNoData(t, trainer, easy)
			if n := m.Vectors.Len(); n == 0 || 8*n > 1000 {
				t.Errorf("%d vectors of 1000 rows, want few", n)
			}
		})
	}
}
