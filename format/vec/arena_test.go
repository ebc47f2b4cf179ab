package vec_test

import (
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"sync"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec"
)

// TestJoin: a matrix joined of parts that were filled at the same time is the same as one to which
// the rows were appended, also when parts are filled again, and when their entries come from large
// pages.
func TestJoin(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	row := func() vec.Vector {
		var v vec.Vector
		for i := range r.IntN(300) {
			v.Index = append(v.Index, int32(2*i+r.IntN(2)))
			v.Value = append(v.Value, r.NormFloat64())
		}
		return v
	}
	var whole, joined vec.Matrix
	parts := []*vec.Matrix{joined.Part(), joined.Part(), joined.Part()}
	for round := range 20 {
		var rows [3][]vec.Vector
		for p := range parts {
			for range r.IntN(100) {
				rows[p] = append(rows[p], row())
			}
			if round == 3 {
				rows[p] = append(rows[p], vec.Vector{Index: make([]int32, 1<<20), Value: make([]float64, 1<<20)})
			}
		}
		var all sync.WaitGroup
		for p, part := range parts {
			all.Go(func() {
				for _, v := range rows[p] {
					part.Append(v)
				}
			})
		}
		all.Wait()
		for p, part := range parts {
			for _, v := range rows[p] {
				whole.Append(v)
			}
			joined.Join(part)
			if part.Len() != 0 || part.NNZ() != 0 || part.MaxIndex() != -1 {
				t.Fatal("a part keeps rows")
			}
		}
	}
	if joined.NNZ() < 1<<20 {
		t.Fatalf("only %d entries", joined.NNZ())
	}
	if joined.Len() != whole.Len() || joined.MaxIndex() != whole.MaxIndex() || joined.NNZ() != whole.NNZ() {
		t.Fatalf("%d rows, %d entries, last index %d; want %d, %d, %d", joined.Len(), joined.NNZ(), joined.MaxIndex(), whole.Len(), whole.NNZ(), whole.MaxIndex())
	}
	for i := range whole.Len() {
		if !reflect.DeepEqual(joined.Row(i), whole.Row(i)) || joined.SquaredNorm(i) != whole.SquaredNorm(i) {
			t.Fatalf("row %d differs", i)
		}
	}
}

// TestJoinLists: rows of a part share the list of indices of the row before them, also of one that
// was joined, be it of another part.
func TestJoinLists(t *testing.T) {
	var m vec.Matrix
	parts := []*vec.Matrix{m.Part(), m.Part()}
	lists := [][]int32{{1, 2, 5}, {1, 2, 6}, {1, 2}, {}}
	for round, rows := range [][]int{
		{0, 0}, {0, 0, 0}, {0}, {0}, {0, 1}, {1, 1}, {0, 1}, {1, 1, 0}, {0}, {0, 0, 2, 2}, {2, 0}, {3}, {3, 0}, {0}, {2}, {2, 2},
	} {
		part := parts[round%2]
		for _, l := range rows {
			part.Append(vec.Vector{Index: lists[l], Value: make([]float64, len(lists[l]))})
		}
		from := m.Len()
		m.Join(part)
		for k, l := range rows {
			got := m.Row(from + k).Index
			if !slices.Equal(got, lists[l]) {
				t.Fatalf("round %d, row %d lists %v, want %v", round, k, got, lists[l])
			}
			if from+k == 0 || len(got) == 0 {
				continue
			}
			if last := m.Row(from + k - 1).Index; slices.Equal(last, got) && &last[0] != &got[0] {
				t.Errorf("round %d: row %d has a list of its own", round, k)
			}
		}
	}
}

// raceEnabled is set by the race detector's build, in which append(s, make(...)...) allocates what it
// appends.
var raceEnabled bool

// TestSmallMatrices: the memory of matrices is in proportion to their contents, be it a few rows or
// many.
func TestSmallMatrices(t *testing.T) {
	v := vec.Vector{Index: []int32{1, 2, 3, 4, 5, 6, 7, 8}, Value: []float64{1, 2, 3, 4, 5, 6, 7, 8}}
	for _, c := range []struct {
		matrices, rows int
		most           uint64
	}{{1000, 2, 1000 * 4 << 10}, {1, 20000, 20000 * 8 * 2 * 12}} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range c.matrices {
			m := new(vec.Matrix)
			for i := range c.rows {
				v.Index[7], v.Value[7] = int32(8+i%2), float64(i)
				m.Append(v)
			}
			if got := m.Row(c.rows - 1); got.Value[7] != float64(c.rows-1) || m.NNZ() != 8*c.rows {
				t.Fatalf("last row %v, %d entries", got, m.NNZ())
			}
		}
		runtime.ReadMemStats(&after)
		if raceEnabled {
			c.most += c.most / 4
		}
		if took := after.TotalAlloc - before.TotalAlloc; took > c.most {
			t.Errorf("%d matrices of %d rows took %d bytes, expected %d at most", c.matrices, c.rows, took, c.most)
		}
	}
}
