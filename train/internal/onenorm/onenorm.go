// Package onenorm sets up the linear programmes of 1-norm kernel classifiers, and solves them one
// after the other with different costs.
//
// Problem: given rows S with labels d = +1 or -1, centres C, a kernel K, and costs cy, cv > 0,
// solve
//
//	min_{u, gamma, y}  cy'y + cv'|u|   s.t.  D (K(S,C) u - gamma 1) + y >= 1,  y >= 0
//
// with D = diag(d). The result is u and gamma of the classifier K(x,C) u - gamma, y, and the
// multipliers t of the first constraint. It is problem (10) of Fung, Mangasarian and Smola 2002,
// and, except for the signs of u, (1) of Gonzalez-Castano and Meyer.
//
// Method: package lp, with factors that are powers of two (see Programme). A solution is where the
// next Solve starts.
package onenorm

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/internal/ended"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train/internal/lp"
	"github.com/slimsvm/slimsvm/train/internal/team"
)

// ErrNotFinite reports a kernel value that is not finite.
var ErrNotFinite = errors.New("a value of the kernel is not finite")

// ErrCosts reports that costs overflow.
var ErrCosts = errors.New("the costs overflow")

// ErrNotSolved reports that no vertex was found whose optimality is certain.
var ErrNotSolved = errors.New("a linear program is too ill-conditioned to be solved: scale the features, or lower the cost or the kernel's degree")

// A Programme is a classifier's programme without its costs.
type Programme struct {
	Progress func(pivots int) // if not nil, called now and then

	d      []float64
	points int
	// The solver's programme has t unit lift in place of t, and u_j / scale_j in place of u_j. All
	// factors are powers of two. They make the tolerances mean the same for any kernel and any
	// costs:
	//
	//   - unit is near the largest K(x, x).
	//   - scale_j brings column j of the kernel near 1, because for most kernels |K(x, c)| is at most the
	//     root of K(x, x) K(c, c).
	//   - lift brings the largest cost to 1; each Solve has its own (liftOf).
	unit   float64
	a      *matrix
	solver *lp.Solver
}

// A Solution is an optimal vertex.
type Solution struct {
	U     []float64 // of each centre
	Gamma float64
	T, Y  []float64 // of each row
	// Vectors says for which centres u counts, and Rows for which rows t counts: see negligible.
	Vectors, Rows []bool
	// Basic says for which rows t is in the basis, which it may be with the value 0.
	Basic []bool
	// Objective is that of the primal; Gap is the relative difference of the dual's.
	Objective, Gap float64
	Pivots         int
}

// New returns the programme of the rows s with labels d and the centres c. If twice its matrix has
// at most keep numbers, or the kernel is precomputed, the matrix is kept. Otherwise its rows and
// columns are computed when they are needed, and keep numbers are kept.
func New(ctx context.Context, k kernel.Kernel, s *vec.Matrix, d []float64, c *vec.Matrix, keep int) (*Programme, error) {
	return NewWithBasis(ctx, k, s, d, c, nil, keep)
}

// NewWithBasis is New with the basis of the centres, which is made if basis is nil.
func NewWithBasis(ctx context.Context, k kernel.Kernel, s *vec.Matrix, d []float64, c *vec.Matrix, basis *kernel.Basis, keep int) (*Programme, error) {
	if s.Len() != len(d) {
		panic(fmt.Sprintf("onenorm: %d rows, %d labels", s.Len(), len(d)))
	}
	if err := ended.Err(ctx); err != nil {
		return nil, err
	}
	unit, scale := scales(k, s, c)
	p := &Programme{d: d, points: c.Len(), unit: unit}
	p.a = &matrix{k: k, s: s, c: c, d: d, scale: scale}
	if _, is := k.(kernel.Precomputed); is || s.Len() <= keep/2/(c.Len()+1) {
		if err := p.a.dense(ctx, basis); err != nil {
			return nil, err
		}
	} else {
		p.a.generated(keep)
	}
	if p.a.bad.Load() {
		return nil, ErrNotFinite
	}
	return p, nil
}

