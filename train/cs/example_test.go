package cs_test

import (
	"context"
	"fmt"
	"log"

	"github.com/slimsvm/slimsvm/format/generate"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/predict"
	"github.com/slimsvm/slimsvm/train/cs"
)

// In one stage, each of four runs finds five points that represent its sample. The last linear
// programme selects from the twenty points for all rows.
func Example() {
	moons, _ := generate.Lookup("moons")
	data, test := moons.Generate(1000, 1), moons.Generate(1000, 2)

	t := cs.Trainer{Settings: cs.Default(), Kernel: kernel.RBF{Gamma: 1}}
	t.Sizes, t.Runs, t.Points = []int{200}, 4, 5
	m, err := t.Train(context.Background(), data, nil)
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
	fmt.Println("at most 20 vectors:", m.Vectors.Len() <= 20, "most rows right:", scores.Accuracy() > 0.9)
	// Output: at most 20 vectors: true most rows right: true
}
