package pages_test

import (
	"testing"

	"github.com/slimsvm/slimsvm/format/vec/pages"
)

// TestMap: mapped memory is as good as other memory, and can be given back.
func TestMap(t *testing.T) {
	const page = pages.Size / 8
	for _, n := range []int{0, 1, 1000, page / 2, page, 3*page + 5} {
		s, release := pages.Map[float64](n)
		again, releaseAgain := pages.Map[float64](n)
		if len(s) != n || len(again) != n {
			t.Fatalf("%d and %d numbers, want %d", len(s), len(again), n)
		}
		for i := range s {
			if s[i] != 0 || again[i] != 0 {
				t.Fatalf("number %d of %d is %g, %g", i, n, s[i], again[i])
			}
			s[i], again[i] = 1, 2
		}
		for i := range s {
			if s[i] != 1 || again[i] != 2 {
				t.Fatalf("number %d of %d is %g, %g", i, n, s[i], again[i])
			}
		}
		release()
		releaseAgain()
	}
}
