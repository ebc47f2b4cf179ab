package predict_test

import (
	"fmt"
	"io"
	"log"
	"strings"

	"github.com/slimsvm/slimsvm/arff"
	"github.com/slimsvm/slimsvm/format/encode"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/predict"
)

// What slimsvm train --probability writes for an ARFF file: the model, and how features are made of
// columns.
const weather = `svm_type c_svc
kernel_type linear
nr_class 2
total_sv 2
rho 0.25
label 0 1
probA -2
probB 0
nr_sv 1 1
SV
1 1:1
-1 2:1
slimsvm inputs
{"relation":"weather","class":3,"columns":3}
{"name":"outlook","type":"nominal","labels":["sunny","rainy"],"fill":0,"feature":1}
{"name":"humidity","type":"numeric","fill":80,"feature":2,"scale":[[60,40]]}
{"name":"play","type":"nominal","labels":["yes","no"],"fill":0,"feature":3}
`

// The rows of an ARFF file, whose columns are in another order than in training, are answered one
// by one, with the texts of the labels and their probabilities.
func ExamplePredictor_Probabilities() {
	m, err := models.Read(strings.NewReader(weather))
	if err != nil {
		log.Fatal(err)
	}
	p, err := predict.New(m)
	if err != nil {
		log.Fatal(err)
	}
	var inputs encode.Encoding
	if err := inputs.UnmarshalInputs(m.Inputs, m.InputsLine); err != nil {
		log.Fatal(err)
	}
	rows := arff.NewReader(strings.NewReader(`@relation tomorrow
@attribute humidity numeric
@attribute outlook {rainy,sunny}
@data
70,rainy
?,sunny
`))
	header, err := rows.Header()
	if err != nil {
		log.Fatal(err)
	}
	columns, err := inputs.Mapper(header)
	if err != nil {
		log.Fatal(err)
	}
	var x vec.Vector // this memory is used for each row
	probabilities := make([]float64, p.Outcomes())
	for {
		row, err := rows.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			log.Fatal(err)
		}
		columns.Row(&x, row.X)
		if err := p.Check(x); err != nil {
			log.Fatal(err)
		}
		likeliest, _ := p.Probabilities(probabilities, x)
		fmt.Printf("%s, likeliest %s:", inputs.LabelText(p.Predict(x)), inputs.LabelText(likeliest))
		for i, label := range m.Labels {
			fmt.Printf(" %s %.3f", inputs.LabelText(float64(label)), probabilities[i])
		}
		fmt.Println()
	}
	// Output:
	// yes, likeliest yes: yes 0.731 no 0.269
	// no, likeliest no: yes 0.182 no 0.818
}
