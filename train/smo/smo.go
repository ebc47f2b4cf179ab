// Package smo trains support vector machines by sequential minimal
// optimisation: C-SVC, nu-SVC, one-class SVM, epsilon-SVR and nu-SVR.
//
// All five are one quadratic programme in signed variables b (for a classifier
// b_i = y_i alpha_i):
//
//	minimise    1/2 b'Kb + p'b
//	subject to  sum_i b_i constant,  l_i <= b_i <= u_i,
//
// where each variable's box is [0, C_i] or [-C_i, 0]. The nu formulations keep
// one sum constant for each of the two kinds. The method is that of Fan, Chen
// and Lin, "Working set selection using second order information for training
// support vector machines", JMLR 6 (2005), with LIBSVM's shrinking; the path is
// LIBSVM's step by step (its ties, its order of variables, kernel rows rounded
// to float32), so that iterations, objective and coefficients are its own to the
// last bit.
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
// The steps of an iteration are in select.go, update.go and shrink.go, their inner
// loops in package scan. What makes it fast never shows in a result: vector
// instructions, kernel rows computed before they are needed (ahead.go), the cache,
// iterations on few variables in one go (near.go), threads.
package smo

import (
	"context"
	"errors"

	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
)

// Options control the solver; they do not change what is solved. Zero Options cannot be used:
// those of DefaultOptions are where to begin.
type Options struct {
	Tolerance float64 // of the optimality conditions, above 0; LIBSVM's eps
	// CacheMB is the memory for kernel rows, in MB of 2^20 bytes, of all problems solved at once,
	// above 0.
	CacheMB   float64
	Shrinking bool // leave out variables that are likely to stay at a bound
	// Report is told what happens; nil: nobody. In trainers of classifiers theirs takes its place, nil too.
	Report train.Report
	// Threads is the largest number of threads, 0 for one a processor (GOMAXPROCS).
	// Results do not depend on it.
	Threads int
}

// Workers is part of train.Forker.
func (o Options) Workers() int { return o.Threads }

// DefaultOptions are LIBSVM's.
func DefaultOptions() Options {
	return Options{Tolerance: 0.001, CacheMB: 100, Shrinking: true}
}

// errUnset are options that nobody has set.
var errUnset = errors.New("cache_size and eps are 0: DefaultOptions sets them")

// Validate returns an error unless the options can be used.
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

// A Source gives the rows of a kernel matrix of Len variables. Variables have
// positions, which Swap exchanges.
type Source interface {
	Len() int
	// DiagTo sets dst[i] = K_ii.
	DiagTo(dst []float64)
	// Row returns K_ij for j < n. The row is valid until the second next call.
	Row(i, n int) []float32
	// Part makes dst[r][t-from] = K_it for from <= t < to and i = rows[r]. There are
	// at most PartRows rows, which differ; every dst[r] has length to - from. Where the
	// values are there already they are put in its place, until the next call.
	Part(dst [][]float32, rows []int, from, to int)
	// Swap exchanges two positions, for each pair in turn.
	Swap(pairs []Pair)
}

// PartRows is the largest number of rows in a call of Source.Part.
const PartRows = kernel.MaxBlockRows

// A Pair is two positions.
type Pair struct{ I, J int }

// A QP is the quadratic programme above. All slices have the length of Q.
type QP struct {
	Q            Source
	P            []float64
	Lower, Upper []float64 // 0 and C, or -C and 0, with C > 0
	Start        []float64 // a feasible b; its sum, or both sums, are kept
	// Nu keeps the sums of the two kinds of variables apart.
	Nu bool
	// B is room for the Result's; nil: it is allocated.
	B []float64
}

// A Result is a solution of a QP. In original order: B. For the dual variable of
// the equality constraint: Rho, and for a nu programme also R, half the distance
// between the two constraints' dual variables.
type Result struct {
	B          []float64
	Rho, R     float64
	Objective  float64
	Iterations int
}

// Solve solves the programme to the tolerance of o, or until the limit of
// iterations (10 million, or 100 for each variable if that is more), which is
// reported. The programme is used up: its slices and the positions of variables
// in q.Q change. The result may be in the memory of q.Q. CacheMB is for who made q.Q.
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
			s.work.stock.note(s.b, s.iterations)
		}
	}
	r, err := s.result(q.B)
	return r, s.named(err)
}
