package vec_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec"
)

// TestAppendRows: many rows added at once are the same as rows added one by one, whichever values
// they share, also in parts, before and behind rows that are added alone; and so is what is
// computed of them.
func TestAppendRows(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	constants := []float64{1, 1, 1, -1, 0, math.Copysign(0, -1), 3, 0.1, -0.1, math.NaN(), math.Inf(1), 1 << 30}
	for range 400 {
		var m, joined vec.Matrix
		part := joined.Part()
		var want []vec.Vector
		top, finite := -1, true
		for range 1 + r.IntN(6) {
			// rows with a constant value, with one other value, or with arbitrary values
			kind, c := r.IntN(4), constants[r.IntN(len(constants))]
			starts, index, value := []int32{2}, []int32{9, 9}, []float64{9, 9} // those of other rows, before the first
			for range r.IntN(8) {
				last := int32(-1)
				for range r.IntN(12) {
					v := c
					if kind == 0 || kind == 1 && r.IntN(30) == 0 {
						v = constants[r.IntN(len(constants))]
					}
					last += 1 + r.Int32N(2)
					index, value = append(index, last), append(value, v)
					finite = finite && !math.IsNaN(v) && !math.IsInf(v, 0)
				}
				top = max(top, int(last))
				lo, hi := starts[len(starts)-1], int32(len(value))
				starts = append(starts, hi)
				want = append(want, vec.Vector{Index: index[lo:hi], Value: value[lo:hi]}.Clone())
			}
			if r.IntN(4) == 0 {
				for i, lo := range starts[:len(starts)-1] {
					x := vec.Vector{Index: index[lo:starts[i+1]], Value: value[lo:starts[i+1]]}
					m.Append(x)
					part.Append(x)
				}
			} else {
				m.AppendRows(starts, index, value)
				part.AppendRows(starts, index, value)
			}
			clear(index)
			clear(value)
			if r.IntN(2) == 0 {
				joined.Join(part)
			}
		}
		joined.Join(part)
		wantRows(t, &m, want, top)
		wantRows(t, &joined, want, top)
		if x := v(0, 3, 1, 0.5, 4, 1); finite {
			for _, x := range append(want, x, v(1, 7)) {
				wantDistances(t, &m, x)
				wantDistances(t, &joined, x)
			}
		}
	}
	var m vec.Matrix
	m.AppendRows(nil, nil, nil)
	m.AppendRows([]int32{4}, nil, nil)
	wantRows(t, &m, nil, -1)
}

// wantDistances checks distances of x and all rows.
func wantDistances(t *testing.T, m *vec.Matrix, x vec.Vector) {
	t.Helper()
	dst := make([]float64, m.Len())
	m.SquaredDistanceTo(dst, x)
	for i, got := range dst {
		if want := vec.SquaredDistance(x, m.Row(i)); !sameBits(got, want) {
			t.Errorf("distance of %v and %v is %v, want %v", x, m.Row(i), got, want)
		}
	}
}

// TestAppendRowsShares: rows with a constant value share values, also with rows of earlier calls.
func TestAppendRowsShares(t *testing.T) {
	var m vec.Matrix
	ones := []float64{1, 1, 1, 1, 1, 1}
	m.AppendRows([]int32{0, 1, 4, 6}, []int32{3, 1, 2, 3, 1, 5}, ones)
	m.AppendRows([]int32{0, 2, 4}, []int32{1, 5, 1, 5}, ones)
	m.Append(v(4, 1))
	for i := range m.Len() {
		if &m.Row(i).Value[0] != &m.Row(0).Value[0] {
			t.Errorf("row %d has values of its own", i)
		}
	}
	if &m.Row(2).Index[0] != &m.Row(3).Index[0] || &m.Row(3).Index[0] != &m.Row(4).Index[0] {
		t.Error("equal lists of indices in a row are not one")
	}
}

// TestPartAgain: a part that was joined knows the values that its next rows can share.
func TestPartAgain(t *testing.T) {
	var m vec.Matrix
	part := m.Part()
	for range 3 {
		part.Append(v(1, 0.1, 2, 0.1))
		m.Join(part)
		part.AppendRows([]int32{0, 1}, []int32{1}, []float64{0.1})
		for x := range 20 {
			wantDistances(t, part, v(1, float64(x)))
		}
		m.Join(part)
	}
}
