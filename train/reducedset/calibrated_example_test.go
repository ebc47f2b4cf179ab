package reducedset_test

import (
	"context"
	"fmt"
	"log"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/generate"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/predict"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/reducedset"
	"github.com/slimsvm/slimsvm/train/smo"
)

// reducing is a trainer whose models are reduced ones.
type reducing struct {
	train.Trainer
	reducedset.Reducer
}

func (r reducing) Train(ctx context.Context, d *format.Dataset, rng *train.Rand) (*models.Model, error) {
	large, err := r.Trainer.Train(ctx, d, rng)
	if err != nil {
		return nil, err
	}
	return r.Reduce(ctx, large, d)
}

// A reduced model with probabilities: training and reducing together are a trainer, which
// train.Calibrated repeats on parts of the rows.
func ExampleReducer() {
	moons, _ := generate.Lookup("moons")
	data, test := moons.Generate(200, 1), moons.Generate(500, 2)
	r := reducing{train.OneVsOne{Solver: smo.DefaultCSVC(), Kernel: kernel.RBF{Gamma: 1}}, reducedset.Default()}
	r.Vectors, r.Method = 8, reducedset.FixedPoints
	m, err := train.Calibrated{Trainer: r, Task: models.CSVC}.Train(context.Background(), data, train.NewRand(1))
	if err != nil {
		log.Fatal(err)
	}
	p, err := predict.New(m)
	if err != nil {
		log.Fatal(err)
	}
	var scores predict.Scores
	probability := make([]float64, p.Outcomes())
	for i, y := range test.Y {
		label, _ := p.Probabilities(probability, test.X.Row(i))
		scores.Add(label, y)
	}
	fmt.Println("at most 8 vectors:", m.Vectors.Len() <= 8, "- most rows right:", scores.Accuracy() > 0.9)
	// Output: at most 8 vectors: true - most rows right: true
}
