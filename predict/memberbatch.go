package predict

import (
	"math"
	"slices"
	"sync"

	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// Problem: what members of several hyperplanes give the rows of a batch, with the bits
// of speaker's answers for one row. Most rows hear nothing of a member, which the signs of
// its values tell: a table says of each pattern of signs whether it is a call.

// mostTabled is the most classes of members whose patterns are in a table.
const mostTabled = 5

// patterns has 1, for members of k classes, where the hyperplanes whose bits are set, being
// positive, call a row positive, and 0 elsewhere.
var patterns = [mostTabled + 1]func() []uint8{
	3: sync.OnceValue(func() []uint8 { return patternsOf(3) }),
	4: sync.OnceValue(func() []uint8 { return patternsOf(4) }),
	5: sync.OnceValue(func() []uint8 { return patternsOf(5) }),
}

func patternsOf(k int) []uint8 {
	var s speaker
	e := &voter{classes: k}
	values := make([]float64, models.Pairs(k))
	table := make([]uint8, 1<<len(values))
	for pattern := range table {
		for q := range values {
			values[q] = float64(pattern >> q & 1)
		}
		if s.calls(e, values) {
			table[pattern] = 1
		}
	}
	return table
}

// give adds what a member of several hyperplanes gives the rows that it calls positive.
func (s *speaker) give(m *models.Model, e *voter, given []float64, spoken *[BatchRows]bool, sums []float64, lanes int) {
	planes := e.To - e.From
	n := len(given)
	s.called(e, sums, lanes, n)
	if m.Ballot == models.ByProbability {
		s.sigmoids(m.Machines[e.From:e.To], sums, lanes)
		for k, r := range s.rows {
			spoken[r] = true
			given[r] += s.couple(e.classes, s.pairs[k*planes:(k+1)*planes])
		}
		return
	}
	s.values = room(s.values, planes)
	for _, r := range s.rows {
		for q := range planes {
			s.values[q] = sums[q*lanes+int(r)]
		}
		spoken[r] = true
		given[r] += s.given(m, e, s.values)
	}
}

// called sets s.rows to those that the member calls positive.
func (s *speaker) called(e *voter, sums []float64, lanes, n int) {
	s.rows = s.rows[:0]
	if len(s.masks) < BatchRows {
		s.masks = make([]uint32, BatchRows)
	}
	masks := s.masks[:n]
	clear(masks)
	if e.classes > mostTabled {
		s.calledOfMany(e, sums, lanes, masks)
		return
	}
	for q := range e.To - e.From {
		for r, f := range sums[q*lanes:][:n] {
			var bit uint32
			if f > 0 {
				bit = 1
			}
			masks[r] |= bit << (q & 31)
		}
	}
	table := patterns[e.classes]()
	// which rows are called is as good as random: every row is put down, and counts if it is
	s.rows = slices.Grow(s.rows, n)[:n]
	calls := 0
	for r, pattern := range masks {
		s.rows[calls] = int32(r)
		calls += int(table[pattern])
	}
	s.rows = s.rows[:calls]
}

// calledOfMany is called for members of more classes. The votes are as many as there are
// pairs, so that some class has half of those that it could have: a row that gives the
// member's own class fewer is not looked at further.
func (s *speaker) calledOfMany(e *voter, sums []float64, lanes int, own []uint32) {
	for q := range e.classes - 1 {
		for r, f := range sums[q*lanes:][:len(own)] {
			var vote uint32
			if f > 0 {
				vote = 1
			}
			own[r] += vote
		}
	}
	s.values = room(s.values, e.To-e.From)
	for r, votes := range own {
		if 2*int(votes) < e.classes-1 {
			continue
		}
		for q := range s.values {
			s.values[q] = sums[q*lanes+r]
		}
		if s.calls(e, s.values) {
			s.rows = append(s.rows, int32(r))
		}
	}
}

// sigmoids sets s.pairs to the probabilities of the pairs for s.rows, exp side by side.
func (s *speaker) sigmoids(machines []models.Machine, sums []float64, lanes int) {
	n := len(s.rows)
	s.z, s.size, s.exps = room(s.z, n), room(s.size, n), room(s.exps, n)
	s.pairs = room(s.pairs, n*len(machines))
	for q := range machines {
		of := *machines[q].Sigmoid
		values := sums[q*lanes:]
		for k, r := range s.rows {
			z := float64(values[r]*of.A) + of.B
			s.z[k], s.size[k] = z, -math.Abs(z)
		}
		kernel.ExpTo(s.exps, s.size)
		for k, x := range s.exps {
			// 1/(1+x) where z is negative, x/(1+x) elsewhere, without a branch
			negative := uint64(int64(math.Float64bits(s.z[k])) >> 63)
			head := math.Float64frombits(math.Float64bits(1)&negative | math.Float64bits(x)&^negative)
			s.pairs[k*len(machines)+q] = clip(head / (1 + x))
		}
	}
}
