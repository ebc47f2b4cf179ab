package vec

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"
)

// TestFrom: vectors of slices and maps are valid, have the values and nothing else, and share nothing
// with the slice.
func TestFrom(t *testing.T) {
	nan := math.NaN()
	for _, values := range [][]float64{nil, {}, {0}, {1}, {0, 0, -2.5, 0, 7, math.Copysign(0, -1)}, {nan, 0, math.Inf(1)}} {
		in := slices.Clone(values)
		byMap := map[int32]float64{}
		for j, x := range values {
			byMap[int32(j+1)] = x
		}
		s, m := FromSlice(in), FromMap(byMap)
		clear(in)
		if fmt.Sprint(s) != fmt.Sprint(m) {
			t.Errorf("%v: %v of the slice, %v of the map", values, s, m)
		}
		if err := s.CheckIndices(); err != nil {
			t.Errorf("%v: %v", values, err)
		}
		for j, x := range values {
			if got := s.At(int32(j + 1)); got != x && !math.IsNaN(x) || math.IsNaN(x) != math.IsNaN(got) {
				t.Errorf("%v: %v at %d", values, got, j+1)
			}
		}
		if slices.Contains(s.Value, 0) {
			t.Errorf("%v: %v lists zeros", values, s)
		}
	}
	if v := FromMap(map[int32]float64{5: 1, -3: 2, 0: 4}); !reflect.DeepEqual(v, Vector{[]int32{-3, 0, 5}, []float64{2, 4, 1}}) {
		t.Error(v) // whose index is reported by what checks vectors
	}
}
