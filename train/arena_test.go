package train

import (
	"slices"
	"testing"
)

// TestArena: the slices of an arena are zero and do not overlap until the arena is reset; then the
// memory is used again.
func TestArena(t *testing.T) {
	sizes := []int{0, 1, 100, slabLen - 1, slabLen, 3 * slabLen, 5, slabLen / 2, 1}
	var r arena
	var pieces int
	for round := range 3 {
		var all [][]float64
		for _, n := range sizes {
			s := numbers(&r, floats, n)
			if len(s) != n || cap(s) != n {
				t.Fatalf("length %d, capacity %d, want %d", len(s), cap(s), n)
			}
			if slices.ContainsFunc(s, func(x float64) bool { return x != 0 }) {
				t.Errorf("round %d: %d numbers are not zeros", round, n)
			}
			for i := range s {
				s[i] = float64(len(all) + 1)
			}
			all = append(all, s)
		}
		for k, s := range all {
			if slices.ContainsFunc(s, func(x float64) bool { return x != float64(k+1) }) {
				t.Errorf("round %d: slice %d was overwritten", round, k)
			}
		}
		r.reset()
		if round == 0 {
			pieces = len(r.floats.list)
		}
	}
	if len(r.floats.list) != pieces {
		t.Errorf("%d pieces after three rounds, %d after one", len(r.floats.list), pieces)
	}
	first := r.machines(9)
	if again := r.machines(7); len(again) != 0 || &again[:1][0] != &first[:1][0] {
		t.Error("machines of the next model are in other memory")
	}
	if s := numbers[int](nil, ints, 7); len(s) != 7 {
		t.Errorf("without a room %d numbers, want 7", len(s))
	}
}

// TestLastingArena: lasting slices are zero and do not overlap, pieces are not kept for later, and
// long slices have memory of their own.
func TestLastingArena(t *testing.T) {
	r := arena{lasting: true}
	var all [][]float64
	for k := range 3 * slabLen / 10 {
		n := 1 + k%20
		if k%50 == 0 {
			n = separateLen + k
		}
		s := numbers(&r, floats, n)
		if len(s) != n || cap(s) != n || slices.ContainsFunc(s, func(x float64) bool { return x != 0 }) {
			t.Fatalf("%d numbers with room for %d, want %d zeros", len(s), cap(s), n)
		}
		for i := range s {
			s[i] = float64(k + 1)
		}
		all = append(all, s)
	}
	for k, s := range all {
		if slices.ContainsFunc(s, func(x float64) bool { return x != float64(k+1) }) {
			t.Errorf("slice %d was overwritten", k)
		}
	}
	if len(r.floats.list) > 0 {
		t.Error("pieces are kept")
	}
}
