package preimage

import (
	"math/bits"

	"github.com/slimsvm/slimsvm/train/internal/de"
)

// blocks say where a vector of many features may be nonzero: one bit for each blockLen entries.
// Members that begin as rows of text have few nonzero entries, and take over only entries of other
// members, so they stay sparse.
type blocks []uint64

// blockLen is a multiple of the number of interleaved sums in columns.Dot.
const blockLen = 8

// blocksOf returns the blocks in which z is not 0.
func blocksOf(z []float64) blocks {
	b := make(blocks, (len(z)+64*blockLen-1)/(64*blockLen))
	for k, v := range z {
		if v != 0 {
			b.set(k / blockLen)
		}
	}
	return b
}

func (b blocks) set(k int) { b[k/64] |= 1 << (k % 64) }

// add adds the blocks in which a trial is not 0. Its vector has the given number of features.
func (b blocks) add(t *de.Trial, features int) {
	for k, v := range t.Entries {
		if v != 0 {
			b.set((t.From + k) % features / blockLen)
		}
	}
}

// squaredNorm returns columns.Dot(z, z), to the last bit, for a z that is 0 outside of these
// blocks: adding zeros does not change a sum.
func (b blocks) squaredNorm(z []float64) float64 {
	var s0, s1, s2, s3 float64
	for n, word := range b {
		for ; word != 0; word &= word - 1 {
			from := (64*n + bits.TrailingZeros64(word)) * blockLen
			part := z[from:min(from+blockLen, len(z))]
			for ; len(part) >= 4; part = part[4:] {
				s0 += float64(part[0] * part[0])
				s1 += float64(part[1] * part[1])
				s2 += float64(part[2] * part[2])
				s3 += float64(part[3] * part[3])
			}
			for _, v := range part { // the end of z
				s0 += float64(v * v)
			}
		}
	}
	return (s0 + s1) + (s2 + s3)
}
