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
	fallen := []float64{3, 0, 2, 9, 10, 11}
	for _, c := range []struct {
		numbers []float64
		most    int
		found   bool
	}{
		{rising, 0, true}, {rising, 3, true}, {rising, 100, true},
		{shuffled, 0, true}, {shuffled, 8, true}, {shuffled, 7, false},
		{again, 0, false}, {again, 100, false}, {again, 3, false}, {fallen, 0, true}, {fallen, 3, false},
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

// TestNumberingNamed: a column with a name numbers the rows if it counts them, from 0 or 1 on, and the target is no
// number.
func TestNumberingNamed(t *testing.T) {
	h := &format.Header{Class: 2, Attributes: []format.Attribute{{Name: "id"}, {Name: "x"}, {Name: "y"}}}
	for _, c := range []struct {
		numbers    []float64
		regression bool
		want       string
	}{
		{[]float64{0, 1, 2, 3, 4}, false, "id"}, {[]float64{1, 2, 3, 4, 5}, false, "id"},
		{[]float64{1, 2, 3, 4, 5}, true, ""}, {[]float64{2, 3, 4, 5, 6}, false, ""},
		{[]float64{0, 1, 2, 4, 5}, false, ""}, {[]float64{0, 1, 1, 2, 3}, false, ""}, {[]float64{0, 1, 2, 3}, false, ""},
	} {
		n := (&File{Name: "f"}).Numbering(h, c.regression, 1)
		for _, v := range c.numbers {
			n.Add(vec.Vector{Index: []int32{0, 1, 2}, Value: []float64{v, 5, v}})
		}
		got := ""
		for _, s := range n.Suspects(2) {
			got += s.Name
		}
		if got != c.want {
			t.Errorf("%v, regression %t: %q numbers the rows, want %q", c.numbers, c.regression, got, c.want)
		}
	}
}

func TestInSingleQuotes(t *testing.T) {
	for s, want := range map[string]bool{"": false, "'": false, "''": true, "'a b'": true, "'a": false, "a'": false, "\"a\"": false} {
		if got := inSingleQuotes(s); got != want {
			t.Errorf("%s: %t", s, got)
		}
	}
}
