package scan

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec/simd"
)

// TestWalkRoom: rows take memory when they are put and do not overlap, and the memory of a walk
// serves the next one.
func TestWalkRoom(t *testing.T) {
	defer simd.Use(simd.Current())
	for level := simd.Portable; level <= simd.Best(); level++ {
		simd.Use(level)
		w := new(Walk)
		held := func() (values int) {
			for _, s := range w.slabs {
				values += len(s)
			}
			return values
		}
		before := 0
		for _, n := range []int{1000, 1024, 70, 4096, 1, 300} {
			r, diag := rand.New(rand.NewPCG(7, uint64(n))), make([]float64, n)
			for range 2 { // the second time there is room already
				before = held()
				w.Begin(n)
				of := r.Perm(n)[:min(n, 40)]
				for _, i := range of {
					row := w.Place(i)
					for k := range row {
						row[k] = float32(i)
					}
					w.Put(i, diag)
				}
				for i := range n {
					if row := w.Row(i); slices.Contains(of, i) == (row == nil) ||
						slices.ContainsFunc(row, func(x float32) bool { return x != float32(i) }) || row != nil && len(row) != n {
						t.Fatalf("%v, %d variables: row %d is %v", level, n, i, row)
					}
				}
				if most := max(before, 3*len(of)*(2*PaddedLen(n)+16)+slabMost); held() > most {
					t.Errorf("%v: %d rows of %d variables have room for %d values", level, len(of), n, held())
				}
			}
			total := 0
			for k, s := range w.slabs {
				if len(s) < min(max(total, slabLeast), slabMost) {
					t.Errorf("%v: slab %d has %d values, those before %d", level, k, len(s), total)
				}
				total += len(s)
			}
			if held() > before {
				t.Errorf("%v: the same rows of %d variables took %d values, then %d", level, n, before, held())
			}
		}
	}
}
