package train

import (
	"math"
	"testing"
)

// TestPartStart: parts follow each other and are of nearly one size, for any number of things.
func TestPartStart(t *testing.T) {
	for _, n := range []int{manyMachines, 1999000, math.MaxInt32, math.MaxInt} {
		for _, parts := range []int{assembled, 7 * assembled, 64 * assembled} {
			if partStart(n, parts, 0) != 0 || partStart(n, parts, parts) != n {
				t.Fatalf("%d parts of %d: from %d to %d", parts, n, partStart(n, parts, 0), partStart(n, parts, parts))
			}
			for k := range parts {
				if size := partStart(n, parts, k+1) - partStart(n, parts, k); size != n/parts && size != n/parts+1 {
					t.Fatalf("%d parts of %d: part %d has %d", parts, n, k, size)
				}
			}
		}
	}
}
