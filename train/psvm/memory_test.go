package psvm

import (
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/train"
)

// TestOneEnsemble: while forms and iterations are compared, only one ensemble has weights. When the
// best of each form kept its own, there were 118 bytes for each weight of one.
func TestOneEnsemble(t *testing.T) {
	d := clouds(240, 6, 400, 0.1, rand.New(rand.NewPCG(3, 1)))
	live := func() float64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return float64(m.HeapAlloc)
	}
	s := Default()
	s.Iterations, s.Unpruned, s.Ballot, s.Threads = 2, true, models.ByCount, 2
	before, most, ensembles := live(), 0.0, 0
	s.Report = func(e train.Event) {
		if _, is := e.(train.IterationDone); is {
			most = max(most, live()-before)
			ensembles++
		}
	}
	m, err := s.Train(t.Context(), d, nil)
	if err != nil {
		t.Fatal(err)
	}
	// a weight takes 12 bytes in a model and 8 in its predictor
	weights := float64(m.Vectors.NNZ())
	if each := most / weights; ensembles < 16 || each > 55 {
		t.Errorf("of %d ensembles of up to %.0f weights, %.1f bytes for each weight are in memory", ensembles, weights, each)
	}
}
