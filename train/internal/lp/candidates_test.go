package lp_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train/internal/lp"
)

// TestCandidates: from the last basis, with any share of the t kept, the solver finds the vertex
// that it finds from scratch with all of them.
func TestCandidates(t *testing.T) {
	ctx := context.Background()
	for _, share := range []float64{0, 0.02, 0.125, 0.4} {
		back := lp.SetCandidates(1, share)
		defer back()
		r := rand.New(rand.NewPCG(7, 8))
		p := cloud(r, 900, 60, 3, 2).problem()
		s, err := lp.NewSolver(p)
		if err != nil {
			t.Fatal(err)
		}
		for step := range 5 {
			warm, err := s.Solve(ctx)
			if err != nil {
				t.Fatal(err)
			}
			verify(t, p, warm)
			cold := solve(t, p)
			for j, x := range cold.X {
				if !(math.Abs(x-warm.X[j]) <= 1e-7*(1+math.Abs(x))) {
					t.Errorf("share %v, step %d: x[%d] is %v, from scratch %v", share, step, j, warm.X[j], x)
				}
			}
			t.Logf("share %v, step %d: %d pivots, from scratch %d", share, step, warm.Pivots, cold.Pivots)
			p = otherCosts(r, p)
			if err := s.SetCosts(p.Cost, p.Lower, p.Upper); err != nil {
				t.Fatal(err)
			}
		}
		back()
	}
}

// otherCosts returns p with other costs and bounds.
func otherCosts(r *rand.Rand, p *lp.Problem) *lp.Problem {
	next := &lp.Problem{A: p.A, B: p.B}
	for range p.B {
		next.Cost = append(next.Cost, 8*r.Float64())
	}
	for j := range p.Upper {
		u := 3 * r.Float64()
		if p.Upper[j] == 0 {
			u = 0 // the column of the offset
		}
		next.Upper, next.Lower = append(next.Upper, u), append(next.Lower, -u)
	}
	return next
}

// TestEdgesOutOfView: with costs that change as in the minimal kernel algorithm, many edges end at
// t that are not kept. That is no reason for the solver to become careful, which takes far longer
// and does not help.
func TestEdgesOutOfView(t *testing.T) {
	defer lp.SetCandidates(1, 0.125)()
	for _, gamma := range []float64{2, 10, 100} {
		for _, nu := range []float64{1, 100} {
			in := cloud(rand.New(rand.NewPCG(0, 8)), 600, 60, 3, nu)
			in.gamma = gamma
			p := in.problem()
			s, err := lp.NewSolver(p)
			if err != nil {
				t.Fatal(err)
			}
			for step := range 4 {
				warm, err := s.Solve(t.Context())
				if err != nil {
					t.Fatalf("gamma %v, nu %v, step %d: %v", gamma, nu, step, err)
				}
				verify(t, p, warm)
				if lp.Careful(s) {
					t.Errorf("gamma %v, nu %v, step %d: the solver has become careful", gamma, nu, step)
					break
				}
				p = linearised(p, warm, nu)
				if err := s.SetCosts(p.Cost, p.Lower, p.Upper); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}

// linearised returns p with the costs of the next step of the minimal kernel algorithm, with mu 1
// and alpha 5.
func linearised(p *lp.Problem, last *lp.Solution, nu float64) *lp.Problem {
	slope := func(v float64) float64 { return 1 + 5*kernel.Exp(-5*math.Abs(v)) }
	next := &lp.Problem{A: p.A, B: p.B}
	for _, y := range last.Y {
		next.Cost = append(next.Cost, nu*slope(y))
	}
	for j, x := range last.X {
		u := slope(x)
		if p.Upper[j] == 0 {
			u = 0 // the column of the offset
		}
		next.Upper, next.Lower = append(next.Upper, u), append(next.Lower, -u)
	}
	return next
}
