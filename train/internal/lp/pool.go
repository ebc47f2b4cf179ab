package lp

import (
	"cmp"
	"context"
	"slices"

	"github.com/slimsvm/slimsvm/internal/ended"
	"github.com/slimsvm/slimsvm/train/internal/team"
)

// Problem: solve a programme of thousands of columns, of which few have an x that is not 0 in the
// end. The programme over some of the columns is small. Its solution solves the whole programme if
// the dual's constraint also holds for each of the other columns: lower_j <= A_j't <= upper_j.
//
// Method: column generation (Dantzig and Wolfe 1960). The columns that violate their constraint
// most are added, and the solver continues from its basis, until no column violates its constraint.
// Of the whole matrix, this needs only the rows whose t is not 0 and the columns that are added.
//
// Computed columns are kept, up to a share of the matrix's memory. If there is no room for more,
// the columns removed are those whose x is 0 and whose constraints hold by the largest margin.
// Removing them does not lower an optimum, so the next optimum is higher still unless there are
// ties. Ties do no harm, because a column is removed only once.

// A pool is the matrix of the columns in use.
type pool struct {
	whole   *Problem
	dense   *Dense      // the whole matrix, if it is dense
	made    *Generated  // the whole matrix, if it is generated
	room    int         // number of columns that may be held
	of      []int       // the number of each pool column in the whole matrix
	in      []bool      // whether each column of the whole matrix is in the pool
	gone    []bool      // whether it was in the pool and has been removed
	columns [][]float64 // the values of the pool's columns
	at      []float64   // A't over all columns
}

var _ Matrix = (*pool)(nil)

// Limits of a pool. Tests change them.
var (
	firstColumns = 128 // evenly spaced, in addition to those without a range
	mostAdded    = 100 // at once, or a quarter of the pool if that is more
	fewest       = 64  // at first and at once, even if there is no room
)

// poolShare is the share of a matrix's kept numbers that a pool may hold. The rest is for rows.
const poolShare = 0.75

// newPool returns a pool with the first columns of a programme.
func newPool(ctx context.Context, whole *Problem) (*pool, error) {
	m, n := whole.A.Dims()
	g := &pool{whole: whole, in: make([]bool, n), gone: make([]bool, n), at: make([]float64, n), room: n}
	g.dense, _ = whole.A.(*Dense)
	if g.made, _ = whole.A.(*Generated); g.made != nil {
		g.room = int(poolShare * float64(g.made.keep/max(1, m)))
	}
	var first []int
	step := max(1, n/min(firstColumns, max(fewest, g.room/2)))
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
	row := make([]float64, len(g.of))
	g.rowTo(row, i)
	return row
}

// rowTo sets row to row i.
func (g *pool) rowTo(row []float64, i int) {
	if g.dense != nil {
		all := g.dense.Row(i)
		for k, j := range g.of {
			row[k] = all[j]
		}
		return
	}
	for k, column := range g.columns {
		row[k] = column[i]
	}
}

// wider returns row i, given its first elements.
func (g *pool) wider(known []float64, i int) []float64 {
	row := make([]float64, len(g.of))
	for k := copy(row, known); k < len(row); k++ {
		row[k] = g.columns[k][i]
	}
	return row
}

// Column returns a column of the pool.
func (g *pool) Column(j int) []float64 { return g.columns[j] }

// add adds columns of the whole matrix. If ctx ends, it adds none and returns the error of ctx.
func (g *pool) add(ctx context.Context, columns []int) error {
	made := make([][]float64, len(columns))
	team.Do(ctx, len(columns), func(ctx context.Context, k int) {
		if ctx.Err() == nil {
			made[k] = g.whole.A.Column(columns[k])
		}
	})
	if err := ended.Err(ctx); err != nil {
		return err
	}
	for k, j := range columns {
		g.in[j] = true
		g.of = append(g.of, j)
		g.columns = append(g.columns, made[k])
		if g.made != nil {
			g.made.pin(j, made[k])
		}
	}
	return nil
}

// keep removes all columns except those at the given places, which ascend.
func (g *pool) keep(places []int) {
	stays := make([]bool, len(g.of))
	for _, k := range places {
		stays[k] = true
	}
	for k, j := range g.of {
		if !stays[k] {
			g.in[j], g.gone[j] = false, true
			g.made.unpin(j)
		}
	}
	g.of, g.columns = chosen(g.of, places), chosen(g.columns, places)
}

// chosen returns the elements of v at the given places, in v's memory.
func chosen[T any](v []T, places []int) []T {
	for n, k := range places {
		v[n] = v[k]
	}
	clear(v[len(places):])
	return v[:len(places)]
}

// problem returns the programme over the pool's columns.
func (g *pool) problem() *Problem {
	p := &Problem{A: g, B: g.whole.B, Cost: g.whole.Cost}
	for _, j := range g.of {
		p.Lower, p.Upper = append(p.Lower, g.whole.Lower[j]), append(p.Upper, g.whole.Upper[j])
	}
	return p
}

