package train_test

import (
	"context"
	"fmt"
	"log"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/generate"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/predict"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/smo"
)

// The training rows are in slices of the program. Features are numbered from 1, as in files, and
// zeros need not be listed.
func Example() {
	rows := [][]float64{{0, 0.5}, {1, 3}, {0.25, 0}, {2, 2.5}, {0.5, 0.25}, {1.5, 4}}
	labels := []float64{0, 1, 0, 1, 0, 1}
	features := func(row []float64) (x vec.Vector) {
		for j, value := range row {
			if value != 0 {
				x.Index, x.Value = append(x.Index, int32(j+1)), append(x.Value, value)
			}
		}
		return x
	}
	var d format.Dataset
	for i, row := range rows {
		d.Append(format.Instance{X: features(row), Y: labels[i], Weight: 1})
	}
	t := train.OneVsOne{Solver: smo.DefaultCSVC(), Kernel: kernel.RBF{Gamma: 0.5}}
	m, err := t.Train(context.Background(), &d, nil)
	if err != nil {
		log.Fatal(err)
	}
	p, err := predict.New(m)
	if err != nil {
		log.Fatal(err)
	}
	x := features([]float64{1.5, 2})
	if err := p.Check(x); err != nil { // of rows from outside, which may hold NaN
		log.Fatal(err)
	}
	fmt.Println(p.Predict(x))
	// Output: 1
}

// A classifier of any number of classes with probabilities, and its answer for a row.
func ExampleOneVsOne() {
	set, _ := generate.Lookup("gauss5")
	d := set.Generate(200, 1) // or what a format's Parse has read
	t := train.OneVsOne{Solver: smo.DefaultCSVC(), Kernel: kernel.RBF{Gamma: 0.5}, Probability: true}
	m, err := t.Train(context.Background(), d, train.NewRand(1))
	if err != nil {
		log.Fatal(err)
	}
	p, err := predict.New(m)
	if err != nil {
		log.Fatal(err)
	}
	probability := make([]float64, p.Outcomes())
	label, _ := p.Probabilities(probability, d.X.Row(0))
	fmt.Printf("label %g; labels %v with probabilities %.2f\n", label, m.Labels, probability)
	// Output: label 3; labels [3 4 2 1 5] with probabilities [0.96 0.01 0.01 0.01 0.01]
}

// Five-fold cross-validation with the folds that svm-train -v 5 draws.
func ExampleCrossValidate() {
	set, _ := generate.Lookup("moons")
	d := set.Generate(200, 1)
	t := train.OneVsOne{Solver: smo.DefaultCSVC(), Kernel: kernel.RBF{Gamma: 1}}
	rng := train.NewRand(1)
	folds, err := train.CrossValidationFolds(models.CSVC, d.Y, 5, rng, nil)
	if err != nil {
		log.Fatal(err)
	}
	predictions, err := train.CrossValidate(context.Background(), t, d, folds, rng, nil)
	if err != nil {
		log.Fatal(err)
	}
	var scores predict.Scores
	for i, label := range predictions {
		scores.Add(label, d.Y[i])
	}
	fmt.Printf("accuracy %.3f\n", scores.Accuracy())
	// Output: accuracy 0.975
}

// A search for the best cost and gamma, with the same folds at each point. All trainings share
// threads, memory and, because the store keeps them, the kernel values of a gamma.
func ExampleWithThreads() {
	set, _ := generate.Lookup("moons")
	d := set.Generate(200, 1)
	ctx, end := train.WithThreads(context.Background(), 0) // one a processor
	defer end()
	store := kernel.NewStore(&d.X)
	store.KeepValues(ctx, 100<<20) // bytes
	draw := train.NewRand(1)
	folds, err := train.CrossValidationFolds(models.CSVC, d.Y, 5, draw, nil)
	if err != nil {
		log.Fatal(err)
	}
	solver, best := smo.DefaultCSVC(), 0.0
	for _, gamma := range []float64{0.25, 1, 4} {
		for _, cost := range []float64{1, 8, 64} {
			solver.C = cost
			t := train.OneVsOne{Solver: solver, Kernel: kernel.RBF{Gamma: gamma}}.OnStore(store, nil)
			rng := *draw // all points draw the same numbers
			predictions, err := train.CrossValidate(ctx, t, d, folds, &rng, nil)
			if err != nil {
				log.Fatal(err)
			}
			var scores predict.Scores
			for i, label := range predictions {
				scores.Add(label, d.Y[i])
			}
			if accuracy := scores.Accuracy(); accuracy > best {
				best = accuracy
				fmt.Printf("cost %g, gamma %g: accuracy %.3f\n", cost, gamma, accuracy)
			}
		}
	}
	// Output:
	// cost 1, gamma 0.25: accuracy 0.910
	// cost 8, gamma 0.25: accuracy 0.960
	// cost 64, gamma 0.25: accuracy 0.975
	// cost 8, gamma 1: accuracy 0.985
}
