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

// TestRoom: if machines have the vectors of two classes, one large class among many small ones does
// not count for each of them.
func TestRoom(t *testing.T) {
	j := &Job{o: Options{Set: Full{}}, classes: make([]int, 100), atOnce: true}
	set := drawn{rows: make([][]int, 100)}
	for c := range set.rows {
		set.rows[c] = make([]int, 2)
	}
	set.rows[7] = make([]int, 400)
	if err := j.roomFor(set); err != nil {
		t.Error(err)
	}
	j.rest = true
	set.rows[7] = make([]int, 4000)
	if err := j.roomFor(set); err == nil {
		t.Error("machines against the rest have all vectors, and room for them")
	}
}
