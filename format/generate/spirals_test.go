package generate

import "testing"

// TestSpiralsTurn: i goes evenly from 0 to 96, in sets too that are so large that 96 times a row is
// no int of 32 bits.
func TestSpiralsTurn(t *testing.T) {
	for _, c := range []struct {
		row, last int
		want      float64
	}{{0, 96, 0}, {3, 96, 1}, {193, 96, 96}, {1 << 30, 1 << 29, 96}, {1<<30 + 1<<29, 1 << 30, 72}, {1<<31 - 1, 1 << 30, 96 - 96.0/(1<<30)}} {
		if got := spiralTurn(c.row, c.last); got != c.want {
			t.Errorf("row %d: %v, want %v", c.row, got, c.want)
		}
	}
}
