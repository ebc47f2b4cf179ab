package predict_test

import (
	"context"
	"fmt"
	"io"
	"log"
	"strings"

	"github.com/slimsvm/slimsvm/format/encode"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/predict"
)

// A model file as svm-train writes it predicts the label of a row.
func ExamplePredictor_Predict() {
	m, err := models.Read(strings.NewReader(file))
	if err != nil {
		log.Fatal(err)
	}
	p, err := predict.New(m)
	if err != nil {
		log.Fatal(err)
	}
	x := vec.Vector{Index: []int32{1, 2}, Value: []float64{0.5, -2}}
	f := make([]float64, 1)
	p.Decisions(f, x)
	fmt.Printf("label %g, decision value %g\n", p.Predict(x), f[0])
	// Output: label -1, decision value -1.5
}

// Several workers answer for rows in batches. The answers come in the order of the rows.
func ExamplePredictor_StreamAnswers() {
	m, err := models.Read(strings.NewReader(file))
	if err != nil {
		log.Fatal(err)
	}
	p, err := predict.New(m)
	if err != nil {
		log.Fatal(err)
	}
	n := 0
	next := func() (vec.Vector, float64, error) { // or that of a format's Reader
		if n++; n > 4 {
			return vec.Vector{}, 0, io.EOF
		}
		x := vec.Vector{Index: []int32{1, 2}, Value: []float64{float64(n), -2.5}}
		return x, 1, p.Check(x)
	}
	err = p.StreamAnswers(context.Background(), 2, next, func(b *predict.Batch, ys []float64) error {
		for r, y := range ys {
			fmt.Println(b.Predict(r), "of", y)
		}
		return nil
	})
	if err != nil {
		log.Fatal(err)
	}
	// Output:
	// -1 of 1
	// -1 of 1
	// 1 of 1
	// 1 of 1
}

// file is a model with the machine f(x) = x_1 + x_2 and labels 1, -1.
const file = `svm_type c_svc
kernel_type linear
nr_class 2
total_sv 2
rho 0
label 1 -1
nr_sv 1 1
SV
0.5 1:1 2:1
-0.5 1:-1 2:-1
`

// Predictions for rows that are not from a file, such as the fields of a form: columns are given by
// name and labels by text. A program may embed the text of the model. All goroutines can share a
// predictor and an encoding.
func ExamplePredictor_Check() {
	model, err := models.Read(strings.NewReader(flowers))
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := predict.New(model)
	if err != nil {
		fmt.Println(err)
		return
	}
	var e encode.Encoding
	if err := e.UnmarshalInputs(model.Inputs, model.InputsLine); err != nil {
		fmt.Println(err)
		return
	}
	answer := func(form map[string]string) (string, error) {
		var x vec.Vector
		err := e.Row(&x, func(column string) (text string, ok bool) {
			text, ok = form[column] // what the form does not have is missing
			return text, ok
		})
		if err != nil {
			return "", err
		}
		if err := p.Check(x); err != nil {
			return "", err
		}
		return e.LabelText(p.Predict(x)), nil
	}
	fmt.Println(answer(map[string]string{"height": "2.5", "colour": "blue"}))
	fmt.Println(answer(map[string]string{"height": "4"}))
	fmt.Println(answer(map[string]string{"height": "4", "colour": "green"}))
	fmt.Println(answer(map[string]string{"height": "tall", "colour": "red"}))
	// Output:
	// violet <nil>
	// rose <nil>
	//  column "colour": expected a label of the training rows ("red", "blue"), found "green"
	//  column "height": expected a number, found "tall"
}

// flowers is a model that has its inputs with it.
const flowers = `svm_type c_svc
kernel_type rbf
gamma 0.5
nr_class 2
total_sv 2
rho 0
label 0 1
nr_sv 1 1
SV
1 1:1
-1 2:1
slimsvm inputs
{"relation":"flowers","class":3,"columns":3}
{"name":"height","type":"numeric","fill":3,"feature":1,"scale":[[2,2]]}
{"name":"colour","type":"nominal","labels":["red","blue"],"fill":0,"feature":2,"scale":[[0,1]]}
{"name":"class","type":"nominal","labels":["rose","violet"],"fill":0,"feature":3}
`
