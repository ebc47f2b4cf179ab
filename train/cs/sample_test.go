package cs

import "testing"

// TestSampleShares: samples of many rows have the classes in their proportions, also if an int has
// 32 bits.
func TestSampleShares(t *testing.T) {
	y := make([]float64, 150000)
	for i := range y {
		y[i] = 1
		if i%20 == 0 {
			y[i] = -1
		}
	}
	rows, held := sample(y, 20000, 10000, stream(1, forTuning, 0, 0, 0))
	for _, c := range []struct {
		name      string
		rows      []int
		pos, neg  int
		first, at int
	}{{"rows", rows, 19000, 1000, 21166, 0}, {"held out", held, 9500, 500, 0, -1}} {
		pos, neg := 0, 0
		for _, i := range c.rows {
			if y[i] > 0 {
				pos++
			} else {
				neg++
			}
		}
		if pos != c.pos || neg != c.neg {
			t.Errorf("%s: %d and %d of the classes, want %d and %d", c.name, pos, neg, c.pos, c.neg)
		}
		if c.at >= 0 && c.rows[c.at] != c.first {
			t.Errorf("%s: begin with %d", c.name, c.rows[c.at])
		}
	}
}
