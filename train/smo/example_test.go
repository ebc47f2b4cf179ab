package smo_test

import (
	"context"
	"fmt"
	"log"

	"github.com/slimsvm/slimsvm/format/generate"
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
