// Package smo trains support vector machines as LIBSVM does, by sequential minimal optimisation:
// C-SVC, nu-SVC, one-class SVM, epsilon-SVR and nu-SVR.
//
// Begin with the defaults of a formulation and set what differs:
//
//   - [DefaultCSVC] and [DefaultNuSVC] return solvers for two classes. Use them as the Solver of a
//     train.OneVsOne, see the example of [Options], or of a train.OneVsRest.
//   - [DefaultEpsilonSVR], [DefaultNuSVR] and [DefaultOneClass] return trainers. Set their Kernel.
//     See the example of [EpsilonSVR].
//
// The zero values cannot be used. Errors of settings have LIBSVM's words: in them eps is
// Options.Tolerance, cache_size Options.CacheMB, and p Epsilon. [QP] is the solver itself, for
// other programmes of the form below.
//
// # The problem
//
// All five formulations are one quadratic programme in signed variables b (for a classifier b_i =
// y_i alpha_i):
//
//	minimise    1/2 b'Kb + p'b
//	subject to  sum_i b_i constant,  l_i <= b_i <= u_i,
//
// where each variable's box is [0, C_i] or [-C_i, 0]. The nu formulations keep one constant sum for
// each of the two kinds of variables.
//
// # The method
//
// The method is that of Fan, Chen and Lin, "Working set selection using second order information
// for training support vector machines", JMLR 6 (2005), with LIBSVM's shrinking. It follows LIBSVM
// step by step, with its ties, its order of variables, and kernel rows rounded to float32, so that
// iterations, objective and coefficients are LIBSVM's to the last bit.
//
//	paper         here
//	alpha_i y_i   b[i]
//	y_i grad_i    f[i] = (Kb)_i + p_i
//	C_i           the end of the box that is not 0
//	G_bar         far[i], f without p if only variables at C_i counted
//	I_up, I_low   b[i] < upper[i], b[i] > lower[i]; sets up, low
//	m(b), M(b)    ends: min f over I_up, max f over I_low
//	tau           tau
//
// An iteration's steps are in select.go, update.go and shrink.go, and their inner loops in package
// scan. Vector instructions, kernel rows computed before they are needed (ahead.go), the cache,
// several iterations on few variables at once (activerows.go) and threads (passes.go, spans.go) make
// it fast. Classifiers of a few rows go through the same steps in less memory (few.go). None of this
// changes a result.
package smo

import (
	"context"
	"errors"

	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
)

// Options control the solver, not the problem that it solves. Zero Options cannot be used: start
// from [DefaultOptions].
type Options struct {
	Tolerance float64 // of the optimality conditions, above 0; svm-train's -e
	// CacheMB is the memory for kernel rows in MiB, above 0. All problems that are solved at once
	// share it.
	CacheMB   float64
	Shrinking bool // leave out variables that are likely to stay at a bound
	// Report receives the events; nil: they are dropped. A trainer of classifiers, such as
	// train.OneVsOne, uses its own Report instead, even if that is nil.
	Report train.Report
	// Threads is the largest number of threads; 0 means one for each processor (GOMAXPROCS). A trainer
	// of classifiers, such as train.OneVsOne, uses its own Threads instead, even if that is 0. Results
	// do not depend on it.
	Threads int
}

// Workers implements train.Forker for the trainers that embed Options.
func (o Options) Workers() int { return o.Threads }

// DefaultOptions returns LIBSVM's defaults: tolerance 0.001, a cache of 100 MiB, shrinking.
func DefaultOptions() Options {
	return Options{Tolerance: 0.001, CacheMB: 100, Shrinking: true}
}

// errUnset: the options are zero values.
var errUnset = errors.New("Tolerance and CacheMB are 0: DefaultOptions sets them")

// Validate returns an error unless the options are valid.
func (o Options) Validate() error {
	switch {
	case o.CacheMB == 0 && o.Tolerance == 0:
		return errUnset
	case !(o.CacheMB > 0):
		return errors.New("cache_size <= 0")
	}
	return o.checkTolerance()
}

func (o Options) checkTolerance() error {
	if !(o.Tolerance > 0) {
		return errors.New("eps <= 0")
	}
	return nil
}

// A Source gives the rows of a kernel matrix of Len() variables. Variables have positions, which
// Swap exchanges; all arguments are positions.
type Source interface {
	// Len returns the number of variables.
	Len() int
	// DiagTo sets dst[i] = K_ii.
	DiagTo(dst []float64)
	// Row returns K_ij for j < n. The row is valid until Row is called a second time after that.
	Row(i, n int) []float32
	// Part sets dst[r][t-from] = K_it for from <= t < to and i = rows[r]. There are at most
	// PartRows rows, all different, and each dst[r] has length to - from. Instead of filling
	// dst[r], Part may replace it by a slice that already holds the values and is valid until the
	// next call.
	Part(dst [][]float32, rows []int, from, to int)
	// Swap exchanges two positions, for each pair in turn.
	Swap(pairs []Pair)
}

// PartRows is the largest number of rows in a call of Source.Part.
const PartRows = kernel.MaxBlockRows

// A Pair is two positions of variables.
type Pair = struct{ I, J int }

// A QP is the quadratic programme of the package comment. All slices have length Q.Len().
type QP struct {
	Q            Source    // the matrix K
	P            []float64 // the linear term p
	Lower, Upper []float64 // 0 and C, or -C and 0, with C > 0
	Start        []float64 // a feasible b; the solution has the same sum, or both sums with Nu
	// Nu keeps the sums of the two kinds of variables constant separately.
	Nu bool
	// B is memory for the Result's B; nil: it is allocated.
	B []float64
}

// A Result is a solution of a [QP].
type Result struct {
	B []float64 // in the original order of variables
	// Rho is the dual variable of the equality constraint. In a nu programme, which has two such
	// constraints, R is half the distance between their dual variables.
	Rho, R     float64
	Objective  float64
	Iterations int
}

// Solve solves the programme to o.Tolerance. It stops earlier at a limit of iterations (10 million,
// or 100 for each variable if that is more), which it reports. It ignores o.CacheMB: caching is up
// to q.Q.
//
// A QP can be solved once: its slices and the positions of variables in q.Q change. The result may
// share memory with q.Q.
func (q *QP) Solve(ctx context.Context, o Options) (*Result, error) {
	if err := o.checkTolerance(); err != nil {
		return nil, err
	}
	s, err := newState(ctx, q, o)
	if err != nil {
		return nil, err
	}
	if err := s.run(ctx); err != nil {
		return nil, s.named(err)
	}
	if s.work != nil {
		s.work.keep(s.rows, s.swaps)
		if s.n <= smallMost {
			s.work.pool.record(s.b, s.iterations)
		}
	}
	r, err := s.result(q.B)
	return r, s.named(err)
}
