package reducedset_test

import (
	"context"
	"fmt"
	"log"

	"github.com/slimsvm/slimsvm/format/generate"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/predict"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/reducedset"
	"github.com/slimsvm/slimsvm/train/smo"
)

// A model of many vectors is reduced to six, in a form that LIBSVM can read as well.
func ExampleReducer_Reduce() {
	ctx := context.Background()
	moons, _ := generate.Lookup("moons")
	data, test := moons.Generate(300, 1), moons.Generate(1000, 2)
	large, err := train.OneVsOne{Solver: smo.DefaultCSVC(), Kernel: kernel.RBF{Gamma: 1}}.Train(ctx, data, nil)
	if err != nil {
		log.Fatal(err)
	}

	r := reducedset.Default()
	r.Vectors = 6
	small, err := r.Reduce(ctx, large, data)
	if err != nil {
		log.Fatal(err)
	}
	plain, err := models.Lower(small)
	if err != nil {
		log.Fatal(err)
	}

	for _, m := range []*models.Model{large, small, plain} {
		p, err := predict.New(m)
		if err != nil {
			log.Fatal(err)
		}
		var scores predict.Scores
		for i, y := range test.Y {
			scores.Add(p.Predict(test.X.Row(i)), y)
		}
		fmt.Println("at most 6 vectors:", m.Vectors.Len() <= 6, "extended:", m.Extended(), "most rows right:", scores.Accuracy() > 0.9)
	}
	// Output:
	// at most 6 vectors: false extended: false most rows right: true
	// at most 6 vectors: true extended: true most rows right: true
	// at most 6 vectors: true extended: false most rows right: true
}
