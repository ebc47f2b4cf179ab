package picture

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestLevels(t *testing.T) {
	for _, c := range []struct{ values, want []float64 }{
		{nil, nil},
		{[]float64{57}, nil},
		{[]float64{57, 57 + 1e-13}, nil},
		{[]float64{48, 48, 48, 50, 60, 98.6667}, []float64{60, 80}},
		{[]float64{99, 99, 99, 100, 20}, []float64{99, 99.5}},
		{[]float64{-0.5, -0.1, -0.012}, []float64{-0.1, -0.04}},
		{[]float64{40, 50, 61, 85, 91, 96.5, 97.2, 98.2, 98.6667}, []float64{90, 96, 97, 98, 98.4}},
	} {
		if got := Levels(c.values); !slices.Equal(got, c.want) {
			t.Errorf("%v: %v, want %v", c.values, got, c.want)
		}
	}
	rapid.Check(t, func(r *rapid.T) {
		values := rapid.SliceOfN(rapid.OneOf(rapid.Float64Range(0, 1), rapid.Float64Range(-1e300, 1e300), rapid.Float64Range(1e9, 1e9+1)), 1, 9).Draw(r, "values")
		for i := range values {
			if math.Abs(values[i]) < 1e-290 {
				values[i] = 0
			}
		}
		list := Levels(values)
		if !slices.IsSorted(list) || len(list) != len(slices.Compact(slices.Clone(list))) {
			r.Errorf("%v", list)
		}
		if low, high := slices.Min(values), slices.Max(values); Differ(low, high) && len(list) == 0 || len(list) > 0 && (list[0] <= low || list[len(list)-1] >= high) {
			r.Errorf("%v of %v", list, values)
		}
	})
}

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		low, high float64
		most      int
		want      []float64
	}{
		{0, 1, 5, []float64{0, 0.2, 0.4, 0.6, 0.8, 1}},
		{-15, 3, 10, []float64{-14, -12, -10, -8, -6, -4, -2, 0, 2}},
		{0, 9.99, 10, []float64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}},
		{0.1, 0.1, 5, []float64{0.1}},
		{-0.3, 0.3, 6, []float64{-0.3, -0.2, -0.1, 0, 0.1, 0.2, 0.3}},
	} {
		if got := Ticks(c.low, c.high, c.most); !slices.Equal(got, c.want) || slices.ContainsFunc(got, func(v float64) bool { return v == 0 && math.Signbit(v) }) {
			t.Errorf("%v to %v: %v, want %v", c.low, c.high, got, c.want)
		}
	}
}
