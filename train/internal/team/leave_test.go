package team

import "testing"

// TestLeave: who needs help after a helper has left calls at once if that one has taken many
// parts, and else works alone for some time first.
func TestLeave(t *testing.T) {
	for _, taken := range []int{0, useful - 1, useful, 10 * useful} {
		c := &Crew{team: new(team), piece: new(piece), parts: make([]part, crewParts)}
		c.leave(taken)
		pieces := 0
		for ; !c.wanted.Load() && pieces <= 2*alonePart; pieces++ {
			if n := c.Parts(2, 1); n != 1 {
				t.Fatalf("%d parts without help", n)
			}
		}
		if at := pieces == 1; at != (taken >= useful) || pieces > alonePart {
			t.Errorf("after a helper that has taken %d parts, help is called for at piece %d", taken, pieces)
		}
	}
}
