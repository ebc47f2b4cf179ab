package preimage

import (
	"math/bits"

	"github.com/slimsvm/slimsvm/train/internal/de"
)

// blocks say where a vector of many features may be something else than 0: a bit for each
// blockLen of its entries. Members that begin at rows of text have few entries, and those
// that they get from each other stand where others have theirs.
type blocks []uint64

// blockLen is a multiple of the number of interleaved sums of columns.Dot.
const blockLen = 8

// blocksOf returns where z is not 0.
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

// add adds where a trial of a vector of so many features is not 0.
func (b blocks) add(t *de.Trial, features int) {
	for k, v := range t.Entries {
		if v != 0 {
			b.set((t.From + k) % features / blockLen)
		}
	}
}

// squaredNorm returns columns.Dot(z, z), to the bit, of a vector that is not 0 in these blocks
// alone: of zeros a sum stays as it is.
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
			for _, v := range part { // at the end of z
				s0 += float64(v * v)
			}
		}
	}
	return (s0 + s1) + (s2 + s3)
}
