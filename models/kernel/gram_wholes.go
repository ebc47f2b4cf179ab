package kernel

import "github.com/slimsvm/slimsvm/format/vec/simd"

// Problem: compute kernel rows of vectors whose values are small whole numbers, as in unscaled
// data: grey levels, codes, counts.
//
// Method: no sum of products is rounded, in whatever order. So dot products are computed in
// integers (vec.WholePanels), which takes less memory and time. Values are made from them as from
// panels of float64.

// wholesAtOnce is how many columns of whole numbers take as long as one of float64.
const wholesAtOnce = 4

// wholesPay reports whether rows are whole numbers whose products are sooner computed in panels of such than
// in panels of float64, and, where entries are few, than those of lists, by rough times in nanoseconds: of a column, of a value
// of lists, and of an entry on them. It notes whether they are bytes.
func (s *Store) wholesPay() bool {
	column, there := map[simd.Level]float64{simd.AVX2: 0.03, simd.AVX512: 0.02}[simd.Current()]
	c := &s.columns
	if !there || float64(column*float64(c.count)) > float64(0.7*c.shared)+1.8 {
		return false
	}
	least, most, ok := s.near.WholeRange()
	if !ok {
		return false
	}
	s.bytes = least >= 0 && most <= 255
	element := 2
	if s.bytes {
		element = 1
	}
	return element*c.count*s.x.Len() <= 16*c.entries+64*s.x.Len()
}
