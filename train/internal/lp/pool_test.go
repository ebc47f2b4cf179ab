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

// wide solves p with few columns at a time.
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

// TestWide: with few columns at a time the optimum is that of all columns, and the vertex too where
// there are no ties.
func TestWide(t *testing.T) {
	defer lp.SetPool(4, 3)()
	ctx := context.Background()
	for _, s := range append(slices.Clone(shapes), shape{"normal", func(r *rand.Rand) *instance { return normal(r.Uint64()) }}) {
		for seed := range uint64(4) {
			t.Run(fmt.Sprintf("%s %d", s.name, seed), func(t *testing.T) {
				p := s.make(rand.New(rand.NewPCG(seed, 9))).problem()
				got, want := wide(t, ctx, p), solve(t, p)
				verify(t, p, got)
				if !(math.Abs(got.Primal-want.Primal) <= 1e-9*(1+math.Abs(want.Primal))) {
					t.Errorf("objective %.12g, with all columns %.12g", got.Primal, want.Primal)
				}
				switch s.name {
				case "square", "tall", "wide":
					for j, x := range want.X {
						if !(math.Abs(got.X[j]-x) <= 1e-7*(1+math.Abs(x))) {
							t.Errorf("x[%d] is %v, with all columns %v", j, got.X[j], x)
						}
					}
				}
			})
		}
	}
}

// TestWideCosts: with other costs, from the last basis and its columns, the solver finds the vertex
// that it finds from scratch with all columns.
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
			if !(math.Abs(got.X[j]-x) <= 1e-7*(1+math.Abs(x))) {
				t.Errorf("step %d: x[%d] is %v, from scratch %v", step, j, got.X[j], x)
			}
		}
		p = otherCosts(r, p)
		if err := s.SetCosts(p.Cost, p.Lower, p.Upper); err != nil {
			t.Fatal(err)
		}
	}
}

// A counter is a matrix that counts which columns are asked for.
type counter struct {
	lp.Matrix
	asked map[int]bool
}

func (c *counter) Column(j int) []float64 {
	c.asked[j] = true
	return c.Matrix.Column(j)
}

// generated returns a matrix that makes the lines of whole, and keeps the numbers of this many
// columns.
func generated(whole lp.Matrix, columns int) *lp.Generated {
	m, n := whole.Dims()
	return lp.NewGenerated(m, n,
		func(i int, row []float64) { copy(row, whole.Row(i)) },
		func(j int, column []float64) { copy(column, whole.Column(j)) }, columns*m)
}

// TestWideRoom: if there is room for few columns, others are removed, and the optimum is the same,
// also with other costs.
func TestWideRoom(t *testing.T) {
	defer lp.SetPool(4, 3)()
	for _, s := range shapes {
		for seed := range uint64(4) {
			for _, columns := range []int{0, 8, 25} {
				r := rand.New(rand.NewPCG(seed, 9))
				p := s.make(r).problem()
				g := generated(p.A, columns)
				p.A = g
				w, err := lp.NewWideSolver(context.Background(), p)
				if err != nil {
					t.Fatal(err)
				}
				for step := range 3 {
					got, err := w.Solve(context.Background())
					if err != nil {
						t.Fatalf("%s %d, room for %d, step %d: %v", s.name, seed, columns, step, err)
					}
					verify(t, p, got)
					if want := solve(t, p); !(math.Abs(got.Primal-want.Primal) <= 1e-9*(1+math.Abs(want.Primal))) {
						t.Errorf("%s %d, room for %d: objective %.12g, with all columns %.12g", s.name, seed, columns, got.Primal, want.Primal)
					}
					p = otherCosts(r, p)
					if err := w.SetCosts(p.Cost, p.Lower, p.Upper); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
	}
}

// TestWideHolds: as many columns are held as there is room for; together with those that are kept
// they are no more than allowed.
func TestWideHolds(t *testing.T) {
	p := cloud(rand.New(rand.NewPCG(5, 6)), 1200, 1200, 2, 2).problem()
	want := wide(t, context.Background(), p)
	const columns = 200 // of 297
	whole := p.A
	g := generated(whole, columns)
	p.A = g
	got := wide(t, context.Background(), p)
	p.A = whole
	verify(t, p, got)
	for j, x := range want.X {
		if !(math.Abs(got.X[j]-x) <= 1e-7*(1+math.Abs(x))) {
			t.Errorf("x[%d] is %v, with more room %v", j, got.X[j], x)
		}
	}
	held, kept := lp.Held(g)
	t.Logf("%d columns are held, %d numbers kept", held, kept)
	if held > columns*3/4 || kept > columns*len(p.B) {
		t.Errorf("%d columns are held, %d numbers kept", held, kept)
	}
}

// TestWideLooks: most columns of a programme with many are never computed. Any number of threads
// finds the same vertex to the last bit, with a generated matrix too.
func TestWideLooks(t *testing.T) {
	defer lp.SetMinParallel(1)()
	p := cloud(rand.New(rand.NewPCG(5, 6)), 1200, 1200, 2, 2).problem()
	_, n := p.A.Dims()
	whole := p.A
	c := &counter{whole, map[int]bool{}}
	p.A = c
	want := wide(t, context.Background(), p)
	verify(t, &lp.Problem{A: whole, B: p.B, Cost: p.Cost, Lower: p.Lower, Upper: p.Upper}, want)
	t.Logf("%d of %d columns, %d pivots", len(c.asked), n, want.Pivots)
	if len(c.asked) > n*2/5 {
		t.Errorf("%d of %d columns were asked for", len(c.asked), n)
	}
	p.A = generated(whole, 400) // room for the pool, and few other columns
	for _, threads := range []int{1, 2, 5} {
		ctx, stop := team.With(context.Background(), threads)
		got := wide(t, ctx, p)
		stop()
		if !slices.Equal(got.X, want.X) || !slices.Equal(got.T, want.T) || got.Pivots != want.Pivots {
			t.Errorf("%d threads: another vertex", threads)
		}
	}
}
