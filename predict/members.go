package predict

import (
	"math"

	"github.com/slimsvm/slimsvm/models"
)

// Problem: compute the answer of a member of an ensemble for a row.
//
// Method: a member with one hyperplane calls the row positive if its value is positive; the
// probability is that of its sigmoid. A member of n classes answers as LIBSVM's one-against-one
// machines do: each hyperplane votes for a class of its pair, and the class with the most votes is
// the answer, the first one in a tie. So the member calls the row positive if no class has more
// votes than its own class, which is its first. The probability of that class comes from coupling
// the pairs' probabilities (couple.go). The member's value is the smallest of its values against
// the other classes.

// An ensembleMember is a member of an ensemble.
type ensembleMember struct {
	models.Span // its hyperplanes
	classes     int
	pos         int // index in the model of its own class
}

// ensembleMembers returns the members of an ensemble.
func ensembleMembers(m *models.Model) []ensembleMember {
	if m.Vote != models.Ensemble {
		return nil
	}
	list := make([]ensembleMember, m.CountMembers())
	for i := range list {
		e := &list[i]
		e.Span, e.classes = m.Member(i)
		e.pos = m.Machines[e.From].Pos
	}
	return list
}

// A memberEvaluator evaluates members, one row after the other. The zero memberEvaluator is ready.
type memberEvaluator struct {
	values []float64 // values of the hyperplanes
	votes  []int
	r      []float64 // probabilities of the pairs
	work   []float64 // used by couple
}

// isPositive reports whether hyperplanes with these values call the row positive.
func (s *memberEvaluator) isPositive(e *ensembleMember, values []float64) bool {
	if len(values) == 1 {
		return values[0] > 0
	}
	if cap(s.votes) < e.classes {
		s.votes = make([]int, e.classes)
	}
	votes := s.votes[:e.classes]
	clear(votes)
	a, b := 0, 1
	for _, f := range values {
		if f > 0 {
			votes[a]++
		} else {
			votes[b]++
		}
		if b++; b == e.classes {
			a++
			b = a + 1
		}
	}
	for _, v := range votes {
		if v > votes[0] {
			return false
		}
	}
	return true
}

// probability returns the probability of the member's own class.
func (s *memberEvaluator) probability(m *models.Model, e *ensembleMember, values []float64) float64 {
	machines := m.Machines[e.From:e.To]
	if len(values) == 1 {
		return sigmoid(values[0], *machines[0].Sigmoid)
	}
	s.r = room(s.r, len(values))
	for q, f := range values {
		s.r[q] = clampPair(sigmoid(f, *machines[q].Sigmoid))
	}
	return s.couple(e.classes, s.r)
}

// clampPair cuts a pair's probability to pairLimit and 1 - pairLimit.
func clampPair(r float64) float64 {
	if r < pairLimit {
		return pairLimit
	}
	if r > 1-pairLimit {
		return 1 - pairLimit
	}
	return r
}

// value returns the smallest value of the pairs that contain the member's own class.
func (e *ensembleMember) value(values []float64) float64 {
	least := math.Inf(1)
	for _, f := range values[:e.classes-1] {
		least = min(least, f)
	}
	return least
}

// given returns what a member that calls the row positive gives its class. With ByDecision that is
// its value, but at least 0. The value is negative if another class wins their pair but loses other
// pairs, and a member that votes for a class must not reduce the class's sum.
func (s *memberEvaluator) given(m *models.Model, e *ensembleMember, values []float64) float64 {
	switch m.Ballot {
	case models.ByProbability:
		return s.probability(m, e, values)
	case models.ByDecision:
		return max(e.value(values), 0)
	default:
		return 1
	}
}

// MemberProbabilities sets dst to the probability that each member of an ensemble gives its own
// class for row r. The model must have probability information.
func (b *Batch) MemberProbabilities(dst []float64, r int) {
	if !b.p.model.Probability {
		panic("predict: the model has no class probabilities")
	}
	if b.p.model.Vote != models.Ensemble || len(dst) != len(b.p.members) {
		panic("predict: dst needs one place for each member of an ensemble")
	}
	b.check(r)
	s := b.p.scratch()
	defer scratches.Put(s)
	b.load(s, r)
	for i := range b.p.members {
		e := &b.p.members[i]
		dst[i] = s.evaluator.probability(b.p.model, e, s.decisions[e.From:e.To])
	}
}
