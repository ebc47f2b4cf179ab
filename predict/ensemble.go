package predict

import (
	"math"

	"github.com/slimsvm/slimsvm/models"
)

// Problem: find the answer of an ensemble of members, each for one class.
//
// Method: a member that calls the row positive gives its class its probability, its value, or 1, as
// the model's Ballot says. The class with the largest sum wins, the first one in a tie. A class for
// which some member votes wins over a class for which none does, even if its sum is 0. If no member
// votes, the class of the member with the largest value wins, ByProbability that of the member with
// the largest probability, the first one in a tie. If no probability is above 0, or there are no
// members, the answer is the model's Default. Sums are in the order of the members.

// ensemble returns the class chosen by the values of an ensemble's machines.
func (p *Predictor) ensemble(s *scratch) int {
	m := p.model
	s.given = room(s.given, len(m.Labels))
	given := s.given
	clearGiven(given)
	voted := false
	for i := range p.members {
		e := &p.members[i]
		values := s.decisions[e.From:e.To]
		if s.evaluator.isPositive(e, values) {
			voted = true
			given[e.pos] = add(given[e.pos], s.evaluator.given(m, e, values))
		}
	}
	if voted {
		return argMax(given)
	}
	best, class := math.Inf(-1), m.Default
	if m.Ballot == models.ByProbability {
		best = 0
	}
	for i := range p.members {
		e := &p.members[i]
		values := s.decisions[e.From:e.To]
		var f float64
		if m.Ballot == models.ByProbability {
			f = s.evaluator.probability(m, e, values)
		} else {
			f = e.value(values)
		}
		if f > best {
			best, class = f, e.pos
		}
	}
	return class
}

// noVotes is what a class has if no member votes for it: less than any member gives.
const noVotes = -1

// clearGiven sets given to its initial state, before any member votes.
func clearGiven(given []float64) {
	for i := range given {
		given[i] = noVotes
	}
}

// add returns what a class has after one more member votes for it.
func add(given, more float64) float64 { return max(given, 0) + more }

// smoothing is shared equally by all classes in addition to what members give by probability: a
// tenth of the vote of a member that is certain. The few members that vote for a row may agree and
// still be wrong.
const smoothing = 0.1

// ensembleTo sets dst to the probabilities of the classes. They are the classes' shares of what the
// members that call the row positive give by probability. If there are no such members, each class
// has its largest probability instead. If all of these are 0, one certain vote goes to the first
// class for which a member votes, or to the model's Default if none votes. In addition, all classes
// get equal parts of smoothing. Without members, Default is certain.
func (p *Predictor) ensembleTo(dst []float64, s *scratch) {
	m := p.model
	clear(dst)
	voted, class := false, m.Default
	for i := range p.members {
		e := &p.members[i]
		if values := s.decisions[e.From:e.To]; s.evaluator.isPositive(e, values) {
			if !voted || e.pos < class {
				class = e.pos
			}
			voted = true
			dst[e.pos] += s.evaluator.probability(m, e, values)
		}
	}
	if !voted {
		for i := range p.members {
			e := &p.members[i]
			dst[e.pos] = max(dst[e.pos], s.evaluator.probability(m, e, s.decisions[e.From:e.To]))
		}
	}
	p.shareOut(dst, class)
}

// shareOut makes probabilities of what dst has of each class: of what members give by probability,
// or of largest probabilities. If all of these are 0, one vote goes to class.
func (p *Predictor) shareOut(dst []float64, class int) {
	sum := 0.0
	for _, v := range dst {
		sum += v
	}
	if sum == 0 {
		dst[class] = 1
	}
	if len(p.members) == 0 {
		return
	}
	sum = 0
	for c := range dst {
		dst[c] += smoothing / float64(len(dst))
		sum += dst[c]
	}
	for c := range dst {
		dst[c] /= sum
	}
}
