package csource_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/arff"
	"github.com/slimsvm/slimsvm/format/encode"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/csource"
	"github.com/slimsvm/slimsvm/models/internal/plantest"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/predict"
)

// Helpers that the tests of other writers use too.
type trial = plantest.Trial

var (
	row      = plantest.Row
	sigmoids = plantest.Sigmoids
	ensemble = plantest.Ensemble
	same     = plantest.Same
)

// TestBits: a compiled model answers as package predict does, to the last bit, with all options of
// the compiler for fused operations.
func TestBits(t *testing.T) {
	cc := compiler(t)
	rng := rand.New(rand.NewPCG(1, 2))
	trials := plantest.Kernels(rng)
	for _, options := range [][]string{nil, fused, contracted} {
		if n := agree(t, cc, trials, options...); n < 5000 {
			t.Errorf("%d numbers compared", n)
		}
	}
}

// TestColumns: C makes the same features of columns as format/encode, and labels and targets come
// out as they were declared.
func TestColumns(t *testing.T) {
	cc := compiler(t)
	const header = "@relation r\n@attribute 'a \"*/ b??/' numeric\n@attribute c {x,y,z}\n@attribute k {k}\n" +
		"@attribute d {n,p}\n@attribute w date yyyy\n@attribute f numeric\n@attribute class %s\n@data\n"
	rows := "1.5,x,k,n,1999,7,%s\n-2,z,k,p,2003,7,%s\n?,y,?,p,2001,7,%s\n0.25,?,k,?,?,7,%s\n4,x,k,n,1970,7,%s\n"
	words := []any{"'l m'", "\"q\\\"?\"", "'l m'", "\"q\\\"?\"", "'l m'"}
	numbers := []any{"10", "20.5", "-3", "11", "0"}
	rng := rand.New(rand.NewPCG(9, 10))
	var trials []trial
	var want [][][]float64
	for _, scaling := range []encode.Scaling{encode.None, encode.Normalize, encode.Standardize} {
		for _, task := range []models.Task{models.CSVC, models.EpsilonSVR} {
			text := fmt.Sprintf(header, "{'l m',\"q\\\"?\"}") + fmt.Sprintf(rows, words...)
			if task.Regresses() {
				text = fmt.Sprintf(header, "numeric") + fmt.Sprintf(rows, numbers...)
			}
			d, err := arff.Parse(t.Context(), strings.NewReader(text))
			if err != nil {
				t.Fatal(err)
			}
			e, err := encode.Fit(t.Context(), d, encode.Options{Scaling: scaling})
			if err != nil {
				t.Fatal(err)
			}
			density := 0.9
			if scaling == encode.None {
				density = 0.2
			}
			m := plantest.Shape{Task: task, Kernel: kernel.RBF{Gamma: 1e-3}, Classes: 2, Vectors: 4, First: 1, Width: e.Features(), Density: density}.Model(rng)
			if task.Regresses() {
				m.Labels = nil
			} else {
				m.Labels = []int{1, 0}
			}
			if m.Inputs, err = e.MarshalText(); err != nil {
				t.Fatal(err)
			}
			p, err := predict.New(m)
			if err != nil {
				t.Fatal(err)
			}
			mapper, err := e.Mapper(d.Header)
			if err != nil {
				t.Fatal(err)
			}
			var raw []vec.Vector
			var all [][]float64
			for i := range d.Len() {
				var x, column vec.Vector
				for j := range len(e.Columns) - 1 {
					column.Index, column.Value = append(column.Index, int32(j+1)), append(column.Value, d.X.Row(i).At(int32(j)))
				}
				mapper.Row(&x, d.X.Row(i))
				values := make([]float64, 1)
				p.Decisions(values, x)
				numbers := append([]float64{e.Target(p.Predict(x))}, values...)
				for j := range e.Features() {
					numbers = append(numbers, x.At(int32(j+1)))
				}
				raw, all = append(raw, column), append(all, numbers)
			}
			trials, want = append(trials, trial{Model: m, First: 1, Rows: raw}), append(want, all)
		}
	}
	for i, all := range answers(t, cc, trials, fused...) {
		for r, got := range all {
			if !slices.EqualFunc(got, want[i][r], same) {
				t.Errorf("model %d, row %d: %v in C, want %v", i, r, got, want[i][r])
			}
		}
	}
}

