package main

import (
	"fmt"
	"math"
	"slices"
	"strconv"
)

// A step is 1, 2 or 5 times a power of ten, whose multiples are short numbers.
type step struct{ digit, power int }

// times returns a multiple of the step: the number nearest to its decimal digits.
func (s step) times(n float64) float64 {
	v, _ := strconv.ParseFloat(fmt.Sprintf("%.0fe%d", n*float64(s.digit), s.power), 64) // beyond all numbers: an infinity
	return v + 0                                                                        // not -0
}

// next returns the step that is the next one up.
func (s step) next() step {
	switch s.digit {
	case 1:
		return step{2, s.power}
	case 2:
		return step{5, s.power}
	}
	return step{1, s.power + 1}
}

// previous returns the step that is the next one down.
func (s step) previous() step {
	switch s.digit {
	case 1:
		return step{5, s.power - 1}
	case 2:
		return step{1, s.power}
	}
	return step{2, s.power}
}

// stepWithin returns the longest step that is no longer than a width above 0.
func stepWithin(width float64) step {
	var power int
	fmt.Sscanf(strconv.FormatFloat(width, 'e', 0, 64)[2:], "%d", &power) // the digit may have been rounded up
	s := step{1, power - 1}
	for s.next().times(1) <= width {
		s = s.next()
	}
	return s
}

// nearness is how far apart numbers are, as a share of them, that are drawn as one.
const nearness = 1e-9

// spreadOut reports whether two numbers are so far apart that there are others between them to be told.
func spreadOut(low, high float64) bool {
	return high-low > float64(nearness*max(math.Abs(low), math.Abs(high)))
}

// marks returns the multiples of a step from low to high, some as many as most at the utmost.
func marks(low, high float64, most int) (list []float64) {
	if !spreadOut(low, high) {
		return []float64{low}
	}
	s := stepWithin((high - low) / float64(most))
	for (high-low)/s.times(1) > float64(most) {
		s = s.next()
	}
	const slack = 1e-9
	for n := math.Ceil(low/s.times(1) - slack); n <= high/s.times(1)+slack; n++ {
		list = append(list, s.times(n))
	}
	return list
}

// mostLevels bounds the levels of a map.
const mostLevels = 6

// levels returns the values, the more the better, from which on a map has another colour, in increasing order: the nearer to the
// best, the closer, from steps as wide as what is between the best and the median, or else the worst. There are values
// below the first one and between all others.
func levels(values []float64) (list []float64) {
	sorted := slices.Sorted(slices.Values(values))
	if len(sorted) == 0 {
		return nil
	}
	best, low := sorted[len(sorted)-1], sorted[len(sorted)/2]
	if !spreadOut(low, best) {
		low = sorted[0]
	}
	if !spreadOut(low, best) {
		return nil
	}
	s, below := stepWithin(best-low), 0
	for range mostLevels {
		wide := s.times(1)
		level := s.times(math.Floor(best/wide+nearness) - 1)
		if n, _ := slices.BinarySearch(sorted, level); n > below { // else it tells none apart that the one before does not
			list, below = append(list, level), n
		}
		s = s.previous()
	}
	return list
}
