package train_test

import (
	"context"
	"fmt"
	"log"
	"slices"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/generate"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/predict"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/smo"
)

// All rows of a patient are in one fold, and rows have weights, in training and in the scores. A
// program that wants more of the held-out rows than CrossValidate's predictions, here decision values
// for the area under the ROC curve, trains the folds itself.
func ExampleCrossValidationGroupedFolds() {
	ctx := context.Background()
	set, _ := generate.Lookup("moons")
	d := set.Generate(200, 1)
	patients := make([]int, d.Len())
	for i := range patients {
		patients[i] = i / 4
		d.Weight = append(d.Weight, float64(1+i%3)) // above 0, see DropZeroWeights
	}
	t := train.OneVsOne{Solver: smo.DefaultCSVC(), Kernel: kernel.RBF{Gamma: 1}}
	rng := train.NewRand(1)
	folds, err := train.CrossValidationGroupedFolds(models.CSVC, d.Y, patients, 5, rng, nil)
	if err != nil {
		log.Fatal(err)
	}

	predictions, err := train.CrossValidate(ctx, t, d, folds, rng, nil)
	if err != nil {
		log.Fatal(err)
	}
	var scores predict.Scores
	for i, label := range predictions {
		scores.AddWeighted(label, d.Y[i], d.Weight[i])
	}
	fmt.Printf("accuracy %.3f\n", scores.Accuracy())

	var ranking predict.Ranking
	for f := range len(folds.Start) - 1 {
		held := folds.Perm[folds.Start[f]:folds.Start[f+1]]
		others := slices.Concat(folds.Perm[:folds.Start[f]], folds.Perm[folds.Start[f+1]:])
		part := &format.Dataset{X: d.X.Select(others), Weight: d.Weights(others)}
		for _, i := range others {
			part.Y = append(part.Y, d.Y[i])
		}
		m, err := t.Train(ctx, part, nil)
		if err != nil {
			log.Fatal(err)
		}
		p, err := predict.New(m)
		if err != nil {
			log.Fatal(err)
		}
		value := make([]float64, len(m.Machines)) // one with two classes
		for _, i := range held {
			p.Decisions(value, d.X.Row(i))
			score := value[0] // positive for m.Labels[0], the first label in the rows trained on
			if m.Labels[0] != 1 {
				score = -score
			}
			truth := 0
			if d.Y[i] != 1 {
				truth = 1
			}
			ranking.Add(truth, d.Weight[i], []float64{score})
		}
	}
	fmt.Printf("area under the ROC curve of label 1: %.3f\n", ranking.Area(0))
	// Output:
	// accuracy 0.977
	// area under the ROC curve of label 1: 0.999
}
