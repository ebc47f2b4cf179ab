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
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/predict"
)

// row returns a random row of features first to first+width-1.
func row(rng *rand.Rand, first, width int, density float64) (x vec.Vector) {
	for j := range width {
		if rng.Float64() < density {
			x.Index = append(x.Index, int32(first+j))
			x.Value = append(x.Value, math.Ldexp(rng.NormFloat64(), rng.IntN(4)-2))
		}
	}
	return x
}

// random returns a model of a task with vectors and machines of random numbers.
func random(rng *rand.Rand, task models.Task, vote models.Vote, k kernel.Kernel, classes, vectors, first, width int, density float64, grouped bool) *models.Model {
	m := &models.Model{Task: task, Kernel: k, Vote: vote}
	for range vectors {
		m.Vectors.Append(row(rng, first, width, density))
	}
	for c := range classes {
		m.Labels = append(m.Labels, 7*c-11)
	}
	coefs := func(n int) (list []float64) {
		for range n {
			v := rng.NormFloat64()
			if rng.IntN(3) == 0 {
				v = 0
			}
			list = append(list, v)
		}
		return list
	}
	one := func(pos, neg, n int) {
		m.Machines = append(m.Machines, models.Machine{Pos: pos, Neg: neg, Coef: coefs(n), Rho: rng.NormFloat64()})
	}
	switch {
	case !task.Classifies():
		one(0, 0, vectors)
	case vote == models.OneVsRest:
		for c := range classes {
			one(c, models.Rest, vectors)
		}
	default:
		if grouped {
			m.Group = make([]int, classes)
			for i := range vectors {
				m.Group[i*classes/vectors]++
			}
		}
		for i := range classes {
			for j := i + 1; j < classes; j++ {
				n := vectors
				if grouped {
					n = m.Group[i] + m.Group[j]
				}
				one(i, j, n)
			}
		}
	}
	return m
}

// TestBits: compiled, a model answers as package predict does, to the last bit, whatever the compiler is
// told of fused operations.
func TestBits(t *testing.T) {
	cc := compiler(t)
	rng := rand.New(rand.NewPCG(1, 2))
	kernels := []kernel.Kernel{
		kernel.Linear{}, kernel.RBF{Gamma: 0.07}, kernel.Poly{Degree: 5, Gamma: 0.3, Coef0: -0.7}, kernel.Poly{Gamma: 2, Coef0: 1},
		kernel.Sigmoid{Gamma: 0.1, Coef0: 0.2},
	}
	var trials []trial
	for _, k := range kernels {
		for _, c := range []struct {
			task         models.Task
			vote         models.Vote
			classes      int
			vectors      int
			first, width int
			density      float64
			grouped      bool
		}{
			{models.CSVC, models.OneVsOne, 2, 7, 1, 9, 0.9, true},
			{models.CSVC, models.OneVsOne, 4, 13, 1, 30, 0.1, true},
			{models.CSVC, models.OneVsOne, 3, 5, 1, 6, 0.8, false},
			{models.CSVC, models.OneVsRest, 3, 5, 0, 6, 0.8, false},
			{models.OneClass, models.OneVsOne, 0, 300, 1, 3, 0.7, false},
			{models.EpsilonSVR, models.OneVsOne, 0, 6, 0, 70, 0.2, false},
		} {
			m := random(rng, c.task, c.vote, k, c.classes, c.vectors, c.first, c.width, c.density, c.grouped)
			rows := []vec.Vector{{}}
			for range 60 {
				rows = append(rows, row(rng, c.first, c.width+rng.IntN(4)-2, c.density)) // fewer features, and more
			}
			first := int32(1) // as long as no vector has a feature 0
			for i := range m.Vectors.Len() {
				if m.Vectors.Row(i).At(0) != 0 {
					first = 0
				}
			}
			for i := range rows {
				if len(rows[i].Index) > 0 && rows[i].Index[0] < first {
					rows[i] = vec.Vector{Index: rows[i].Index[1:], Value: rows[i].Value[1:]}
				}
			}
			trials = append(trials, trial{m: m, first: first, rows: rows})
		}
	}
	for _, options := range [][]string{nil, fused, contracted} {
		if n := agree(t, cc, trials, options...); n < 5000 {
			t.Errorf("%d numbers compared", n)
		}
	}
}

// TestColumns: the features that C makes of columns are those of format/encode, and labels and targets
// come out as they were declared.
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
			m := random(rng, task, models.OneVsOne, kernel.RBF{Gamma: 1e-3}, 2, 4, 1, e.Features(), density, false)
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
			trials, want = append(trials, trial{m: m, first: 1, rows: raw}), append(want, all)
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

