package lp

import (
	"context"
	"math"
)

// The inverse of an ill-conditioned basis, as polynomial kernels of unscaled features give it, has
// few correct digits, and so has what is computed from it: the two values of a pivot differ,
// although the programme is well defined. When that happens, or the certificate of a solution does
// not hold, the solver becomes careful and stays so:
//
//   - What it takes from the inverse is refined by residuals in twice the precision, so that the
//     systems of the basis are solved to the last digits. (Higham, Accuracy and Stability of
//     Numerical Algorithms, 2002, chapter 12: all that this needs of the inverse is that a step
//     helps.)
//   - Sums that cancel (z, alpha, and those of t at their costs) have twice the precision.
//   - x, z, t and A't are computed anew after every pivot, which would multiply their errors.
//
// An iteration then costs a few times as much. Otherwise the path would go up as often as down.

const (
	carefulNoise = 0x1p-53 // of an edge: changes below this, relative to its length, have no kink
	carefulSteps = 10      // of refinement, at most
	carefulEnd   = 0x1p-50 // relative change with which refinement ends
	fewSteps     = 3       // of a good inverse
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

// refine adds solutions for the residual to x until they change nothing. A step that is not
// smaller than half the last is not made.
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

// An exactSum is a number of twice the precision, high + low (Knuth's sum, and a product by
// math.FMA).
type exactSum struct{ high, low float64 }

// subtract subtracts a b.
func (s *exactSum) subtract(a, b float64) {
	p := float64(a * b)
	rest := math.FMA(a, b, -p)
	sum := s.high - p
	back := sum - s.high
	s.low += (s.high - (sum - back)) - (p + back) - rest
	s.high = sum
}

func (s *exactSum) value() float64 { return s.high + s.low }

// addExactly adds sum_c coef[c] xs[c] to dst, in twice the precision.
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

// sumCosts makes atCost anew, in twice the precision.
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

// subtractFrom subtracts t row from the sums.
func subtractFrom(sums []exactSum, t float64, row []float64) {
	for j, a := range row {
		sums[j].subtract(t, a)
	}
}
