package smo_test

import (
	"context"
	"fmt"
	"log"
	"math"

	"github.com/slimsvm/slimsvm/format/generate"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/predict"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/smo"
)

// A regression. It starts from the defaults, because zero Options cannot be used.
func ExampleEpsilonSVR() {
	set, _ := generate.Lookup("sinc")
	d := set.Generate(100, 1)
	t := smo.DefaultEpsilonSVR()
	t.Kernel = kernel.RBF{Gamma: 1}
	t.C = 10
	m, err := t.Train(context.Background(), d, nil) // nothing random is needed without Probability
	if err != nil {
		log.Fatal(err)
	}
	p, err := predict.New(m)
	if err != nil {
		log.Fatal(err)
	}
	var scores predict.Scores
	for i, y := range d.Y {
		scores.Add(p.Predict(d.X.Row(i)), y)
	}
	fmt.Printf("%d vectors, mean squared error %.4f\n", m.Vectors.Len(), scores.MeanSquaredError())
	// Output: 36 vectors, mean squared error 0.0100
}

// A classifier reports what its solver does.
func ExampleOptions() {
	set, _ := generate.Lookup("moons")
	solver := smo.DefaultCSVC()
	report := func(e train.Event) {
		if s, ok := e.(train.Solved); ok {
			fmt.Println(s.Vectors, "rows with a coefficient,", s.Bounded, "with the largest")
		}
	}
	t := train.OneVsOne{Solver: solver, Kernel: kernel.RBF{Gamma: 1}, Report: report}
	if _, err := t.Train(context.Background(), set.Generate(100, 1), nil); err != nil {
		log.Fatal(err)
	}
	// Output: 31 rows with a coefficient, 24 with the largest
}

// The cost, epsilon and gamma of a regression are those with the least error on held-out rows. All
// points have the same folds.
func ExampleEpsilonSVR_search() {
	set, _ := generate.Lookup("sinc")
	d, test := set.Generate(100, 1), set.Generate(1000, 2)
	ctx, end := train.WithThreads(context.Background(), 0) // one for each processor; memory is used again
	defer end()
	rng := train.NewRand(1)
	folds, err := train.CrossValidationFolds(models.EpsilonSVR, d.Y, 5, rng, nil)
	if err != nil {
		log.Fatal(err)
	}
	var best smo.EpsilonSVR
	least := math.Inf(1)
	t := smo.DefaultEpsilonSVR()
	for _, t.C = range []float64{0.1, 1, 10} {
		for _, t.Epsilon = range []float64{0.01, 0.1, 0.3} {
			for _, gamma := range []float64{0.1, 1, 10} {
				t.Kernel = kernel.RBF{Gamma: gamma}
				predictions, err := train.CrossValidate(ctx, t, d, folds, nil, nil) // nothing is drawn
				if err != nil {
					log.Fatal(err)
				}
				var scores predict.Scores
				for i, y := range predictions {
					scores.Add(y, d.Y[i])
				}
				if e := scores.MeanSquaredError(); e < least {
					best, least = t, e
				}
			}
		}
	}
	m, err := best.Train(ctx, d, nil)
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
	fmt.Printf("C %g, epsilon %g, %+v: %.4f on held-out rows, %.4f on new ones\n",
		best.C, best.Epsilon, best.Kernel, least, scores.MeanSquaredError())
	// Output: C 1, epsilon 0.1, {Gamma:1}: 0.0123 on held-out rows, 0.0103 on new ones
}

// A one-class model learns what rows are usually like; labels do not matter. Rows that come in a
// stream, one or a few at a time, are then usual ones or not.
func ExampleOneClass() {
	set, _ := generate.Lookup("moons")
	t := smo.DefaultOneClass()
	t.Kernel, t.Nu = kernel.RBF{Gamma: 1}, 0.05 // about one training row of twenty is left outside
	m, err := t.Train(context.Background(), set.Generate(300, 1), nil)
	if err != nil {
		log.Fatal(err)
	}
	p, err := predict.New(m)
	if err != nil {
		log.Fatal(err)
	}
	rows := set.Reader(1000, 2) // or that of a format, from a pipe
	next := func() (vec.Vector, float64, error) {
		row, err := rows.Read()
		if err != nil {
			return vec.Vector{}, 0, err // at the end io.EOF, with which the stream ends
		}
		return row.X, row.Y, p.Check(row.X)
	}
	unusual, n := 0, 0
	err = p.StreamAnswers(context.Background(), 1, next, func(b *predict.Batch, ys []float64) error {
		for r := range ys {
			if n++; b.Predict(r) < 0 {
				unusual++
			}
		}
		return nil
	})
	if err != nil {
		log.Fatal(err)
	}
	far := vec.Vector{Index: []int32{1, 2}, Value: []float64{40, -40}}
	fmt.Printf("%d of %d rows are unusual; one far away: %g\n", unusual, n, p.Predict(far))
	// Output: 47 of 1000 rows are unusual; one far away: -1
}
