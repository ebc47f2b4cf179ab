package encode_test

import (
	"context"
	"fmt"
	"log"
	"math"
	"strconv"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/encode"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/predict"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/smo"
)

type house struct {
	area float64 // square metres
	age  float64 // years; NaN: not known
}

// field gives a house's values by the names of columns, for [encode.Encoding.Row].
func (h house) field(column string) (text string, ok bool) {
	value := map[string]float64{"area": h.area, "age": h.age}[column]
	return strconv.FormatFloat(value, 'g', -1, 64), !math.IsNaN(value)
}

// A regression of large targets: these are scaled as features are, or the default cost would allow
// almost no influence to a row. The model has the scales with it, and answers are scaled back. Rows
// are structs.
func ExampleEncoding_Target() {
	ctx := context.Background()
	header := &format.Header{
		Attributes: []format.Attribute{{Name: "area"}, {Name: "age"}, {Name: "price"}},
		Class:      2,
	}
	raw := &format.Dataset{Header: header}
	for i := range 60 {
		h := house{float64(40 + 37*i%160), float64(13 * i % 60)}
		price := 2500*h.area - 1500*h.age + 50000
		row := vec.Vector{Index: []int32{0, 1, 2}, Value: []float64{h.area, h.age, price}}
		raw.Append(format.Instance{X: row, Weight: 1})
	}
	e, err := encode.Fit(ctx, raw, encode.Options{Scaling: encode.Standardize, ScaleLabel: true})
	if err != nil {
		log.Fatal(err)
	}
	d, err := e.Encode(ctx, raw)
	if err != nil {
		log.Fatal(err)
	}
	t := smo.DefaultEpsilonSVR()
	t.Kernel = kernel.Linear{}
	t.Epsilon = 0.01 // in standard deviations of the price, as the targets are
	t.Probability = true
	m, err := t.Train(ctx, d, train.NewRand(1))
	if err != nil {
		log.Fatal(err)
	}
	if m.Inputs, err = e.MarshalText(); err != nil {
		log.Fatal(err)
	}
	text, err := m.MarshalText() // what models.Write writes
	if err != nil {
		log.Fatal(err)
	}

	// another program, in which e and m are new
	m, e = new(models.Model), new(encode.Encoding)
	if err := m.UnmarshalText(text); err != nil {
		log.Fatal(err)
	}
	if err := e.UnmarshalInputs(m.Inputs, m.InputsLine); err != nil {
		log.Fatal(err)
	}
	p, err := predict.New(m)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("typical error below 2000:", e.Difference(m.Noise) < 2000)
	for _, h := range []house{{100, 20}, {100, math.NaN()}} {
		var x vec.Vector
		if err := e.Row(&x, h.field); err != nil {
			log.Fatal(err)
		}
		if err := p.Check(x); err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%g square metres, %g years: about %.0f thousand\n", h.area, h.age, e.Target(p.Predict(x))/1000)
	}
	// Output:
	// typical error below 2000: true
	// 100 square metres, 20 years: about 270 thousand
	// 100 square metres, NaN years: about 256 thousand
}
