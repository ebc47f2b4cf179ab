// Package mkc trains minimal kernel classifiers (Fung, Mangasarian and Smola, Minimal Kernel
// Classifiers, Journal of Machine Learning Research 3, 2002), and the 1-norm support vector machine
// from which they start.
//
// Fill a [Trainer] with [Default] and a kernel and call Train: see the package example. [Solver]
// serves train.OneVsOne and train.OneVsRest.
//
// # Problem
//
// Among the classifiers f(x) = K(x, C) u - gamma with few errors y and small u, find one where few
// y and few u are not 0. Given rows A with labels D = diag(+1 or -1), and some of the rows as
// centres C, minimise the "pound" loss x + mu [x > 0], smoothed (25):
//
//	min  nu 1'(y + mu (1 - e^(-alpha y))) + 1'(v + mu (1 - e^(-alpha v)))
//	s.t. D (K(A,C) u - gamma 1) + y >= 1,  -v <= u <= v,  y >= 0
//
// # Method
//
// Algorithm 4.2, successive linear approximation: solve the linear programme (10), which is the
// same with mu = 0. Then repeatedly solve it with the costs
//
//	cy_i = nu (1 + mu alpha e^(-alpha y_i)),  cv_j = 1 + mu alpha e^(-alpha v_j)     (26)
//
// at the last solution, until they bring no gain (27). The smoothed loss decreases with every
// programme.
//
// Misprints in the paper are corrected: the second term of (27) has mu, not nu; the first of (18)
// is nu e'y#, not ve'y#; in (11), r and s are in R^m, as t is, not in R^n; and the smooth problem
// said to have the solutions of (18) is (25), not (24).
//
//	paper     here
//	nu        Solver.Nu, times the weight of class and row
//	mu, alpha Solver.Mu, Solver.Alpha
//	A bar     the centres: Solver.Columns of the rows (remark 4.3)
//	D u       Result.Coef, of the rows of the problem
//	gamma     Result.Rho
//	m1        len(Result.Rows), rows with a multiplier t > 0 in the last programme
//	m2        len(Result.Vectors), the kernel support vectors
//
// The labels are on one side of the kernel only, which changes signs of u.
package mkc

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/internal/onenorm"
)

// A Solver finds the minimal kernel classifier of two classes, or with Mu = 0 the 1-norm support
// vector machine.
type Solver struct {
	Nu    float64 // cost of errors; multiplied by the weight of a row's class and by the row's own
	Mu    float64 // cost of any error and of any vector, relative to the cost of its size
	Alpha float64 // steepness of the smoothed step
	// Columns is the number of rows that may become vectors, selected by Sample; 0: see ColumnsOf.
	Columns int
	Sample  Sample // how these rows are selected
	Seed    uint64 // of random choices
	// Programmes is the largest number of linear programmes, the first included. train.Minimised
	// and Result say if it was reached.
	Programmes int
	// MatrixMB limits the memory for kernel values, in MiB. A kernel matrix that does not fit is
	// computed in parts, repeatedly. The columns of the vectors in use are kept in any case: 8
	// bytes for each row and vector.
	MatrixMB float64
	Report   train.Report // a train.OneVsOne or OneVsRest uses its own instead
}

var _ train.Solver = Solver{}

// A Sample says which rows may become vectors if not all may.
type Sample string

// The samples.
const (
	Random     Sample = "random"     // drawn at random by the seed
	Systematic Sample = "systematic" // at equal distances, class by class
)

// Default returns the default parameters. The paper gives only alpha; it tunes the others to the
// data.
func Default() Solver {
	return Solver{Nu: 10, Mu: 1, Alpha: 5, Sample: Random, Seed: 1, Programmes: 50, MatrixMB: 500}
}

// Validate returns an error that names the first parameter that is out of range.
func (s Solver) Validate() error {
	positive := func(name string, v float64) error {
		if !(v > 0 && v <= math.MaxFloat64) {
			return fmt.Errorf("%s %v is not a positive number", name, v)
		}
		return nil
	}
	switch {
	case s.Programmes == 0 && s.MatrixMB == 0:
		return errors.New("Programmes and MatrixMB are 0: Default sets them")
	case !(s.Mu >= 0 && s.Mu <= math.MaxFloat64):
		return fmt.Errorf("mu %v is not a number from 0 on", s.Mu)
	case s.Columns < 0:
		return fmt.Errorf("%d columns: expected 0, for the default, or more", s.Columns)
	case s.Programmes < 1:
		return fmt.Errorf("%d linear programs: expected 1 or more", s.Programmes)
	case s.Sample != Random && s.Sample != Systematic:
		return fmt.Errorf("sample %q: expected %s or %s", s.Sample, Random, Systematic)
	}
	return errors.Join(positive("nu", s.Nu), positive("alpha", s.Alpha), positive("matrix memory", s.MatrixMB))
}

// A Result is a classifier of two classes, f(x) = sum_i Coef[i] K(X[i], x) - Rho, with the paper's
// measures of it.
type Result struct {
	Coef []float64 // one for each row of the problem
	Rho  float64   // offset of the function
	// Vectors are the rows with a coefficient, Rows those with a multiplier in the last linear
	// programme. Training on these rows only, with these vectors and the costs of the last
	// programme, gives the same classifier.
	Vectors, Rows []int
	// LeaveOneOutErrors is the number of rows that may be answered wrongly if they are left out of
	// training, by (13): those with a multiplier or a coefficient in the first programme, and those
	// whose multiplier is in the basis with the value 0. It is a bound if that programme has a single
	// solution, and for training with the same centres. On data of few different values it may have
	// several solutions, of which each training takes one; and without a row, others become centres
	// if not all may.
	LeaveOneOutErrors int
	leaveOneOut       []int     // these rows
	Programmes        int       // number of linear programmes
	Unfinished        bool      // Solver.Programmes was reached before (27) held
	Pivots            []int     // of each programme
	Objective         float64   // of the last programme
	Loss              []float64 // (25) after each programme
	Gap               float64   // largest relative duality gap
}