// scales returns unit and the scales of the columns.
func scales(k kernel.Kernel, s, c *vec.Matrix) (unit float64, scale []float64) {
	rows, centres := make([]float64, s.Len()), make([]float64, c.Len())
	k.DiagTo(rows, s)
	k.DiagTo(centres, c)
	most := 0.0
	for _, diag := range [][]float64{rows, centres} {
		for i, v := range diag {
			if v = math.Abs(v); !(v <= math.MaxFloat64) {
				v = 0
			}
			diag[i] = v
			most = max(most, v)
		}
	}
	if most == 0 {
		most = 1
	}
	unit = power(most)
	for _, v := range centres {
		if v == 0 {
			v = most
		}
		scale = append(scale, 1/max(power(math.Sqrt(most)*math.Sqrt(v)), leastScale))
	}
	return unit, scale
}

// leastScale is the smallest normal float64. The reciprocal of a subnormal one may be infinite.
const leastScale = 0x1p-1022

// power returns the largest power of two that is not above v.
func power(v float64) float64 {
	_, e := math.Frexp(v)
	return math.Ldexp(1, e-1)
}

// Solve solves the programme with the given costs, starting from the last solution if there is one,
// with the threads of ctx's team.
func (p *Programme) Solve(ctx context.Context, cy, cv []float64) (*Solution, error) {
	ctx, stop := team.With(ctx, 1)
	defer stop()
	m, n := len(p.d), p.points
	cost, lower, upper, unit := p.costs(cy, cv)
	if !finite(cost) || !finite(upper) {
		return nil, ErrCosts
	}
	first := p.solver == nil
	if first {
		b := make([]float64, m)
		for i := range b {
			b[i] = 1
		}
		s, err := newSolver(ctx, &lp.Problem{A: p.a.Matrix, B: b, Cost: cost, Lower: lower, Upper: upper})
		if err != nil {
			return nil, err
		}
		p.solver = s
	} else if err := p.solver.SetCosts(cost, lower, upper); err != nil {
		return nil, err
	}
	p.solver.Progress = p.Progress
	var sol *lp.Solution
	var err error
	pivots := 0
	if most := hugeCost * slices.Max(upper); first && m > 0 && slices.Max(cost) > most {
		sol, pivots, err = p.solveHuge(ctx, most/hugeCost*startCost, cost, lower, upper)
	} else if sol, err = p.solver.Solve(ctx); err == nil {
		pivots = sol.Pivots
	}
	if p.a.bad.Load() {
		return nil, ErrNotFinite
	}
	if errors.Is(err, lp.ErrNotSolved) {
		return nil, ErrNotSolved
	}
	if err != nil {
		return nil, err
	}
	vectors, rows := vectorsOf(sol.Reach[:n]), rowsOf(sol.T, cost)
	for j := range n {
		sol.X[j] *= p.a.scale[j]
	}
	if !finite(sol.X) {
		return nil, ErrNotSolved
	}
	for i := range sol.T {
		sol.T[i] /= unit
	}
	return &Solution{
		U: sol.X[:n:n], Gamma: sol.X[n], T: sol.T, Y: sol.Y, Vectors: vectors, Rows: rows, Basic: sol.Basic,
		Objective: sol.Primal / unit, Gap: sol.Gap(), Pivots: pivots,
	}, nil
}

// If an error costs hugeCost times as much as a u or more, the first Solve may begin with costs of
// at most startCost times as much: see solveHuge.
const (
	hugeCost  = 1e7
	startCost = 1e4
	patience  = 100 // pivots of a careful solver before that
)

