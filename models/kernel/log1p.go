package kernel

import "math"

// Log1p returns log(1+x), accurate also for small x, where Log(1+x) loses digits. Log1p(-1) is
// -Inf; below that it is NaN. Unlike math.Log1p it gives the same result on every processor. The
// error is less than 1.5 units in the last place.
//
// With u the float64 nearest to 1+x, rounding lost c = x - (u-1), and log(1+x) = log(u + c) = log u
// + c/u, as c is at most half a unit in the last place of u.
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
