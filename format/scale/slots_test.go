package scale

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestSlots(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	orders := map[string]func(i int) int32{
		"ascending":    func(i int) int32 { return int32(i) },
		"descending":   func(i int) int32 { return int32(30000 - i) },
		"every eighth": func(i int) int32 { return int32(8 * i) },
		"every ninth":  func(i int) int32 { return int32(9 * i) },
		"far":          func(i int) int32 { return math.MaxInt32 - int32(i) },
		"random":       func(i int) int32 { return rng.Int32N(40000) },
		"random, far":  func(i int) int32 { return rng.Int32() },
		"far, then near": func(i int) int32 {
			if i < 15000 {
				return int32(100000 - i)
			}
			return int32(i - 15000)
		},
	}
	for name, order := range orders {
		var s slots
		want := map[int32]int32{}
		moves := 0
		for i := range 30000 {
			index := order(i)
			slot, known := want[index]
			if !known {
				slot = -1
			}
			if got := s.find(index); got != slot {
				t.Fatalf("%s: find(%d) = %d, want %d", name, index, got, slot)
			}
			if known {
				continue
			}
			before := len(s.direct)
			if got := s.add(index); got != int32(len(want)) {
				t.Fatalf("%s: add(%d) = %d, want %d", name, index, got, len(want))
			}
			want[index] = int32(len(want))
			if len(s.direct) != before {
				moves++
			}
			if len(s.direct) > max(directMin, directFill*len(want)) {
				t.Fatalf("%s: %d table entries for %d indices", name, len(s.direct), len(want))
			}
		}
		for index, slot := range want {
			if got := s.find(index); got != slot {
				t.Fatalf("%s: at last find(%d) = %d, want %d", name, index, got, slot)
			}
		}
		for index := range s.far {
			if int(index) < len(s.direct) {
				t.Fatalf("%s: %d is in the map and in the table", name, index)
			}
		}
		if moves > 20 {
			t.Errorf("%s: the table grew %d times", name, moves)
		}
		if name == "ascending" && len(s.far) > 0 {
			t.Errorf("%s: %d indices are in the map", name, len(s.far))
		}
	}
}

// TestSlotsGrowForNone: the table grows for an index that it has no place for, and for no other.
func TestSlotsGrowForNone(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	var s slots
	for _, index := range rng.Perm(1 << 17) {
		before := len(s.direct)
		if s.add(int32(index)); index < before && len(s.direct) > before {
			t.Fatalf("it grew from %d to %d for %d", before, len(s.direct), index)
		}
	}
	if len(s.direct) > 2<<17 {
		t.Errorf("%d table entries for %d indices", len(s.direct), s.n)
	}
}
