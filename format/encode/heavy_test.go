package encode

import (
	"math"
	"testing"
)

// TestHeavyRow: one row that outweighs the others by more than numbers tell apart leaves them their
// part in the deviation, wherever it stands.
func TestHeavyRow(t *testing.T) {
	const light = 50 // rows of weight 1 at 0.1 and -0.7
	for _, heavy := range []float64{1e10, 1e13, 1e16, 1e17, 1e20, 1e30} {
		for place := range light + 1 {
			var m moments
			for i := range light + 1 {
				switch {
				case i == place:
					m.add(1.3, heavy)
				case i%2 == 0:
					m.add(0.1, 1)
				default:
					m.add(-0.7, 1)
				}
			}
			a, b := 0.0, 0.0 // light rows, and the heavy one's share
			for i := range light + 1 {
				if v := map[bool]float64{true: 0.1, false: -0.7}[i%2 == 0]; i != place {
					a, b = a+(v-1.3)*(v-1.3), b+(v-1.3)
				}
			}
			want := a - b*b/(heavy+light)
			if got := m.s; !(math.Abs(got-want) <= 1e-3*want) {
				t.Errorf("weight %g in place %d: squares %v, want %v", heavy, place, got, want)
			}
		}
	}
}
