package smo

import "math"

// Problem: in nu programmes, row weights are the bounds of coefficients, whose sum is a share of
// all weights. Gradients are in proportion to coefficients but the tolerance is not, so if all
// weights are small or large, it would stop at once or never.
//
// Method: weights are divided by a power of two that brings their mean into the range from 1 to 2.
// For usual weights this rounds nothing.

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

// restore makes a result that of the weights as they are.
func (s *shares) restore(r *Result) {
	if s.exponent == 0 {
		return
	}
	for i, b := range r.B {
		r.B[i] = math.Ldexp(b, s.exponent)
	}
	r.Rho, r.Objective = math.Ldexp(r.Rho, s.exponent), math.Ldexp(r.Objective, 2*s.exponent)
}

// sumOfWeights returns that of n rows.
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
