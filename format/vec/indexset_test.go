package vec_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec"
)

// TestNumbers: indices are numbered in ascending order, others are recognised as such, and
// renumbered rows keep their values, and share lists as before.
func TestNumbers(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for trial := range 60 {
		last := []int32{0, 3, 1000, 1 << 20, math.MaxInt32 - 1}[trial%5]
		crowd := r.Int32N(last/2 + 1) // many indices are near this one
		var m vec.Matrix
		seen := map[int32]bool{}
		for range r.IntN(40) {
			var x vec.Vector
			for range r.IntN(60) {
				i := r.Int32N(last + 1)
				if trial%2 == 0 && r.IntN(3) > 0 {
					i = min(last, crowd+r.Int32N(100))
				}
				x.Index = append(x.Index, i)
			}
			slices.Sort(x.Index)
			x.Index = slices.Compact(x.Index)
			for _, i := range x.Index {
				seen[i] = true
				x.Value = append(x.Value, r.NormFloat64())
			}
			m.Append(x)
			if r.IntN(3) == 0 {
				m.Append(x)
			}
		}
		var sorted []int32
		for i := range seen {
			sorted = append(sorted, i)
		}
		slices.Sort(sorted)
		n := vec.IndexSetOf(&m)
		if n.Len() != len(sorted) {
			t.Fatalf("%d numbers, want %d", n.Len(), len(sorted))
		}
		asked := append(slices.Clone(sorted), 0, last, math.MaxInt32)
		for range 100 {
			asked = append(asked, r.Int32(), min(last, crowd+r.Int32N(100)))
		}
		for _, i := range asked {
			want, wantIs := slices.BinarySearch(sorted, i)
			if got, is := n.Rank(i); int(got) != want || is != wantIs {
				t.Fatalf("Of(%d) = %d %v, want %d %v, of %v", i, got, is, want, wantIs, sorted)
			}
		}
		s := m.Renumbered(n)
		if s.Len() != m.Len() || s.MaxIndex() != len(sorted)-1 {
			t.Fatalf("%d rows up to %d, want %d up to %d", s.Len(), s.MaxIndex(), m.Len(), len(sorted)-1)
		}
		for i := range m.Len() {
			x, y := m.Row(i), s.Row(i)
			if !slices.Equal(x.Value, y.Value) || len(x.Index) != len(y.Index) || m.SquaredNorm(i) != s.SquaredNorm(i) {
				t.Fatalf("row %d: %v, of %v", i, y, x)
			}
			for k, number := range y.Index {
				if sorted[number] != x.Index[k] {
					t.Fatalf("row %d: %v, of %v", i, y, x)
				}
			}
			if i > 0 && len(x.Index) > 0 {
				before, now := m.Row(i-1).Index, s.Row(i-1).Index
				if len(before) > 0 && &before[0] == &x.Index[0] && &now[0] != &y.Index[0] {
					t.Fatalf("row %d no longer shares its list", i)
				}
			}
		}
	}
}
