package lp

import (
	"cmp"
	"math"
	"slices"
)

// A breakpoint is a point on an edge where the slope of P grows because a variable's reduced cost
// passes 0.
type breakpoint struct {
	at    float64 // distance, >= 0
	slope float64 // by how much the slope grows
	pivot float64 // absolute change of the reduced cost per unit
	// index is the index of t, or m + the position of an active row.
	index int32
}

func (a breakpoint) compare(b breakpoint) int {
	if c := cmp.Compare(a.at, b.at); c != 0 {
		return c
	}
	return cmp.Compare(a.index, b.index)
}

// A ratioTest finds how far to go along an edge.
type ratioTest struct {
	breakpoints []breakpoint
	harris      float64 // how far a reduced cost may pass 0
}

const (
	minPivot   = 1e-9 // smaller changes have no breakpoint
	smallPivot = 1e-7 // share of the largest pivot: a smaller one is taken only if there is no other
	fairPivot  = 1e-3 // share of the largest pivot: to avoid a smaller one, P may rise a little

	slopeRounding = 1e-12 // relative error of a slope minus all its increases
)

// choose returns the breakpoint at which to stop on an edge that begins with the slope -descent,
// and moves the breakpoints before it to lower indices. A slope of at least -level counts as level.
// at is -1 if P decreases without end.
//
// It finds the breakpoint where the slope stops being negative. Among the breakpoints that are as
// near as the tolerance allows (Harris), it takes the one with the largest pivot. It takes a
// breakpoint beyond, up to which P increases, only if the pivots before it are small, since upward
// steps can make the method cycle.
func (r *ratioTest) choose(descent, level float64) (at int) {
	ks := r.breakpoints
	at = r.lowest(descent, level)
	if at < 0 {
		return -1
	}
	stop, largest := ks[at].at, 0.0
	for _, k := range ks {
		largest = max(largest, k.pivot)
	}
	for i, k := range ks {
		if k.pivot > ks[at].pivot && k.at <= stop && (stop-k.at)*k.pivot <= r.harris {
			at = i
		}
	}
	if ks[at].pivot < fairPivot*largest {
		for i, k := range ks {
			if k.pivot > ks[at].pivot && math.Abs(k.at-stop)*k.pivot <= r.harris {
				at = i
			}
		}
	}
	if ks[at].pivot < smallPivot*largest {
		for i, k := range ks {
			if k.at <= stop && k.pivot >= smallPivot*largest && (ks[at].pivot < smallPivot*largest || k.at > ks[at].at) {
				at = i
			}
		}
	}
	return at
}

// lowest returns the breakpoint where the slope, -descent at first, stops being negative, with the
// breakpoints before it at lower indices. If the slope after the last breakpoint is level except
// for rounding, as when the optimum is an edge, it returns the last breakpoint. If there is none,
// it returns -1. It is a weighted selection with a fixed choice of pivots.
func (r *ratioTest) lowest(descent, level float64) int {
	ks := r.breakpoints
	level += float64(slopeRounding * descent)
	lo, hi := 0, len(ks) // the sum of the slopes before lo is less than descent
	for hi-lo > 12 {
		a, b, c := ks[lo], ks[lo+(hi-lo)/2], ks[hi-1]
		if a.compare(b) > 0 {
			a, b = b, a
		}
		if b.compare(c) > 0 {
			b = c
			if a.compare(b) > 0 {
				b = a
			}
		}
		// ks[lo:mid] come before b; ks[mid] is b
		mid, sum, where := lo, 0.0, -1
		for i := lo; i < hi; i++ {
			if k := ks[i]; k.index == b.index {
				where = i
			} else if k.compare(b) < 0 {
				sum += k.slope
				ks[i], ks[mid] = ks[mid], k
				if where == mid {
					where = i
				}
				mid++
			}
		}
		ks[mid], ks[where] = ks[where], ks[mid]
		switch {
		case sum >= descent:
			hi = mid
		case sum+b.slope >= descent:
			return mid
		default:
			descent -= sum + b.slope
			lo = mid + 1
		}
	}
	slices.SortFunc(ks[lo:hi], breakpoint.compare)
	for i := lo; i < hi; i++ {
		if descent -= ks[i].slope; descent <= 0 {
			return i
		}
	}
	if hi < len(ks) { // because of rounding, the slopes up to hi did not suffice
		return hi
	}
	if hi > 0 && descent <= level {
		return hi - 1
	}
	return -1
}
