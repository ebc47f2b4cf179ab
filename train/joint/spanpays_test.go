package joint

import (
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
)

// TestSpanPays: coordinates replace features if there are many more features than rows, also with
// sparse rows, and in no other case.
func TestSpanPays(t *testing.T) {
	for _, c := range []struct {
		rows, features, entries int
		want                    bool
	}{
		{1000, 9737, 78739, true}, // text: 13 s of features, 3 of coordinates
		{100, 9737, 7874, true},
		{4000, 9737, 314956, false},
		{1000, 1500, 78739, false},
		{1000, 1900, 1900000, false}, // dense
		{1000, 2100, 2100000, true},
		{2000, 180, 90000, false},
		{500, 60, 30000, false},
	} {
		d := new(format.Dataset)
		for range c.rows {
			d.X.Append(vec.Vector{})
		}
		s := search{d: d, features: make([]int32, c.features), entries: c.entries}
		if got := s.spanPays(c.rows); got != c.want {
			t.Errorf("%d rows of %d features, %d entries: %v, want %v", c.rows, c.features, c.entries, got, c.want)
		}
	}
}
