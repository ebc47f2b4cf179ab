package predict

import (
	"math/bits"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/predict/internal/pairs"
)

// Problem: compute what members give the rows of a batch, with the same bits as for one row.
//
// Method: a member gives nothing to most rows, as the signs of its values show. The signs of 64
// rows are one word, and votes are counted for all of them at once. Sigmoids and coupling are
// computed only for the remaining rows, side by side.

// A memberBatch evaluates members for the rows of a batch. The zero memberBatch is ready.
type memberBatch struct {
	memberEvaluator

	signs    []uint64         // signs of hyperplane q for rows 64w to 64w + 63 at [q*rowWords+w]
	counts   []uint64         // counts of votes, as binary digits
	positive [rowWords]uint64 // rows that are called positive
	list     [(BatchRows + pairs.Lanes - 1) / pairs.Lanes * pairs.Lanes]int32
	rows     []int32 // the part of list with the rows that are called positive
	padded   int     // number of rows, rounded up to a multiple of pairs.Lanes
	z        []float64
	size     []float64 // -|z|
	exps     []float64
	of       []float64 // probability of pair q for the k-th of these rows at [q*padded+k]
	shares   []float64 // for the k-th row, the probability of the member's own class, or what the member gives
}

// rowWords is the number of words with one bit for each row of a batch.
const rowWords = (BatchRows + 63) / 64

// findPositive finds which of n rows a member calls positive. machines has its hyperplanes if their
// rho must still be subtracted from sums, else it is nil.
func (c *memberBatch) findPositive(e *ensembleMember, machines []models.Machine, sums []float64, lanes, n int) {
	planes := e.To - e.From
	if cap(c.signs) < planes*rowWords {
		c.signs = make([]uint64, planes*rowWords)
	}
	c.signs = c.signs[:planes*rowWords]
	padded := pad(n)
	for q := range planes {
		rho := 0.0
		if machines != nil {
			rho = machines[q].Rho
		}
		pairs.Signs(c.signs[q*rowWords:(q+1)*rowWords], sums[q*lanes:q*lanes+padded], rho)
	}
	count := 0
	for w := range c.positive {
		c.positive[w] = 0
		if n > 64*w {
			c.positive[w] = c.positiveWord(e.classes, w) & (^uint64(0) >> max(0, 64*(w+1)-n))
		}
		for set := c.positive[w]; set != 0; set &= set - 1 {
			c.list[count] = int32(64*w + bits.TrailingZeros64(set))
			count++
		}
	}
	c.selectFirst(count)
}

// selectAll makes c.rows all of n rows.
func (c *memberBatch) selectAll(n int) {
	for r := range n {
		c.list[r] = int32(r)
	}
	c.selectFirst(n)
}

// selectFirst sets c.rows to the first n rows of the list. The padding repeats the first row.
func (c *memberBatch) selectFirst(n int) {
	c.rows, c.padded = c.list[:n], pad(n)
	for k := n; k < c.padded; k++ {
		c.list[k] = c.list[0]
	}
}

func pad(n int) int { return (n + pairs.Lanes - 1) / pairs.Lanes * pairs.Lanes }

// positiveWord returns the rows of word w for which no class has more votes than the first one of k
// classes.
func (c *memberBatch) positiveWord(k, w int) uint64 {
	switch at := c.signs[w:]; k {
	case 2:
		return at[0]
	case 3: // class 0 wins both its pairs, or one and the three classes tie
		return at[0]&at[rowWords] | at[2*rowWords]&at[0] | at[rowWords]&^at[2*rowWords]
	}
	digits := bits.Len(uint(k - 1))
	if cap(c.counts) < k*digits {
		c.counts = make([]uint64, k*digits)
	}
	counts := c.counts[:k*digits]
	clear(counts)
	q := w
	for a := range k {
		for b := a + 1; b < k; b++ {
			vote := c.signs[q]
			count(counts[a*digits:(a+1)*digits], vote)
			count(counts[b*digits:(b+1)*digits], ^vote)
			q += rowWords
		}
	}
	beaten := uint64(0)
	for a := 1; a < k; a++ {
		equal := ^uint64(0)
		for digit := digits - 1; digit >= 0; digit-- {
			own, other := counts[digit], counts[a*digits+digit]
			beaten |= equal & other &^ own
			equal &^= own ^ other
		}
	}
	return ^beaten
}

