package smo

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
)

// The reference that solutions are compared with: the whole kernel matrix, and the gradient and the
// conditions of optimality computed from it.

// dense is a kernel matrix.
type dense [][]float64

// kernels are the kernels of the tests, all kinds except Precomputed: that needs data of its own,
// see precomputed.
var kernels = []kernel.Kernel{
	kernel.Linear{},
	kernel.RBF{Gamma: 0.5},
	kernel.Poly{Degree: 3, Gamma: 0.25, Coef0: 1},
	kernel.Sigmoid{Gamma: 0.1, Coef0: -0.5},
	kernel.RBF{Gamma: 20},
	kernel.Poly{Degree: 2, Gamma: 0.5},
}

// convex reports whether a kernel is positive semidefinite, so that there is a single best
// objective.
func convex(k kernel.Kernel) bool {
	_, sigmoid := k.(kernel.Sigmoid)
	return !sigmoid
}

// exact returns the matrix of a kernel's textbook formula.
func exact(k kernel.Kernel, x *vec.Matrix) dense {
	rows := make(dense, x.Len())
	for i := range rows {
		rows[i] = make([]float64, x.MaxIndex()+1)
		v := x.Row(i)
		for at, f := range v.Index {
			rows[i][f] = v.Value[at]
		}
	}
	d := make(dense, len(rows))
	for i, u := range rows {
		d[i] = make([]float64, len(rows))
		for j, v := range rows {
			dot, distance := 0.0, 0.0
			for f := range u {
				dot += u[f] * v[f]
				distance += (u[f] - v[f]) * (u[f] - v[f])
			}
			switch k := k.(type) {
			case kernel.Linear:
				d[i][j] = dot
			case kernel.RBF:
				d[i][j] = math.Exp(-k.Gamma * distance)
			case kernel.Poly:
				d[i][j] = math.Pow(k.Gamma*dot+k.Coef0, float64(k.Degree))
			case kernel.Sigmoid:
				d[i][j] = math.Tanh(k.Gamma*dot + k.Coef0)
			case kernel.Precomputed:
				d[i][j] = u[int(v[0])]
			}
		}
	}
	return d
}

// rounded returns the matrix that the solver works with: the values of package kernel, rounded to
// float32.
func rounded(k kernel.Kernel, x *vec.Matrix) dense {
	d := make(dense, x.Len())
	for i := range d {
		d[i] = make([]float64, x.Len())
		k.RowTo(d[i], x.Row(i), x)
		for j, v := range d[i] {
			d[i][j] = float64(float32(v))
		}
	}
	return d
}

// times returns Kb.
func (d dense) times(b []float64) []float64 {
	f := make([]float64, len(d))
	for i, row := range d {
		for j, v := range row {
			f[i] += v * b[j]
		}
	}
	return f
}

// weight returns the largest sum of |K_ij b_j| over a row; rounding errors of (Kb)_i are in
// proportion to it.
func (d dense) weight(b []float64) float64 {
	most := 0.0
	for _, row := range d {
		sum := 0.0
		for j, v := range row {
			sum += math.Abs(v * b[j])
		}
		most = max(most, sum)
	}
	return most
}

func dot(a, b []float64) float64 {
	s := 0.0
	for i, v := range a {
		s += v * b[i]
	}
	return s
}

func sum(values []float64) float64 {
	s := 0.0
	for _, v := range values {
		s += v
	}
	return s
}

func total(values []float64) float64 {
	s := 0.0
	for _, v := range values {
		s += math.Abs(v)
	}
	return s
}

// randomRows returns n rows that make ties and degenerate problems likely: some repeat an earlier
// row, some values are round, some rows are empty.
func randomRows(r *rand.Rand, n, features int) vec.Matrix {
	var x vec.Matrix
	round := r.IntN(2) == 0
	for range n {
		if k := x.Len(); k > 0 && r.IntN(8) == 0 {
			x.Append(x.Row(r.IntN(k)).Clone())
			continue
		}
		var v vec.Vector
		for f := range features {
			if r.IntN(4) == 0 {
				continue
			}
			value := r.NormFloat64()
			if round {
				value = math.Round(value*2) / 2
			}
			v.Index = append(v.Index, int32(f+1))
			v.Value = append(v.Value, value)
		}
		x.Append(v)
	}
	return x
}

// precomputed returns the kernel matrix of rows as rows for kernel.Precomputed.
func precomputed(k kernel.Kernel, x *vec.Matrix) vec.Matrix {
	var p vec.Matrix
	n := x.Len()
	for i := range n {
		v := vec.Vector{Index: make([]int32, n+1), Value: make([]float64, n+1)}
		v.Value[0] = float64(i + 1)
		k.RowTo(v.Value[1:], x.Row(i), x)
		for j := range v.Index {
			v.Index[j] = int32(j)
		}
		p.Append(v)
	}
	return p
}

// A setting has what a test chooses at random from one seed.
type setting struct {
	*rand.Rand
	k   kernel.Kernel
	x   vec.Matrix
	c   float64
	opt Options
	log []train.Event
}

// sizes are the numbers of rows that settings have in turn.
var sizes = []int{1, 2, 3, 4, 7, 15, 40, 90, 200}

// exponents returns the number of powers of ten that are tried as C, from 0.001 on: up to 10^6, but
// less if there are more variables than the kernel has dimensions, as a large C then takes millions
// of iterations.
func exponents(k kernel.Kernel, n int) int {
	switch _, rbf := k.(kernel.RBF); {
	case n < 10:
		return 10
	case rbf:
		return 7
	}
	return 5
}

func newSetting(seed int) *setting {
	s := &setting{Rand: rand.New(rand.NewPCG(uint64(seed), 1))}
	n := sizes[seed%len(sizes)]
	s.k = kernels[s.IntN(len(kernels))]
	s.x = randomRows(s.Rand, n, 1+s.IntN(8))
	if s.IntN(5) == 0 {
		s.x = precomputed(s.k, &s.x)
		s.k = kernel.Precomputed{}
	}
	s.c = math.Pow(10, float64(s.IntN(exponents(s.k, n))-3))
	s.opt = Options{
		Tolerance: []float64{1e-3, 1e-3, max(1e-5, 1e-3*min(1, 0.1/s.c))}[s.IntN(3)],
		CacheMB:   []float64{1e-9, 0.01, 100}[s.IntN(3)],
		Shrinking: s.IntN(3) != 0,
		Report:    func(e train.Event) { s.log = append(s.log, e) },
	}
	return s
}

// count returns how many events of a type were reported.
func count[E train.Event](log []train.Event) int {
	n := 0
	for _, e := range log {
		if _, ok := e.(E); ok {
			n++
		}
	}
	return n
}

// last returns the last event of a type.
func last[E train.Event](t *testing.T, log []train.Event) E {
	t.Helper()
	for i := len(log) - 1; i >= 0; i-- {
		if e, ok := log[i].(E); ok {
			return e
		}
	}
	var e E
	t.Fatalf("no %T was reported", e)
	return e
}

// seeds returns the number of seeds that a test tries.
func seeds(n int) int {
	if testing.Short() {
		return n / 5
	}
	return n
}

// check tests a property with some thousand random inputs.
func check(t *testing.T, property func(*rapid.T)) {
	t.Helper()
	for range seeds(30) {
		rapid.Check(t, property)
	}
}

// near tests that got is want, within allowance.
func near(t *testing.T, what string, got, want, allowance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= allowance) && got != want {
		t.Errorf("%s is %v, want %v (+-%.2g)", what, got, want, allowance)
	}
}
