package mkc_test

import (
	"context"
	"fmt"
	"log"

	"github.com/slimsvm/slimsvm/format/generate"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train/mkc"
)

// The minimal kernel classifier, in which every vector has a cost, has fewer vectors than the
// 1-norm support vector machine.
func Example() {
	moons, _ := generate.Lookup("moons")
	data := moons.Generate(300, 1)

	t := mkc.Trainer{Solver: mkc.Default(), Kernel: kernel.RBF{Gamma: 1}}
	minimal, err := t.Train(context.Background(), data, nil)
	if err != nil {
		log.Fatal(err)
	}
	t.Solver.Mu = 0
	oneNorm, err := t.Train(context.Background(), data, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("at most 20 vectors:", minimal.Vectors.Len() <= 20,
		"fewer than the 1-norm machine:", minimal.Vectors.Len() < oneNorm.Vectors.Len())
	// Output: at most 20 vectors: true fewer than the 1-norm machine: true
}
