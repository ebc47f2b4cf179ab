package kernel

import "github.com/slimsvm/slimsvm/format/vec/simd"

// Problem: compute kernel rows of vectors whose values are small whole numbers, as in unscaled
// data: grey levels, codes, counts.
//
// Method: sums of products are exact in any order. So dot products are computed in integers
// (vec.WholePanels), which takes less memory and time. Values are made from them as from panels of
// float64.

// wholesAtOnce is the number of columns of whole numbers that take as long as one column of
// float64.
const wholesAtOnce = 4

// wholesPay reports whether rows are whole numbers for which panels of whole numbers are faster
// than panels of float64 or, if there are few entries, than lists. It uses rough times in
// nanoseconds: for a column, for a value from lists, and for an entry on a list. It notes whether
// the numbers are bytes.
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
