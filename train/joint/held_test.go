package joint

import "testing"

// TestHeldOut: of few rows parts with the share that is asked for are held out, as many as
// there is room for, and none twice; by default five that are all rows together.
func TestHeldOut(t *testing.T) {
	var rows [][]float64
	for i := range 100 {
		rows = append(rows, []float64{float64(i), 1})
	}
	for _, c := range []struct {
		share       float64
		parts, held int // of 100 rows
	}{{0, 5, 20}, {0.05, 5, 5}, {0.2, 5, 20}, {0.25, 4, 25}, {0.5, 2, 50}, {0.75, 1, 75}} {
		s := &search{Trainer: small(nil), d: images(rows...), seed: 1}
		s.HeldOut, s.FewHeldOut = 0.1, c.share
		if err := s.targets(); err != nil {
			t.Fatal(err)
		}
		parts := s.fewParts()
		seen := map[int]bool{}
		for part := range parts {
			learn, held := s.split(part, parts)
			n := 0
			for _, rows := range learn {
				n += len(rows)
			}
			if d := len(held) - c.held; d < -2 || d > 2 || n+len(held) != len(rows) {
				t.Errorf("share %v: %d rows are held out, %d are not", c.share, len(held), n)
			}
			for _, i := range held {
				if seen[i] {
					t.Errorf("share %v: row %d is held out twice", c.share, i)
				}
				seen[i] = true
			}
		}
		if parts != c.parts {
			t.Errorf("share %v: %d parts, want %d", c.share, parts, c.parts)
		}
	}
}
