package datafile

import (
	"reflect"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
)

// TestRangesOf: rows that leave a feature out have 0 there, and features that are the same in all rows have no range.
func TestRangesOf(t *testing.T) {
	var d format.Dataset
	for _, x := range []vec.Vector{
		{Index: []int32{1, 2, 3, 5, 6}, Value: []float64{-5, 4, 7, 1, 0}},
		{Index: []int32{1, 3, 5}, Value: []float64{-3, 7, 2}},
		{Index: []int32{3, 5}, Value: []float64{7, -1}},
	} {
		d.Append(format.Instance{X: x, Weight: 1})
	}
	want := []FeatureRange{{1, -5, 0}, {2, 0, 4}, {5, -1, 2}}
	if got := rangesOf(&d); !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestFarApart: features are not scaled if one has a wide range, and one a range that is far narrower.
func TestFarApart(t *testing.T) {
	named := fitted(t, "a,b,y\n0,1,p\n200,2,q\n")
	for _, c := range []struct {
		features []FeatureRange
		named    bool
		want     string
	}{
		{nil, false, ""},
		{[]FeatureRange{{1, 0, 1000}}, false, ""},
		{[]FeatureRange{{1, 0, 1000}, {2, 0, 10}}, false, ""},
		{[]FeatureRange{{1, 0, 10}, {2, 0, 0.01}}, false, ""},
		{[]FeatureRange{{1, 0, 0.01}, {2, -1, 9.5}}, false, "the features are not scaled, feature 2 has values from -1 to 9.5 and feature 1 from 0 to 0.01"},
		{[]FeatureRange{{1, 0, 200}, {2, 1, 2}}, true, `the features are not scaled, "a" has values from 0 to 200 and "b" from 1 to 2`},
		{[]FeatureRange{{1, 0, 5}, {3, 5, 2000}, {4, 0, 7}, {8, 0, 3}}, false, "the features are not scaled, feature 3 has values from 5 to 2000 and feature 8 from 0 to 3"},
	} {
		e := named
		if !c.named {
			e = nil
		}
		if got := DescribeUnscaled(e, c.features); got != c.want {
			t.Errorf("%v: %q, want %q", c.features, got, c.want)
		}
	}
}