// violated returns columns outside of the pool whose constraints t violates by more than the
// tolerance: those with the largest violations, largest first. For a careful solver the sums have
// twice the precision.
func (g *pool) violated(ctx context.Context, t []float64, careful bool) ([]int, error) {
	const block = 64 // rows added at once
	clear(g.at)
	sums, free := 0.0, 0.0
	var exact []exactSum
	if careful {
		exact = make([]exactSum, len(g.at))
	}
	var of []int
	lines, coef := make([][]float64, block), make([]float64, 0, block)
	flush := func() {
		rows := lines[:len(of)]
		team.Do(ctx, len(of), func(_ context.Context, k int) { rows[k] = g.whole.A.Row(of[k]) })
		for k, i := range of {
			coef = append(coef, t[i])
			sum := float64(abs(t[i]) * largest(rows[k]))
			if sums += sum; t[i] != g.whole.Cost[i] {
				free += sum
			}
		}
		if careful {
			for k, row := range rows {
				subtractFrom(exact, -coef[k], row)
			}
		} else {
			combine(ctx, [][]float64{g.at}, rows, [][]float64{coef})
		}
		of, coef = of[:0], coef[:0]
	}
	for i, v := range t {
		if v == 0 {
			continue
		}
		if of = append(of, i); len(of) == block {
			if err := ended.Err(ctx); err != nil {
				return nil, err
			}
			flush()
		}
	}
	flush()
	for j := range exact {
		g.at[j] = exact[j].value()
	}
	type candidate struct {
		j  int
		by float64
	}
	var all []candidate
	allowed := tolerance(sums, free, careful)
	for j, a := range g.at {
		if by := max(a-g.whole.Upper[j], g.whole.Lower[j]-a); by > allowed && !g.in[j] {
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
	return most, ended.Err(ctx)
}

// NewWideSolver returns a solver of p, as NewSolver does, that works with few columns at a time.
// The error may also be that of ctx.
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

// optimizeAll finds the optimum over all columns for the current right-hand sides.
func (s *Solver) optimizeAll(ctx context.Context, limit func() int) error {
	ctx, stop := team.With(ctx, 1)
	defer stop()
	for {
		if err := s.optimize(ctx, limit()); err != nil || s.pool == nil {
			return err
		}
		columns, err := s.pool.violated(ctx, s.t, s.careful)
		if err != nil || len(columns) == 0 {
			return err
		}
		if over := len(s.pool.of) + len(columns) - s.pool.room; over > 0 {
			s.narrow(over)
			columns = columns[:min(len(columns), max(fewest, s.pool.room-len(s.pool.of)))]
		}
		slices.Sort(columns)
		if err := s.widen(ctx, columns); err != nil {
			return err
		}
	}
}

// widen adds columns to the solver's pool, as inactive rows of the dual. The next refresh computes
// their values.
func (s *Solver) widen(ctx context.Context, columns []int) error {
	if err := s.pool.add(ctx, columns); err != nil {
		return err
	}
	s.p = s.pool.problem()
	for c, i := range s.basic {
		s.rows[c] = s.pool.wider(s.rows[c], i)
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
	s.w.wide(s.n)
	return nil
}

// narrow removes up to over columns from the solver's pool: inactive rows of the dual that have a
// range and were not removed before. Those whose constraints hold by the largest margin go first.
func (s *Solver) narrow(over int) {
	type candidate struct {
		k     int
		slack float64
	}
	var all []candidate
	for k, j := range s.pool.of {
		lower, upper := s.p.Lower[k], s.p.Upper[k]
		if s.posR[k] < 0 && !s.pool.gone[j] && upper > lower {
			all = append(all, candidate{k, min(upper-s.act[k], s.act[k]-lower) / (upper - lower)})
		}
	}
	slices.SortFunc(all, func(a, b candidate) int {
		if c := cmp.Compare(b.slack, a.slack); c != 0 {
			return c
		}
		return cmp.Compare(a.k, b.k)
	})
	goes := make([]bool, s.n)
	for _, c := range all[:min(over, len(all))] {
		goes[c.k] = true
	}
	var places []int
	at := make([]int, s.n)
	for k := range s.n {
		if at[k] = len(places); !goes[k] {
			places = append(places, k)
		}
	}
	s.pool.keep(places)
	s.x, s.act, s.atCost, s.normR = chosen(s.x, places), chosen(s.act, places), chosen(s.atCost, places), chosen(s.normR, places)
	s.highR, s.posR = chosen(s.highR, places), chosen(s.posR, places)
	for r, k := range s.active {
		s.active[r] = at[k]
	}
	s.p, s.n = s.pool.problem(), len(places)
	for c := range s.rows {
		s.rows[c] = chosen(s.rows[c], places)
	}
	s.w.wide(s.n)
}