// TestFloat: with float arithmetic, in which no double occurs, values are near those of double.
// Numbers that are rounded to float cause no warning.
func TestFloat(t *testing.T) {
	cc := compiler(t)
	rng := rand.New(rand.NewPCG(3, 4))
	var trials []trial
	for _, k := range []kernel.Kernel{kernel.Linear{}, kernel.RBF{Gamma: 0.1}, kernel.Poly{Degree: 2, Gamma: 0.3, Coef0: 1}, kernel.Sigmoid{Gamma: 0.1}} {
		for _, density := range []float64{0.1, 0.9} {
			c := trial{Model: plantest.Shape{Kernel: k, Classes: 3, Vectors: 20, First: 1, Width: 12, Density: density}.Model(rng), First: 1}
			for range 40 {
				c.Rows = append(c.Rows, row(rng, 1, 12, density))
			}
			trials = append(trials, c)
		}
	}
	for n, all := range answers(t, cc, trials, "-DSLIMSVM_REAL=float", "-Wdouble-promotion", "-Wfloat-conversion") {
		c := trials[n]
		p, err := predict.New(c.Model)
		if err != nil {
			t.Fatal(err)
		}
		values := make([]float64, len(c.Model.Machines))
		different := false
		for i, got := range all {
			p.Decisions(values, c.Rows[i])
			for j, v := range values {
				if d := math.Abs(got[1+j] - v); !(d <= 1e-4*(1+math.Abs(v))) {
					t.Errorf("%T, row %d: value %v in float, %v in double", c.Model.Kernel, i, got[1+j], v)
				}
				different = different || got[1+j] != v
			}
		}
		if !different {
			t.Errorf("%T: float has the bits of double", c.Model.Kernel)
		}
	}
}

// TestSmallest: models without vectors, features, coefficients or machines compile too.
func TestSmallest(t *testing.T) {
	cc := compiler(t)
	rng := rand.New(rand.NewPCG(5, 6))
	trials := plantest.Smallest(rng)
	agree(t, cc, trials)
}

// TestAsRead: the file of a model whose vectors are rows of larger data is the same as that of a
// model read from a file, which knows nothing of the other rows.
func TestAsRead(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	m := plantest.Shape{Kernel: kernel.RBF{Gamma: 0.5}, Classes: 2, Vectors: 6, First: 1, Width: 4, Density: 0.8, Grouped: true}.Model(rng)
	var read models.Model
	text, err := m.MarshalText()
	if err == nil {
		err = read.UnmarshalText(text)
	}
	if err != nil {
		t.Fatal(err)
	}
	data := read.Vectors.Clone()
	data.Append(vec.Vector{Index: []int32{1 << 20}, Value: []float64{1}})
	trained := read
	trained.Vectors = data.Select([]int{0, 1, 2, 3, 4, 5})
	var a, b bytes.Buffer
	if err := errors.Join(csource.Write(&a, &read, "m"), csource.Write(&b, &trained, "m")); err != nil {
		t.Fatal(err)
	}
	if a.String() != b.String() {
		t.Errorf("of a model that was trained:\n%s\nof the same that was read:\n%s", &b, &a)
	}
}

// TestRefused: invalid names, models, and ranges of other rows are refused, and nothing is written.
func TestRefused(t *testing.T) {
	if err := plantest.CheckRefused("C", map[string]string{
		"":     "a name in C is not empty",
		"2x":   `"2x" is no name in C: expected letters, digits and _, and no digit first`,
		"iris": "<nil>",
	}, csource.Write, csource.WriteScaled); err != nil {
		t.Error(err)
	}
}

func TestName(t *testing.T) {
	for text, want := range map[string]string{"": "_", "iris": "iris", "my model-2.c": "my_model_2_c", "2nd": "_2nd", "é": "_", "_": "_"} {
		if got := csource.Name(text); got != want || csource.CheckName(got) != nil {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
