package predict

import "math"

// A span is the unit in which values are summed up: a power of two near the largest of them, so
// that squares of values of any size are neither infinite nor 0. The zero span has no values.
type span struct {
	limit float64 // no value is above it in absolute value
	per   float64 // what values are multiplied by: 1 over the unit
}

// fit makes the unit large enough for x, and returns what sums of values in the old unit are to
// be multiplied by.
func (s *span) fit(x float64) float64 {
	if x = math.Abs(x); x <= s.limit || !(x <= math.MaxFloat64) {
		return 1
	}
	was := s.per
	_, e := math.Frexp(x) // x < 2^e
	e = max(e, -1021)     // 1 over the unit is a number
	s.per = math.Ldexp(1, 1-e)
	s.limit = math.Ldexp(1-0x1p-53, e)
	if was == 0 { // there were zeros only
		return 1
	}
	return s.per / was
}

// in returns a value in units.
func (s *span) in(x float64) float64 {
	if s.per == 0 { // it is 0, or no number
		return x
	}
	return x * s.per
}

// back returns a value in units as it is.
func (s *span) back(x float64) float64 {
	if s.per == 0 {
		return x
	}
	return x / s.per
}

// over returns the unit over that of another span; 1 where one has no values.
func (s *span) over(b *span) float64 {
	if s.per == 0 || b.per == 0 {
		return 1
	}
	return b.per / s.per
}
