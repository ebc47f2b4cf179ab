package vec_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec"
)

// TestHashIndices: lists that differ in one index, or in length, are not equal, and rarely have the
// same place in a table of 64.
func TestHashIndices(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 8))
	together, pairs := 0, 0
	for n := range 70 {
		list := make([]int32, n)
		for k := range list {
			list[k] = int32(k + 1 + rnd.IntN(3)*rnd.IntN(2))
		}
		same := slices.Clone(list)
		if !vec.EqualIndices(list, list) || !vec.EqualIndices(list, same) || vec.HashIndices(list) != vec.HashIndices(same) {
			t.Fatalf("%v is not itself", list)
		}
		for k := range n {
			for _, by := range []int32{1, -1, 1 << 8, 1 << 30} {
				other := slices.Clone(list)
				other[k] += by
				if vec.EqualIndices(list, other) {
					t.Fatalf("%v is %v", list, other)
				}
				pairs++
				if vec.HashIndices(list)>>58 == vec.HashIndices(other)>>58 {
					together++
				}
			}
		}
		if n > 0 && (vec.EqualIndices(list, list[1:]) || vec.EqualIndices(list[:n-1], list)) {
			t.Fatalf("%v is a part of itself", list)
		}
	}
	if together*20 > pairs {
		t.Errorf("%d of %d lists are at the place of one that differs in one index", together, pairs)
	}
}
