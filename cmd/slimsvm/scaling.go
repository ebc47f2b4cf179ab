package main

import (
	"fmt"

	"github.com/slimsvm/slimsvm/cmd/internal/datafile"
	"github.com/slimsvm/slimsvm/format/encode"
	"github.com/slimsvm/slimsvm/format/scale"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// warnUnscaled tells of features that are far apart, where that matters, for rows in memory.
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

// warnRanges is warnUnscaled for rows that were measured one by one.
func (w *warner) warnRanges(p *problem, encoding *encode.Encoding, m *scale.Measure, k kernel.Kernel) {
	if !scaleMatters(p, k) {
		return
	}
	var features []datafile.FeatureRange
	for _, f := range m.Ranges(scale.Limits{Upper: 1}, nil).X.Ranges {
		features = append(features, datafile.FeatureRange{Index: f.Index, Min: f.Min, Max: f.Max})
	}
	says := datafile.DescribeUnscaled(encoding, features)
	if says == "" && p.method.Has("negatives") {
		says = describeLarge(features)
	}
	if says == "" {
		return
	}
	hint := "scale them first: slimsvm scale"
	if encoding != nil {
		hint = "try --scale normalize"
	}
	w.warn("%s: %s", says, hint)
}

// largeRange is the range of a feature from which exemplar and prototype machines may need minutes instead of seconds where
// classes overlap.
const largeRange = 10000

// describeLarge says that features are large, though alike, or nothing.
func describeLarge(features []datafile.FeatureRange) string {
	for _, f := range features {
		if halfDistance(f.Min, f.Max) > largeRange/2 {
			return fmt.Sprintf("the features are not scaled, and with values such as %g machines converge slowly where classes overlap", f.Max)
		}
	}
	return ""
}

// scaleMatters reports whether a kernel's values depend on ranges that nobody has scaled.
func scaleMatters(p *problem, k kernel.Kernel) bool {
	_, none := k.(kernel.Precomputed)
	return !none && p.encode.Scaling == encode.None
}
