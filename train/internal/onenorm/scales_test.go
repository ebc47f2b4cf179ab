package onenorm_test

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train/internal/onenorm"
)

// A programme has its rows as centres.
type programme struct {
	name string
	k    kernel.Kernel
	x    vec.Matrix
	d    []float64
	nu   float64
	// objective is the optimum, unless it is 0. vectors is the number of u that count, unless it is
	// negative.
	objective float64
	vectors   int
}

// small returns rows whose features are below size; every fifth row is of the other class.
func small(size float64) (x vec.Matrix, d []float64) {
	r := rand.New(rand.NewPCG(1, 1))
	for i := range 100 {
		v := vec.Vector{}
		for j := range 10 {
			v.Index, v.Value = append(v.Index, int32(j+1)), append(v.Value, size*r.Float64())
		}
		x.Append(v)
		d = append(d, 1)
		if i%5 == 0 {
			d[i] = -1
		}
	}
	return x, d
}

// apart returns rows with one feature each, of the given sizes. With signs the class depends on the
// feature's sign; else there are two features for each size, and the class depends on which of them
// the row has.
func apart(signs bool, sizes ...float64) (x vec.Matrix, d []float64) {
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 20 {
		for j, size := range sizes {
			y, at := float64(2*(i%2)-1), int32(2*j+1)
			v := size * (1 + r.Float64())
			if signs {
				v *= y
			} else if y < 0 {
				at++
			}
			x.Append(vec.Vector{Index: []int32{at}, Value: []float64{v}})
			d = append(d, y)
		}
	}
	return x, d
}

func programmes() (all []programme) {
	add := func(name string, k kernel.Kernel, x vec.Matrix, d []float64, nu, objective float64, vectors int) {
		all = append(all, programme{name, k, x, d, nu, objective, vectors})
	}
	// the kernel is too small for any vector: gamma = -1, and 20 errors of 2
	x, d := small(0.004)
	add("small cubes", kernel.Poly{Gamma: 0.1, Degree: 3}, x, d, 10, 400, 0)
	x, d = small(1e-7)
	add("small products", kernel.Linear{}, x, d, 10, 400, 0)
	x, d = small(1e-155)
	add("denormal products", kernel.Linear{}, x, d, 10, 400, 0)
	x, d = small(1)
	add("small costs", kernel.RBF{Gamma: 1}, x, d, 1e-11, 4e-10, 0)
	add("least costs", kernel.RBF{Gamma: 1}, x, d, 1e-300, 4e-299, 0)
	// the u of the vectors are of very different sizes
	for _, size := range []float64{1, 3e4, 3e8, 0.3} {
		x, d = apart(true, size, 1)
		add("two scales", kernel.Linear{}, x, d, 10, 0, 2)
	}
	// the basic t have large terms
	for _, size := range []float64{1, 14, 60} {
		x, d = apart(false, size, 1)
		add("large terms", kernel.Poly{Gamma: 0.25, Degree: 3}, x, d, 10, 0, -1)
	}
	return all
}

// TestScales: programmes whose kernel, costs or coefficients are small or large. The vectors that
// count are enough for the answers, and the objectives are equal in the user's numbers.
func TestScales(t *testing.T) {
	ctx := context.Background()
	for _, p := range programmes() {
		n := p.x.Len()
		lps, err := onenorm.New(ctx, p.k, &p.x, p.d, &p.x, 1<<24)
		if err != nil {
			t.Fatal(err)
		}
		s, err := lps.Solve(ctx, slices.Repeat([]float64{p.nu}, n), slices.Repeat([]float64{1}, n))
		if err != nil {
			t.Errorf("%s: %v", p.name, err)
			continue
		}
		row, value := make([]float64, n), make([]float64, n)
		primal, dual, balance := 0.0, 0.0, 0.0
		vectors, rows := 0, 0
		for i := range n {
			p.k.EvaluateTo(row, p.x.Row(i), &p.x)
			for j, k := range row {
				if s.Vectors[j] {
					value[i] += s.U[j] * k
				}
			}
			if s.Vectors[i] {
				primal += math.Abs(s.U[i])
				vectors++
			}
			if s.Rows[i] {
				dual += s.T[i]
				balance += p.d[i] * s.T[i]
				rows++
			}
		}
		for i, v := range value {
			primal += p.nu * max(0, 1-p.d[i]*(v-s.Gamma))
		}
		if p.objective != 0 && !(math.Abs(primal-p.objective) <= 1e-9*p.objective) {
			t.Errorf("%s: objective %v, want %v", p.name, primal, p.objective)
		}
		if !(math.Abs(primal-dual) <= 1e-5*primal) || !(math.Abs(balance) <= 1e-8*max(p.nu, dual)) {
			t.Errorf("%s: objectives %v and %v by what counts, sum of d t %v", p.name, primal, dual, balance)
		}
		if p.vectors >= 0 && vectors != p.vectors || rows == 0 {
			t.Errorf("%s: %d vectors and %d rows, want %d", p.name, vectors, rows, p.vectors)
		}
		t.Logf("%s: objective %v, %d vectors, %d rows, gamma %v", p.name, primal, vectors, rows, s.Gamma)
	}
}

// TestLightRows: among rows with little weight, all whose errors are at their costs count, and all
// that are answered wrongly.
func TestLightRows(t *testing.T) {
	x, d := points(60)
	cy := slices.Repeat([]float64{10}, len(d))
	for i := 20; i < len(cy); i++ {
		cy[i] = 1e-7
	}
	ctx := context.Background()
	p, err := onenorm.New(ctx, kernel.RBF{Gamma: 0.5}, &x, d, &x, 1<<24)
	if err != nil {
		t.Fatal(err)
	}
	s, err := p.Solve(ctx, cy, slices.Repeat([]float64{1}, len(d)))
	if err != nil {
		t.Fatal(err)
	}
	light := 0
	for i, y := range s.Y {
		if y > 0 && !s.Rows[i] {
			t.Errorf("row %d, with y %v, does not count", i, y)
		}
		if y > 0 && i >= 20 {
			light++
		}
	}
	if light == 0 {
		t.Error("no light row is beyond its margin: the test tells nothing")
	}
}
