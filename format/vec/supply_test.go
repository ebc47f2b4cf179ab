package vec_test

import (
	"math/rand/v2"
	"reflect"
	"sync"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec"
)

// TestJoin: a matrix of parts that were filled at the same time is the one to which the
// rows were appended, also when parts are filled again, and when their entries come from
// large pages.
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
// was joined.
func TestJoinLists(t *testing.T) {
	var m vec.Matrix
	part := m.Part()
	v := vec.Vector{Index: []int32{1, 2, 5}, Value: []float64{1, 2, 3}}
	for range 3 {
		part.Append(v)
		m.Join(part)
	}
	part.Append(vec.Vector{Index: []int32{1, 2, 6}, Value: v.Value})
	m.Join(part)
	for i := range 3 {
		if &m.Row(i).Index[0] != &m.Row(0).Index[0] {
			t.Errorf("row %d has a list of its own", i)
		}
	}
	if last := m.Row(3).Index; last[2] != 6 || &last[0] == &m.Row(0).Index[0] {
		t.Errorf("row 3 lists %v", last)
	}
}
