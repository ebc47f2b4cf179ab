package train_test

import (
	"math/rand/v2"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
)

// TestPackGramAgain: a Gram that is packed where another was takes hardly any memory of its own: training
// with many classes packs hundreds of thousands.
func TestPackGramAgain(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector has pools drop what they are given")
	}
	d := classes(rand.New(rand.NewPCG(2, 71)), 30, 40, 20, 1)
	store, rows := kernel.NewStore(&d.X), make([]int, 80)
	for i := range rows {
		rows[i] = 7 * i
	}
	ctx, stop := train.WithThreads(t.Context(), 2)
	defer stop()
	var none vec.Matrix
	var rbf kernel.Kernel = kernel.RBF{Gamma: 0.25}
	pack := func() {
		g, err := train.PackGram(ctx, rbf, &none, store, rows)
		if err != nil {
			t.Fatal(err)
		}
		g.Release()
	}
	pack()
	if n := testing.AllocsPerRun(1000, pack); n > 1 { // one is the kernel's
		t.Errorf("%v allocations", n)
	}
}
