package rsvm

import (
	"math"

	"github.com/slimsvm/slimsvm/models/kernel"
)

// Problem: compute the loss phi of one row as a function of its value f, with its first two
// derivatives:
//
//	classification  phi = 1/2 p(1 - y f)^2
//	regression      phi = 1/2 p(e - eps)^2 + 1/2 p(-e - eps)^2,  e = f - y
//
// Method: with s(r) = p'(r) = 1 / (1 + exp(-alpha r)),
//
//	(1/2 p^2)'  = p s
//	(1/2 p^2)'' = s^2 + alpha p s (1 - s)
//
// For the plus function itself, s is 1 for r > 0 and 0 elsewhere, and s is taken as the second
// derivative, which does not exist at r = 0.

// A loss is the loss function of a row.
type loss struct {
	alpha      float64 // +Inf: the plus function itself
	regression bool
	epsilon    float64
}

// at returns phi and its first two derivatives for a row with target y at value f.
func (l loss) at(f, y float64) (value, slope, curve float64) {
	if !l.regression {
		value, slope, curve = l.square(1 - float64(y*f))
		return value, -y * slope, curve
	}
	e := f - y
	value, slope, curve = l.square(e - l.epsilon)
	low, lowSlope, lowCurve := l.square(-e - l.epsilon)
	return value + low, slope - lowSlope, curve + lowCurve
}

// square returns 1/2 p(r)^2 and its derivatives.
func (l loss) square(r float64) (value, slope, curve float64) {
	if math.IsInf(l.alpha, 1) {
		if r > 0 {
			return r * r / 2, r, 1
		}
		return 0, 0, 0
	}
	// exp(-alpha |r|) does not overflow
	e := kernel.Exp(-l.alpha * math.Abs(r))
	p := max(r, 0) + kernel.Log1p(e)/l.alpha
	s := 1 / (1 + e)
	if r < 0 {
		s = e / (1 + e)
	}
	// s (1 - s) without the cancellation of 1 - s
	rest := e / float64((1+e)*(1+e))
	return p * p / 2, p * s, float64(s*s) + float64(l.alpha*p*rest)
}
