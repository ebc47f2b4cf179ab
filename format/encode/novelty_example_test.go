package encode_test

import (
	"context"
	"fmt"
	"log"
	"math/rand/v2"
	"slices"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/encode"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/predict"
	"github.com/slimsvm/slimsvm/train/smo"
)

// A machine's temperature and pressure, which go together, are usual or not. Columns of such
// different size are scaled, and the rows, which have no label, get one that is always 1. How far
// outside a row must be is the program's own choice: here, further than all but one in a hundred of
// usual rows that the model was not trained on.
func ExampleOptions() {
	header := &format.Header{
		Attributes: []format.Attribute{{Name: "temperature"}, {Name: "pressure"}, {Name: "label"}},
		Class:      2,
	}
	usual := func(n int, seed uint64) *format.Dataset {
		rng := rand.New(rand.NewPCG(seed, 0))
		d := &format.Dataset{Header: header}
		for range n {
			z := rng.NormFloat64()
			row := []float64{70 + 5*z, 101000 + 400*z + 100*rng.NormFloat64(), 1}
			d.Append(format.Instance{X: vec.Vector{Index: []int32{0, 1, 2}, Value: row}, Weight: 1})
		}
		return d
	}
	ctx := context.Background()
	raw := usual(400, 1)
	e, err := encode.Fit(ctx, raw, encode.Options{Scaling: encode.Standardize})
	if err != nil {
		log.Fatal(err)
	}
	d, err := e.Encode(ctx, raw)
	if err != nil {
		log.Fatal(err)
	}
	t := smo.DefaultOneClass()
	t.Kernel, t.Nu = kernel.RBF{Gamma: 0.5}, 0.05
	m, err := t.Train(ctx, d, nil)
	if err != nil {
		log.Fatal(err)
	}
	p, err := predict.New(m)
	if err != nil {
		log.Fatal(err)
	}

	held, err := e.Encode(ctx, usual(1000, 2))
	if err != nil {
		log.Fatal(err)
	}
	value := make([]float64, 1) // of the model's one machine; positive inside
	values := make([]float64, held.Len())
	for i := range values {
		p.Decisions(value, held.X.Row(i))
		values[i] = value[0]
	}
	slices.Sort(values)
	threshold := values[len(values)/100]
	fmt.Println("below 0:", threshold < 0)

	for _, now := range []map[string]string{
		{"temperature": "71", "pressure": "101100"},
		{"temperature": "80", "pressure": "100200"}, // each of the two happens, but not together
	} {
		var x vec.Vector
		err := e.Row(&x, func(column string) (text string, ok bool) {
			text, ok = now[column]
			return text, ok
		})
		if err != nil {
			log.Fatal(err)
		}
		if err := p.Check(x); err != nil {
			log.Fatal(err)
		}
		p.Decisions(value, x)
		fmt.Println(now, "is usual:", value[0] >= threshold)
	}
	// Output:
	// below 0: true
	// map[pressure:101100 temperature:71] is usual: true
	// map[pressure:100200 temperature:80] is usual: false
}
