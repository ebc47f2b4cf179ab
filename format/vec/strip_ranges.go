package vec

import (
	"math"
	"slices"
)

// Rows that have more entries together than wholeEntries are gone through in windows, ranges of indices
// with about windowEntries: blocks take 12 bytes for each lane, of which sparse rows use one in seven.
const wholeEntries, windowEntries = 1 << 16, 1 << 15

// A window is a range of indices, and what rows and vectors have in it.
type window struct {
	xs []Vector // rows that are gone through in windows; nil: they are not

	begun bool     // it is not the first
	rest  []Vector // of the rows, what is beyond
	rows  []Vector // what is in it
	from  int      // the first of the vectors at hand
	later []Vector // of these, what is beyond
	zs    []Vector // what is in it; nil: the vectors are whole
}

// set makes xs the rows, which have so many entries.
func (w *window) set(xs []Vector, entries int) {
	if w.xs = nil; entries > wholeEntries {
		w.xs = xs
	}
	w.begun, w.zs = false, nil
}

// used reports whether rows are gone through in windows.
func (w *window) used() bool { return w.xs != nil }

// first reports whether there is none before it.
func (w *window) first() bool { return !w.begun }

// of returns what vector i has in it.
func (w *window) of(zs *Matrix, i int) Vector {
	if w.zs == nil {
		return zs.Row(i)
	}
	return w.zs[i-w.from]
}

// sumWindows is sumSome in windows.
func (s *Strip) sumWindows(f stripSum, dst []float64, stride int, zs *Matrix, from, to int) {
	w := &s.window
	w.rest, w.later = append(w.rest[:0], w.xs...), w.later[:0]
	for i := from; i < to; i++ {
		w.later = append(w.later, zs.Row(i))
	}
	w.from = from
	s.listed = true
	for last := int32(0); last < math.MaxInt32; w.begun = true {
		last = w.last()
		w.rows, w.zs = cut(w.rows, w.rest, last), cut(w.zs, w.later, last)
		s.setListed(w.rows)
		s.sumSome(f, dst, stride, zs, from, to)
	}
	w.begun = false
	clear(w.rest) // whose memory is not this one's
	clear(w.rows)
	clear(w.later)
	clear(w.zs)
}

// last returns the last index of the next window. No row has a larger part of its rest there than the
// window is of that of all, but for rows of which so many entries are none.
func (w *window) last() int32 {
	entries := 0
	for _, x := range w.rest {
		entries += len(x.Index)
	}
	if entries <= windowEntries {
		return math.MaxInt32
	}
	last := int32(math.MaxInt32)
	for _, x := range w.rest {
		if k := int(float64(len(x.Index)) * (windowEntries / float64(entries))); k > 0 {
			last = min(last, x.Index[k-1])
		}
	}
	return last
}

// cut moves what the vectors of rest have up to index last to dst.
func cut(dst, rest []Vector, last int32) []Vector {
	dst = dst[:0]
	for i, v := range rest {
		k, is := slices.BinarySearch(v.Index, last)
		if is {
			k++
		}
		dst = append(dst, Vector{v.Index[:k], v.Value[:k]})
		rest[i] = Vector{v.Index[k:], v.Value[k:]}
	}
	return dst
}
