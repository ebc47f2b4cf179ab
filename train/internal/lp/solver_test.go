package lp_test

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/train/internal/lp"
	"github.com/slimsvm/slimsvm/train/internal/team"
)

// TestThreads: any number of threads finds the same vertex to the last bit, with a generated matrix
// too.
func TestThreads(t *testing.T) {
	defer lp.SetMinParallel(1)()
	in := cloud(rand.New(rand.NewPCG(1, 2)), 2500, 40, 3, 2)
	p := in.problem()
	want := solve(t, p)
	m, n := p.A.Dims()
	whole := p.A
	p.A = lp.NewGenerated(m, n,
		func(i int, row []float64) { copy(row, whole.Row(i)) },
		func(j int, column []float64) { copy(column, whole.Column(j)) }, 10*m)
	for _, threads := range []int{1, 2, 5} {
		ctx, stop := team.With(context.Background(), threads)
		got, err := lp.Solve(ctx, p)
		stop()
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got.X, want.X) || !slices.Equal(got.T, want.T) || got.Pivots != want.Pivots {
			t.Errorf("%d threads: another vertex", threads)
		}
	}
}

// TestRanges: costs of positive and negative x that differ, zero costs on either side, right-hand
// sides of either sign, and no rows or columns at all.
func TestRanges(t *testing.T) {
	found := solvers(t)
	r := rand.New(rand.NewPCG(3, 4))
	for range 10 {
		m, n := 5+r.IntN(60), 1+r.IntN(30)
		p := &lp.Problem{A: dense(m, n, func(row func(i int) []float64) {
			for i := range m {
				for j := range n {
					row(i)[j] = r.NormFloat64() * float64(r.IntN(2))
				}
			}
		})}
		for range m {
			p.B, p.Cost = append(p.B, r.NormFloat64()), append(p.Cost, r.Float64()*float64(r.IntN(4)))
		}
		for range n {
			p.Lower, p.Upper = append(p.Lower, -r.Float64()*float64(r.IntN(3))), append(p.Upper, r.Float64()*float64(r.IntN(3)))
		}
		s := solve(t, p)
		verify(t, p, s)
		for _, peer := range found {
			if want := peer.optimum(t, p); !(math.Abs(s.Primal-want) <= 1e-6*(1+math.Abs(want))) {
				t.Errorf("%d x %d: objective %.12g, by %s %.12g", m, n, s.Primal, peer.name, want)
			}
		}
	}
	empty := &lp.Problem{A: dense(0, 0, func(func(int) []float64) {})}
	if s := solve(t, empty); s.Primal != 0 || len(s.X) != 0 {
		t.Errorf("nothing has the solution %+v", s)
	}
}

// TestFaults: useless numbers are errors, wrong shapes a panic.
func TestFaults(t *testing.T) {
	for _, c := range []struct {
		change func(p *lp.Problem)
		want   string
	}{
		{func(p *lp.Problem) { p.B[1] = math.NaN() }, "row 2: right-hand side NaN, cost 2: expected numbers, and no cost below 0"},
		{func(p *lp.Problem) { p.Cost[0] = -1 }, "row 1: right-hand side 1, cost -1"},
		{func(p *lp.Problem) { p.Upper[2] = math.Inf(1) }, "column 3: slopes -1 and +Inf"},
		{func(p *lp.Problem) { p.Lower[0] = 0.5 }, "column 1: slopes 0.5 and 1"},
	} {
		p := cloud(rand.New(rand.NewPCG(1, 2)), 10, 4, 2, 2).problem()
		p.Cost = slices.Clone(p.Cost)
		c.change(p)
		if _, err := lp.NewSolver(p); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
	defer func() {
		if r := recover(); r == nil || !strings.HasPrefix(r.(string), "lp: ") {
			t.Errorf("panic %v", r)
		}
	}()
	p := cloud(rand.New(rand.NewPCG(1, 2)), 10, 4, 2, 2).problem()
	p.B = p.B[1:]
	lp.NewSolver(p)
}
