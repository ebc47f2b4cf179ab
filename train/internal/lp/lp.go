// Package lp solves the linear programmes of 1-norm support vector machines.
//
// Problem, for an m x n matrix A:
//
//	primal  min  sum_i cost_i y_i + sum_j (upper_j max(x_j, 0) + lower_j min(x_j, 0))
//	        s.t. A x + y >= b,  y >= 0
//	dual    max  b't
//	        s.t. lower <= A't <= upper,  0 <= t <= cost
//
// with lower <= 0 <= upper, all finite. A cost |x_j| has upper_j = -lower_j; a free variable
// without cost, such as the offset of a classifier, has lower_j = upper_j = 0. Every such programme
// has a solution: t = 0 is feasible, and so is x = 0, y = max(b, 0).
//
// Method: the bounded-variable dual simplex method on the dual programme, which has n ranged rows
// and m boxed columns. In terms of the primal, it walks along the edges of the convex, piecewise
// linear function
//
//	P(x) = sum_i cost_i max(b_i - A_i x, 0) + sum_j (upper_j max(x_j, 0) + lower_j min(x_j, 0))
//
// to the lowest point of each edge, past any number of breakpoints ("long step", "bound flipping").
// Since all bounds are finite, every basis is dual feasible once its variables are at the right
// bounds. So no first phase is needed, a basis can still be used after costs change (SetCosts), and
// neither perturbing b nor ending the perturbation costs more than a few pivots. Dual steepest edge
// selects the variable that leaves the basis.
//
// Only the nontrivial block of the n x n basis is stored: the inverse of the k x k matrix A[B,R] of
// the columns B of t strictly between their bounds and the rows R that hold with equality, the x
// that are not 0. It is updated at each pivot and recomputed at regular intervals. An iteration
// costs about k (m + 2n) + 5 k^2 multiplications and reads k rows and k columns of A. So A may be a
// kernel matrix whose rows and columns are generated when they enter the basis. With very many
// columns, only some are used at a time: see pool.go. If the basis is too ill-conditioned for the
// inverse, see careful.go.
//
// Sources: Koberstein, The Dual Simplex Method: Techniques for a fast and stable implementation,
// 2005 (steepest edge, bound flipping, Harris test, perturbation); Fung, Mangasarian and Smola
// 2002, problems (10) and (11).
package lp

import (
	"errors"
	"fmt"
	"math"
)

// A Problem is a linear programme, see the package. The zero Problem is invalid.
type Problem struct {
	A     Matrix
	B     []float64 // m right-hand sides
	Cost  []float64 // m costs of y, >= 0: upper bounds of t
	Lower []float64 // n slopes of the cost of x_j < 0, <= 0
	Upper []float64 // n slopes of the cost of x_j > 0, >= 0
}

// A Solution is a vertex of the primal programme and one of the dual programme, both optimal.
type Solution struct {
	X []float64 // n
	// Reach is the most that each x_j adds to an element of A X, in absolute value.
	Reach []float64
	T     []float64 // m
	Y     []float64 // m: max(B - A X, 0), but 0 where that may be rounding
	// Basic says which t are in the basis: X is where these rows hold with equality. All other t are
	// at a bound. At a degenerate vertex some t of the basis are, too.
	Basic []bool // m
	// Pivots is the number of changes of the basis. Flips is the number of variables that moved
	// from one bound to the other.
	Pivots, Flips int
	Certificate
}

// A Certificate says how close to optimal a solution is. It is computed from the rows of A,
// independently of the method.
type Certificate struct {
	Primal float64 // the objective at X, Y
	Dual   float64 // the objective at T
	// Violation is the largest amount by which T violates a constraint of the dual. The primal's
	// constraints hold by the definition of Y, except for rounding.
	Violation float64
	sums      float64 // sum of |t_i| max_j |A_ij|, a bound of the terms of A't
	free      float64 // the same sum over those t_i between their bounds, which are rounded
	rounding  float64 // the part of the gap that the rounding of these t_i may cause
}

// Gap returns the duality gap, relative to 1 + |Primal|.
func (c Certificate) Gap() float64 {
	return math.Abs(c.Primal-c.Dual) / (1 + math.Abs(c.Primal))
}

// optimal reports whether gap and violation are no larger than rounding explains. If rounded t are
// multiplied by large x, the gap shows it.
func (c Certificate) optimal() bool {
	gap, unit := math.Abs(c.Primal-c.Dual), 1+math.Abs(c.Primal)
	return gap-c.rounding <= maxGap*unit && gap <= looseGap*unit && c.Violation <= violation(c.sums, c.free)
}

// Tolerances of a certificate. Those of violations are absolute: costs that matter must not be
// small compared with them.
const (
	maxGap         = 1e-9
	looseGap       = 1e-7 // if t is rounded
	maxViolation   = 1e-9
	looseViolation = 1e-7  // for sums that are rounded
	rounding       = 4e-15 // relative error of sums that nearly cancel, compared with their terms
)

// violation returns the largest violation with which a solution counts as feasible. sums and free
// are as in Certificate. The rounding of all sums is allowed for only up to looseViolation, beyond
// which it would matter; the rounding of t is always allowed for.
func violation(sums, free float64) float64 {
	return maxViolation + max(min(float64(rounding*sums), looseViolation), float64(rounding*free))
}

// ErrNotSolved reports that no vertex was found that the certificate accepts as optimal: some
// values are so large or so small that float64 does not suffice.
var ErrNotSolved = errors.New("the linear program cannot be solved in float64")

// validate checks shapes and numbers. It panics if the shapes are wrong (the programmer's mistake)
// and returns an error if numbers are (they may be a user's).
func (p *Problem) validate() error {
	m, n := p.A.Dims()
	if len(p.B) != m || len(p.Cost) != m || len(p.Lower) != n || len(p.Upper) != n {
		panic(fmt.Sprintf("lp: a matrix of %d x %d with %d right-hand sides, %d costs, %d and %d slopes",
			m, n, len(p.B), len(p.Cost), len(p.Lower), len(p.Upper)))
	}
	for i, b := range p.B {
		if !finite(b) || !finite(p.Cost[i]) || p.Cost[i] < 0 {
			return fmt.Errorf("row %d: right-hand side %v, cost %v: expected numbers, and no cost below 0", i+1, b, p.Cost[i])
		}
	}
	for j, u := range p.Upper {
		if l := p.Lower[j]; !finite(u) || !finite(l) || l > 0 || u < 0 {
			return fmt.Errorf("column %d: slopes %v and %v: expected numbers, the first at most 0, the second at least 0", j+1, l, u)
		}
	}
	return nil
}

func finite(x float64) bool { return math.Abs(x) <= math.MaxFloat64 }
