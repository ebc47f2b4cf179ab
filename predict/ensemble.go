package predict

import (
	"math"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
)

// Problem: the answer of an ensemble of members, each for one class. A member that calls
// the row positive gives its class, as the model's Ballot says, its probability, its
// value, or 1; the class with the largest sum wins, of equal ones the first. Where none
// does the class of the largest probability, or value, wins; the model's Default if no
// probability is above 0, or if there is no member. Sums are in the order of the members.

// ensemble returns the class that an ensemble's values choose.
func (p *Predictor) ensemble(s *scratch) int {
	m := p.model
	given := s.given
	if given == nil {
		given = make([]float64, len(m.Labels))
		s.given = given
	}
	clear(given)
	spoken := false
	for i := range p.voters {
		e := &p.voters[i]
		values := s.decisions[e.From:e.To]
		if s.speaker.calls(e, values) {
			spoken = true
			given[e.pos] += s.speaker.given(m, e, values)
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

// ensembleTo sets dst to each class' share of what the members that call the row
// positive give by probability; where there are none, of the classes' largest
// probabilities.
func (p *Predictor) ensembleTo(dst []float64, s *scratch) {
	m := p.model
	clear(dst)
	spoken := false
	for i := range p.voters {
		e := &p.voters[i]
		if values := s.decisions[e.From:e.To]; s.speaker.calls(e, values) {
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
		dst[m.Default], sum = 1, 1
	}
	for c := range dst {
		dst[c] /= sum
	}
}

// answerEnsemble answers for xs, member by member: the sums of each row are in the same
// order as for one. The hyperplanes' values are computed few members ahead, so that they
// are still in the cache when they are judged.
func (b *Batch) answerEnsemble(xs []vec.Vector) {
	b.pack(xs)
	m, lanes := b.p.model, b.lanes
	b.given = room(b.given, len(m.Labels)*lanes)
	clear(b.given)
	var spoken [rowWords]uint64
	ready := 0 // hyperplanes with values
	for i := range b.p.voters {
		e := &b.p.voters[i]
		if e.To > ready {
			to := min((e.To+aheadPlanes-1)/aheadPlanes*aheadPlanes, len(m.Machines))
			b.rows.EvaluateTo(b.sums[ready*lanes:to*lanes], ready, to)
			ready = to
		}
		b.chorus.give(m, e, b.given[e.pos*lanes:][:b.n], &spoken, b.sums[e.From*lanes:e.To*lanes], lanes)
	}
	for r := range b.n {
		if spoken[r/64]>>(r%64)&1 == 0 {
			b.answers = append(b.answers, b.loaded(r))
			continue
		}
		best := 0
		for c := range m.Labels {
			if b.given[c*lanes+r] > b.given[best*lanes+r] {
				best = c
			}
		}
		b.answers = append(b.answers, float64(m.Labels[best]))
	}
}

// aheadPlanes is the number of hyperplanes whose values are computed at a time: for
// BatchRows rows 64 KB.
const aheadPlanes = 64

// loaded returns the answer for row r by its values.
func (b *Batch) loaded(r int) float64 {
	s := b.p.scratch.Get().(*scratch)
	defer b.p.scratch.Put(s)
	for m := range s.decisions {
		s.decisions[m] = b.sums[m*b.lanes+r]
	}
	return b.p.vote(s)
}
