package lp

import "slices"

// candidates selects the t with small reduced costs: the breakpoints that an edge from one basis to
// a nearby one can meet. When a solver starts from another problem's basis, the other reduced costs
// change too, but seldom pass 0, so they need not be known until the next refresh. If a few of them
// have then changed their signs, it keeps more t from there on. If many have, the basis was not
// near, and it keeps all. The zero candidates keeps all.
type candidates struct {
	on     bool
	kept   []int32 // indices of the t kept, ascending; nil: all
	is     []bool  // whether each t is kept
	share  float64 // share of the t that are kept
	missed int     // how many t not kept have changed their signs, or may have ended an edge
	sample []float64
}

const (
	samples   = 8   // every eighth t is sampled to find the limit of the reduced costs
	many      = 25  // the selection stops if more than one in this many of the kept ones was missed
	mostShare = 0.5 // a larger share is not worth the trouble
)

// Tests change these.
var (
	keptShare        = 1.0 / 8 // share of the t kept at first
	minForCandidates = 1000    // with fewer t, all are kept
)

// start begins to select the t of m x n programmes, if m is large enough. If the matrix is nearly
// square, pivots cost more than edges, and the selection does not pay.
func (v *candidates) start(m, n int) {
	v.on, v.kept, v.share, v.missed = m >= minForCandidates && m >= 2*n, nil, keptShare, 0
	if v.on && v.is == nil {
		v.is = make([]bool, m)
	}
}

// stop keeps all t from here on.
func (v *candidates) stop() { v.on, v.kept = false, nil }

// choose selects the t to keep by the current reduced costs.
func (v *candidates) choose(z []float64, posT []int32) {
	if v.missed > 0 {
		v.share *= 2
	}
	if !v.on || v.share > mostShare || v.missed*many > len(v.kept) {
		v.stop()
		return
	}
	v.missed = 0
	v.sample = v.sample[:0]
	for i := 0; i < len(z); i += samples {
		v.sample = append(v.sample, abs(z[i]))
	}
	slices.Sort(v.sample)
	limit := v.sample[int(v.share*float64(len(v.sample)))]
	v.kept = v.kept[:0]
	for i, z := range z {
		if v.is[i] = posT[i] >= 0 || abs(z) <= limit; v.is[i] {
			v.kept = append(v.kept, int32(i))
		}
	}
}

// of returns the elements of a column that belong to kept t.
func (v *candidates) of(column []float64) []float64 {
	if v.kept == nil {
		return column
	}
	some := make([]float64, len(v.kept))
	for n, i := range v.kept {
		some[n] = column[i]
	}
	return some
}

// noteFlip notes that t i, outside of the basis, moves to its other bound because its reduced cost
// has changed its sign.
func (v *candidates) noteFlip(i int) {
	if v.kept != nil && !v.is[i] {
		v.missed++
	}
}
