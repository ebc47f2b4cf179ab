package predict

import "math/bits"

// voteCounts counts votes for classes of 64 rows at once, by bit-sliced counters: each row is a bit
// of a word. The zero voteCounts is ready for begin.
type voteCounts struct {
	classes, digits int
	counts          []uint64          // digit d of the counts for class c is the word at [c*digits+d]
	best            [filterRows]int32 // the class with most votes, the first one in a tie
}

// the rows of a filter fit into the bits of a word
var _ [64]struct{} = [filterRows]struct{}{}

// begin prepares for the votes of k classes. A class gets fewer than k votes.
func (b *voteCounts) begin(k int) {
	b.classes, b.digits = k, bits.Len(uint(k-1))
	if n := k * b.digits; cap(b.counts) < n {
		b.counts = make([]uint64, n)
	} else {
		b.counts = b.counts[:n]
		clear(b.counts)
	}
}

// of returns the count of class c.
func (b *voteCounts) of(c int) []uint64 { return b.counts[c*b.digits : (c+1)*b.digits] }

// count adds the votes of some rows for class c.
func (b *voteCounts) count(c int, rows uint64) { count(b.of(c), rows) }

// number returns the votes of row r for class c.
func (b *voteCounts) number(c, r int) (n int) {
	for d, digit := range b.of(c) {
		n |= int(digit>>r&1) << d
	}
	return n
}

// findBest finds the class with most votes for each row.
func (b *voteCounts) findBest() {
	clear(b.best[:])
	if b.classes == 1 {
		return
	}
	var most [bits.UintSize]uint64
	copy(most[:], b.of(0))
	for c := 1; c < b.classes; c++ {
		more, equal := uint64(0), ^uint64(0)
		votes := b.of(c)
		for d := len(votes) - 1; d >= 0; d-- {
			more |= equal & votes[d] &^ most[d]
			equal &^= votes[d] ^ most[d]
		}
		for d, digit := range votes {
			most[d] = most[d]&^more | digit&more
		}
		for ; more != 0; more &= more - 1 {
			b.best[bits.TrailingZeros64(more)] = int32(c)
		}
	}
}
