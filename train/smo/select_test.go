package smo

import (
	"context"
	"math"
	"testing"

	"github.com/slimsvm/slimsvm/models/kernel"
)

// bestPair returns the working set by second-order information as the paper describes it, in
// multipliers a and their gradient G: i maximises -y_i G_i over I_up; j minimises -b^2/a over the t
// of I_low with b = -y_i G_i + y_t G_t > 0; later positions win ties. solved reports that no pair
// violates the conditions by more than the tolerance. In a nu problem i is of j's class.
func bestPair(s *state, k func(i, j int) float64) (i, j int, solved bool) {
	n := s.active
	y := func(t int) float64 {
		if s.upper[t] > 0 {
			return 1
		}
		return -1
	}
	minusYG := func(t int) float64 { return -s.f[t] } // G = y f
	up := func(t int) bool { return s.b[t] < s.upper[t] }
	low := func(t int) bool { return s.b[t] > s.lower[t] }
	together := func(t, u int) bool { return !s.nu || y(t) == y(u) }

	first := func(of int) int {
		best := -1
		for t := range n {
			if up(t) && together(t, of) && (best < 0 || minusYG(t) >= minusYG(best)) {
				best = t
			}
		}
		return best
	}
	i, j = -1, -1
	least, violation := math.Inf(1), math.Inf(-1)
	for t := range n {
		f := first(t)
		if f < 0 || !low(t) {
			continue
		}
		b := minusYG(f) - minusYG(t)
		violation = max(violation, b)
		if b <= 0 {
			continue
		}
		a := s.diag[f] + s.diag[t] - 2*k(f, t)
		if a <= 0 {
			a = 1e-12
		}
		if value := -float64(b*b) / a; value <= least {
			least, i, j = value, f, t
		}
	}
	return i, j, j < 0 || violation < s.opt.Tolerance
}

// TestSelection follows solutions of random problems, with many ties in the beginning, and compares
// each pair with the reference.
func TestSelection(t *testing.T) {
	pairs, nuPairs := 0, 0
	for seed := range seeds(150) {
		s := newSetting(seed)
		nu := seed%2 == 1 && s.x.Len() > 1
		if s.x.Len() > 50 {
			continue
		}
		src := newRowSource(context.Background(), kernel.NewGram(s.k, &s.x), 100)
		st, err := newState(context.Background(), s.randomQP(src, nu), s.opt)
		if err != nil {
			t.Fatal(err)
		}
		for step := range 300 {
			if step == 30 && s.opt.Shrinking {
				if err := st.shrink(context.Background()); err != nil {
					t.Fatal(err)
				}
			}
			wantI, wantJ, solved := bestPair(st, func(i, j int) float64 { return float64(src.Row(i, st.active)[j]) })
			i, j := st.selectPair()
			if solved {
				if j >= 0 {
					t.Fatalf("seed %d, step %d: pair %d, %d of a solved programme", seed, step, i, j)
				}
				break
			}
			if i != wantI || j != wantJ {
				t.Fatalf("seed %d, step %d: pair %d, %d, want %d, %d", seed, step, i, j, wantI, wantJ)
			}
			st.update(i, j)
			if nu {
				nuPairs++
			} else {
				pairs++
			}
		}
	}
	t.Logf("%d pairs, %d in nu programmes", pairs, nuPairs)
	if pairs < seeds(100) || nuPairs < seeds(100) {
		t.Errorf("only %d and %d pairs", pairs, nuPairs)
	}
}
