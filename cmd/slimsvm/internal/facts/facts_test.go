package facts

import (
	"math"
	"testing"

	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/jsonline"
	"github.com/slimsvm/slimsvm/format"
)

// TestDensityOfMany: the density of more values than an int of 32 bits counts.
func TestDensityOfMany(t *testing.T) {
	f := Data{Rows: 1 << 17, nonzero: 1 << 24}
	f.used.n = 1 << 16
	f.finish(&format.Header{}, -1)
	if want := jsonline.Number(1.0 / 512); f.Density != want {
		t.Errorf("features: %v, want %v", f.Density, want)
	}
	f = Data{Rows: 1 << 30, Columns: make([]column, 6)}
	for i := range f.Columns {
		f.Columns[i].Nonzero, f.Columns[i].listed = 1<<29, 1<<30
	}
	f.finish(&format.Header{Attributes: make([]format.Attribute, 6)}, -1)
	if want := jsonline.Number(0.5); f.Density != want {
		t.Errorf("columns: %v, want %v", f.Density, want)
	}
}

// TestIndexSet: numbers are counted once each, small and large ones in any order, and large ones that are
// near each other share memory.
func TestIndexSet(t *testing.T) {
	var s indexSet
	seen := map[int32]bool{}
	add := func(i int32) {
		seen[i] = true
		if s.add(i); s.n != len(seen) {
			t.Fatalf("after %d: %d numbers, want %d", i, s.n, len(seen))
		}
	}
	for range 2 {
		for i := int32(mostFew - 300); i < mostFew+3000; i++ {
			add(i)
		}
		for _, i := range []int32{0, math.MaxInt32, mostFew + 64, math.MaxInt32 - 63, 5000, mostFew, 1, math.MaxInt32 - 64, mostFew + 63} {
			add(i)
		}
		for k := range int32(1000) { // far from each other, each of two in turn
			add(mostFew + k*1_000_003)
			add(mostFew + 70)
		}
	}
	if s.low != 0 || s.high != math.MaxInt32 {
		t.Errorf("numbers from %d to %d", s.low, s.high)
	}
	if most := 3000/64 + 1 + 3 + 1000; len(s.far) > most {
		t.Errorf("%d pieces of memory for large numbers, want %d at most", len(s.far), most)
	}
}
