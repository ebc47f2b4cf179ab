package smo

import "math"

// Problem: in nu programmes the row weights are the bounds of the coefficients, and the sum of the
// coefficients is a share of all weights. The gradient grows with the coefficients but the
// tolerance does not, so with very small weights the solver would stop at once, with very large
// ones never.
//
// Method: weights are divided by the power of two that brings their mean into the range from 1 to
// 2. For usual weights this rounds nothing.

// shares are the weights of rows, divided by 2^exponent.
type shares struct {
	weights  []float64 // nil: all 1
	exponent int
	total    float64
}

func newShares(weights []float64, n int) shares {
	s := shares{weights: weights}
	if weights != nil {
		mean := 0.0
		for _, w := range weights {
			mean += w / float64(n)
		}
		_, e := math.Frexp(mean)
		s.exponent = e - 1
	}
	if s.total = float64(n); weights != nil {
		s.total = 0
		for i := range weights {
			s.total += s.of(i)
		}
	}
	return s
}

// of returns the weight of row i.
func (s *shares) of(i int) float64 {
	if s.weights == nil {
		return 1
	}
	return math.Ldexp(s.weights[i], -s.exponent)
}

// restore scales a result back to the original weights.
func (s *shares) restore(r *Result) {
	if s.exponent == 0 {
		return
	}
	for i, b := range r.B {
		r.B[i] = math.Ldexp(b, s.exponent)
	}
	r.Rho, r.Objective = math.Ldexp(r.Rho, s.exponent), math.Ldexp(r.Objective, 2*s.exponent)
}

// sumOfWeights returns the sum of the weights of n rows.
func sumOfWeights(weights []float64, n int) float64 {
	if weights == nil {
		return float64(n)
	}
	sum := 0.0
	for _, w := range weights {
		sum += w
	}
	return sum
}
