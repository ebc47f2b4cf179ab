package onenorm_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train/internal/onenorm"
)

// points returns n points of the plane whose labels follow a curve, with some wrong ones.
func points(n int) (x vec.Matrix, d []float64) {
	r := rand.New(rand.NewPCG(3, 1))
	for range n {
		a, b := 4*r.Float64(), 4*r.Float64()
		x.Append(vec.Vector{Index: []int32{1, 2}, Value: []float64{a, b}})
		if (math.Sin(2*a) > b-2) == (r.IntN(12) > 0) {
			d = append(d, 1)
		} else {
			d = append(d, -1)
		}
	}
	return x, d
}

// TestStandard: a programme whose centres are its rows, so many that the solver looks at few of
// them. The constraints of both programmes hold for all rows and centres, and the objectives are
// equal. The solution has the same bits whether the matrix is kept or not, and is the same vertex
// where there is no room to look at few.
func TestStandard(t *testing.T) {
	const n, nu = 700, 4
	x, d := points(n)
	k := kernel.RBF{Gamma: 2}
	cy, cv := slices.Repeat([]float64{nu}, n), slices.Repeat([]float64{1}, n)
	var first *onenorm.Solution
	for _, keep := range []int{1 << 24, 600 * n, 0} {
		p, err := onenorm.New(context.Background(), k, &x, d, &x, keep)
		if err != nil {
			t.Fatal(err)
		}
		s, err := p.Solve(context.Background(), cy, cv)
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case first == nil:
			first = s
		case keep == 0:
			for j, u := range s.U {
				if !(math.Abs(u-first.U[j]) <= 1e-9*(1+math.Abs(u))) {
					t.Errorf("u[%d] is %v, over all centres at once %v", j, first.U[j], u)
				}
			}
			if s.Pivots == first.Pivots {
				t.Error("the same way to the vertex")
			}
		case !slices.Equal(s.U, first.U) || !slices.Equal(s.T, first.T) || s.Gamma != first.Gamma:
			t.Errorf("keeping %d numbers: another vertex", keep)
		}
	}
	primal, dual, balance := 0.0, 0.0, 0.0
	value, slope := make([]float64, n), make([]float64, n)
	row := make([]float64, n)
	for i := range n {
		k.EvaluateTo(row, x.Row(i), &x)
		for j, v := range row {
			value[j] += first.U[i] * v
			slope[j] += d[i] * first.T[i] * v
		}
		if first.T[i] < 0 || first.T[i] > nu {
			t.Errorf("t[%d] is %v", i, first.T[i])
		}
		dual += first.T[i]
		balance += d[i] * first.T[i]
		primal += math.Abs(first.U[i])
	}
	for i := range n {
		primal += nu * max(0, 1-d[i]*(value[i]-first.Gamma))
		if !(math.Abs(slope[i]) <= 1+1e-8) {
			t.Errorf("centre %d: the dual's constraint is violated by %v", i, math.Abs(slope[i])-1)
		}
	}
	if !(math.Abs(primal-dual) <= 1e-9*primal) || !(math.Abs(balance) <= 1e-8) || !(math.Abs(primal-first.Objective) <= 1e-9*primal) {
		t.Errorf("objectives %v and %v, said %v; sum of d t %v", primal, dual, first.Objective, balance)
	}
	t.Logf("objective %v, %d pivots", primal, first.Pivots)
}

// TestCancelled: the matrix is not computed if the context is cancelled.
func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var x vec.Matrix
	d := []float64{1, -1}
	for i := range d {
		x.Append(vec.Vector{Index: []int32{1}, Value: []float64{float64(i)}})
	}
	for _, keep := range []int{1 << 20, 0} {
		if _, err := onenorm.New(ctx, kernel.RBF{Gamma: 1}, &x, d, &x, keep); !errors.Is(err, context.Canceled) {
			t.Errorf("keep %d: %v", keep, err)
		}
	}
}

// TestCosts: costs that overflow are reported as such.
func TestCosts(t *testing.T) {
	ctx := context.Background()
	var x vec.Matrix
	d := []float64{1, -1}
	for i := range d {
		x.Append(vec.Vector{Index: []int32{1}, Value: []float64{float64(i)}})
	}
	p, err := onenorm.New(ctx, kernel.Linear{}, &x, d, &x, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Solve(ctx, []float64{1, math.Inf(1)}, []float64{1, 1}); !errors.Is(err, onenorm.ErrCosts) {
		t.Error(err)
	}
}

// TestNotFinite: kernel values that overflow are reported as such, and not as a programme without a
// solution, whether the matrix is kept or not.
func TestNotFinite(t *testing.T) {
	ctx := context.Background()
	var x vec.Matrix
	d := []float64{1, -1, 1, -1}
	for i := range d {
		x.Append(vec.Vector{Index: []int32{1}, Value: []float64{math.Pow(1e60, float64(i))}})
	}
	for _, keep := range []int{1 << 20, 0} {
		p, err := onenorm.New(ctx, kernel.Poly{Degree: 3, Gamma: 1, Coef0: 1}, &x, d, &x, keep)
		if err == nil {
			_, err = p.Solve(ctx, []float64{1, 1, 1, 1}, []float64{1, 1, 1, 1})
		}
		if !errors.Is(err, onenorm.ErrNotFinite) {
			t.Errorf("keep %d: %v", keep, err)
		}
	}
}
