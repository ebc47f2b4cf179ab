package smo

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/internal/team"
)

// CSVC is the classifier with cost C for margin errors:
//
//	minimise  1/2 a'Qa - sum a   subject to  y'a = 0,  0 <= a_i <= C w_i,
//
// with Q_ij = y_i y_j K_ij. w_i is the weight of row i's class times the row's own weight, 1 if
// there are none. The coefficients are y_i a_i. C may be +Inf, which allows no error. Cortes and
// Vapnik 1995.
type CSVC struct {
	C float64 // cost of a margin error, above 0
	Options
}

// NuSVC is the classifier whose nu in (0, 1] is an upper bound on the share of margin errors and a
// lower bound on the share of support vectors:
//
//	minimise  1/2 a'Qa   subject to  y'a = 0,  sum a = nu sum w,  0 <= a_i <= w_i,
//
// where w_i is the row's weight, 1 if it has none. Class weights are not used. The coefficients are
// y_i a_i / r, with r the margin. Scholkopf et al. 2000.
type NuSVC struct {
	Nu float64 // in (0, 1]
	Options
}

var (
	_ train.StoreSolver = CSVC{}
	_ train.StoreSolver = NuSVC{}
)

// TakesStore implements train.StoreSolver.
func (CSVC) TakesStore() {}

// TakesStore implements train.StoreSolver.
func (NuSVC) TakesStore() {}

// DefaultCSVC returns LIBSVM's defaults: C is 1.
func DefaultCSVC() CSVC { return CSVC{C: 1, Options: DefaultOptions()} }

// DefaultNuSVC returns LIBSVM's defaults: nu is 0.5. Set the trainer's Task to models.NuSVC: the
// model of a trainer without a Task is called one of C-SVC, though it answers the same.
func DefaultNuSVC() NuSVC { return NuSVC{Nu: 0.5, Options: DefaultOptions()} }

// Validate returns an error unless C is above 0 and the options are valid.
func (s CSVC) Validate() error {
	if err := s.Options.Validate(); err != nil {
		return err
	}
	return checkCost(s.C)
}

// Validate returns an error unless nu is in (0, 1] and the options are valid.
func (s NuSVC) Validate() error {
	if err := s.Options.Validate(); err != nil {
		return err
	}
	return checkNu(s.Nu)
}

// checkCost accepts an infinite cost, which allows no error.
func checkCost(c float64) error {
	if !(c > 0) {
		return train.ErrCost
	}
	return nil
}

func checkNu(nu float64) error {
	if !(nu > 0 && nu <= 1) {
		return errors.New("nu <= 0 or nu > 1")
	}
	return nil
}

// Solve implements train.Solver.
func (s CSVC) Solve(ctx context.Context, p *train.Problem) (*train.Solution, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	s.Report = p.EffectiveReport(s.Report)
	costPos, costNeg := p.Weight.Pos.Times(s.C), p.Weight.Neg.Times(s.C)
	if err := train.CheckCost(min(costPos, costNeg), train.OfClass); err != nil {
		return nil, err
	}
	if w := fewOf(ctx, p); w != nil {
		defer w.release()
		cost := w.cost[:len(p.Y)]
		if err := costsTo(cost, p, costPos, costNeg); err != nil {
			return nil, err
		}
		if w.solve(p, s.Options) {
			return s.finish(p, &w.result, cost, costPos, costNeg)
		}
	}
	ctx, stop := team.With(ctx, s.Threads)
	defer stop()
	n := len(p.Y)
	gram, err := train.PackGram(ctx, p.Kernel, &p.X, p.Store, p.Rows)
	if err != nil {
		return nil, err
	}
	src := newRowSource(ctx, gram, s.CacheMB)
	defer src.release()
	q := newQP(src, n, src.work)
	q.B = p.Coef
	cost := src.work.zeros(n)
	if err := costsTo(cost, p, costPos, costNeg); err != nil {
		return nil, err
	}
	for i, y := range p.Y {
		q.P[i] = -y
		if y > 0 {
			q.Upper[i] = cost[i]
		} else {
			q.Lower[i] = -cost[i]
		}
	}
	r, err := q.Solve(ctx, s.Options)
	if err != nil {
		return nil, err
	}
	return s.finish(p, r, cost, costPos, costNeg)
}

// costsTo sets cost to the costs of the problem's rows. It returns an error for one that is not
// usable.
func costsTo(cost []float64, p *train.Problem, costPos, costNeg float64) error {
	for i, y := range p.Y {
		weight := 1.0
		if p.RowWeight != nil {
			weight = p.RowWeight[i]
		}
		if cost[i] = float64(costNeg * weight); y > 0 {
			cost[i] = float64(costPos * weight)
		}
		if err := train.CheckCost(cost[i], train.OfRow); err != nil {
			return err
		}
	}
	return nil
}

// finish makes the solution of r.
func (s CSVC) finish(p *train.Problem, r *Result, cost []float64, costPos, costNeg float64) (*train.Solution, error) {
	sum := 0.0
	for i, y := range p.Y {
		sum += float64(y * r.B[i])
	}
	name := "nu"
	if costPos != costNeg || p.RowWeight != nil {
		name = ""
	}
	e := train.Solved{Name: name, Value: sum / float64(costPos*float64(len(p.Y)))}
	return finish(s.Report, r, p, 1, func(i int) float64 { return cost[i] }, e)
}

