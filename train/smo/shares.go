package smo

import "math"

// Problem: of nu programmes weights of rows are the bounds of coefficients, and what these sum up
// to is a share of all weights. Gradients are as large as coefficients, so the tolerance, which is
// none of a share, would be all or nothing where all weights are small or large.
//
// Method: weights are divided by a power of two, by which their mean becomes a number from 1 to 2,
// which rounds nothing of usual weights.

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
