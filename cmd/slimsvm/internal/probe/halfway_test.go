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
	graded := map[int32]bool{1: true, 2: true, 3: true, 4: true, 9: true}
	want := "{[1 2 3 4 9] [0.5 2.5 1.7976931348623157e+308 1 -2]} true"
	for _, rows := range [][2]vec.Vector{{a, b}, {b, a}} {
		if got := fmt.Sprint(middle(rows[0], rows[1], graded)); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	if z, ok := middle(vec.Vector{}, vec.Vector{}, graded); len(z.Index) != 0 || ok {
		t.Errorf("%v, %v", z, ok)
	}
}

// TestMiddleOfLabels: a place between rows of nominal columns has one label of each, of either row, and is neither
// row; numbers are means.
func TestMiddleOfLabels(t *testing.T) {
	row := func(ones ...int32) (x vec.Vector) {
		for _, at := range ones {
			x.Index, x.Value = append(x.Index, at), append(x.Value, 1)
		}
		return x
	}
	number := func(x vec.Vector, v float64) vec.Vector {
		return vec.Vector{Index: append(x.Index, 20), Value: append(x.Value, v)}
	}
	graded := map[int32]bool{20: true}
	for _, c := range []struct {
		a, b vec.Vector
		want string
	}{
		{row(1, 4, 7), row(2, 5, 8), "{[1 5 8] [1 1 1]} true"},              // three columns of three labels
		{row(3, 4, 7, 10), row(2, 5, 8, 12), "{[3 4 8 12] [1 1 1 1]} true"}, // four, of two labels each before the cut
		{row(1, 4), row(1, 5), "{[1 5] [1 1]} false"},                       // one column: no row between
		{number(row(1), 3), number(row(2), 5), "{[2 20] [1 4]} true"},
		{number(row(1), 3), number(row(1), 5), "{[1 20] [1 4]} true"},
	} {
		if got := fmt.Sprint(middle(c.a, c.b, graded)); got != c.want {
			t.Errorf("%v and %v: %s, want %s", c.a, c.b, got, c.want)
		}
	}
}
