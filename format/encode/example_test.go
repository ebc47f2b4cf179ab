package encode_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/slimsvm/slimsvm/arff"
	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/csvfmt"
	"github.com/slimsvm/slimsvm/format/encode"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/predict"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/smo"
)

// The encoding is learned from the training rows, kept as text beside the model, and applied to
// later rows whose columns are in another order.
func Example() {
	ctx := context.Background()
	raw, err := arff.Parse(ctx, strings.NewReader(`@relation weather
@attribute outlook {sunny,overcast,rainy}
@attribute humidity numeric
@attribute play {yes,no}
@data
rainy,96,yes
sunny,?,no
overcast,80,yes
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	learned, err := encode.Fit(ctx, raw, encode.Options{Scaling: encode.Normalize})
	if err != nil {
		fmt.Println(err)
		return
	}
	d, err := learned.Encode(ctx, raw)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(learned.Names())
	for i, y := range d.Y {
		fmt.Println(learned.LabelText(y), d.X.Row(i))
	}
	text, err := learned.MarshalText()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(string(text))

	var e encode.Encoding
	if err := e.UnmarshalText(text); err != nil {
		fmt.Println(err)
		return
	}
	later := arff.NewReader(strings.NewReader(`@relation later
@attribute humidity numeric
@attribute outlook {overcast,rainy,sunny}
@data
72,sunny
`))
	header, err := later.Header()
	if err != nil {
		fmt.Println(err)
		return
	}
	m, err := e.Mapper(header)
	if err != nil {
		fmt.Println(err)
		return
	}
	rows, err := m.ReadAll(ctx, later, true)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(rows.X.Row(0))
	// Output:
	// [outlook=sunny outlook=overcast outlook=rainy humidity CLASS play]
	// yes {[3 4] [1 1]}
	// no {[1 4] [1 0.5]}
	// yes {[2] [1]}
	// {"relation":"weather","class":3,"columns":3}
	// {"name":"outlook","type":"nominal","labels":["sunny","overcast","rainy"],"fill":0,"feature":1,"scale":[[0,1],[0,1],[0,1]]}
	// {"name":"humidity","type":"numeric","fill":88,"feature":4,"scale":[[80,16]]}
	// {"name":"play","type":"nominal","labels":["yes","no"],"fill":0,"feature":5}
	// {[1 4] [1 -0.5]}
}

// A program declares its own rows: numbers and text labels. Features are scaled by the ranges of the
// training rows. The model's text has the ranges and labels, so that it is all that the predicting
// program needs.
func ExampleFit() {
	type flower struct{ length, width float64 }
	trained := []flower{{1.4, 0.2}, {4.7, 1.4}, {1.3, 0.2}, {4.5, math.NaN()}, {1.5, 0.1}, {4.9, 1.5}} // NaN: not known
	species := []string{"setosa", "versicolor", "setosa", "versicolor", "setosa", "versicolor"}
	labels := slices.Compact(slices.Sorted(slices.Values(species)))
	header := &format.Header{
		Attributes: []format.Attribute{
			{Name: "length"},
			{Name: "width"},
			{Name: "species", Type: format.Nominal, Labels: labels},
		},
		Class: 2,
	}
	columns := []int32{0, 1, 2} // under a header they are counted from 0
	raw := &format.Dataset{Header: header}
	for i, f := range trained {
		label := slices.Index(labels, species[i])
		row := vec.Vector{Index: columns, Value: []float64{f.length, f.width, float64(label)}}
		raw.Append(format.Instance{X: row, Weight: 1})
	}
	ctx := context.Background()
	e, err := encode.Fit(ctx, raw, encode.Options{Scaling: encode.Standardize})
	if err != nil {
		log.Fatal(err)
	}
	d, err := e.Encode(ctx, raw)
	if err != nil {
		log.Fatal(err)
	}
	m, err := train.OneVsOne{Solver: smo.DefaultCSVC(), Kernel: kernel.RBF{Gamma: 0.5}}.Train(ctx, d, nil)
	if err != nil {
		log.Fatal(err)
	}
	if m.Inputs, err = e.MarshalText(); err != nil {
		log.Fatal(err)
	}
	text, err := m.MarshalText()
	if err != nil {
		log.Fatal(err)
	}

	// another program, in which e and m are new
	m = new(models.Model)
	if err := m.UnmarshalText(text); err != nil {
		log.Fatal(err)
	}
	e = new(encode.Encoding)
	if err := e.UnmarshalInputs(m.Inputs, m.InputsLine); err != nil {
		log.Fatal(err)
	}
	p, err := predict.New(m)
	if err != nil {
		log.Fatal(err)
	}
	mapper, err := e.Mapper(e.Header()) // one for each goroutine
	if err != nil {
		log.Fatal(err)
	}
	var x vec.Vector
	for _, f := range []flower{{1.6, 0.3}, {4.4, math.NaN()}} {
		row := vec.Vector{Index: columns, Value: []float64{f.length, f.width, math.NaN()}}
		if err := mapper.Check(row); err != nil {
			log.Fatal(err)
		}
		mapper.Row(&x, row)
		fmt.Println(e.LabelText(p.Predict(x)))
	}
	// Output:
	// setosa
	// versicolor
}

// Later rows come from a CSV file. It does not declare types, so the reader is told which columns
// hold labels: what is read to be answered may have none in them, or only some that look like
// numbers.
func ExampleEncoding_Mapper() {
	ctx := context.Background()
	raw, err := csvfmt.Parse(ctx, strings.NewReader("outlook,humidity,play\nrainy,96,no\nsunny,70,yes\n,80,yes\n"))
	if err != nil {
		log.Fatal(err)
	}
	e, err := encode.Fit(ctx, raw, encode.Options{})
	if err != nil {
		log.Fatal(err)
	}
	later := csvfmt.NewReader(strings.NewReader("humidity,outlook\n91,\n,7\n"))
	for i, c := range e.Columns {
		if i != e.Class && c.Type == format.Nominal {
			later.Nominal = append(later.Nominal, c.Name)
		}
	}
	header, err := later.Header()
	if err != nil {
		log.Fatal(err)
	}
	m, err := e.Mapper(header)
	if err != nil {
		log.Fatal(err)
	}
	m.Unknown = func(column, label string) { fmt.Printf("%s: no label %q in training\n", column, label) }
	fmt.Println(e.Names())
	var x vec.Vector
	for {
		row, err := later.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			log.Fatal(err)
		}
		m.Row(&x, row.X)
		fmt.Println(x) // or the answer of a predict.Predictor
	}
	// Output:
	// [outlook=sunny humidity CLASS play]
	// {[2] [91]}
	// outlook: no label "7" in training
	// {[2] [82]}
}

// A CSV file of any size becomes an ARFF file with the answers as one column more. What a reader
// gives is valid until its next row, so rows are copied until their answers come. Where the output is
// CSV too, the example of csvfmt.Reader.KeepTexts writes numbers with the digits that they had.
func ExampleMapper() {
	ctx := context.Background()
	raw, err := csvfmt.Parse(ctx, strings.NewReader("humidity,outlook,play\n96,rainy,no\n70,sunny,yes\n72,,yes\n91,rainy,no\n"))
	if err != nil {
		log.Fatal(err)
	}
	e, err := encode.Fit(ctx, raw, encode.Options{Scaling: encode.Normalize})
	if err != nil {
		log.Fatal(err)
	}
	d, err := e.Encode(ctx, raw)
	if err != nil {
		log.Fatal(err)
	}
	m, err := train.OneVsOne{Solver: smo.DefaultCSVC(), Kernel: kernel.Linear{}}.Train(ctx, d, nil)
	if err != nil {
		log.Fatal(err)
	}
	p, err := predict.New(m)
	if err != nil {
		log.Fatal(err)
	}

	later := csvfmt.NewReader(strings.NewReader("outlook,day,humidity\nsunny,Monday,75\nrainy,Tuesday,\n")) // or what format.Open returns
	later.Nominal = []string{"outlook"}
	header, err := later.Header()
	if err != nil {
		log.Fatal(err)
	}
	mapper, err := e.Mapper(header)
	if err != nil {
		log.Fatal(err)
	}
	answer := format.Attribute{Name: "answer", Type: format.Nominal, Labels: e.ClassColumn().Labels}
	out := arff.NewWriter(os.Stdout) // or what format.Create returns
	err = out.WriteHeader(&format.Header{
		Relation:   "answered",
		Attributes: append(slices.Clone(header.Attributes), answer),
		Class:      len(header.Attributes),
	})
	if err != nil {
		log.Fatal(err)
	}
	var held []format.Instance // with more workers than one, next and take need a lock for it
	var x vec.Vector
	next := func() (vec.Vector, float64, error) {
		row, err := later.Read()
		if err != nil {
			return vec.Vector{}, 0, err // at the end io.EOF, with which the stream ends
		}
		held = append(held, row.Clone())
		mapper.Row(&x, row.X)
		return x, 0, p.Check(x)
	}
	err = p.StreamAnswers(ctx, 1, next, func(b *predict.Batch, ys []float64) error {
		for r := range ys {
			row := held[r]
			row.X.Index = append(row.X.Index, int32(len(header.Attributes)))
			row.X.Value = append(row.X.Value, b.Predict(r))
			if err := out.Write(row); err != nil {
				return err
			}
		}
		held = slices.Delete(held, 0, len(ys))
		return nil
	})
	if err != nil {
		log.Fatal(err)
	}
	if err := out.Flush(); err != nil {
		log.Fatal(err)
	}
	// Output:
	// @relation answered
	//
	// @attribute outlook {sunny,rainy}
	// @attribute day {Monday,Tuesday}
	// @attribute humidity numeric
	// @attribute answer {no,yes}
	//
	// @data
	// sunny,Monday,75,yes
	// rainy,Tuesday,?,no
}

// A row comes as JSON, by the names of columns. What is absent or null is missing, and a number is
// its text. Labels that training did not know may be taken as those of later files are.
func ExampleEncoding_Row() {
	ctx := context.Background()
	raw, err := csvfmt.Parse(ctx, strings.NewReader("outlook,humidity,play\nrainy,96,no\nsunny,70,yes\novercast,80,yes\n"))
	if err != nil {
		log.Fatal(err)
	}
	e, err := encode.Fit(ctx, raw, encode.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(e.Names())
	for _, body := range []string{
		`{"outlook": "sunny", "humidity": 71.5}`,
		`{"humidity": null, "outlook": "rainy", "wind": 3}`,
		`{"outlook": "foggy", "humidity": 60}`,
		`{"outlook": "sunny", "humidity": "high"}`,
	} {
		var row map[string]any
		decoder := json.NewDecoder(strings.NewReader(body))
		decoder.UseNumber()
		if err := decoder.Decode(&row); err != nil {
			log.Fatal(err)
		}
		var x vec.Vector // features for a predict.Predictor
		err := e.Row(&x, func(column string) (text string, ok bool) {
			value := row[column]
			return fmt.Sprint(value), value != nil
		})
		switch {
		case errors.Is(err, encode.ErrUnknownLabel):
			fmt.Println(x, "though", err)
		case err != nil:
			fmt.Println(err)
		default:
			fmt.Println(x)
		}
	}
	// Output:
	// [outlook=rainy outlook=sunny outlook=overcast humidity CLASS play]
	// {[2 4] [1 71.5]}
	// {[1 4] [1 82]}
	// {[4] [60]} though column "outlook": expected a label of the training rows ("rainy", "sunny", "overcast"), found "foggy"
	// column "humidity": expected a number, found "high"
}
