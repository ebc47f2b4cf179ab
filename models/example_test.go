package models_test

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"

	"github.com/slimsvm/slimsvm/arff"
	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/encode"
	"github.com/slimsvm/slimsvm/format/generate"
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

// A model file gets its name when it is complete; this one is compressed, because of its extension.
// LIBSVM's format is written for what LIBSVM can read, and read from its svm-train.
func ExampleWrite() {
	ctx := context.Background()
	folder, err := os.MkdirTemp("", "slimsvm")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "moons.model.gz")
	save := func(m *models.Model) error {
		out, err := format.Create(ctx, path)
		if err != nil {
			return err
		}
		defer out.Abort()
		if err := models.Write(out, m); err != nil {
			return err
		}
		return out.Close()
	}
	load := func() (*models.Model, error) {
		in, err := format.Open(path)
		if err != nil {
			return nil, err
		}
		defer in.Close()
		m, err := models.Read(in)
		return m, format.WithPath(err, path)
	}

	moons, _ := generate.Lookup("moons")
	t := train.OneVsOne{Solver: smo.DefaultCSVC(), Kernel: kernel.RBF{Gamma: 1}}
	trained, err := t.Train(ctx, moons.Generate(100, 1), nil)
	if err != nil {
		log.Fatal(err)
	}
	if err := save(trained); err != nil {
		log.Fatal(err)
	}
	m, err := load()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(m.Task, m.Kernel, m.Labels, m.Vectors.Len() == trained.Vectors.Len())
	// Output: c_svc {1} [1 -1] true
}

// One-vs-rest machines need the extended dialect, which LIBSVM cannot read. Lowered, they are
// machines for the pairs of classes, with the same answers.
func ExampleLower() {
	gauss, _ := generate.Lookup("gauss5")
	t := train.OneVsRest{Solver: smo.DefaultCSVC(), Kernel: kernel.RBF{Gamma: 0.5}}
	m, err := t.Train(context.Background(), gauss.Generate(100, 1), nil)
	if err != nil {
		log.Fatal(err)
	}
	plain, err := models.Lower(m)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("extended:", m.Extended(), "machines:", len(m.Machines))
	fmt.Println("extended:", plain.Extended(), "machines:", len(plain.Machines))
	// Output:
	// extended: true machines: 5
	// extended: false machines: 10
}

// A program that has its model as text, from go:embed, a database or JSON, needs no file. A pointer
// to a Model is what JSON and gob read into.
func ExampleModel_UnmarshalText() {
	const text = `svm_type one_class
kernel_type rbf
gamma 0.5
nr_class 2
total_sv 1
rho 0.5
SV
1 1:2 2:1
` // from //go:embed usual.model
	m := new(models.Model)
	if err := m.UnmarshalText([]byte(text)); err != nil {
		log.Fatal(err)
	}
	fmt.Println(m.Task, m.Vectors.Len())
	// Output: one_class 1
}
