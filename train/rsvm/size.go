package rsvm

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/slimsvm/slimsvm/train/internal/rank"
)

// Problem: each machine has a Newton system, whose Hessian and factor take 16 bytes for each pair
// of unknowns.
//
// Method: as many machines are fitted together as fit in the memory for this, and the others
// afterwards; in a Job that gets its sums from its caller, all are in memory together. Reduced sets
// for which memory does not suffice are reported before anything is computed.

// mostUnknowns is the largest number of unknowns of one machine.
const mostUnknowns = 16 << 10

// mostPairs is the largest number of elements of all Hessians, if all are needed at once.
// mostCoefficients is the largest number of unknowns of all machines.
const (
	mostPairs        = mostUnknowns * mostUnknowns
	mostCoefficients = 1 << 27
)

// Memory for the Hessians of machines that are fitted together: systemBytes if the kernel values of
// the rows are kept, so that a pass only computes sums, and passBytes, which is more, if every pass
// computes or reads them again.
const (
	systemBytes = 16 << 20
	passBytes   = 256 << 20
)

// together returns how many of the first machines are fitted together, at least one.
func together(machines []*machine, kept bool) int {
	left := passBytes
	if kept {
		left = systemBytes
	}
	for k, m := range machines {
		n := m.unknowns()
		if left -= 8 * n * rank.Stride(n); left < 0 {
			return max(k, 1)
		}
	}
	return len(machines)
}

// ErrTooLarge reports a reduced set whose Newton systems would not fit in memory.
var ErrTooLarge = errors.New("the reduced set is too large")

// count returns the number of machines, which may overflow an int of 32 bits.
func (j *Job) count() int64 {
	switch k := len(j.classes); {
	case j.classes == nil:
		return 1
	case j.rest && k > 2:
		return int64(k)
	default:
		return int64(k) * int64(k-1) / 2
	}
}

// fits returns an error unless there is room for all machines with the given number of vectors
// each.
func (j *Job) fits(vectors int) error {
	machines := j.count()
	most := int(mostCoefficients / max(1, machines))
	if j.atOnce {
		most = int(math.Sqrt(mostPairs / float64(max(1, machines))))
	}
	most = max(1, min(mostUnknowns, most)) - 1
	switch {
	case vectors <= most:
		return nil
	case machines == 1:
		return fmt.Errorf("%w: %d vectors, where a machine can have %d", ErrTooLarge, vectors, most)
	}
	return fmt.Errorf("%w: %d vectors, where %d machines, %s, can have %d", ErrTooLarge, vectors, machines, j.each(), most)
}

// each returns, for messages, what there is a machine for.
func (j *Job) each() string {
	if j.rest {
		return "one for each class"
	}
	return fmt.Sprintf("one for each pair of %d classes", len(j.classes))
}

// A size is the size of all machines together.
type size struct {
	vectors  int     // of the machine with the most
	unknowns float64 // of all machines
	pairs    float64 // of unknowns: the elements of all Hessians
}

// add adds a machine.
func (s *size) add(vectors int) {
	s.vectors = max(s.vectors, vectors)
	s.unknowns += float64(vectors) + 1
	s.pairs += float64((float64(vectors) + 1) * (float64(vectors) + 1))
}

// fit is fits for machines with different numbers of vectors.
func (s *size) fit(j *Job) error {
	if s.vectors < mostUnknowns && s.unknowns <= mostCoefficients && (s.pairs <= mostPairs || !j.atOnce) {
		return nil
	}
	return j.fits(s.vectors) // an error: there would be no room either if all machines had as many
}

// roomFor returns an error unless there is room for the systems of a drawn reduced set. It is the
// error of setBasis, but before rows are read or centres computed.
func (j *Job) roomFor(set drawn) error {
	n, all := make([]int, len(set.rows)), 0
	for c, rows := range set.rows {
		n[c] = len(rows)
		if set.centres != nil {
			n[c] = set.centres[c]
		}
		all += n[c]
	}
	if _, full := j.o.Set.(Full); !full || j.rest || len(n) <= 2 {
		return j.fits(all)
	}
	var s size // of machines that have the vectors of two classes
	for a := range n {
		for b := range a {
			s.add(n[a] + n[b])
		}
		if s.unknowns > mostCoefficients { // there is no room, and all pairs of very many classes take long
			slices.Sort(n)
			s.vectors = n[len(n)-1] + n[len(n)-2]
			break
		}
	}
	return s.fit(j)
}

// vectorsOf returns how many vectors a machine can have.
func (j *Job) vectorsOf(m *machine) int {
	if m.columns != nil {
		return len(m.columns)
	}
	return j.vectors.Len()
}
