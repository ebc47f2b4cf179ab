package predict

import (
	"math"

	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
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

// answerEnsemble answers for the rows of a batch that is decided, member by member:
// the sums of each row are in the same order as for one.
func (b *Batch) answerEnsemble() {
	m, lanes := b.p.model, b.lanes
	b.given = room(b.given, len(m.Labels)*lanes)
	clear(b.given)
	var spoken [BatchRows]bool
	for i := range b.p.voters {
		e := &b.p.voters[i]
		given := b.given[e.pos*lanes:][:b.n]
		if e.To-e.From > 1 {
			b.several.give(m, e, given, &spoken, b.sums[e.From*lanes:e.To*lanes], lanes)
			continue
		}
		sums := b.sums[e.From*lanes:][:b.n]
		if m.Ballot == models.ByProbability {
			b.speakers.give(given, &spoken, sums, *m.Machines[e.From].Sigmoid)
			continue
		}
		for r, f := range sums {
			if !(f > 0) {
				continue
			}
			spoken[r] = true
			if m.Ballot == models.ByDecision {
				given[r] += f
			} else {
				given[r]++
			}
		}
	}
	for r := range b.n {
		if !spoken[r] {
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

// speakers are the rows for which a machine speaks, with the argument z of its sigmoid.
type speakers struct {
	rows       [BatchRows]int32
	z          [BatchRows]float64
	size, exps [BatchRows]float64 // -|z| and its exp
}

// give adds the sigmoids of the values above 0 as sigmoid does, exp side by side.
func (s *speakers) give(given []float64, spoken *[BatchRows]bool, values []float64, of models.Sigmoid) {
	n := 0
	for r, f := range values {
		z := float64(f*of.A) + of.B
		s.rows[n], s.z[n], s.size[n] = int32(r), z, -math.Abs(z)
		if f > 0 {
			n++
		}
	}
	exps := s.exps[:n]
	kernel.ExpTo(exps, s.size[:n])
	for k, e := range exps {
		r := s.rows[k]
		spoken[r] = true
		// 1/(1+e) where z is negative, e/(1+e) elsewhere, without a branch
		negative := uint64(int64(math.Float64bits(s.z[k])) >> 63)
		head := math.Float64frombits(math.Float64bits(1)&negative | math.Float64bits(e)&^negative)
		given[r] += head / (1 + e)
	}
}

// loaded returns the answer for row r by its values.
func (b *Batch) loaded(r int) float64 {
	s := b.p.scratch.Get().(*scratch)
	defer b.p.scratch.Put(s)
	for m := range s.decisions {
		s.decisions[m] = b.sums[m*b.lanes+r]
	}
	return b.p.vote(s)
}
