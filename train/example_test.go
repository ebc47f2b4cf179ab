package train_test

import (
	"context"
	"errors"
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

// The training rows are in slices of the program. Features are numbered from 1, as in files.
func Example() {
	rows := [][]float64{{0, 0.5}, {1, 3}, {0.25, 0}, {2, 2.5}, {0.5, 0.25}, {1.5, 4}}
	labels := []float64{0, 1, 0, 1, 0, 1}
	var d format.Dataset
	for i, row := range rows {
		d.Append(format.Instance{X: vec.FromSlice(row), Y: labels[i], Weight: 1})
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
	x := vec.FromSlice([]float64{1.5, 2})
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

// A cross-validation tells how far it is.
func ExampleFoldDone() {
	set, _ := generate.Lookup("sinc")
	d := set.Generate(100, 1)
	t := smo.DefaultEpsilonSVR()
	t.Kernel = kernel.RBF{Gamma: 1}
	rng := train.NewRand(1)
	folds, err := train.CrossValidationFolds(models.EpsilonSVR, d.Y, 4, rng, nil)
	if err != nil {
		log.Fatal(err)
	}
	report := func(e train.Event) {
		if f, ok := e.(train.FoldDone); ok {
			fmt.Printf("%d of %d\n", f.Fold+1, f.Folds)
		}
	}
	predictions, err := train.CrossValidate(context.Background(), t, d, folds, rng, report)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(predictions), "predictions")
	// Output:
	// 1 of 4
	// 2 of 4
	// 3 of 4
	// 4 of 4
	// 100 predictions
}

// A search for the best cost and gamma, with the same folds at each point. All trainings share
// threads, memory and, because the store keeps them, the kernel values of a gamma.
func ExampleWithThreads() {
	set, _ := generate.Lookup("moons")
	d := set.Generate(200, 1)
	ctx, end := train.WithThreads(context.Background(), 0) // one a processor
	defer end()
	store := kernel.NewStore(&d.X)
	store.CacheValues(ctx, 100<<20) // bytes
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

// A training that takes long shows how far it is, and ends when its context does: when a time is over
// with context.WithTimeout, or, as here, because somebody does not want to wait.
func ExampleReport() {
	set, _ := generate.Lookup("spirals")
	d := set.Generate(400, 1)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	solver := smo.DefaultCSVC()
	solver.C = 1e6
	report := func(e train.Event) {
		if p, ok := e.(train.Progress); ok {
			fmt.Println(p.Iterations, "iterations")
			if p.Iterations >= 1200 {
				cancel()
			}
		}
	}
	t := train.OneVsOne{Solver: solver, Kernel: kernel.RBF{Gamma: 0.01}, Report: report}
	m, err := t.Train(ctx, d, nil)
	fmt.Println("no model:", m == nil, "-", errors.Is(err, context.Canceled))
	// Output:
	// 400 iterations
	// 800 iterations
	// 1200 iterations
	// no model: true - true
}

// Errors on the rare class cost ten times as much, and one row counts three times. The factors of a
// row's class and of the row itself are multiplied.
func ExampleClassWeight() {
	var d format.Dataset
	for i, x := range []float64{0, 0.2, 0.4, 0.6, 0.8, 1, 1.2, 0.9, 1.4} {
		row := format.Instance{X: vec.Vector{Index: []int32{1}, Value: []float64{x}}, Y: 0, Weight: 1}
		if i >= 7 {
			row.Y = 1
		}
		if i == 8 {
			row.Weight = 3
		}
		d.Append(row)
	}
	for _, weights := range [][]train.ClassWeight{nil, {{Label: 1, Weight: 10}}} {
		t := train.OneVsOne{Solver: smo.DefaultCSVC(), Kernel: kernel.Linear{}, Weights: weights}
		m, err := t.Train(context.Background(), &d, nil)
		if err != nil {
			log.Fatal(err)
		}
		p, err := predict.New(m)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(weights, "row 8 is of class", p.Predict(d.X.Row(7)))
	}
	// Output:
	// [] row 8 is of class 0
	// [{1 10}] row 8 is of class 1
}
