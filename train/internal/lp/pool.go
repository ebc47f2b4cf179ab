package lp

import (
	"cmp"
	"context"
	"slices"

	"github.com/slimsvm/slimsvm/train/internal/team"
)

// Problem: a programme of thousands of columns, few of whose x are not 0 in the end. Over
// some of the columns it is a small programme, whose solution solves the whole if
// the dual's constraint holds for each of the others, too: lower_j <= A_j't <= upper_j.
// So those where it holds least are added, and the solver goes on from its basis, until
// there are none (column generation; Dantzig and Wolfe 1960). Of the whole matrix only the
// rows of the t that are not 0 are asked for, and the columns that are added.

// A pool is the matrix of the columns that a solver works with.
type pool struct {
	whole   *Problem
	of      []int       // the columns' places in the whole
	in      []bool      // of each column of the whole, whether it is one of them
	columns [][]float64 // of
	rows    []float64   // room for width columns
	width   int
	at      []float64 // A't of the whole
}

var _ Matrix = (*pool)(nil)

// Bounds of a pool. Variables for tests.
var (
	firstColumns = 128 // evenly spaced, besides those without a range
	mostAdded    = 100 // at once, or a quarter of those that there are
)

// newPool returns the first columns of a programme.
func newPool(ctx context.Context, whole *Problem) (*pool, error) {
	m, n := whole.A.Dims()
	g := &pool{whole: whole, in: make([]bool, n), at: make([]float64, n)}
	g.width = min(n, 2*firstColumns)
	g.rows = make([]float64, m*g.width)
	var first []int
	step := max(1, n/firstColumns)
	for j := range n {
		if j%step == 0 || whole.Upper[j] == whole.Lower[j] {
			first = append(first, j)
		}
	}
	return g, g.add(ctx, first)
}

// Dims returns the numbers of rows and of columns in the pool.
func (g *pool) Dims() (rows, columns int) { return len(g.whole.B), len(g.of) }

// Row returns row i.
func (g *pool) Row(i int) []float64 {
	return g.rows[i*g.width:][:len(g.of):len(g.of)]
}

// Column returns a column of the pool.
func (g *pool) Column(j int) []float64 { return g.columns[j] }

// add adds columns of the whole, or none and returns the error of ctx.
func (g *pool) add(ctx context.Context, columns []int) error {
	m, had := len(g.whole.B), len(g.of)
	made := make([][]float64, len(columns))
	for k, j := range columns {
		if err := ctx.Err(); err != nil {
			return err
		}
		made[k] = g.whole.A.Column(j)
	}
	for k, j := range columns {
		g.in[j] = true
		g.of = append(g.of, j)
		g.columns = append(g.columns, made[k])
	}
	if n := len(g.of); n > g.width {
		width := min(len(g.in), max(n, 2*g.width))
		wider := make([]float64, m*width)
		for i := range m {
			copy(wider[i*width:], g.rows[i*g.width:][:had])
		}
		g.rows, g.width = wider, width
	}
	const block = 32 // a turn of squares stays in the cache
	for i0 := 0; i0 < m; i0 += block {
		for j := had; j < len(g.of); j++ {
			for i := i0; i < min(i0+block, m); i++ {
				g.rows[i*g.width+j] = g.columns[j][i]
			}
		}
	}
	return nil
}

// problem returns the programme of the pool's columns.
func (g *pool) problem() *Problem {
	p := &Problem{A: g, B: g.whole.B, Cost: g.whole.Cost}
	for _, j := range g.of {
		p.Lower, p.Upper = append(p.Lower, g.whole.Lower[j]), append(p.Upper, g.whole.Upper[j])
	}
	return p
}

// violated returns columns outside of the pool whose constraints t violates: those that
// it violates most, by more than the tolerance for sums with such terms.
func (g *pool) violated(ctx context.Context, t []float64) ([]int, error) {
	const block = 64 // rows at once
	clear(g.at)
	sums := 0.0
	var of []int
	lines, coef := make([][]float64, block), make([]float64, 0, block)
	flush := func() {
		rows := lines[:len(of)]
		team.Do(ctx, len(of), func(_ context.Context, k int) { rows[k] = g.whole.A.Row(of[k]) })
		for k, i := range of {
			coef = append(coef, t[i])
			sums += float64(abs(t[i]) * largest(rows[k]))
		}
		combine(ctx, [][]float64{g.at}, rows, [][]float64{coef})
		of, coef = of[:0], coef[:0]
	}
	for i, v := range t {
		if v == 0 {
			continue
		}
		if of = append(of, i); len(of) == block {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			flush()
		}
	}
	flush()
	type candidate struct {
		j  int
		by float64
	}
	var all []candidate
	tolerance := 0.5 * violation(sums)
	for j, a := range g.at {
		if by := max(a-g.whole.Upper[j], g.whole.Lower[j]-a); by > tolerance && !g.in[j] {
			all = append(all, candidate{j, by})
		}
	}
	slices.SortFunc(all, func(a, b candidate) int {
		if c := cmp.Compare(b.by, a.by); c != 0 {
			return c
		}
		return cmp.Compare(a.j, b.j)
	})
	var most []int
	for _, c := range all[:min(len(all), max(mostAdded, len(g.of)/4))] {
		most = append(most, c.j)
	}
	slices.Sort(most)
	return most, ctx.Err()
}

// NewWideSolver returns a solver of p, as NewSolver does, which works with few of its
// columns at a time. The error may be that of ctx, too.
func NewWideSolver(ctx context.Context, p *Problem) (*Solver, error) {
	if err := p.validate(); err != nil {
		return nil, err
	}
	g, err := newPool(ctx, p)
	if err != nil {
		return nil, err
	}
	s, err := NewSolver(g.problem())
	if err != nil {
		return nil, err
	}
	s.pool = g
	return s, nil
}

// optimizeAll walks to the optimum over all columns for the present right-hand sides.
func (s *Solver) optimizeAll(ctx context.Context, limit func() int) error {
	ctx, stop := team.With(ctx, 1)
	defer stop()
	for {
		if err := s.optimize(ctx, limit()); err != nil || s.pool == nil {
			return err
		}
		columns, err := s.pool.violated(ctx, s.t)
		if err != nil || len(columns) == 0 {
			return err
		}
		if err := s.widen(ctx, columns); err != nil {
			return err
		}
	}
}

// widen adds columns to the solver's pool, as inactive rows of the dual. Their values
// are those of the next refresh.
func (s *Solver) widen(ctx context.Context, columns []int) error {
	if err := s.pool.add(ctx, columns); err != nil {
		return err
	}
	s.p = s.pool.problem()
	for c, i := range s.basic {
		s.rows[c] = s.pool.Row(i)
	}
	s.w.room(s.size())
	for range columns {
		for c, i := range s.basic {
			s.w.g[c] = s.pool.columns[s.n][i]
		}
		s.mul(s.w.enter, s.w.g)
		s.x, s.act, s.atCost = append(s.x, 0), append(s.act, 0), append(s.atCost, 0)
		s.highR, s.posR = append(s.highR, false), append(s.posR, -1)
		s.normR = append(s.normR, 1+dot(s.w.enter, s.w.enter))
		s.n++
	}
	for _, v := range []*[]float64{&s.w.flip, &s.w.yq, &s.w.yt, &s.w.yf} {
		*v = make([]float64, s.n)
	}
	return nil
}
