package catalog

import (
	"testing"

	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/smo"
)

// TestThreads: every method works on as many threads as it is given.
func TestThreads(t *testing.T) {
	o := smo.DefaultOptions()
	o.Threads = 3
	for _, m := range Methods {
		for _, rest := range []bool{false, true} {
			trainer, err := m.New(Parameters{Kernel: LinearKernel, Cost: 1, Nu: 0.5, Epsilon: 0.1, OneVsRest: rest, Solver: o})
			if err != nil {
				t.Fatal(m.Name, err)
			}
			if f, ok := trainer.(train.Forker); !ok || f.Workers() != 3 {
				t.Errorf("%s, one against the rest %v: %+v", m.Name, rest, trainer)
			}
		}
	}
}
