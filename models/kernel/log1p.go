package kernel

import "math"

// Log1p returns log(1+x), which Log(1+x) loses the digits of for small x: -Inf of -1, NaN
// of numbers below. The results are the same on every processor, which those of package
// math are not. The error is below 1.5 units in the last place.
//
// With u the float64 nearest to 1+x, what rounding lost is c = x - (u-1), and
// log(1+x) = log(u + c) = log u + c/u, as c is half a unit of u at most.
func Log1p(x float64) float64 {
	u := 1 + x
	switch {
	case u == 1:
		return x
	case u == 0 || math.IsInf(u, 0):
		return Log(u)
	}
	return Log(u) + (x-(u-1))/u
}
