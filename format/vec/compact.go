package vec

import (
	"math/bits"
	"slices"
)

// Compact returns the rows with features renumbered from 1 in the order of their indices, and the
// original index for each number. Memory grows with the number of entries, not with the largest
// index.
func (m *Matrix) Compact() (c Matrix, features []int32) {
	pages := map[int32]*page{}
	at, p := int32(-1), (*page)(nil) // the page used last
	for i := range m.Len() {
		for _, f := range m.Row(i).Index {
			if k := f / pageSize; k != at {
				if at, p = k, pages[k]; p == nil {
					p = new(page)
					pages[k] = p
				}
			}
			p[f%pageSize/64] |= 1 << (f % 64)
		}
	}
	for k, p := range pages {
		for w, word := range p {
			for ; word != 0; word &= word - 1 {
				features = append(features, k*pageSize+int32(w*64+bits.TrailingZeros64(word)))
			}
		}
	}
	slices.Sort(features)
	for i := range m.Len() {
		c.Append(Renumbered(m.Row(i), features))
	}
	return c, features
}

// A page says which of pageSize neighbouring indices occur.
type page [pageSize / 64]uint64

const pageSize = 1 << 16

// Renumbered returns v with the numbers of [Matrix.Compact] in place of indices. features is
// Compact's second result. Entries whose index has no number are left out.
func Renumbered(v Vector, features []int32) Vector {
	n := Vector{Index: make([]int32, 0, len(v.Index)), Value: make([]float64, 0, len(v.Index))}
	from := 0
	for k, f := range v.Index {
		if from < len(features) && features[from] == f { // always true in dense rows
			n.Index, n.Value = append(n.Index, int32(from+1)), append(n.Value, v.Value[k])
			from++
			continue
		}
		place, ok := slices.BinarySearch(features[from:], f)
		if from += place; ok {
			from++
			n.Index, n.Value = append(n.Index, int32(from)), append(n.Value, v.Value[k])
		}
	}
	return n
}
