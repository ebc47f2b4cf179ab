package predict

import (
	"math"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
)

// Problem: find the answers of an ensemble, and the probabilities of its classes, for the rows of a
// batch, with the same bits as for one row.
//
// Method: members are evaluated one after the other, each for all rows, so that the sums of each
// row have the same order as for a single one, and only a few members have values in memory.
// Rows for which no member votes are decided afterwards.

// answerEnsemble finds the answers for xs. If likely is true, it sets b.coupled to the
// probabilities too; the model must have these, and more than one class.
func (b *Batch) answerEnsemble(xs []vec.Vector, likely bool) {
	m, c, k, n := b.p.model, &b.memberBatch, len(b.p.model.Labels), len(xs)
	b.pack(xs)
	lanes := b.lanes
	b.given = room(b.given, k*lanes)
	clearGiven(b.given)
	chances := b.given
	both := likely && m.Ballot != models.ByProbability
	if both {
		b.chances = room(b.chances, k*lanes)
		clearGiven(b.chances)
		chances = b.chances
	}
	var voted [rowWords]uint64
	b.eachMember(func(_ int, e *ensembleMember, sums []float64) {
		c.addGiven(m, e, b.given[e.pos*lanes:][:n], &voted, sums, lanes)
		if both {
			c.computeProbabilities(m.Machines[e.From:e.To], e.classes, sums, lanes)
			c.addShares(chances[e.pos*lanes:][:n])
		}
	})
	if likely {
		b.coupled.reserve(n, k)
		clear(b.coupled.limits)
	}
	b.undecided, b.undecidedAt = b.undecided[:0], b.undecidedAt[:0]
	for r, x := range xs {
		best := 0
		for c := range k {
			if b.given[c*lanes+r] > b.given[best*lanes+r] {
				best = c
			}
		}
		b.answers = append(b.answers, float64(m.Labels[best]))
		if voted[r/64]>>(r%64)&1 == 0 {
			b.undecided, b.undecidedAt = append(b.undecided, x), append(b.undecidedAt, r)
			continue
		}
		if likely {
			dst, first := b.coupled.of[r*k:(r+1)*k], k
			for c := range dst {
				given := chances[c*lanes+r]
				if first == k && !(given < 0) {
					first = c
				}
				dst[c] = max(given, 0)
			}
			b.p.shareOut(dst, first)
		}
	}
	b.answerSilent(likely)
}

// answerSilent finds the answers, and probabilities, for b.undecided, for which no member votes.
func (b *Batch) answerSilent(likely bool) {
	xs, m, c, k := b.undecided, b.p.model, &b.memberBatch, len(b.p.model.Labels)
	if len(xs) < fewRows {
		s := b.p.scratch()
		defer scratches.Put(s)
		for i, x := range xs {
			at := b.undecidedAt[i]
			b.p.decide(s, x)
			b.answers[at] = b.p.vote(s)
			if likely {
				b.p.ensembleTo(b.coupled.of[at*k:(at+1)*k], s)
			}
		}
		return
	}
	b.pack(xs)
	lanes, n, probable := b.lanes, len(xs), m.Ballot == models.ByProbability
	b.given, b.best, b.class = room(b.given, k*lanes), room(b.best, n), b.class[:0]
	clear(b.given)
	for r := range b.best {
		b.best[r] = math.Inf(-1)
		if probable {
			b.best[r] = 0
		}
		b.class = append(b.class, m.Default)
	}
	b.eachMember(func(_ int, e *ensembleMember, sums []float64) {
		c.findPositive(e, m.Machines[e.From:e.To], sums, lanes, n) // and subtract rho
		if probable || likely {
			c.selectAll(n)
			c.computeProbabilities(m.Machines[e.From:e.To], e.classes, sums, lanes)
			most := b.given[e.pos*lanes:][:n]
			for r, p := range c.shares[:n] {
				most[r] = max(most[r], p)
			}
		}
		for r := range n {
			var f float64
			if probable {
				f = c.shares[r]
			} else {
				f = math.Inf(1)
				for q := range e.classes - 1 {
					f = min(f, sums[q*lanes+r])
				}
			}
			if f > b.best[r] {
				b.best[r], b.class[r] = f, e.pos
			}
		}
	})
	for r, at := range b.undecidedAt {
		b.answers[at] = float64(m.Labels[b.class[r]])
		if likely {
			dst := b.coupled.of[at*k : (at+1)*k]
			for c := range dst {
				dst[c] = b.given[c*lanes+r]
			}
			b.p.shareOut(dst, m.Default)
		}
	}
}

// planesAtOnce is the number of hyperplanes whose values are computed at a time. For BatchRows rows
// they take 64 KB.
const planesAtOnce = 64

// eachMember calls f for all members with the values of their hyperplanes for the rows of the
// batch, which must be packed. rho is not yet subtracted. Values are computed only a few members
// ahead, so that they are still in the cache when they are used.
func (b *Batch) eachMember(f func(i int, e *ensembleMember, sums []float64)) {
	all, from, to := len(b.p.model.Machines), 0, 0 // sums has the values of hyperplanes from to to-1
	for i := range b.p.members {
		e := &b.p.members[i]
		if e.To > to {
			from, to = e.From, min(max(e.To, e.From+planesAtOnce), all)
			b.sums = room(b.sums, (to-from)*b.lanes)
			b.rows.EvaluateTo(b.sums, from, to)
		}
		f(i, e, b.sums[(e.From-from)*b.lanes:(e.To-from)*b.lanes])
	}
}
