package vec

import (
	"math"
	"slices"
	"testing"
)

func TestCompact(t *testing.T) {
	var m Matrix
	for _, index := range [][]int32{{3, 70, math.MaxInt32}, {}, {0, 3, 65535, 65536, 1 << 30}, {70}} {
		v := Vector{Index: index}
		for _, f := range index {
			v.Value = append(v.Value, float64(f)+0.5)
		}
		m.Append(v)
	}
	c, features := m.Compact()
	if want := []int32{0, 3, 70, 65535, 65536, 1 << 30, math.MaxInt32}; !slices.Equal(features, want) {
		t.Fatalf("features %v, want %v", features, want)
	}
	for i := range m.Len() {
		was, is := m.Row(i), c.Row(i)
		if !slices.Equal(was.Value, is.Value) {
			t.Errorf("row %d has values %v, had %v", i, is.Value, was.Value)
		}
		for k, f := range is.Index {
			if features[f-1] != was.Index[k] {
				t.Errorf("row %d: feature %d is %d", i, f, was.Index[k])
			}
		}
	}
	v := Renumbered(Vector{Index: []int32{1, 3, 71, 1 << 30}, Value: []float64{1, 2, 3, 4}}, features)
	if !slices.Equal(v.Index, []int32{2, 6}) || !slices.Equal(v.Value, []float64{2, 4}) {
		t.Errorf("renumbered: %v", v)
	}
	if c, features := new(Matrix).Compact(); c.Len() != 0 || len(features) != 0 {
		t.Errorf("of nothing: %d rows, features %v", c.Len(), features)
	}
}
