package vec

import (
	"math"
	"slices"
)

// If rows have more than wholeEntries entries together, they are processed in windows, which are
// ranges of indices with about windowEntries entries. The reason is memory: blocks take 12 bytes
// for each lane, and sparse rows use only one lane in seven.
const wholeEntries, windowEntries = 1 << 16, 1 << 15

// A window is a range of indices, with the parts of rows and vectors in that range.
type window struct {
	xs []Vector // the rows, if they are processed in windows; else nil

	begun bool     // some window was processed before
	rest  []Vector // the rows' parts after the window
	rows  []Vector // the rows' parts in the window
	from  int      // number of the first of the current vectors
	later []Vector // the current vectors' parts after the window
	zs    []Vector // the current vectors' parts in the window; nil: vectors are whole
}

// set sets the rows, which have this many entries together.
func (w *window) set(xs []Vector, entries int) {
	if w.xs = nil; entries > wholeEntries {
		w.xs = xs
	}
	w.begun, w.zs = false, nil
}

// used reports whether the rows are processed in windows.
func (w *window) used() bool { return w.xs != nil }

// first reports whether no window was processed before.
func (w *window) first() bool { return !w.begun }

// of returns the part of vector i in the window.
func (w *window) of(zs *Matrix, i int) Vector {
	if w.zs == nil {
		return zs.Row(i)
	}
	return w.zs[i-w.from]
}

// sumWindows is sumSome, window by window.
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
	clear(w.rest) // do not keep the rows and vectors in memory
	clear(w.rows)
	clear(w.later)
	clear(w.zs)
}

// last returns the last index of the next window. It is chosen so that the window has at most the
// same share of each row's remaining entries as of all remaining entries. Rows for which that share
// is less than one entry are ignored.
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

// cut moves the parts of rest up to index last to dst.
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
