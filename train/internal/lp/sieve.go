package lp

import "slices"

// A sieve keeps the t whose reduced costs are small: the kinks that an edge from one basis to a
// nearby one can meet. A solution started from another's basis changes the other reduced costs,
// too, but seldom through 0, so that until the next refresh they need not be known. If a few then
// have changed their sign, more are kept from there on; if many have, the basis was not near, and
// all are kept. The zero sieve keeps all.
type sieve struct {
	on     bool
	kept   []int32 // indices, growing; nil: all
	is     []bool  // whether each is
	share  float64 // of the t that are kept
	missed int     // how many that were not kept have changed their signs, or may have ended an edge
	sample []float64
}

const (
	samples   = 8   // every so many-th t tells how large a share's reduced costs are
	many      = 25  // of so many that are kept, one that is missed
	mostShare = 0.5 // more are not worth the trouble
)

// Variables for tests.
var (
	keptShare = 1.0 / 8 // of the t, at first
	minSifted = 1000    // t; fewer are all kept
)

// start begins to sift the t of m x n programmes. Of square ones the pivots cost more than
// the edges.
func (v *sieve) start(m, n int) {
	v.on, v.kept, v.share, v.missed = m >= minSifted && m >= 2*n, nil, keptShare, 0
	if v.on && v.is == nil {
		v.is = make([]bool, m)
	}
}

// stop keeps all from here on.
func (v *sieve) stop() { v.on, v.kept = false, nil }

// choose chooses anew, by the present reduced costs.
func (v *sieve) choose(z []float64, posT []int32) {
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

// of returns the elements of a column that are kept.
func (v *sieve) of(column []float64) []float64 {
	if v.kept == nil {
		return column
	}
	some := make([]float64, len(v.kept))
	for n, i := range v.kept {
		some[n] = column[i]
	}
	return some
}

// note notes that t i, outside of the basis, goes to its other bound for the sign of
// its reduced cost.
func (v *sieve) note(i int) {
	if v.kept != nil && !v.is[i] {
		v.missed++
	}
}
