package predict

import "math"

// A sumUnit is the scale of sums of values: a power of two near the largest value, so that squares
// of values of any size neither overflow nor become 0. The zero sumUnit has no values.
type sumUnit struct {
	limit float64 // no absolute value is above it
	per   float64 // factor for values: 1 / unit
}

// fit makes the unit large enough for x. It returns the factor by which existing sums of values
// must be multiplied.
func (s *sumUnit) fit(x float64) float64 {
	if x = math.Abs(x); x <= s.limit || !(x <= math.MaxFloat64) {
		return 1
	}
	was := s.per
	_, e := math.Frexp(x) // x < 2^e
	e = max(e, -1021)     // so that 1 / unit is finite
	s.per = math.Ldexp(1, 1-e)
	s.limit = math.Ldexp(1-0x1p-53, e)
	if was == 0 { // only zeros so far
		return 1
	}
	return s.per / was
}

// toUnits returns a value in units.
func (s *sumUnit) toUnits(x float64) float64 {
	if s.per == 0 { // x is 0, infinite or NaN
		return x
	}
	return x * s.per
}

// fromUnits converts a value in units to the original scale.
func (s *sumUnit) fromUnits(x float64) float64 {
	if s.per == 0 {
		return x
	}
	return x / s.per
}

// over returns this unit divided by that of another sumUnit. It is 1 if one of them has no values.
func (s *sumUnit) over(b *sumUnit) float64 {
	if s.per == 0 || b.per == 0 {
		return 1
	}
	return b.per / s.per
}
