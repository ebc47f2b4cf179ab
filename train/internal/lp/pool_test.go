package lp_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/slimsvm/slimsvm/train/internal/lp"
	"github.com/slimsvm/slimsvm/train/internal/team"
)

// wide solves p by few columns at a time.
func wide(t *testing.T, ctx context.Context, p *lp.Problem) *lp.Solution {
	t.Helper()
	s, err := lp.NewWideSolver(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	sol, err := s.Solve(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return sol
}

// TestWide: with few columns at a time the optimum over all, and where it has no ties
// the same vertex.
func TestWide(t *testing.T) {
	defer lp.SetPool(4, 3)()
	ctx := context.Background()
	for _, s := range append(slices.Clone(shapes), shape{"normal", func(r *rand.Rand) *instance { return normal(r.Uint64()) }}) {
		for seed := range uint64(4) {
			t.Run(fmt.Sprintf("%s %d", s.name, seed), func(t *testing.T) {
				p := s.make(rand.New(rand.NewPCG(seed, 9))).problem()
				got, want := wide(t, ctx, p), solve(t, p)
				verify(t, p, got)
				if math.Abs(got.Primal-want.Primal) > 1e-9*(1+math.Abs(want.Primal)) {
					t.Errorf("objective %.12g, with all columns %.12g", got.Primal, want.Primal)
				}
				switch s.name {
				case "square", "tall", "wide":
					for j, x := range want.X {
						if math.Abs(got.X[j]-x) > 1e-7*(1+math.Abs(x)) {
							t.Errorf("x[%d] is %v, with all columns %v", j, got.X[j], x)
						}
					}
				}
			})
		}
	}
}

// TestWideCosts: with other costs, from the last basis and its columns, the vertex that
// is found from scratch with all.
func TestWideCosts(t *testing.T) {
	defer lp.SetPool(10, 5)()
	ctx := context.Background()
	r := rand.New(rand.NewPCG(11, 12))
	p := cloud(r, 150, 150, 3, 2).problem()
	s, err := lp.NewWideSolver(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	for step := range 6 {
		got, err := s.Solve(ctx)
		if err != nil {
			t.Fatal(err)
		}
		verify(t, p, got)
		for j, x := range solve(t, p).X {
			if math.Abs(got.X[j]-x) > 1e-7*(1+math.Abs(x)) {
				t.Errorf("step %d: x[%d] is %v, from scratch %v", step, j, got.X[j], x)
			}
		}
		p = otherCosts(r, p)
		if err := s.SetCosts(p.Cost, p.Lower, p.Upper); err != nil {
			t.Fatal(err)
		}
	}
}

// A counter counts the columns that are asked for.
type counter struct {
	lp.Matrix
	asked map[int]bool
}

func (c *counter) Column(j int) []float64 {
	c.asked[j] = true
	return c.Matrix.Column(j)
}

// TestWideLooks: of a programme with many columns most are never made, and any number
// of threads and a generated matrix find the same vertex to the last bit.
func TestWideLooks(t *testing.T) {
	defer lp.SetMinParallel(1)()
	p := cloud(rand.New(rand.NewPCG(5, 6)), 1200, 1200, 2, 2).problem()
	m, n := p.A.Dims()
	whole := p.A
	c := &counter{whole, map[int]bool{}}
	p.A = c
	want := wide(t, context.Background(), p)
	verify(t, &lp.Problem{A: whole, B: p.B, Cost: p.Cost, Lower: p.Lower, Upper: p.Upper}, want)
	t.Logf("%d of %d columns, %d pivots", len(c.asked), n, want.Pivots)
	if len(c.asked) > n*2/5 {
		t.Errorf("%d of %d columns were asked for", len(c.asked), n)
	}
	p.A = lp.NewGenerated(m, n,
		func(i int, row []float64) { copy(row, whole.Row(i)) },
		func(j int, column []float64) { copy(column, whole.Column(j)) }, 10*m)
	for _, threads := range []int{1, 2, 5} {
		ctx, stop := team.With(context.Background(), threads)
		got := wide(t, ctx, p)
		stop()
		if !slices.Equal(got.X, want.X) || !slices.Equal(got.T, want.T) || got.Pivots != want.Pivots {
			t.Errorf("%d threads: another vertex", threads)
		}
	}
}
