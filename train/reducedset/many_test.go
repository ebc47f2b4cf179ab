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

// TestManyMachines: with many classes, whose machines share vectors, costs are inferred without the
// values of all machines for the vectors of each.
func TestManyMachines(t *testing.T) {
	const classes = 60
	m, d := manyClasses(t, classes, 4)
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
	// The coefficients of all machines take less than 1 MB; with zeros for the vectors of other
	// classes, 3 MB; all values of all vectors of all sides, 100 MB.
	if taken := (after.TotalAlloc - before.TotalAlloc) >> 20; taken > 20 {
		t.Errorf("%d MB were taken", taken)
	}
}

// TestManyRows: with many classes, a machine takes memory for the rows and vectors of its two
// classes, not for those of all: twice as many classes with as many rows each have four times as
// many machines, and take four times the memory.
func TestManyRows(t *testing.T) {
	taken := func(classes int) float64 {
		m, d := manyClasses(t, classes, 32)
		r := Reducer{Method: Shared, Vectors: 1, Search: Default().Search}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		s, err := newState(t.Context(), &r, m, d)
		runtime.ReadMemStats(&after)
		if err != nil || len(s.machines) != models.Pairs(classes) {
			t.Fatalf("%v: %d machines", err, len(s.machines))
		}
		return float64(after.TotalAlloc - before.TotalAlloc)
	}
	if few, many := taken(20), taken(40); many > 6*few {
		t.Errorf("%.0f bytes for 20 classes, %.0f for 40", few, many)
	}
}

// manyClasses returns a model of many classes of some rows each.
func manyClasses(t *testing.T, classes, rows int) (*models.Model, *format.Dataset) {
	rng := rand.New(rand.NewPCG(1, 1))
	d := new(format.Dataset)
	for i := range rows * classes {
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
	return m, d
}
