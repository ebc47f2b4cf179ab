package datafile

import (
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
)

// TestNumbering: of numbers that are not kept is known that they differ as long as they rise.
func TestNumbering(t *testing.T) {
	h := &format.Header{Class: 2, Attributes: []format.Attribute{{Name: "att1"}, {Name: "x"}, {Name: "y"}}}
	rising := []float64{0, 2, 3, 7, 8, 9, 20, 21}
	shuffled := []float64{3, 0, 2, 9, 7, 8, 21, 20}
	again := []float64{3, 0, 2, 9, 7, 8, 21, 3}
	for _, c := range []struct {
		numbers []float64
		most    int
		found   bool
	}{
		{rising, 0, true}, {rising, 3, true}, {rising, 100, true},
		{shuffled, 0, true}, {shuffled, 8, true}, {shuffled, 7, false},
		{again, 0, false}, {again, 100, false}, {again, 3, false},
		{[]float64{1, 2, 3, 3, 4, 5}, 3, false}, {[]float64{1, 2, 3, 4, 5.5}, 3, false}, {[]float64{-1, 0, 1, 2, 3}, 0, false},
		{[]float64{1, 2, 3, 4}, 0, false},
	} {
		n := (&File{Name: "f"}).Numbering(h, true, c.most)
		for _, v := range c.numbers {
			n.Add(vec.Vector{Index: []int32{0, 1, 2}, Value: []float64{v, 5, 6}})
		}
		if found := n.Suspects(2); (len(found) == 1) != c.found || len(found) > 1 {
			t.Errorf("%v, %d kept: found %v", c.numbers, c.most, found)
		}
	}
}
