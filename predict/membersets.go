package predict

import (
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
)

// PositiveMembers returns the set of the members of an ensemble that call row r positive, that is,
// vote for their own class: bit i%64 of word i/64 is that of member i. The slice is valid until the
// batch is filled again.
func (b *Batch) PositiveMembers(r int) []uint64 { return b.memberSet(r, positiveMembers) }

// LikelyMembers returns, in the form of [Batch.PositiveMembers], the set of the members of an
// ensemble that find their own class more probable than not for row r. The model must have
// probability information.
func (b *Batch) LikelyMembers(r int) []uint64 {
	if !b.p.model.Probability {
		panic("predict: the model has no class probabilities")
	}
	return b.memberSet(r, likelyMembers)
}

// A membership says which members are in the set of a row.
type membership int

const (
	noMembers       membership = iota // there are no sets
	positiveMembers                   // those that call the row positive
	likelyMembers                     // those that find their class more probable than not
)

// DecideMembers fills the batch with xs, at most BatchRows rows, so that only
// [Batch.PositiveMembers] of an ensemble, or [Batch.LikelyMembers] if likely is true, may be
// asked. It takes less time and far less memory than Decide.
func (b *Batch) DecideMembers(xs []vec.Vector, likely bool) {
	of := positiveMembers
	if likely {
		if of = likelyMembers; !b.p.model.Probability {
			panic("predict: the model has no class probabilities")
		}
	}
	b.checkFill(xs)
	b.pack(xs)
	b.findMemberSets(of)
	b.state = stateMembers
}

// findMemberSets computes the member sets of a packed batch.
func (b *Batch) findMemberSets(of membership) {
	b.computeMemberSets(of, func(f func(i int, e *ensembleMember, sums []float64)) {
		b.eachMember(func(i int, e *ensembleMember, sums []float64) {
			b.memberBatch.findPositive(e, b.p.model.Machines[e.From:e.To], sums, b.lanes, b.n)
			f(i, e, sums)
		})
	})
}

// memberSet returns the set of members for row r. At first, it computes the sets of a batch that was
// decided.
func (b *Batch) memberSet(r int, of membership) []uint64 {
	if b.p.model.Vote != models.Ensemble || r < 0 || r >= b.n || b.state != stateDecided && (b.state != stateMembers || b.membership != of) {
		panic("predict: no such row of an ensemble in the batch")
	}
	switch {
	case b.membership == of:
	case b.each != nil: // there are no sums
		b.rows.Pack(&b.p.bank().basis, b.each)
		b.lanes = b.rows.Lanes()
		b.findMemberSets(of)
	default:
		b.computeMemberSets(of, func(f func(i int, e *ensembleMember, sums []float64)) {
			for i := range b.p.members {
				e := &b.p.members[i]
				sums := b.sums[e.From*b.lanes : e.To*b.lanes]
				b.memberBatch.findPositive(e, nil, sums, b.lanes, b.n)
				f(i, e, sums)
			}
		})
	}
	words := (len(b.p.members) + 63) / 64
	return b.memberSets[r*words : (r+1)*words]
}

// computeMemberSets sets the member sets of the whole batch. each must call f for every member in
// turn, after b.memberBatch has found the rows that this member calls positive.
func (b *Batch) computeMemberSets(of membership, each func(f func(i int, e *ensembleMember, sums []float64))) {
	b.membership = of
	words := (len(b.p.members) + 63) / 64
	if n := words * b.n; cap(b.memberSets) < n {
		b.memberSets = make([]uint64, n)
	} else {
		b.memberSets = b.memberSets[:n]
		clear(b.memberSets)
	}
	each(func(i int, e *ensembleMember, sums []float64) {
		rows := b.memberBatch.rows
		if of == likelyMembers {
			rows = b.likelyRows(e, sums)
		}
		for _, row := range rows {
			b.memberSets[int(row)*words+i/64] |= 1 << (i % 64)
		}
	})
}

// likelyRows returns the rows for which a member finds its class more probable than not. rho must have
// been subtracted from sums.
func (b *Batch) likelyRows(e *ensembleMember, sums []float64) []int32 {
	c, machines := &b.memberBatch, b.p.model.Machines[e.From:e.To]
	c.selectAll(b.n)
	rows := c.rows[:0]
	if len(machines) == 1 {
		of := machines[0].Sigmoid
		for r, f := range sums[:b.n] {
			if float64(f*of.A)+of.B < 0 {
				rows = append(rows, int32(r))
			}
		}
		return rows
	}
	c.computeProbabilities(machines, e.classes, sums, b.lanes)
	for k, r := range c.rows {
		if c.shares[k] > 0.5 {
			rows = append(rows, r)
		}
	}
	return rows
}
