package main

import (
	"fmt"

	"github.com/slimsvm/slimsvm/format/encode"
	"github.com/slimsvm/slimsvm/format/scale"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// Features are called unscaled when the widest has a range above wideSpan and
// above spanRatio times that of the narrowest. Ones and zeros, word frequencies
// and data scaled to an interval are not.
const (
	wideSpan  = 10
	spanRatio = 100
)

// warnUnscaled is warnRanges for rows in memory.
func (w *warner) warnUnscaled(p *problem, r *prepared, k kernel.Kernel) {
	if !scaleMatters(p, k) {
		return
	}
	var m scale.Measure
	for i := range r.data.Len() {
		m.Add(0, r.data.X.Row(i))
	}
	w.warnRanges(p, r.encoding, &m, k)
}

// scaleMatters reports whether a kernel's values depend on ranges that nobody has scaled.
func scaleMatters(p *problem, k kernel.Kernel) bool {
	_, none := k.(kernel.Precomputed)
	return !none && p.encode.Scaling == encode.None
}

// warnRanges says so when the ranges of features are far apart: then kernels
// see little but the widest, and nearly all rows become vectors.
func (w *warner) warnRanges(p *problem, encoding *encode.Encoding, m *scale.Measure, k kernel.Kernel) {
	if !scaleMatters(p, k) {
		return
	}
	features := m.Ranges(scale.Limits{Upper: 1}, nil).X.Ranges
	if len(features) == 0 {
		return
	}
	wide, narrow := features[0], features[0]
	for _, f := range features {
		if f.Max-f.Min > wide.Max-wide.Min {
			wide = f
		}
		if f.Max-f.Min < narrow.Max-narrow.Min {
			narrow = f
		}
	}
	if span := wide.Max - wide.Min; span <= wideSpan || span <= spanRatio*(narrow.Max-narrow.Min) {
		return
	}
	remedy := "scale them first: slimsvm scale"
	if encoding != nil {
		remedy = "try --scale normalize"
	}
	w.warn("the features are not scaled, %s and %s: %s", describe(encoding, wide), describe(encoding, narrow), remedy)
}

// describe returns a feature's name and range.
func describe(e *encode.Encoding, f scale.Feature) string {
	name := fmt.Sprintf("feature %d", f.Index)
	if e != nil {
		name = fmt.Sprintf("%q", e.Names()[f.Index-1])
	}
	return fmt.Sprintf("%s has %.6g to %.6g", name, f.Min, f.Max)
}
