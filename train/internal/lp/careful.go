package lp

import (
	"context"
	"math"
)

// The inverse of an ill-conditioned basis has few correct digits. Polynomial kernels of unscaled
// features give such bases. What is computed from the inverse is then inaccurate too: the two
// values of a pivot differ although the programme is well defined. If that happens, or if the
// certificate of a solution does not hold, the solver becomes careful and stays so until Restart:
//
//   - What is computed with the inverse is refined by residuals in twice the precision, so that the
//     systems of the basis are solved to the last digits (Higham, Accuracy and Stability of Numerical
//     Algorithms, 2002, chapter 12). The inverse only has to be good enough for a step to help.
//   - Sums that cancel (z, alpha, and the sums over t at their costs) have twice the precision.
//   - x, z, t and A't are recomputed after every pivot, because a pivot would multiply their errors.
//
// An iteration then costs a few times as much. Without this, P would rise as often as it falls.

const (
	carefulNoise = 0x1p-53 // relative to the length of an edge: smaller changes have no breakpoint
	carefulSteps = 10      // largest number of refinement steps
	carefulEnd   = 0x1p-50 // relative change at which refinement ends
	fewSteps     = 3       // a good inverse needs no more steps
)

// improve improves x, by active row, as the solution of A[B,R] x = v.
func (s *Solver) improve(x, v []float64) {
	s.refine(x, s.mul, func(r []float64) {
		for c, row := range s.rows {
			e := exactSum{v[c], 0}
			for i, j := range s.active {
				e.subtract(row[j], x[i])
			}
			r[c] = e.value()
		}
	})
}

// improveT improves x, by basic t, as the solution of A[B,R]' x = v.
func (s *Solver) improveT(x, v []float64) {
	sums := make([]exactSum, len(x))
	s.refine(x, s.mulT, func(r []float64) {
		for i := range sums {
			sums[i] = exactSum{v[i], 0}
		}
		for c, row := range s.rows {
			for i, j := range s.active {
				sums[i].subtract(row[j], x[c])
			}
		}
		for i := range sums {
			r[i] = sums[i].value()
		}
	})
}

// refine adds solutions for the residual to x until they change nothing. A step is taken only if it
// is smaller than half the last one.
func (s *Solver) refine(x []float64, solve func(dst, v []float64), residual func(r []float64)) {
	r, dx := make([]float64, len(x)), make([]float64, len(x))
	last := math.Inf(1)
	for step := range carefulSteps {
		residual(r)
		solve(dx, r)
		most, size := largest(dx), largest(x)
		if !(most < last/2) {
			break
		}
		axpy(x, 1, dx)
		if most <= carefulEnd*size {
			return
		}
		if last = most; step >= fewSteps {
			s.stale = true
		}
	}
	s.stale = true
}

// An exactSum is a number high + low with twice the precision (Knuth's sum, with products by
// math.FMA).
type exactSum struct{ high, low float64 }

// subtract subtracts a*b.
func (s *exactSum) subtract(a, b float64) {
	p := float64(a * b)
	rest := math.FMA(a, b, -p)
	sum := s.high - p
	back := sum - s.high
	s.low += (s.high - (sum - back)) - (p + back) - rest
	s.high = sum
}

func (s *exactSum) value() float64 { return s.high + s.low }

// addExactly adds sum_c coef[c] xs[c] to dst, computed in twice the precision.
func addExactly(dst []float64, xs [][]float64, coef []float64) {
	sums := make([]exactSum, len(dst))
	for i, v := range dst {
		sums[i].high = v
	}
	for c, x := range xs {
		subtractFrom(sums, -coef[c], x)
	}
	for i := range sums {
		dst[i] = sums[i].value()
	}
}

// sumCosts recomputes atCost in twice the precision.
func (s *Solver) sumCosts(ctx context.Context) {
	sums := make([]exactSum, s.n)
	for i, t := range s.t {
		if i%checkEvery == 0 && ctx.Err() != nil {
			return
		}
		if s.posT[i] < 0 && t != 0 {
			subtractFrom(sums, -t, s.line(i))
		}
	}
	for j := range sums {
		s.atCost[j] = sums[j].value()
	}
}

// subtractFrom subtracts t times row from the sums.
func subtractFrom(sums []exactSum, t float64, row []float64) {
	for j, a := range row {
		sums[j].subtract(t, a)
	}
}