// CorrectBound returns (12), a lower bound on the leave-one-out correctness.
func (r *Result) CorrectBound() float64 {
	return float64(len(r.Coef)-r.LeaveOneOutErrors) / float64(len(r.Coef))
}

// ErrorBound returns (13), an upper bound on the leave-one-out error.
func (r *Result) ErrorBound() float64 { return float64(r.LeaveOneOutErrors) / float64(len(r.Coef)) }

// Solve implements train.Solver.
func (s Solver) Solve(ctx context.Context, p *train.Problem) (*train.Solution, error) {
	r, err := s.Classify(ctx, p)
	if err != nil {
		return nil, err
	}
	pivots := 0
	for _, n := range r.Pivots {
		pivots += n
	}
	return &train.Solution{Coef: r.Coef, Rho: r.Rho, Iterations: pivots, Objective: r.Objective}, nil
}

// Classify solves the problem. It reports train.Progress, one train.Minimised and train.Solved.
func (s Solver) Classify(ctx context.Context, p *train.Problem) (*Result, error) {
	switch {
	case p == nil:
		return nil, errors.New("no problem")
	case p.Kernel == nil:
		return nil, errors.New("no kernel")
	}
	weight, err := s.weights(p)
	if err != nil {
		return nil, err
	}
	report := p.EffectiveReport(s.Report)
	columns := s.columns(p)
	centres := p.X.Select(columns)
	lps, err := onenorm.New(ctx, p.Kernel, &p.X, p.Y, &centres, int(min(s.MatrixMB*(1<<20)/8, math.MaxInt32)))
	if err != nil {
		return nil, cause(err, p, columns)
	}
	run := &linearisation{solver: s, lps: lps, weight: weight, points: len(columns)}
	done := 0
	lps.Progress = func(pivots int) { report.Send(train.Progress{Iterations: done + pivots}) }
	for !run.finished {
		if err := run.step(ctx); err != nil {
			return nil, cause(err, p, columns)
		}
		done += run.last.Pivots
		report.Send(train.Progress{Iterations: done})
	}
	r := run.result(columns)
	r.send(report, p, done, run.last.Objective)
	return r, nil
}

// ErrNotSolved reports a linear programme without a solution whose optimality can be certified in
// float64.
var ErrNotSolved = onenorm.ErrNotSolved

// ErrCosts reports that the costs of a linear programme overflow.
var ErrCosts = errors.New("the costs overflow: lower nu, mu or alpha, or the weights of classes and rows")

func cause(err error, p *train.Problem, columns []int) error {
	switch {
	case errors.Is(err, onenorm.ErrNotFinite):
		if _, own := kernel.FileName(p.Kernel); !own {
			return blame(p, columns)
		}
		return train.ErrOverflow
	case errors.Is(err, onenorm.ErrCosts):
		return ErrCosts
	}
	return err
}

// blame returns the error for values of a caller's own kernel that overflow. It names the first one
// that is not finite, if there is one.
func blame(p *train.Problem, columns []int) error {
	centres := p.X.Select(columns)
	values := make([]float64, len(columns))
	for i := range p.X.Len() {
		p.Kernel.EvaluateTo(values, p.X.Row(i), &centres)
		for j, v := range values {
			if v-v != 0 {
				return &train.KernelError{Rows: [2]int{i, columns[j]}, Value: v}
			}
		}
	}
	return train.ErrOverflow
}

// send reports that the machine of a problem has been found.
func (r *Result) send(report train.Report, p *train.Problem, pivots int, objective float64) {
	rows := slices.Clone(r.leaveOneOut)
	if p.Rows != nil {
		for k, i := range rows {
			rows[k] = p.Rows[i]
		}
	}
	report.Send(train.Minimised{
		Programmes: r.Programmes, FirstPivots: r.Pivots[0], Pivots: pivots,
		Rows: len(r.Rows), Vectors: len(r.Vectors), LeaveOneOutErrors: r.LeaveOneOutErrors, Of: len(r.Coef), LeaveOneOutRows: rows,
		Unfinished: r.Unfinished,
	})
	report.Send(train.Solved{
		Iterations: pivots, Name: "mkc", Objective: objective, Rho: r.Rho, Vectors: len(r.Vectors),
	})
}

// weights returns the cost of each row's error.
func (s Solver) weights(p *train.Problem) ([]float64, error) {
	w := make([]float64, len(p.Y))
	for i, y := range p.Y {
		if y > 0 {
			w[i] = p.Weight.Pos.Times(s.Nu)
		} else {
			w[i] = p.Weight.Neg.Times(s.Nu)
		}
		if err := train.CheckCost(w[i], train.OfClass); err != nil {
			return nil, err
		}
		if p.RowWeight != nil {
			w[i] *= p.RowWeight[i]
		}
		if err := train.CheckCost(w[i], train.OfRow); err != nil {
			return nil, err
		}
	}
	return w, nil
}
