package reducedset

import (
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/smo"
)

// TestManyMachines: of many classes, whose machines have the same vectors, costs are told
// without the values of all machines for each vector of each.
func TestManyMachines(t *testing.T) {
	const classes = 60
	rng := rand.New(rand.NewPCG(1, 1))
	d := new(format.Dataset)
	for i := range 4 * classes {
		c := i % classes
		d.Append(format.Instance{
			X: vec.Vector{Index: []int32{1, 2}, Value: []float64{float64(c/8) + 0.3*rng.NormFloat64(), float64(c%8) + 0.3*rng.NormFloat64()}},
			Y: float64(c), Weight: 1,
		})
	}
	svc := train.OneVsOne{
		Solver: smo.CSVC{C: 0.5, Options: smo.DefaultOptions()}, Kernel: kernel.RBF{Gamma: 0.5},
		Task: models.CSVC, Weights: []train.ClassWeight{{Label: 7, Weight: 2}},
	}
	m, err := svc.Train(t.Context(), d, nil)
	if err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	costs, err := CostsOf(t.Context(), m, d)
	runtime.ReadMemStats(&after)
	if err != nil || costs.Cost != 0.5 || len(costs.Weights) != classes {
		t.Fatalf("%v: %+v", err, costs)
	}
	for _, w := range costs.Weights {
		if want := map[bool]float64{true: 2, false: 1}[w.Label == 7]; w.Weight != want {
			t.Errorf("class %d has weight %v, want %v", w.Label, w.Weight, want)
		}
	}
	// The coefficients of all machines take 3 MB, all values of all vectors of all sides 100.
	if taken := (after.TotalAlloc - before.TotalAlloc) >> 20; taken > 20 {
		t.Errorf("%d MB were taken", taken)
	}
}
