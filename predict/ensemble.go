package predict

import (
	"math"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
)

// Problem: the answer of an ensemble of members, each for one class.
//
// A member that calls the row positive gives its class its probability, its value, or 1, as the
// model's Ballot says. The class with the largest sum wins, the first one of equal ones. That holds
// even if the sum is 0: a class for which no member votes does not win over one for which some do.
// If no member votes, the class with the largest probability or value wins, or the model's Default
// if no probability is above 0 or there is no member. Sums are in the order of the members.

// ensemble returns the class that an ensemble's values choose.
func (p *Predictor) ensemble(s *scratch) int {
	m := p.model
	s.given = room(s.given, len(m.Labels))
	given := s.given
	silence(given)
	spoken := false
	for i := range p.voters {
		e := &p.voters[i]
		values := s.decisions[e.From:e.To]
		if s.speaker.calls(e, values) {
			spoken = true
			given[e.pos] = add(given[e.pos], s.speaker.given(m, e, values))
		}
	}
	if spoken {
		return argMax(given)
	}
	best, class := math.Inf(-1), m.Default
	if m.Ballot == models.ByProbability {
		best = 0
	}
	for i := range p.voters {
		e := &p.voters[i]
		values := s.decisions[e.From:e.To]
		var f float64
		if m.Ballot == models.ByProbability {
			f = s.speaker.probability(m, e, values)
		} else {
			f = e.value(values)
		}
		if f > best {
			best, class = f, e.pos
		}
	}
	return class
}

// unspoken is what a class is given that no member speaks for: less than any member gives.
const unspoken = -1

// silence makes given what classes have before any member speaks.
func silence(given []float64) {
	for i := range given {
		given[i] = unspoken
	}
}

// add returns what a class is given that one more member speaks for.
func add(given, more float64) float64 { return max(given, 0) + more }

// unvoiced is what the classes get in equal parts beside what members give by probability: a tenth of
// the vote of a member that is certain. The few members that speak for a row may agree, and be wrong.
const unvoiced = 0.1

// ensembleTo sets dst to each class's share of what the members that call the row positive give by
// probability, or if there are none, of the classes' largest probabilities. If all of these are 0,
// the first class that a voting member is for, or the model's Default if no member votes, has one
// certain vote. In addition, all classes get equal parts of unvoiced. Without members, Default is
// certain.
func (p *Predictor) ensembleTo(dst []float64, s *scratch) {
	m := p.model
	clear(dst)
	spoken, class := false, m.Default
	for i := range p.voters {
		e := &p.voters[i]
		if values := s.decisions[e.From:e.To]; s.speaker.calls(e, values) {
			if !spoken || e.pos < class {
				class = e.pos
			}
			spoken = true
			dst[e.pos] += s.speaker.probability(m, e, values)
		}
	}
	if !spoken {
		for i := range p.voters {
			e := &p.voters[i]
			dst[e.pos] = max(dst[e.pos], s.speaker.probability(m, e, s.decisions[e.From:e.To]))
		}
	}
	sum := 0.0
	for _, v := range dst {
		sum += v
	}
	if sum == 0 {
		dst[class] = 1
	}
	if len(p.voters) == 0 {
		return
	}
	sum = 0
	for c := range dst {
		dst[c] += unvoiced / float64(len(dst))
		sum += dst[c]
	}
	for c := range dst {
		dst[c] /= sum
	}
}

// answerEnsemble answers for xs, member by member, so that the sums of each row are in the same order
// as for a single row. Rows for which no member votes are decided afterwards.
func (b *Batch) answerEnsemble(xs []vec.Vector) {
	m := b.p.model
	b.pack(xs)
	lanes := b.lanes
	b.given = room(b.given, len(m.Labels)*lanes)
	silence(b.given)
	var spoken [rowWords]uint64
	b.eachMember(func(_ int, e *voter, sums []float64) {
		b.chorus.give(m, e, b.given[e.pos*lanes:][:len(xs)], &spoken, sums, lanes)
	})
	b.doubts, b.at = b.doubts[:0], b.at[:0]
	for r, x := range xs {
		best := 0
		for c := range m.Labels {
			if b.given[c*lanes+r] > b.given[best*lanes+r] {
				best = c
			}
		}
		b.answers = append(b.answers, float64(m.Labels[best]))
		if spoken[r/64]>>(r%64)&1 == 0 {
			b.doubts, b.at = append(b.doubts, x), append(b.at, r)
		}
	}
	b.answerDoubts()
	b.n = len(xs)
}

// aheadPlanes is the number of hyperplanes whose values are computed at a time: for
// BatchRows rows 64 KB.
const aheadPlanes = 64

// eachMember calls f for all members with the values of their hyperplanes for the rows of
// the batch, which is packed; rho is still to be taken off. Values are computed few members
// ahead, so that they are in the cache when they are judged.
func (b *Batch) eachMember(f func(i int, e *voter, sums []float64)) {
	all, from, to := len(b.p.model.Machines), 0, 0 // there are values from hyperplane from to to
	for i := range b.p.voters {
		e := &b.p.voters[i]
		if e.To > to {
			from, to = e.From, min(max(e.To, e.From+aheadPlanes), all)
			b.sums = room(b.sums, (to-from)*b.lanes)
			b.rows.EvaluateTo(b.sums, from, to)
		}
		f(i, e, b.sums[(e.From-from)*b.lanes:(e.To-from)*b.lanes])
	}
}
