package pages_test

import (
	"fmt"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec/pages"
)

// TestArena: memory of an arena is zero and does not overlap, and an arena that was released can be used
// again.
func TestArena(t *testing.T) {
	const page = pages.Size / 8
	for _, r := range []pages.Arena{{}, {LargeFirst: true}, {SmallOnly: true}} {
		much := fmt.Sprint(r.LargeFirst, r.SmallOnly)
		for range 2 {
			var wide [][]float64
			var bytes [][]byte
			for _, n := range []int{0, 1, 3, 1000, page / 2, page, 3*page + 5, 9 * page} {
				wide, bytes = append(wide, pages.Alloc[float64](&r, n)), append(bytes, pages.Alloc[byte](&r, n))
				if len(wide[len(wide)-1]) != n || len(bytes[len(bytes)-1]) != n {
					t.Fatalf("%d and %d numbers, want %d", len(wide[len(wide)-1]), len(bytes[len(bytes)-1]), n)
				}
			}
			for k := range wide {
				for i := range wide[k] {
					if wide[k][i] != 0 || bytes[k][i] != 0 {
						t.Fatalf("much, little %v: number %d of slice %d is %g, %d", much, i, k, wide[k][i], bytes[k][i])
					}
					wide[k][i], bytes[k][i] = float64(k+1), byte(k+1)
				}
			}
			for k := range wide {
				for i := range wide[k] {
					if wide[k][i] != float64(k+1) || bytes[k][i] != byte(k+1) {
						t.Fatalf("much, little %v: number %d of slice %d was overwritten: %g, %d", much, i, k, wide[k][i], bytes[k][i])
					}
				}
			}
			r.Release()
		}
	}
}
