// Command library shows slimsvm as a library: it chooses C and gamma by cross-validation on
// generated data, trains a classifier with probabilities, writes and reads its model, and predicts.
//
//	go run ./examples/library
package main

import (
	"bytes"
	"context"
	"fmt"
	"log"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/generate"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/predict"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/smo"
)

func main() {
	if err := run(context.Background()); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context) error {
	moons, _ := generate.Lookup("moons")
	data, test := moons.Generate(300, 1), moons.Generate(1000, 2)

	best, bestAccuracy := trainer(1, 1), 0.0
	for _, c := range []float64{0.25, 1, 4, 16} {
		for _, gamma := range []float64{0.25, 1, 4} {
			t := trainer(c, gamma)
			accuracy, err := crossValidated(ctx, t, data)
			if err != nil {
				return err
			}
			if accuracy > bestAccuracy {
				best, bestAccuracy = t, accuracy
			}
		}
	}
	fmt.Printf("chosen: C %g, %+v, cross-validated accuracy %.3f\n",
		best.Solver.(smo.CSVC).C, best.Kernel, bestAccuracy)

	best.Probability = true
	trained, err := best.Train(ctx, data, train.NewRand(1))
	if err != nil {
		return err
	}
	var file bytes.Buffer
	if err := models.Write(&file, trained); err != nil {
		return err
	}
	model, err := models.Read(&file)
	if err != nil {
		return err
	}

	p, err := predict.New(model)
	if err != nil {
		return err
	}
	var scores predict.Scores
	for i, y := range test.Y {
		scores.Add(p.Predict(test.X.Row(i)), y)
	}
	fmt.Printf("%d vectors, accuracy on %d new rows %.3f\n", model.Vectors.Len(), test.Len(), scores.Accuracy())

	probability := make([]float64, p.Outcomes())
	label, _ := p.Probabilities(probability, test.X.Row(0))
	fmt.Printf("the first of them: label %g, labels %v with probabilities %.3f\n", label, model.Labels, probability)
	return nil
}

func trainer(c, gamma float64) train.OneVsOne {
	solver := smo.DefaultCSVC()
	solver.C = c
	return train.OneVsOne{Solver: solver, Kernel: kernel.RBF{Gamma: gamma}}
}

func crossValidated(ctx context.Context, t train.Trainer, d *format.Dataset) (accuracy float64, err error) {
	rng := train.NewRand(1)
	folds, err := train.CrossValidationFolds(models.CSVC, d.Y, 5, rng, nil)
	if err != nil {
		return 0, err
	}
	predictions, err := train.CrossValidate(ctx, t, d, folds, rng, nil)
	if err != nil {
		return 0, err
	}
	var scores predict.Scores
	for i, p := range predictions {
		scores.Add(p, d.Y[i])
	}
	return scores.Accuracy(), nil
}
