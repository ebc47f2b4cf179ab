package vec

import (
	"math/bits"
	"slices"

	"github.com/slimsvm/slimsvm/format/vec/pages"
)

// Problem: find the position of an index in a set of indices, when a table by index would take more
// memory than the rows. This happens when names are hashed to a few of two billion indices.
//
// Method: the indices of the set are in ascending order, divided into ranges of equal width with
// about one index each. An index is looked up in its range. If the range has many indices, it is
// first narrowed by bisection.

// An IndexSet is a set of indices, numbered in ascending order. The zero IndexSet is empty.
type IndexSet struct {
	of    []int32 // the indices, in ascending order
	shift uint
	start []int32 // for each multiple of 1<<shift, how many indices are below it
}

// IndexSetOf returns the set of indices that rows of m list.
func IndexSetOf(m *Matrix) *IndexSet {
	n := new(IndexSet)
	all := pages.Make[int32](m.NNZ())[:0]
	var list *int32
	for i := range m.Len() {
		if of := m.Row(i).Index; len(of) > 0 && &of[0] != list {
			all, list = append(all, of...), &of[0]
		}
	}
	spare := pages.Make[int32](len(all))
	sorted := sortBits(all, spare, 0, 31)
	n.set(slices.Clone(slices.Compact(sorted)))
	pages.Drop(all)
	pages.Drop(spare)
	return n
}

// set makes n the given ascending indices. It keeps the slice.
func (n *IndexSet) set(of []int32) {
	n.of, n.start = of, n.start[:0]
	if len(of) == 0 {
		return
	}
	last := of[len(of)-1]
	n.shift = uint(bits.Len32(uint32(last) / uint32(len(of))))
	n.start = slices.Grow(n.start, int(last>>n.shift)+2)
	at := int32(0)
	for range last>>n.shift + 1 {
		for first := int32(len(n.start)) << n.shift; of[at] < first; {
			at++
		}
		n.start = append(n.start, at)
	}
	n.start = append(n.start, int32(len(of)))
}

// Len returns the number of indices.
func (n *IndexSet) Len() int { return len(n.of) }

// Ranges of up to fewInRange indices are searched one by one.
const fewInRange = 8

// Rank returns how many indices of the set are below index, and whether index is in the set; if it
// is, that is its number.
func (n *IndexSet) Rank(index int32) (number int32, is bool) {
	r := int(index >> n.shift)
	if r >= len(n.start)-1 {
		return int32(len(n.of)), false
	}
	lo, hi := n.start[r], n.start[r+1]
	for hi-lo > fewInRange {
		if mid := (lo + hi) / 2; n.of[mid] < index {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	for lo < hi && n.of[lo] < index {
		lo++
	}
	return lo, int(lo) < len(n.of) && n.of[lo] == index
}

// Renumbered returns m with each index replaced by its number in n, which must have all of them.
// The result shares values with m; rows that share an index list in m share one there.
func (m *Matrix) Renumbered(n *IndexSet) Matrix {
	s := *m
	s.rows, s.norms = slices.Clone(m.rows), slices.Clone(m.norms)
	s.index, s.value, s.joined, s.common, s.alike, s.arena = nil, nil, nil, beginning{}, [2]*int32{}, nil
	s.max, s.some = int32(len(n.of)-1), len(n.of) > 0
	for i := range s.rows {
		r := &s.rows[i]
		if i > 0 && r.lists(&m.rows[i-1]) {
			r.index = s.rows[i-1].index
			continue
		}
		if cap(s.index)-len(s.index) < r.n {
			s.index = make([]int32, 0, max(r.n, blockEntries))
		}
		from := len(s.index)
		for _, index := range r.indices() {
			number, _ := n.Rank(index)
			s.index = append(s.index, number)
		}
		r.index = headerOf(Vector{Index: s.index[from:]}).index
	}
	return s
}

// sortBits sorts keys by their bits from to to-1. spare must have room for as many keys. The result
// is in keys or in spare. Equal keys keep their order.
func sortBits[T int32 | uint64](keys, spare []T, from, to uint) []T {
	const digit = 11
	var counts [1 << digit]int32
	for spare = spare[:len(keys)]; from < to && len(keys) > 0; from += digit {
		mask := T(1)<<min(digit, to-from) - 1
		clear(counts[:])
		for _, k := range keys {
			counts[k>>from&mask]++
		}
		if int(counts[keys[0]>>from&mask]) == len(keys) {
			continue // all keys have the same digit
		}
		at := int32(0)
		for d, n := range counts {
			counts[d] = at
			at += n
		}
		for _, k := range keys {
			d := k >> from & mask
			spare[counts[d]] = k
			counts[d]++
		}
		keys, spare = spare, keys
	}
	return keys
}
