package models_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"github.com/slimsvm/slimsvm/arff"
	"github.com/slimsvm/slimsvm/format/encode"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/smo"
)

const flowers = `@relation flowers
@attribute height numeric
@attribute colour {red,blue}
@attribute class {rose,violet}
@data
4,red,rose
2,blue,violet
`

// A data file is read, encoded and trained on. The model includes the encoding, so that it can be
// used on files with the same columns. At the end it is written as a model file.
func Example() {
	ctx := context.Background()
	raw, err := arff.Parse(ctx, strings.NewReader(flowers))
	if err != nil {
		fmt.Println(err)
		return
	}
	e, err := encode.Fit(ctx, raw, encode.Options{Scaling: encode.Normalize})
	if err != nil {
		fmt.Println(err)
		return
	}
	d, err := e.Encode(ctx, raw)
	if err != nil {
		fmt.Println(err)
		return
	}
	trainer := train.OneVsOne{Solver: smo.DefaultCSVC(), Kernel: kernel.RBF{Gamma: 0.5}}
	m, err := trainer.Train(ctx, d, train.NewRand(1))
	if err != nil {
		fmt.Println(err)
		return
	}
	if m.Inputs, err = e.MarshalText(); err != nil {
		fmt.Println(err)
		return
	}
	var file bytes.Buffer
	if err := models.Write(&file, m); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(strings.ReplaceAll(file.String(), " \n", "\n")) // LIBSVM puts a blank behind each pair
	// Output:
	// svm_type c_svc
	// kernel_type rbf
	// gamma 0.5
	// nr_class 2
	// total_sv 2
	// rho 0
	// label 0 1
	// nr_sv 1 1
	// SV
	// 1 1:1
	// -1 2:1
	// slimsvm inputs
	// {"relation":"flowers","class":3,"columns":3}
	// {"name":"height","type":"numeric","fill":3,"feature":1,"scale":[[2,2]]}
	// {"name":"colour","type":"nominal","labels":["red","blue"],"fill":0,"feature":2,"scale":[[0,1]]}
	// {"name":"class","type":"nominal","labels":["rose","violet"],"fill":0,"feature":3}
}

func ExampleRead() {
	m, err := models.Read(strings.NewReader(`svm_type epsilon_svr
kernel_type linear
nr_class 2
total_sv 1
rho 0.25
SV
2 1:0.5 3:1
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(m.Task, kernel.Name(m.Kernel), m.Vectors.Row(0), m.Machines[0].Coef, m.Machines[0].Rho)
	// Output:
	// epsilon_svr linear {[1 3] [0.5 1]} [2] 0.25
}