// count adds a vote to the counts of the rows that are set in votes.
func count(digits []uint64, votes uint64) {
	for k, d := range digits {
		digits[k] = d ^ votes
		votes &= d
	}
}

// computeProbabilities sets c.shares to the probabilities of the member's own class for c.rows.
func (c *memberBatch) computeProbabilities(machines []models.Machine, classes int, sums []float64, lanes int) {
	n, rows := c.padded, c.rows[:c.padded]
	all := n * len(machines)
	c.z, c.size, c.exps, c.of = room(c.z, all), room(c.size, all), room(c.exps, all), room(c.of, all)
	for q := range machines {
		s, at := machines[q].Sigmoid, q*n
		pairs.Arguments(c.z[at:at+n], c.size[at:at+n], sums[q*lanes:(q+1)*lanes], rows, s.A, s.B)
	}
	kernel.ExpTo(c.exps, c.size)
	if len(machines) == 1 {
		c.shares = room(c.shares, n)
		pairs.Logistic(c.shares, c.z, c.exps, 0)
		return
	}
	pairs.Logistic(c.of, c.z, c.exps, pairLimit)
	c.shares = room(c.shares, n)
	switch classes {
	case 3:
		pairs.ThreeTo(c.shares, c.of, n)
	case 4:
		pairs.FourTo(c.shares, c.of, n)
	default:
		c.r = room(c.r, len(machines))
		for k := range c.rows {
			for q := range c.r {
				c.r[q] = c.of[q*n+k]
			}
			c.shares[k] = c.couple(classes, c.r)
		}
	}
}

// computeGiven sets c.shares to what a member gives the rows c.rows, which it calls positive. That
// depends on the model's Ballot. rho must have been subtracted from sums.
func (c *memberBatch) computeGiven(m *models.Model, e *ensembleMember, sums []float64, lanes int) {
	if m.Ballot == models.ByProbability {
		c.computeProbabilities(m.Machines[e.From:e.To], e.classes, sums, lanes)
		return
	}
	c.values, c.shares = room(c.values, e.To-e.From), room(c.shares, c.padded)
	for k, r := range c.rows {
		for q := range c.values {
			c.values[q] = sums[q*lanes+int(r)]
		}
		c.shares[k] = c.given(m, e, c.values)
	}
}

// addGiven adds what a member gives to the rows that it calls positive. rho is not yet subtracted
// from sums.
func (c *memberBatch) addGiven(m *models.Model, e *ensembleMember, given []float64, voted *[rowWords]uint64, sums []float64, lanes int) {
	c.findPositive(e, m.Machines[e.From:e.To], sums, lanes, len(given))
	for w, set := range c.positive {
		voted[w] |= set
	}
	c.computeGiven(m, e, sums, lanes)
	c.addShares(given)
}

// addShares adds c.shares to what c.rows have.
func (c *memberBatch) addShares(given []float64) {
	for k, r := range c.rows {
		given[r] = add(given[r], c.shares[k])
	}
}

// DecideVotes fills the batch with xs, at most BatchRows rows, so that only [Batch.EachVote] may be
// asked.
func (b *Batch) DecideVotes(xs []vec.Vector) {
	b.checkFill(xs)
	b.pack(xs)
	b.state = statePacked
}

// EachVote calls f for each member of an ensemble with the rows of the batch that the member calls
// positive, in ascending order, and with what it gives its class for each of them. f must not keep
// the slices. The batch must have been filled by [Batch.DecideVotes].
func (b *Batch) EachVote(f func(member int, rows []int32, given []float64)) {
	if b.p.model.Vote != models.Ensemble || b.state != statePacked {
		panic("predict: a batch that was not filled by DecideVotes")
	}
	c, m := &b.memberBatch, b.p.model
	b.eachMember(func(i int, e *ensembleMember, sums []float64) {
		c.findPositive(e, m.Machines[e.From:e.To], sums, b.lanes, b.n)
		c.computeGiven(m, e, sums, b.lanes)
		f(i, c.rows, c.shares[:len(c.rows)])
	})
}
