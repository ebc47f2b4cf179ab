package lp_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train/internal/lp"
)

// normal returns normally distributed points with random labels and a kernel of any width; every
// third point is a centre.
func normal(seed uint64) *instance {
	r := rand.New(rand.NewPCG(seed, 5))
	in := &instance{gamma: kernel.Exp(r.Float64()*5 - 3)}
	dim, rows := 1+r.IntN(8), 50+r.IntN(300)
	nu := kernel.Exp(3*r.Float64() - 1.5)
	for range rows {
		x := make([]float64, dim)
		for k := range x {
			x[k] = r.NormFloat64()
		}
		d := 1.0
		if r.IntN(3) == 0 {
			d = -1
		}
		in.x, in.d, in.cy = append(in.x, x), append(in.d, d), append(in.cy, nu)
	}
	in.c = in.x[:rows/3]
	in.cv = slices.Repeat([]float64{1}, rows/3)
	return in
}

// TestCircles: programmes with many near ties. In earlier versions, steps of the size of the
// tolerance went in circles in some, and in others rounding made the method miss the lowest point
// of an edge.
func TestCircles(t *testing.T) {
	for _, seed := range []uint64{16, 26, 48, 264, 301, 305, 750, 1052, 1406, 1623, 1889, 1921, 1955, 2028} {
		p := normal(seed).problem()
		m, n := p.A.Dims()
		s, err := lp.Solve(context.Background(), p)
		if err != nil {
			t.Errorf("seed %d, %d x %d: %v", seed, m, n, err)
			continue
		}
		verify(t, p, s)
		if s.Pivots > 20*(m+n) {
			t.Errorf("seed %d, %d x %d: %d pivots", seed, m, n, s.Pivots)
		}
	}
}

// TestDear: where errors are so dear that there are none, rounding does not make any either.
func TestDear(t *testing.T) {
	for seed := range uint64(20) {
		in := normal(seed)
		in.gamma = 0.01
		for i, x := range in.x {
			in.cy[i], in.d[i] = 1e7, 1
			if x[0] < 0 {
				in.d[i] = -1
			}
		}
		p := in.problem()
		s, err := lp.Solve(context.Background(), p)
		if err != nil {
			t.Errorf("seed %d: %v", seed, err)
			continue
		}
		verify(t, p, s)
	}
}

// TestLevelEdge: rows of one class. A constraint of the dual then asks all t to be 0; an edge ends
// where its slope is 0, or the rounding error of the sum of costs.
func TestLevelEdge(t *testing.T) {
	for rows := 1; rows < 40; rows++ {
		for _, cost := range []float64{0.1, 0.125, 0.2, 0.3, 0.7, 3, 1e9} {
			p := &lp.Problem{Lower: []float64{0}, Upper: []float64{0}}
			p.A = dense(rows, 1, func(row func(i int) []float64) {
				for i := range rows {
					row(i)[0] = -1
				}
			})
			for range rows {
				p.B, p.Cost = append(p.B, 1), append(p.Cost, cost)
			}
			s, err := lp.Solve(context.Background(), p)
			if err != nil {
				t.Errorf("%d rows, cost %v: %v", rows, cost, err)
				continue
			}
			if verify(t, p, s); s.X[0] != -1 {
				t.Errorf("%d rows, cost %v: x is %v", rows, cost, s.X[0])
			}
		}
	}
}

// TestTies: with a kernel that is almost 0 between different rows, and an error that costs as much
// as a vector that mends it, rounding decides whether a vector is worth its cost. The method must
// not go in circles there.
func TestTies(t *testing.T) {
	for _, c := range []struct {
		features int
		width    float64
	}{{1, 80}, {2, 40}, {3, 10}, {3, 20}, {5, 10}} {
		for seed := range uint64(12) {
			r := rand.New(rand.NewPCG(seed, 3))
			in := &instance{gamma: 1}
			rows := 60 + r.IntN(120)
			for range rows {
				x := make([]float64, c.features)
				for k := range x {
					x[k] = c.width * r.Float64()
				}
				d := 1.0
				if r.IntN(3) == 0 {
					d = -1
				}
				in.x, in.d, in.cy = append(in.x, x), append(in.d, d), append(in.cy, 1)
			}
			in.c, in.cv = in.x, slices.Repeat([]float64{1}, rows)
			p := in.problem()
			m, n := p.A.Dims()
			s, err := lp.Solve(context.Background(), p)
			if err != nil {
				t.Errorf("%v, seed %d, %d rows: %v", c, seed, rows, err)
				continue
			}
			verify(t, p, s)
			if s.Pivots > 10*(m+n) {
				t.Errorf("%v, seed %d, %d rows: %d pivots", c, seed, rows, s.Pivots)
			}
		}
	}
}
