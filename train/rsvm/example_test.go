package rsvm_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/generate"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/predict"
	"github.com/slimsvm/slimsvm/train/rsvm"
)

// The vectors are k-means centres, half of them of each class.
func ExampleClassifier_Train() {
	moons, _ := generate.Lookup("moons")
	data, test := moons.Generate(1000, 1), moons.Generate(1000, 2)

	c := rsvm.Classifier{Options: rsvm.DefaultOptions()}
	c.Kernel = kernel.RBF{Gamma: 1}
	c.Set = rsvm.Random{Vectors: 20, Even: true, Centres: true}
	m, err := c.Train(context.Background(), data, nil)
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
	fmt.Println(m.Vectors.Len(), "vectors, most rows right:", scores.Accuracy() > 0.9)
	// Output: 20 vectors, most rows right: true
}

// Rows that do not fit in memory are read again for every step. Here they come from a generator; a
// program would usually open a file again.
func ExampleClassifier_TrainStream() {
	moons, _ := generate.Lookup("moons")
	reads := 0
	rows := func(yield func(format.Instance, error) bool) {
		reads++
		r := moons.Reader(5000, 1)
		for {
			row, err := r.Read()
			if errors.Is(err, io.EOF) || !yield(row, err) || err != nil {
				return
			}
		}
	}
	c := rsvm.Classifier{Options: rsvm.DefaultOptions()}
	c.Kernel = kernel.RBF{Gamma: 1}
	c.Set = rsvm.Random{Vectors: 30}
	m, err := c.TrainStream(context.Background(), rows)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("read more than once:", reads > 1, "-", m.Vectors.Len(), "vectors")
	// Output: read more than once: true - 30 vectors
}
