package models_test

import (
	"testing"

	"github.com/slimsvm/slimsvm/models"
)

// TestPairIndex counts the pairs of classes in their order.
func TestPairIndex(t *testing.T) {
	for k := range 12 {
		n := 0
		for i := range k {
			for j := i + 1; j < k; j++ {
				if at := models.PairIndex(i, j, k); at != n {
					t.Errorf("the pair %d, %d of %d classes is at %d, expected %d", i, j, k, at, n)
				}
				n++
			}
		}
		if models.Pairs(k) != n {
			t.Errorf("%d pairs of %d classes, expected %d", models.Pairs(k), k, n)
		}
	}
}
