package probe

import (
	"fmt"
	"math"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec"
)

// TestMiddle: the mean of two rows has the features of both.
func TestMiddle(t *testing.T) {
	a := vec.Vector{Index: []int32{1, 3, 4}, Value: []float64{1, math.MaxFloat64, 2}}
	b := vec.Vector{Index: []int32{2, 3, 9}, Value: []float64{5, math.MaxFloat64, -4}}
	want := "{[1 2 3 4 9] [0.5 2.5 1.7976931348623157e+308 1 -2]}"
	for _, z := range []vec.Vector{middle(a, b), middle(b, a)} {
		if got := fmt.Sprint(z); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	if z := middle(vec.Vector{}, vec.Vector{}); len(z.Index) != 0 {
		t.Errorf("%v", z)
	}
}
