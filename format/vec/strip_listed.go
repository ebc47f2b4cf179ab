package vec

import (
	"slices"

	"github.com/slimsvm/slimsvm/format/vec/simd"
)

// farApart reports whether going through a table of indices up to top takes longer than sorting the
// entries.
func farApart(top, entries int) bool { return top >= 1<<16 && top/8 >= entries }

// sorts has the entries of some rows sorted by index. A key has the index, the row and the place in
// the row.
type sorts struct{ keys, spare []uint64 }

// Number of bits of a key for the row, and for the place in the row.
const (
	sortRow, sortPlace = 6, 26
	sortIndex          = sortRow + sortPlace // bits below the index
)

// of returns the sorted entries of xs.
func (s *sorts) of(xs []Vector) []uint64 {
	keys := s.keys[:0]
	for r, x := range xs {
		keys = slices.Grow(keys, len(x.Index))
		for k, i := range x.Index {
			keys = append(keys, uint64(i)<<sortIndex|uint64(r)<<sortPlace|uint64(k))
		}
	}
	s.keys = keys
	s.spare = slices.Grow(s.spare[:0], len(keys))
	return sortBits(keys, s.spare, sortIndex, sortIndex+31)
}

// setListed puts the rows' entries into blocks without using a table of indices.
func (s *Strip) setListed(xs []Vector) {
	sorted := s.sorts.of(xs)
	own := s.own.of[:0]
	s.at, s.ends = s.at[:0], s.ends[:0]
	block := int32(0)
	taken := uint64(0) // bit set of the rows that have an entry in the last block
	for from := 0; from < len(sorted); {
		index, have := sorted[from]>>sortIndex, uint64(0)
		to := from
		for ; to < len(sorted) && sorted[to]>>sortIndex == index; to++ {
			have |= 1 << (sorted[to] >> sortPlace & (1<<sortRow - 1))
		}
		if have&taken != 0 {
			block, taken = block+1, 0
		}
		taken |= have
		own, s.at, s.ends = append(own, int32(index)), append(s.at, 2*block+1), append(s.ends, int32(to))
		from = to
	}
	s.own.set(own)
	s.blocks = int(block) + 1
	n := s.blocks * s.lanes
	s.x, s.index = zeroed(s.x, n, n+n/4), zeroed(s.index, n, n+n/4) // with more room, because the next window may be larger
	plain := simd.Current() == simd.Portable
	s.rows, s.values = s.rows[:0], s.values[:0]
	from := int32(0)
	for number, to := range s.ends {
		at := int(s.at[number]/2) * s.lanes
		for _, key := range sorted[from:to] {
			r := int(key >> sortPlace & (1<<sortRow - 1))
			v := xs[r].Value[key&(1<<sortPlace-1)]
			s.x[at+r], s.index[at+r] = v, own[number]
			if plain {
				s.rows, s.values = append(s.rows, uint8(r)), append(s.values, v)
			}
		}
		from = to
	}
}

// listedPlaces sets places to the element of at for each index. If no row has the index, it is that
// of the index before.
func (s *Strip) listedPlaces(places, index []int32) {
	for k, i := range index {
		switch number, is := s.own.Rank(i); {
		case is:
			places[k] = s.at[number]
		case number > 0:
			places[k] = s.at[number-1] &^ 1
		default:
			places[k] = 0
		}
	}
}
