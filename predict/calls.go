package predict

import (
	"slices"

	"github.com/slimsvm/slimsvm/models"
)

// Calls returns which members of an ensemble call row r positive: of member i bit i%64 of
// word i/64. They are the batch's until it is used again.
func (b *Batch) Calls(r int) []uint64 { return b.callsOf(r, signs) }

// LikelyCalls returns, as Calls does, which members find their own class more probable
// than not. The model must have probability information.
func (b *Batch) LikelyCalls(r int) []uint64 {
	if !b.p.model.Probability {
		panic("predict: the model has no class probabilities")
	}
	return b.callsOf(r, odds)
}

// A callBasis is what calls are judged by.
type callBasis int

const (
	unjudged callBasis = iota
	signs
	odds
)

// callsOf judges the whole batch, member by member, when it is first asked.
func (b *Batch) callsOf(r int, by callBasis) []uint64 {
	if b.p.model.Vote != models.Ensemble || r < 0 || r >= b.n || len(b.answers) > 0 {
		panic("predict: no such row of an ensemble in the batch")
	}
	words := (len(b.p.voters) + 63) / 64
	if b.judged != by {
		b.judged = by
		if n := words * b.n; cap(b.calls) < n {
			b.calls = make([]uint64, n)
		} else {
			b.calls = b.calls[:n]
			clear(b.calls)
		}
		for i := range b.p.voters {
			e := &b.p.voters[i]
			for _, row := range b.called(e, by) {
				b.calls[int(row)*words+i/64] |= 1 << (i % 64)
			}
		}
	}
	return b.calls[r*words : (r+1)*words]
}

// called returns the rows that a member calls positive.
func (b *Batch) called(e *voter, by callBasis) []int32 {
	s := &b.several
	sums := b.sums[e.From*b.lanes : e.To*b.lanes]
	machines := b.p.model.Machines[e.From:e.To]
	switch {
	case len(machines) > 1 && by == signs:
		s.called(e, sums, b.lanes, b.n)
	case len(machines) > 1:
		s.rows = s.rows[:0]
		for r := range b.n {
			s.rows = append(s.rows, int32(r))
		}
		s.sigmoids(machines, sums, b.lanes)
		s.rows = slices.DeleteFunc(s.rows, func(r int32) bool {
			return !(s.couple(e.classes, s.pairs[int(r)*len(machines):(int(r)+1)*len(machines)]) > 0.5)
		})
	default:
		s.rows = s.rows[:0]
		of := machines[0].Sigmoid
		for r, f := range sums[:b.n] {
			if by == odds {
				f = -(float64(f*of.A) + of.B) // the sigmoid's argument is negative above 1/2
			}
			if f > 0 {
				s.rows = append(s.rows, int32(r))
			}
		}
	}
	return s.rows
}
