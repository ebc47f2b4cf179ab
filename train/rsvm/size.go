package rsvm

import (
	"errors"
	"fmt"
	"math"

	"github.com/slimsvm/slimsvm/models"
)

// Problem: each machine has a Newton system, whose Hessian and its factor take 16 bytes for
// each pair of unknowns, and those of all machines are in memory together. What would not fit
// is told before anything is computed.

// mostUnknowns bounds the unknowns of one machine.
const mostUnknowns = 16 << 10

// mostPairs bounds the sizes of all Hessians together.
const mostPairs = mostUnknowns * mostUnknowns

// ErrTooLarge reports a reduced set whose Newton systems would not fit in memory.
var ErrTooLarge = errors.New("the reduced set is too large")

// count returns the number of machines.
func (j *Job) count() int {
	switch k := len(j.classes); {
	case j.classes == nil:
		return 1
	case j.rest && k > 2:
		return k
	default:
		return models.Pairs(k)
	}
}

// fits returns an error unless there is room for the systems of all machines if they have so
// many vectors each.
func (j *Job) fits(vectors int) error {
	machines := j.count()
	most := min(mostUnknowns, int(math.Sqrt(mostPairs/float64(max(1, machines))))) - 1
	switch {
	case vectors <= most:
		return nil
	case machines == 1:
		return fmt.Errorf("%w: %d vectors, where a machine can have %d", ErrTooLarge, vectors, most)
	}
	return fmt.Errorf("%w: %d vectors, where %d machines, %s, can have %d", ErrTooLarge, vectors, machines, j.each(), most)
}

// each says what a machine is for.
func (j *Job) each() string {
	if j.rest {
		return "one for each class"
	}
	return fmt.Sprintf("one for each pair of %d classes", len(j.classes))
}

// sized is fits for the machines that there are, which may have vectors of their own.
func (j *Job) sized() error {
	largest, pairs := 0, 0.0
	for _, m := range j.machines {
		n := j.vectorsOf(m)
		largest = max(largest, n)
		pairs += float64((float64(n) + 1) * (float64(n) + 1))
	}
	if largest < mostUnknowns && pairs <= mostPairs {
		return nil
	}
	if err := j.fits(largest); err != nil {
		return err
	}
	return fmt.Errorf("%w for all of %d machines, %s", ErrTooLarge, len(j.machines), j.each())
}

// vectorsOf returns how many vectors a machine can have.
func (j *Job) vectorsOf(m *machine) int {
	if m.columns != nil {
		return len(m.columns)
	}
	return j.vectors.Len()
}
