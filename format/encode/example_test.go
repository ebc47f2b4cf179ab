package encode_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/slimsvm/slimsvm/arff"
	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/encode"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/predict"
)

// Features are learned from the training rows, kept as a text beside the model, and made of
// later rows whose columns stand in another order.
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

// Answers for rows that are no file, such as the fields of a form: columns by name, labels by text. The
// text of the model may be embedded in the program. A predictor and an encoding serve all goroutines, a
// mapper one.
func ExampleMapper_Check() {
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
	if err := e.UnmarshalText(model.Inputs); err != nil {
		fmt.Println(err)
		return
	}
	answer := func(form map[string]string) (string, error) {
		var row vec.Vector
		h := e.Header()
		for i, a := range h.Attributes {
			text, ok := form[a.Name]
			value := math.NaN() // what the form does not have is missing
			var err error
			switch {
			case ok && a.Type == format.Nominal:
				value = float64(slices.Index(a.Labels, text)) // -1, which Check refuses, if it is none
			case ok:
				value, err = strconv.ParseFloat(text, 64)
			}
			if err != nil {
				return "", err
			}
			row.Index, row.Value = append(row.Index, int32(i)), append(row.Value, value)
		}
		m, err := e.Mapper(h)
		if err != nil {
			return "", err
		}
		if err := m.Check(row); err != nil {
			return "", err
		}
		var x vec.Vector
		m.Row(&x, row)
		if err := p.Check(x); err != nil {
			return "", err
		}
		return e.LabelText(p.Predict(x)), nil
	}
	fmt.Println(answer(map[string]string{"height": "2.5", "colour": "blue"}))
	fmt.Println(answer(map[string]string{"height": "4"}))
	fmt.Println(answer(map[string]string{"height": "4", "colour": "green"}))
	fmt.Println(answer(map[string]string{"height": "Inf", "colour": "red"}))
	// Output:
	// violet <nil>
	// rose <nil>
	//  column "colour": there is no label -1 of 2
	//  feature 1 is +Inf, expected a finite number
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
