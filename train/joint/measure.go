package joint

import (
	"fmt"
	"math"

	"github.com/slimsvm/slimsvm/train"
)

// measure returns an error unless the objective is finite at the start, where all outputs are 0. It
// sets shift so that the objective has a usual size while it is minimised, because the rules that
// end searches expect that. Dividing by a power of two rounds nothing. If cost, weights and targets
// are of usual size, shift is 0.
func (s *search) measure() error {
	heaviest, largest := 0.0, 0.0
	rows := float64(len(s.y)) * float64(s.outputs)
	for i, y := range s.y {
		if err := train.CheckCost(s.Cost*s.weight[i], train.OfRow); err != nil {
			return s.rowError(i, err)
		}
		if math.IsNaN(y.value) || math.IsInf(y.value, 0) {
			return s.rowError(i, fmt.Errorf("target %v is not a finite number", y.value))
		}
		if !fits(rows, y.value, y.value) {
			return s.rowError(i, fmt.Errorf("target %v is too large: its square overflows", y.value))
		}
		if !fits(rows, y.value, y.value, s.Cost, s.weight[i]) {
			if s.Task.Classifies() {
				return fmt.Errorf("cost %v, with a weight of %v, is too large: the sum of losses overflows", s.Cost, s.weight[i])
			}
			return s.rowError(i, fmt.Errorf("target %v is too large for cost %v: the sum of losses overflows", y.value, s.Cost))
		}
		heaviest, largest = max(heaviest, s.weight[i]), max(largest, math.Abs(y.value))
	}
	size := exponent(s.Cost) + exponent(heaviest)
	if !s.Task.Classifies() && largest > 0 {
		size += 2 * exponent(largest)
	}
	const usualFrom, usualTo = -20, 40
	s.shift = max(-1000, min(0, size-usualFrom)) + min(1000, max(0, size-usualTo))
	return nil
}

// fits reports whether the product of 16 and the numbers is far from overflow, in any order.
func fits(numbers ...float64) bool {
	size := 4
	for _, v := range numbers {
		size += max(0, exponent(v))
	}
	return size < 1020
}

// exponent returns the number e for which |v| is from 2^(e-1) to 2^e; for infinity, a larger number
// than for all others.
func exponent(v float64) int {
	if math.IsInf(v, 0) {
		return math.MaxInt16
	}
	_, e := math.Frexp(v)
	return e
}

// rowError returns a fault of a row, which may be an extra one.
func (s *search) rowError(i int, err error) error {
	if i < s.own {
		return &train.RowError{Row: i, Err: err}
	}
	return fmt.Errorf("extra rows: row %d: %v", i-s.own+1, err) // rows of another file
}
