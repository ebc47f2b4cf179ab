package psvm

import (
	"context"
	"math"
	"math/bits"
	"slices"

	"github.com/slimsvm/slimsvm/predict"
	"github.com/slimsvm/slimsvm/train"
)

// Problem, algorithm 3 (SHIFT): find the sets of the next iteration. Every row of D goes to the
// nearest exemplar of its class whose machine calls the row positive, and joins its positive set.
// The Form says whether the row's own machine is a candidate, and what is called positive. A row of
// another class that a machine calls positive joins its negative set with probability p, which is
// the same for all machines or, with AsNegatives, larger for those with few such rows. Machines
// to which no row goes are dropped, so the last machine that knows a row stays. With Literal,
// machines are dropped that call no row positive.
//
// Method: all machines judge all rows in one matrix product. Each machine has a random stream of
// its own, in the order of the rows.

// calls say which machines call which rows positive.
type calls struct {
	words int
	bits  []uint64 // of row k and machine m, bit m%64 of word k*words + m/64
}

func (b *calls) of(row int) []uint64 { return b.bits[row*b.words : (row+1)*b.words] }

func (b *calls) has(row, machine int) bool {
	return b.bits[row*b.words+machine/64]>>(machine%64)&1 != 0
}

// shift changes the members' sets after iteration j. p is the predictor of the members.
func (c *training) shift(ctx context.Context, p *predict.Predictor, j int) error {
	count := len(c.members)
	words := (count + 63) / 64
	calls := &calls{words, make([]uint64, words*c.p.len())}
	nearest := make([]int, c.p.len()) // member, or -1
	err := train.DecideMembers(ctx, p, c.form.likely(), &c.d.X, c.p.rows, func(b *predict.Batch, at, k int) {
		if c.form.likely() {
			copy(calls.of(k), b.LikelyMembers(at))
		} else {
			copy(calls.of(k), b.PositiveMembers(at))
		}
		nearest[k] = c.choose(calls.of(k), k)
	})
	if err != nil {
		return err
	}
	taken := make([]bool, count)
	for k, m := range nearest {
		if m >= 0 {
			taken[m] = true
			c.members[m].join(&c.members[m].pos, int32(k))
		}
	}
	if err := c.addNegatives(ctx, calls, j); err != nil {
		return err
	}
	if c.form == Literal {
		calls.any(taken)
	}
	kept := make([]*member, 0, count)
	for n, m := range c.members {
		if taken[n] {
			kept = append(kept, m)
		}
	}
	c.members = kept
	return nil
}

// any sets some[m] for each machine m that calls a row positive.
func (b *calls) any(some []bool) {
	for at, word := range b.bits {
		for ; word != 0; word &= word - 1 {
			some[64*(at%b.words)+bits.TrailingZeros64(word)] = true
		}
	}
}

// choose returns the machine to which row k goes, from the set of those that call it positive, or
// -1.
func (c *training) choose(set []uint64, k int) int {
	own, best, least := -1, -1, math.Inf(1)
	class := c.p.class[k]
	for w, word := range set {
		for ; word != 0; word &= word - 1 {
			n := 64*w + bits.TrailingZeros64(word)
			i := c.members[n].exemplar
			if i == k && !c.form.own() {
				own = n
			} else if c.p.class[i] != class {
				continue
			} else if d := c.p.within(i, k); d < least {
				best, least = n, d
			}
		}
	}
	if best < 0 {
		return own
	}
	return best
}

// addNegatives gives the machines some of the rows that they wrongly call positive.
func (c *training) addNegatives(ctx context.Context, calls *calls, j int) error {
	if c.HardNegatives == 0 {
		return nil
	}
	places := make(map[*member]int, len(c.members))
	for n, m := range c.members {
		places[m] = n
	}
	return c.each(ctx, func(_ context.Context, m *member) error {
		n, class := places[m], c.p.class[m.exemplar]
		rng := c.run.stream(shiftStream, c.chance(j, m))
		var hard []int32
		for k, other := range c.p.class {
			if other != class && calls.has(k, n) {
				hard = append(hard, int32(k))
			}
		}
		p := c.hardProbability(len(hard))
		for _, k := range hard {
			if rng.Float64() < p {
				m.join(&m.neg, k)
			}
		}
		return nil
	})
}

// thesisHard is the thesis's p.
const thesisHard = 0.005

// hardProbability returns the probability p of each of the rows that a machine wrongly calls
// positive, given their number.
func (c *training) hardProbability(rows int) float64 {
	if c.HardNegatives != AsNegatives {
		return c.HardNegatives
	}
	return max(thesisHard, float64(c.Negatives)/float64(rows)) // infinite without rows
}

// chance returns the number of the random stream of a machine in an iteration.
func (c *training) chance(j int, m *member) uint64 {
	return (uint64(c.round)*uint64(c.Iterations+1)+uint64(j))*uint64(c.run.d.Len()) + uint64(m.exemplar)
}

// join puts a row into one of m's sets.
func (m *member) join(set *[]int32, row int32) {
	if at, has := slices.BinarySearch(*set, row); !has {
		*set = slices.Insert(*set, at, row)
		m.stale = true
	}
}
