package rsvm

import "testing"

// TestRandomSize: the number of vectors by Share is rounded up, limited by Least and MaxVectors,
// and never more than the number of rows. Vectors is used instead if it is set.
func TestRandomSize(t *testing.T) {
	for _, c := range []struct {
		s          Random
		rows, want int
	}{
		{Random{Share: 0.1, MaxVectors: 200}, 95, 10},
		{Random{Share: 0.1, MaxVectors: 200}, 5000, 200},
		{Random{Share: 1, MaxVectors: 200}, 30, 30},
		{DefaultRandom(), 12, 12},
		{DefaultRandom(), 100, 20},
		{DefaultRandom(), 201, 21},
		{DefaultRandom(), 5000, 200},
		{Random{Share: 0.1, Least: 20, MaxVectors: 15}, 100, 15},
		{Random{Vectors: 5, Least: 20}, 100, 5},
		{Random{Share: 0.07, MaxVectors: 200}, 100, 7},
		{Random{Share: 0.07, MaxVectors: 200}, 101, 8},
		{Random{Share: 0.28, MaxVectors: 200}, 25, 7},
		{Random{Share: 1e-9, MaxVectors: 200}, 25, 1},
		{Random{Vectors: 50, Share: 0.1, MaxVectors: 20}, 1000, 50},
		{Random{Vectors: 50}, 12, 12},
	} {
		if got := c.s.size(c.rows); got != c.want {
			t.Errorf("%+v of %d rows: %d vectors, want %d", c.s, c.rows, got, c.want)
		}
	}
}
