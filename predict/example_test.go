package predict_test

import (
	"context"
	"fmt"
	"io"
	"log"
	"strings"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/predict"
)

// The model of a file, as svm-train writes it, and a row.
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

// Rows are answered in batches, in their order, by several workers.
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
