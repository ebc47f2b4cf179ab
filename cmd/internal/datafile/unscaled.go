package datafile

import (
	"fmt"
	"io"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/encode"
)

// Features are called unscaled when the widest has a range above wideSpan and
// above spanRatio times that of the narrowest. Ones and zeros, word frequencies
// and data scaled to an interval are not.
const (
	wideSpan  = 10
	spanRatio = 100
)

// A FeatureRange is that of a feature that is not the same in all rows.
type FeatureRange struct {
	Index    int32
	Min, Max float64
}

// DescribeUnscaled says which features have the widest and the narrowest range, if these are so far
// apart that kernels see little but the widest, and nearly all rows become vectors; else "". e is
// nil if features have no names.
func DescribeUnscaled(e *encode.Encoding, features []FeatureRange) string {
	if len(features) == 0 {
		return ""
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
		return ""
	}
	return fmt.Sprintf("the features are not scaled, %s has values from %s and %s from %s", nameOf(e, wide), wide.span(), nameOf(e, narrow), narrow.span())
}

// nameOf returns a feature's name.
func nameOf(e *encode.Encoding, f FeatureRange) string {
	if e != nil {
		return fmt.Sprintf("%q", e.Names()[f.Index-1])
	}
	return fmt.Sprintf("feature %d", f.Index)
}

func (f FeatureRange) span() string { return fmt.Sprintf("%.6g to %.6g", f.Min, f.Max) }

// rangesOf returns the ranges of the features of rows with declared columns, of which there are not
// many more than these and their labels.
func rangesOf(d *format.Dataset) (ranges []FeatureRange) {
	n := max(0, int(d.X.MaxIndex())+1)
	all, listed := make([]FeatureRange, n), make([]int, n)
	for r := range d.Len() {
		x := d.X.Row(r)
		for k, i := range x.Index {
			f, v := &all[i], x.Value[k]
			if listed[i]++; listed[i] == 1 {
				f.Min, f.Max = v, v
			}
			f.Min, f.Max = min(f.Min, v), max(f.Max, v)
		}
	}
	for i := range all {
		f := &all[i]
		if f.Index = int32(i); listed[i] < d.Len() { // rows that leave it out have 0
			f.Min, f.Max = min(f.Min, 0), max(f.Max, 0)
		}
		if f.Min < f.Max {
			ranges = append(ranges, *f)
		}
	}
	return ranges
}

// WarnUnscaled tells of features of declared columns that are far apart.
func (f *File) WarnUnscaled(stderr io.Writer, p *Problem) {
	if p.Encoding == nil {
		return
	}
	if says := DescribeUnscaled(p.Encoding, rangesOf(p.Data)); says != "" {
		fmt.Fprintf(stderr, "WARNING: %s: %s: scale them with svm-scale, or with slimsvm train --scale normalize, which keeps the scaling with the model\n", f.Name, says)
	}
}
