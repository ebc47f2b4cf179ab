package picture

import (
	"fmt"
	"math"
	"slices"
	"strconv"
)

// A step is 1, 2 or 5 times a power of ten, whose multiples are short numbers.
type step struct{ digit, power int }

// times returns a multiple of the step, rounded once.
func (s step) times(n float64) float64 {
	v, _ := strconv.ParseFloat(fmt.Sprintf("%.0fe%d", n*float64(s.digit), s.power), 64) // an infinity if it is beyond all numbers
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

// Tolerance is the relative difference up to which numbers are drawn as one.
const Tolerance = 1e-9

// Differ reports whether high is so far above low that they are drawn apart.
func Differ(low, high float64) bool {
	return high-low > float64(Tolerance*max(math.Abs(low), math.Abs(high)))
}

// Ticks returns the multiples of 1, 2 or 5 times a power of ten from low to high, at most most+1 of them. If low and high
// do not differ, it returns low alone.
func Ticks(low, high float64, most int) (list []float64) {
	if !Differ(low, high) {
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

// mostLevels bounds the number of levels of a map.
const mostLevels = 6

// Levels returns levels for a map of values of which larger ones are better, in increasing order.
// The first step is the widest that the distance from the median to the best value holds, or from
// the worst one if the median is the best; towards the best value steps become narrower. Some
// values are below the first level, and some are between any two levels.
func Levels(values []float64) (list []float64) {
	sorted := slices.Sorted(slices.Values(values))
	if len(sorted) == 0 {
		return nil
	}
	best, low := sorted[len(sorted)-1], sorted[len(sorted)/2]
	if !Differ(low, best) {
		low = sorted[0]
	}
	if !Differ(low, best) {
		return nil
	}
	s, below := stepWithin(best-low), 0
	for range mostLevels {
		wide := s.times(1)
		level := s.times(math.Floor(best/wide+Tolerance) - 1)
		if n, _ := slices.BinarySearch(sorted, level); n > below { // no value is between this level and the one before otherwise
			list, below = append(list, level), n
		}
		s = s.previous()
	}
	return list
}
