package joint_test

import (
	"context"
	"fmt"
	"log"

	"github.com/slimsvm/slimsvm/format/generate"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/predict"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/joint"
)

// A classifier of ten vectors with probabilities. Its training ends early if ctx does.
func Example() {
	ctx := context.Background()
	moons, _ := generate.Lookup("moons")
	data, test := moons.Generate(300, 1), moons.Generate(1000, 2)

	t := joint.Default()
	t.Kernel, t.Vectors = kernel.RBF{Gamma: 1}, 10
	m, err := train.Calibrated{Trainer: t, Task: t.Task}.Train(ctx, data, train.NewRand(1))
	if err != nil {
		log.Fatal(err)
	}
	p, err := predict.New(m)
	if err != nil {
		log.Fatal(err)
	}
	var scores predict.Scores
	for i, y := range test.Y {
		scores.Add(p.Predict(test.X.Row(i)), y)
	}
	fmt.Println(m.Vectors.Len(), "vectors, most rows right:", scores.Accuracy() > 0.9, "with probabilities:", m.Probability)
	// Output: 10 vectors, most rows right: true with probabilities: true
}
