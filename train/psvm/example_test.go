package psvm_test

import (
	"context"
	"fmt"
	"log"

	"github.com/slimsvm/slimsvm/format/generate"
	"github.com/slimsvm/slimsvm/predict"
	"github.com/slimsvm/slimsvm/train/psvm"
)

// Linear machines together follow two moons, without a choice of kernel.
func Example() {
	moons, _ := generate.Lookup("moons")
	data, test := moons.Generate(400, 1), moons.Generate(1000, 2)

	m, err := psvm.Default().Train(context.Background(), data, nil)
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
	fmt.Println("fewer machines than rows:", len(m.Machines) < data.Len()/4, "most rows right:", scores.Accuracy() > 0.9)
	// Output: fewer machines than rows: true most rows right: true
}