// errNoMargin: the margin of nu-SVC is 0.
var errNoMargin = errors.New("nu-SVC finds no margin between the classes: to the kernel too many of their rows are the same")

// Solve implements train.Solver.
func (s NuSVC) Solve(ctx context.Context, p *train.Problem) (*train.Solution, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	ctx, stop := team.With(ctx, s.Threads)
	defer stop()
	s.Report = p.EffectiveReport(s.Report)
	n := len(p.Y)
	weights := newShares(p.RowWeight, n)
	gram, err := train.PackGram(ctx, p.Kernel, &p.X, p.Store, p.Rows)
	if err != nil {
		return nil, err
	}
	src := newRowSource(ctx, gram, s.CacheMB)
	defer src.release()
	q := newQP(src, n, src.work)
	q.B = p.Coef
	q.Nu = true
	restPos := s.Nu * weights.total / 2
	restNeg := restPos
	for i, y := range p.Y {
		if y > 0 {
			q.Upper[i] = weights.of(i)
			q.Start[i] = min(q.Upper[i], restPos)
			restPos -= q.Start[i]
		} else {
			q.Lower[i] = -weights.of(i)
			q.Start[i] = -min(-q.Lower[i], restNeg)
			restNeg += q.Start[i]
		}
	}
	r, err := q.Solve(ctx, s.Options)
	if errors.Is(err, errNuLarge) {
		return nil, fmt.Errorf("%w; between these classes nu has to be below %.6g", err, mostNu(q))
	}
	if err != nil {
		return nil, err
	}
	scale := 1 / r.R
	if math.IsInf(scale, 0) {
		return nil, errNoMargin
	}
	if noise := s.noise(src, n, weights.total); math.Abs(r.R) <= noise || r.R < 0 && definite(p.Kernel) {
		s.Report.Send(train.NoMargin{Margin: r.R})
	}
	r.Rho /= r.R
	r.Objective /= float64(r.R * r.R)
	bound := func(i int) float64 { return float64(weights.of(i) * scale) }
	return finish(s.Report, r, p, scale, bound, train.Solved{Name: "C", Value: math.Ldexp(scale, -weights.exponent)})
}

// mostNu returns the nu with which all rows of the smaller class are at their bound.
func mostNu(q *QP) float64 {
	pos, neg := 0.0, 0.0
	for i := range q.Upper {
		pos, neg = pos+q.Upper[i], neg-q.Lower[i]
	}
	return 2 * min(pos, neg) / (pos + neg)
}

// noise returns a bound of the rounding error of the margin of n rows: kernel values are kept as
// float32, and the coefficients add up to nu times all weights.
func (s NuSVC) noise(src *rowSource, n int, total float64) float64 {
	diag := make([]float64, n)
	src.DiagTo(diag)
	most := 0.0
	for _, v := range diag {
		most = max(most, math.Abs(v))
	}
	return 0x1p-25 * s.Nu * total * most
}

// definite reports whether the kernel matrix has no negative eigenvalues, so that a negative margin
// is a rounding error. A sigmoid's matrix may have negative ones.
func definite(k kernel.Kernel) bool {
	switch k := k.(type) {
	case kernel.Linear, kernel.RBF:
		return true
	case kernel.Poly:
		return k.Gamma >= 0 && k.Coef0 >= 0
	}
	return false
}

// Feasible reports whether nu-SVC with this nu has a solution for every pair of classes. sizes has
// the number of rows of each class, or the sum of their weights.
func (s NuSVC) Feasible(sizes []float64) bool {
	for i, n1 := range sizes {
		for _, n2 := range sizes[i+1:] {
			if s.Nu*(n1+n2)/2 > min(n1, n2) {
				return false
			}
		}
	}
	return true
}

// newQP returns a programme of n variables whose vectors are all zero.
func newQP(src Source, n int, w *workspace) *QP {
	var q *QP
	if w != nil {
		q = &w.qp
	} else {
		q = new(QP)
	}
	*q = QP{Q: src, P: w.zeros(n), Lower: w.zeros(n), Upper: w.zeros(n), Start: w.zeros(n)}
	return q
}

// finish makes a classifier's solution of r, with coefficients b times scale. It counts those that
// reach their row's bound, completes e and sends it.
func finish(report train.Report, r *Result, p *train.Problem, scale float64, bound func(i int) float64, e train.Solved) (*train.Solution, error) {
	e.Iterations, e.Objective, e.Rho = r.Iterations, r.Objective, r.Rho
	coef := r.B
	for i, b := range coef {
		if p.Y[i] < 0 && b == 0 {
			b = math.Copysign(0, -1) // y_i a_i with a_i = 0
		}
		coef[i] = float64(b * scale)
		if b != 0 {
			e.Vectors++
			if math.Abs(coef[i]) >= bound(i) {
				e.Bounded++
			}
		}
	}
	if report != nil && !p.Brief {
		told := e // converting it to an Event allocates a copy; e itself need not be allocated
		report.Send(told)
	}
	s := p.Solution
	if s == nil {
		s = new(train.Solution)
	}
	*s = train.Solution{Coef: coef, Rho: r.Rho, Iterations: r.Iterations, Objective: r.Objective}
	return s, nil
}
