package onenorm_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train/internal/onenorm"
)

// TestGrid: values of a kernel of rank 10 that are whole numbers up to 10^7. Some rows are equal,
// and so are the columns of their centres; neither of two such columns may seem better than the
// other. The optimum is that of exact arithmetic.
func TestGrid(t *testing.T) {
	const optimum = 16.0852111
	var x vec.Matrix
	var d []float64
	for _, r := range [][3]float64{
		{1, 12, 2}, {1, 11, 0}, {-1, -2, 0}, {-1, 3, 2}, {1, 10, 4}, {1, 10, 2}, {-1, 2, 0}, {-1, 9, 0}, {1, 15, 0}, {-1, -1, 0},
		{-1, 8, 0}, {-1, 8, 3}, {-1, 7, 3}, {-1, -1, 0}, {-1, 0, -2}, {-1, 8, 0}, {1, 10, 0}, {-1, 12, 0}, {-1, 8, 1},
	} {
		x.Append(vec.Vector{Index: []int32{1, 2}, Value: []float64{r[1], r[2]}})
		d = append(d, r[0])
	}
	s := solved(t, kernel.Poly{Degree: 3, Gamma: 1, Coef0: 1}, &x, d, 10)
	if !(math.Abs(s.Objective-optimum) <= 1e-7*optimum) {
		t.Errorf("objective %v, optimum %v", s.Objective, optimum)
	}
}

// TestUnscaled: features of different sizes that are not scaled, from which a polynomial kernel
// makes bases whose inverses do not have a single correct digit.
func TestUnscaled(t *testing.T) {
	for _, c := range []struct {
		rows int
		cost float64
		size []float64
	}{{120, 1, []float64{1, 20, 300}}, {200, 10, []float64{2, 40, 500, 1, 90}}, {150, 100, []float64{100, 0.1, 7}}} {
		r := rand.New(rand.NewPCG(uint64(c.rows), 9))
		var x vec.Matrix
		var d []float64
		for range c.rows {
			v, sum := vec.Vector{}, -0.5*float64(len(c.size))
			for k, size := range c.size {
				u := r.Float64()
				sum += u * u * 1.5
				v.Index, v.Value = append(v.Index, int32(k+1)), append(v.Value, math.Round(100*u*size)/100)
			}
			x.Append(v)
			d = append(d, math.Copysign(1, sum+0.3*r.NormFloat64()))
		}
		solved(t, kernel.Poly{Degree: 2, Gamma: 1, Coef0: 1}, &x, d, c.cost)
	}
}

// solved returns the solution with the rows as centres and costs of 1, and checks it with numbers
// of 200 bits: the objectives of both programmes are equal, and the constraints of the dual hold.
func solved(t *testing.T, k kernel.Kernel, x *vec.Matrix, d []float64, cost float64) *onenorm.Solution {
	t.Helper()
	n := x.Len()
	p, err := onenorm.New(t.Context(), k, x, d, x, 1<<24)
	if err != nil {
		t.Fatal(err)
	}
	s, err := p.Solve(t.Context(), slices.Repeat([]float64{cost}, n), slices.Repeat([]float64{1}, n))
	if err != nil {
		t.Fatalf("%d rows: %v", n, err)
	}
	exact := func(v float64) *big.Float { return new(big.Float).SetPrec(200).SetFloat64(v) }
	add := func(sum *big.Float, a, b float64) { sum.Add(sum, exact(0).Mul(exact(a), exact(b))) }
	primal, dual, balance := exact(0), exact(0), exact(0)
	row := make([]float64, n)
	for i := range n {
		k.RowTo(row, x.Row(i), x)
		value, reach := exact(0), exact(0)
		for j, v := range row {
			add(value, v, s.U[j])
			add(reach, s.T[j]*d[j], v)
		}
		add(value, -1, s.Gamma)
		if y, _ := exact(0).Mul(value, exact(-d[i])).Float64(); y+1 > 0 {
			add(primal, cost, y+1)
		}
		add(primal, 1, math.Abs(s.U[i]))
		if of, _ := reach.Float64(); !(math.Abs(of) <= 1+1e-4) {
			t.Errorf("%d rows: the dual's constraint %d is %v, beyond 1", n, i, of)
		}
		if !(s.T[i] >= -1e-9 && s.T[i] <= cost*(1+1e-9)) {
			t.Errorf("%d rows: t %d is %v", n, i, s.T[i])
		}
		add(dual, 1, s.T[i])
		add(balance, s.T[i], d[i])
	}
	up, _ := primal.Float64()
	down, _ := dual.Float64()
	if !(math.Abs(up-down) <= 1e-6*up) {
		t.Errorf("%d rows: objectives %v and %v", n, up, down)
	}
	if of, _ := balance.Float64(); !(math.Abs(of) <= 1e-6*cost) {
		t.Errorf("%d rows: the sum over t d is %v", n, of)
	}
	return s
}
