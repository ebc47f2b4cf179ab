package predict

import "github.com/slimsvm/slimsvm/models"

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
	c := &b.chorus
	sums := b.sums[e.From*b.lanes : e.To*b.lanes]
	if by == signs {
		c.hear(e, nil, sums, b.lanes, b.n)
		return c.rows
	}
	machines := b.p.model.Machines[e.From:e.To]
	c.everyone(b.n)
	likely := c.rows[:0]
	if len(machines) == 1 {
		of := machines[0].Sigmoid
		for r, f := range sums[:b.n] {
			if float64(f*of.A)+of.B < 0 {
				likely = append(likely, int32(r))
			}
		}
		return likely
	}
	c.judge(machines, e.classes, sums, b.lanes)
	for k, r := range c.rows {
		if c.shares[k] > 0.5 {
			likely = append(likely, r)
		}
	}
	return likely
}
