package predict_test

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/slimsvm/slimsvm/format/encode"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/predict"
)

// A model file that somebody sends is not trusted. Whatever its text is, there is an error and not
// a panic; memory grows with what is read, which the program limits. It uses the model only when
// all of its parts are there and it is of the kind that is wanted.
func ExampleNew() {
	accept := func(upload io.Reader) (*predict.Predictor, *encode.Encoding, error) {
		m, err := models.Read(io.LimitReader(upload, 64<<20))
		if err != nil {
			return nil, nil, err
		}
		if !m.Task.Classifies() || m.Inputs == nil {
			return nil, nil, errors.New("expected a classifier of named columns")
		}
		e := new(encode.Encoding)
		if err := e.UnmarshalInputs(m.Inputs, m.InputsLine); err != nil {
			return nil, nil, err
		}
		p, err := predict.New(m)
		return p, e, err
	}
	const good = `svm_type c_svc
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
	for _, text := range []string{
		good,
		strings.Replace(good, "total_sv 2", "total_sv 2000000000", 1),
		strings.Replace(good, "-1 2:1", "-1 2:one", 1),
		strings.Replace(good, `"fill":0`, `"fill":7`, 1),
		good[:len(good)-20],
		good[:strings.Index(good, "slimsvm")],
	} {
		p, e, err := accept(strings.NewReader(text))
		if err != nil {
			fmt.Println(err) // a fault in the text begins with its line, and its column if it is at one
			continue
		}
		fmt.Println("columns for", len(e.Columns)-1, "values, labels", p.Model().Labels)
	}
	// Output:
	// columns for 2 values, labels [0 1]
	// 9: total_sv is 2000000000, but nr_sv add up to 2
	// 11:6: expected a number as value of feature 2, found "one"
	// 15: inputs: column 2, "colour": no label 7 among 2
	// 16:63: inputs: column 3: the line ends inside the object
	// expected a classifier of named columns
}