// TestFloat: with float arithmetic, into which no double creeps, the values are near those of double. Numbers
// that are rounded to float are nothing to warn of.
func TestFloat(t *testing.T) {
	cc := compiler(t)
	rng := rand.New(rand.NewPCG(3, 4))
	var trials []trial
	for _, k := range []kernel.Kernel{kernel.Linear{}, kernel.RBF{Gamma: 0.1}, kernel.Poly{Degree: 2, Gamma: 0.3, Coef0: 1}, kernel.Sigmoid{Gamma: 0.1}} {
		for _, density := range []float64{0.1, 0.9} {
			c := trial{m: random(rng, models.CSVC, models.OneVsOne, k, 3, 20, 1, 12, density, false), first: 1}
			for range 40 {
				c.rows = append(c.rows, row(rng, 1, 12, density))
			}
			trials = append(trials, c)
		}
	}
	for n, all := range answers(t, cc, trials, "-DSLIMSVM_REAL=float", "-Wdouble-promotion", "-Wfloat-conversion") {
		c := trials[n]
		p, err := predict.New(c.m)
		if err != nil {
			t.Fatal(err)
		}
		values := make([]float64, len(c.m.Machines))
		different := false
		for i, got := range all {
			p.Decisions(values, c.rows[i])
			for j, v := range values {
				if d := math.Abs(got[1+j] - v); !(d <= 1e-4*(1+math.Abs(v))) {
					t.Errorf("%T, row %d: value %v in float, %v in double", c.m.Kernel, i, got[1+j], v)
				}
				different = different || got[1+j] != v
			}
		}
		if !different {
			t.Errorf("%T: float has the bits of double", c.m.Kernel)
		}
	}
}

// TestSmallest: models without vectors, features, coefficients or machines compile too.
func TestSmallest(t *testing.T) {
	cc := compiler(t)
	rng := rand.New(rand.NewPCG(5, 6))
	rbf := kernel.RBF{Gamma: 1}
	empty := random(rng, models.CSVC, models.OneVsOne, rbf, 3, 0, 1, 1, 1, false)
	bare := random(rng, models.CSVC, models.OneVsOne, rbf, 2, 3, 1, 2, 0, false)
	zeros := random(rng, models.CSVC, models.OneVsRest, rbf, 3, 3, 1, 2, 1, false)
	for i := range zeros.Machines {
		clear(zeros.Machines[i].Coef)
	}
	one := random(rng, models.CSVC, models.OneVsOne, rbf, 1, 0, 1, 2, 1, false)
	low := random(rng, models.CSVC, models.OneVsOne, rbf, 2, 2, 1, 2, 1, false)
	low.Labels = []int{math.MinInt32, math.MaxInt32}
	var trials []trial
	for _, m := range []*models.Model{empty, bare, zeros, one, low} {
		trials = append(trials, trial{m: m, first: 1, rows: []vec.Vector{{}, row(rng, 1, 5, 1)}})
	}
	agree(t, cc, trials)
}

// TestAsRead: the file of a model whose vectors are rows of larger data is that of the same model from a
// file, which knows nothing of the other rows.
func TestAsRead(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	m := random(rng, models.CSVC, models.OneVsOne, kernel.RBF{Gamma: 0.5}, 2, 6, 1, 4, 0.8, true)
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

func TestRefused(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	m := random(rng, models.CSVC, models.OneVsOne, kernel.Linear{}, 2, 2, 1, 2, 1, false)
	if err := csource.Write(new(bytes.Buffer), m, "2x"); err == nil || err.Error() != `"2x" is no name in C: expected letters, digits and _, and no digit first` {
		t.Error(err)
	}
	m.Machines = nil
	if err := csource.Write(new(bytes.Buffer), m, "m"); err == nil {
		t.Error("a model without its machine is written")
	}
	m = random(rng, models.CSVC, models.OneVsOne, kernel.Linear{}, 2, 900, 1, 2, 1, false)
	if err := csource.Write(failing{}, m, "m"); err == nil || err.Error() != "full" {
		t.Error(err)
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("full") }

func TestName(t *testing.T) {
	for text, want := range map[string]string{"": "_", "iris": "iris", "my model-2.c": "my_model_2_c", "2nd": "_2nd", "é": "_", "_": "_"} {
		if got := csource.Name(text); got != want || csource.CheckName(got) != nil {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