// solveHuge solves the programme for the first time, with huge costs of errors. The way begins
// where t of all rows are at these costs. The sums of t of most other rows may then vanish in the
// rounding of these, and the solver walks through thousands of bases in twice the precision. Where
// it comes to that, it begins again with costs of at most most, and goes on with the true costs
// where these lead. If that leads nowhere, it walks. pivots is the number of all pivots.
func (p *Programme) solveHuge(ctx context.Context, most float64, cost, lower, upper []float64) (sol *lp.Solution, pivots int, err error) {
	s := p.solver
	if p.Progress != nil {
		s.Progress = func(more int) { p.Progress(pivots + more) }
	}
	solve := func(cost []float64) error {
		if err = s.SetCosts(cost, lower, upper); err == nil {
			sol, err = s.Solve(ctx)
			pivots += s.Pivots()
		}
		return err
	}
	defer func() { s.Patience = 0 }()
	s.Patience = patience
	solve(cost)
	if !errors.Is(err, lp.ErrNotSolved) {
		return sol, pivots, err
	}
	less := slices.Clone(cost)
	for i, c := range less {
		less[i] = min(c, most)
	}
	s.Restart()
	s.Patience += 2 * (len(cost) + len(upper))
	if solve(less) == nil {
		solve(cost)
	}
	if !errors.Is(err, lp.ErrNotSolved) {
		return sol, pivots, err
	}
	s.Restart()
	s.Patience = 0
	solve(cost)
	return sol, pivots, err
}

// costs returns the costs of the solver's programme, and the factor of its t: unit times lift.
func (p *Programme) costs(cy, cv []float64) (cost, lower, upper []float64, unit float64) {
	most, widest := 0.0, 0.0
	for _, c := range cy {
		most = max(most, c*p.unit)
	}
	for j, c := range cv {
		widest = max(widest, c*p.unit*p.a.scale[j])
	}
	unit = p.unit * liftOf(most, widest)
	cost, lower, upper = make([]float64, len(cy)), make([]float64, len(cv)+1), make([]float64, len(cv)+1)
	for i, c := range cy {
		cost[i] = c * unit
	}
	for j, c := range cv {
		upper[j] = c * unit * p.a.scale[j]
		lower[j] = -upper[j]
	}
	return cost, lower, upper, unit
}

// liftOf returns the power of two that brings the largest cost to 1 or more. The solver takes
// violations of 1e-9 for rounding, so costs must not be small compared with that. If the largest
// cost is large enough, the result is 1. The widest range of a centre must remain finite.
func liftOf(most, widest float64) float64 {
	if !(most > 0 && most < 1 && widest <= math.MaxFloat64) {
		return 1
	}
	return max(1, min(1/power(most), power(math.MaxFloat64/max(1, widest))))
}

// negligible is the size below which a value of a vertex counts as 0. For a u, what it adds to any
// row's value is compared with the margin, which is 1, or with the most that another u adds, if
// that is less. For a t, the value is compared with its own cost, or with the largest t, if that is
// less.
const negligible = 1e-7

// rounding is the size, compared with the margin, up to which a u counts as 0 in any case. If no
// vector is worth its cost, all u are rounding errors of about 1e-44, with nothing to compare them
// to.
const rounding = 1e-12

// vectorsOf reports which centres' u count. reach is the most that each adds to a row's value. The
// size of u itself says nothing: it is small where the kernel is large.
func vectorsOf(reach []float64) []bool {
	most, is := 1.0, make([]bool, len(reach))
	if len(reach) > 0 {
		most = min(most, slices.Max(reach))
	}
	for j, v := range reach {
		is[j] = v > max(rounding, negligible*most)
	}
	return is
}

// rowsOf reports which rows' t count. The t of a row with a small weight is always small compared
// with others, so it is compared with the row's cost.
func rowsOf(t, cost []float64) []bool {
	most, is := 0.0, make([]bool, len(t))
	for _, v := range t {
		most = max(most, math.Abs(v))
	}
	for i, v := range t {
		is[i] = math.Abs(v) > negligible*min(most, cost[i])
	}
	return is
}

// finite reports whether all values are finite numbers.
func finite(values []float64) bool {
	for _, v := range values {
		if !(math.Abs(v) <= math.MaxFloat64) {
			return false
		}
	}
	return true
}

// wideFrom is the number of columns from which the solver works with some of them at a time.
const wideFrom = 512

func newSolver(ctx context.Context, q *lp.Problem) (*lp.Solver, error) {
	if len(q.Upper) < wideFrom {
		return lp.NewSolver(q)
	}
	return lp.NewWideSolver(ctx, q)
}
