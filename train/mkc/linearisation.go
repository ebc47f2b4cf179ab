package mkc

import (
	"context"
	"math"
	"slices"

	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train/internal/onenorm"
)

// A linearisation is the state of algorithm 4.2.
type linearisation struct {
	solver Solver
	lps    *onenorm.Programme
	weight []float64 // nu, of each row
	points int       // number of centres

	cy, cv   []float64 // costs of the last programme
	last     *onenorm.Solution
	first    *onenorm.Solution
	pivots   []int
	loss     []float64
	gap      float64
	finished bool
	gained   bool // the last programme brought a gain: (27) does not hold
}

// stopping is the share of the objective up to which a gain counts as none in (27).
const stopping = 1e-6

// step solves one linear programme: (10) at first, then (26).
func (l *linearisation) step(ctx context.Context) error {
	s := l.solver
	if l.last == nil {
		l.cy, l.cv = l.weight, slices.Repeat([]float64{1}, l.points)
	} else {
		l.cy, l.cv = l.costs()
	}
	sol, err := l.lps.Solve(ctx, l.cy, l.cv)
	if err != nil {
		return err
	}
	l.pivots = append(l.pivots, sol.Pivots)
	l.gap = max(l.gap, sol.Gap)
	l.loss = append(l.loss, l.lossOf(sol))
	before := l.last
	l.last = sol
	if before == nil {
		l.first = sol
		l.gained = s.Mu > 0
		l.finished = !l.gained || s.Programmes == 1
		return nil
	}
	// (27), with mu in its second term: the linearised gain
	gain, size := 0.0, 0.0
	for i, c := range l.cy {
		gain += float64(c * (sol.Y[i] - before.Y[i]))
		size += float64(c * before.Y[i])
	}
	for j, c := range l.cv {
		gain += float64(c * (math.Abs(sol.U[j]) - math.Abs(before.U[j])))
		size += float64(c * math.Abs(before.U[j]))
	}
	l.gained = !(gain > -stopping*(1+size))
	l.finished = !l.gained || len(l.pivots) == s.Programmes
	return nil
}

// costs returns the costs (26) at the last solution.
func (l *linearisation) costs() (cy, cv []float64) {
	s := l.solver
	cy, cv = make([]float64, len(l.last.Y)), make([]float64, len(l.last.U))
	for i, y := range l.last.Y {
		cy[i] = l.weight[i] * (1 + float64(s.Mu*s.Alpha*kernel.Exp(-s.Alpha*y)))
	}
	for j, u := range l.last.U {
		cv[j] = 1 + float64(s.Mu*s.Alpha*kernel.Exp(-s.Alpha*math.Abs(u)))
	}
	return cy, cv
}

// lossOf returns the loss (25) of a solution.
func (l *linearisation) lossOf(sol *onenorm.Solution) (loss float64) {
	pound := func(x float64) float64 {
		return x + float64(l.solver.Mu*(1-kernel.Exp(-l.solver.Alpha*x)))
	}
	for i, y := range sol.Y {
		loss += float64(l.weight[i] * pound(y))
	}
	for _, u := range sol.U {
		loss += pound(math.Abs(u))
	}
	return loss
}

// result returns the classifier of the last solution. columns are the rows of the centres.
func (l *linearisation) result(columns []int) *Result {
	m := len(l.weight)
	r := &Result{
		Coef: make([]float64, m), Rho: l.last.Gamma, Programmes: len(l.pivots), Unfinished: l.gained, Pivots: l.pivots,
		Objective: l.last.Objective, Loss: l.loss, Gap: l.gap,
	}
	for j, is := range l.last.Vectors {
		if is {
			i := columns[j]
			r.Coef[i] = l.last.U[j]
			r.Vectors = append(r.Vectors, i)
		}
	}
	for i, is := range l.last.Rows {
		if is {
			r.Rows = append(r.Rows, i)
		}
	}
	// If t_i = 0 is in the basis, other vertices may be optimal without row i.
	leaveOneOut := slices.Clone(l.first.Rows)
	for j, is := range l.first.Vectors {
		if is {
			leaveOneOut[columns[j]] = true
		}
	}
	for i, is := range leaveOneOut {
		if is || l.first.Basic[i] {
			r.LeaveOneOutErrors++
			r.leaveOneOut = append(r.leaveOneOut, i)
		}
	}
	return r
}
