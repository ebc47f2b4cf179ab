package predict

import (
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
)

// Calls returns which members of an ensemble call row r positive, that is, vote for their own
// class: bit i%64 of word i/64 is that of member i. The slice is valid until the batch is filled
// again.
func (b *Batch) Calls(r int) []uint64 { return b.callsOf(r, signs) }

// LikelyCalls returns, in the form of [Batch.Calls], which members of an ensemble find their own
// class more probable than not for row r. The model must have probability information.
func (b *Batch) LikelyCalls(r int) []uint64 {
	if !b.p.model.Probability {
		panic("predict: the model has no class probabilities")
	}
	return b.callsOf(r, odds)
}

// A callBasis says what calls are based on.
type callBasis int

const (
	noCalls callBasis = iota
	signs
	odds
)

// DecideCalls fills the batch with xs, at most BatchRows rows, so that only [Batch.Calls] of an
// ensemble, or [Batch.LikelyCalls] if likely is true, may be asked. It takes less time and far less
// memory than Decide.
func (b *Batch) DecideCalls(xs []vec.Vector, likely bool) {
	by := signs
	if likely {
		if by = odds; !b.p.model.Probability {
			panic("predict: the model has no class probabilities")
		}
	}
	b.answers = b.answers[:0]
	b.pack(xs)
	b.computeCalls(by, func(f func(i int, e *ensembleMember, sums []float64)) {
		b.eachMember(func(i int, e *ensembleMember, sums []float64) {
			b.memberBatch.findPositive(e, b.p.model.Machines[e.From:e.To], sums, b.lanes, b.n)
			f(i, e, sums)
		})
	})
	b.callsOnly = true
}

// callsOf returns the calls for row r. At the first call, it computes the calls of a batch that was
// decided.
func (b *Batch) callsOf(r int, by callBasis) []uint64 {
	if b.p.model.Vote != models.Ensemble || r < 0 || r >= b.n || len(b.answers) > 0 || b.callsOnly && b.callsBy != by {
		panic("predict: no such row of an ensemble in the batch")
	}
	if b.callsBy != by {
		b.computeCalls(by, func(f func(i int, e *ensembleMember, sums []float64)) {
			for i := range b.p.members {
				e := &b.p.members[i]
				sums := b.sums[e.From*b.lanes : e.To*b.lanes]
				b.memberBatch.findPositive(e, nil, sums, b.lanes, b.n)
				f(i, e, sums)
			}
		})
	}
	words := (len(b.p.members) + 63) / 64
	return b.calls[r*words : (r+1)*words]
}

// computeCalls sets the calls of the whole batch. each must call f for every member in turn, after
// b.memberBatch has found the rows that this member calls positive.
func (b *Batch) computeCalls(by callBasis, each func(f func(i int, e *ensembleMember, sums []float64))) {
	b.callsBy = by
	words := (len(b.p.members) + 63) / 64
	if n := words * b.n; cap(b.calls) < n {
		b.calls = make([]uint64, n)
	} else {
		b.calls = b.calls[:n]
		clear(b.calls)
	}
	each(func(i int, e *ensembleMember, sums []float64) {
		rows := b.memberBatch.rows
		if by == odds {
			rows = b.likely(e, sums)
		}
		for _, row := range rows {
			b.calls[int(row)*words+i/64] |= 1 << (i % 64)
		}
	})
}

// likely returns the rows for which a member finds its class more probable than not. rho must have
// been subtracted from sums.
func (b *Batch) likely(e *ensembleMember, sums []float64) []int32 {
	c, machines := &b.memberBatch, b.p.model.Machines[e.From:e.To]
	c.selectAll(b.n)
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
	c.computeProbabilities(machines, e.classes, sums, b.lanes)
	for k, r := range c.rows {
		if c.shares[k] > 0.5 {
			likely = append(likely, r)
		}
	}
	return likely
}
