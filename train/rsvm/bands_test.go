package rsvm

import "testing"

func TestBands(t *testing.T) {
	for n := 1; n < 200; n++ {
		cut := bands(n, hessianParts)
		if cut[0] != 0 || cut[len(cut)-1] != n {
			t.Fatalf("%d lines: %v", n, cut)
		}
		for p := 1; p < len(cut); p++ {
			if cut[p] <= cut[p-1] {
				t.Fatalf("%d lines: %v", n, cut)
			}
		}
	}
}
