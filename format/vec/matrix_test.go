package vec_test

import (
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/slimsvm/slimsvm/format/vec"
)

// v returns a vector of index-value pairs.
func v(pairs ...float64) vec.Vector {
	var x vec.Vector
	for k := 0; k < len(pairs); k += 2 {
		x.Index = append(x.Index, int32(pairs[k]))
		x.Value = append(x.Value, pairs[k+1])
	}
	return x
}

func sameVector(a, b vec.Vector) bool {
	if len(a.Index) != len(b.Index) || len(a.Value) != len(b.Value) {
		return false
	}
	for k := range a.Index {
		if a.Index[k] != b.Index[k] || !sameBits(a.Value[k], b.Value[k]) {
			return false
		}
	}
	return true
}

// wantRows tests all methods of a matrix except the products.
func wantRows(t interface {
	Helper()
	Errorf(string, ...any)
}, m *vec.Matrix, rows []vec.Vector, maxIndex int) {
	t.Helper()
	if m.Len() != len(rows) {
		t.Errorf("%d rows, want %d", m.Len(), len(rows))
		return
	}
	nnz := 0
	for i, want := range rows {
		if got := m.Row(i); !sameVector(got, want) {
			t.Errorf("row %d is %v, want %v", i, got, want)
		}
		if got, want := m.SquaredNorm(i), vec.SquaredNorm(want); !sameBits(got, want) {
			t.Errorf("squared norm %d is %v, want %v", i, got, want)
		}
		nnz += len(want.Index)
	}
	if m.NNZ() != nnz {
		t.Errorf("NNZ %d, want %d", m.NNZ(), nnz)
	}
	if m.MaxIndex() != maxIndex {
		t.Errorf("MaxIndex %d, want %d", m.MaxIndex(), maxIndex)
	}
}

func TestVector(t *testing.T) {
	x := v(0, 1.5, 3, 0, 7, -2, math.MaxInt32, 9)
	for index, want := range map[int32]float64{0: 1.5, 1: 0, 2: 0, 3: 0, 6: 0, 7: -2, 8: 0, math.MaxInt32: 9} {
		if got := x.At(index); got != want {
			t.Errorf("At(%d) = %v, want %v", index, got, want)
		}
	}
	if got := (vec.Vector{}).At(0); got != 0 {
		t.Errorf("an empty vector holds %v", got)
	}
	c := x.Clone()
	if !sameVector(c, x) {
		t.Errorf("Clone is %v, want %v", c, x)
	}
	c.Index[0], c.Value[0] = 1, 8
	if x.At(0) != 1.5 || x.At(1) != 0 {
		t.Errorf("a change of the clone shows: %v", x)
	}
}

func TestMatrixZero(t *testing.T) {
	var m vec.Matrix
	wantRows(t, &m, nil, -1)
	m.DotTo(nil, v(1, 2))
	m.SquaredDistanceTo(nil, v(1, 2))
	s, c := m.Select(nil), m.Clone()
	wantRows(t, &s, nil, -1)
	wantRows(t, &c, nil, -1)
	m.Append(vec.Vector{})
	wantRows(t, &m, []vec.Vector{{}}, -1)
	m.Append(v(0, 0))
	wantRows(t, &m, []vec.Vector{{}, v(0, 0)}, 0)
}

func TestAppendCopies(t *testing.T) {
	x := v(1, 2, 5, 6)
	m := matrix(x, x)
	x.Index[1], x.Value[0] = 9, 9
	wantRows(t, m, []vec.Vector{v(1, 2, 5, 6), v(1, 2, 5, 6)}, 5)
}

// TestRowsStay: rows stay where they are while the matrix grows, and have no room behind them:
// appending to one does not write into the next.
func TestRowsStay(t *testing.T) {
	var m vec.Matrix
	m.Append(v(1, 2))
	first := m.Row(0)
	for i := range 3000 {
		m.Append(v(1, float64(i), float64(2+i%7), 3, 100, 4))
	}
	m.Append(v(3, -1))
	last := m.Row(m.Len() - 1)
	m.Append(v(1, -2))
	if !sameVector(first, m.Row(0)) || &first.Value[0] != &m.Row(0).Value[0] || &first.Index[0] != &m.Row(0).Index[0] {
		t.Errorf("row 0 has moved: %v, was %v", m.Row(0), first)
	}
	_ = append(last.Value, 77)
	_ = append(last.Index, 77)
	_ = append(first.Value, 77)
	if got := m.Row(m.Len() - 1); !sameVector(got, v(1, -2)) {
		t.Errorf("appending to a row changed the next one to %v", got)
	}
	if got := m.Row(1); !sameVector(got, v(1, 0, 2, 3, 100, 4)) {
		t.Errorf("appending to a row changed the next one to %v", got)
	}
}

func TestIndexListsShared(t *testing.T) {
	m := matrix(v(1, 2, 5, 6), v(1, 3, 5, 7), v(1, 2), v(1, 3), vec.Vector{}, vec.Vector{}, v(1, 2))
	shared := func(i, j int) bool { return &m.Row(i).Index[0] == &m.Row(j).Index[0] }
	if !shared(0, 1) || !shared(2, 3) || shared(1, 2) || shared(3, 6) {
		t.Errorf("index lists shared: %t %t, want both; %t %t, want neither", shared(0, 1), shared(2, 3), shared(1, 2), shared(3, 6))
	}
	const rows, columns = 2000, 50
	x := vec.Vector{Index: make([]int32, columns), Value: make([]float64, columns)}
	for j := range x.Index {
		x.Index[j] = int32(j)
	}
	var dense vec.Matrix
	used := allocated(func() {
		for range rows {
			dense.Append(x)
		}
	})
	if limit := uint64(rows*columns*8*3/2 + 1<<17); used > limit {
		t.Errorf("a dense matrix of %d values takes %d bytes, want at most %d", rows*columns, used, limit)
	}
}

func TestSelect(t *testing.T) {
	rows := []vec.Vector{v(1, 2), v(0, 3, 9, 4), {}, v(1, -5)}
	m := matrix(rows...)
	s := m.Select([]int{3, 1, 1, 2})
	wantRows(t, &s, []vec.Vector{rows[3], rows[1], rows[1], rows[2]}, 9)
	if &s.Row(0).Value[0] != &m.Row(3).Value[0] {
		t.Error("a selected row is a copy")
	}
	s.Swap(0, 1)
	s.Append(v(12, 1))
	wantRows(t, m, rows, 9)
	wantRows(t, &s, []vec.Vector{rows[1], rows[3], rows[1], rows[2], v(12, 1)}, 12)
	few := m.Select([]int{0}) // its largest index is that of the whole matrix
	wantRows(t, &few, rows[:1], 9)

	m.SelectTo(&s, []int{1, 0}) // in memory that had more rows before
	wantRows(t, &s, []vec.Vector{rows[1], rows[0]}, 9)
	if n := testing.AllocsPerRun(10, func() { m.SelectTo(&s, []int{2, 2, 3}) }); n > 0 {
		t.Errorf("%v allocations where there is room", n)
	}
	wantRows(t, &s, []vec.Vector{rows[2], rows[2], rows[3]}, 9)
}

func TestSliceAndClone(t *testing.T) {
	rows := []vec.Vector{v(1, 2), v(0, 3, 9, 4), {}, v(1, -5)}
	m := matrix(rows...)
	for lo := range 5 {
		for hi := lo; hi <= 4; hi++ {
			s := m.Slice(lo, hi)
			wantRows(t, &s, rows[lo:hi:hi], 9)
		}
	}
	s := m.Slice(1, 3)
	s.Append(v(20, 1))
	s.Append(v(21, 1))
	m.Append(v(22, 1))
	wantRows(t, &s, []vec.Vector{rows[1], rows[2], v(20, 1), v(21, 1)}, 21)
	rows = append(rows, v(22, 1))
	wantRows(t, m, rows, 22)

	c := m.Clone()
	if &c.Row(0).Value[0] != &m.Row(0).Value[0] {
		t.Error("a row of the clone is a copy")
	}
	c.Swap(0, 3)
	c.Append(v(30, 1))
	m.Append(v(31, 1))
	wantRows(t, &c, []vec.Vector{rows[3], rows[1], rows[2], rows[0], rows[4], v(30, 1)}, 30)
	wantRows(t, m, append(rows, v(31, 1)), 31)
}

func TestSwap(t *testing.T) {
	m := matrix(v(1, 2), v(0, 3, 9, 4), vec.Vector{})
	m.Swap(0, 2)
	m.Swap(1, 1)
	wantRows(t, m, []vec.Vector{{}, v(0, 3, 9, 4), v(1, 2)}, 9)
}

// TestMatrixModel compares a matrix with a list of vectors, through random series of operations.
func TestMatrixModel(t *testing.T) {
	type pair struct {
		m    vec.Matrix
		rows []vec.Vector
		max  int
	}
	rapid.Check(t, func(t *rapid.T) {
		all := []*pair{{max: -1}}
		pick := func() *pair { return all[rapid.IntRange(0, len(all)-1).Draw(t, "matrix")] }
		t.Repeat(map[string]func(*rapid.T){
			"append": func(t *rapid.T) {
				p := pick()
				x := vectors(20, values()).Draw(t, "x")
				if k := len(p.rows); k > 0 && rapid.Bool().Draw(t, "same indices") {
					x = p.rows[k-1].Clone()
				}
				p.m.Append(x)
				p.rows = append(p.rows[:len(p.rows):len(p.rows)], x.Clone())
				if n := len(x.Index); n > 0 {
					p.max = max(p.max, int(x.Index[n-1]))
				}
				for k := range x.Value {
					x.Value[k] = 99
				}
			},
			"swap": func(t *rapid.T) {
				p := pick()
				if len(p.rows) == 0 {
					return
				}
				i := rapid.IntRange(0, len(p.rows)-1).Draw(t, "i")
				j := rapid.IntRange(0, len(p.rows)-1).Draw(t, "j")
				p.m.Swap(i, j)
				rows := append([]vec.Vector(nil), p.rows...)
				rows[i], rows[j] = rows[j], rows[i]
				p.rows = rows
			},
			"select": func(t *rapid.T) {
				p := pick()
				q := &pair{max: p.max}
				var which []int
				if len(p.rows) > 0 {
					which = rapid.SliceOfN(rapid.IntRange(0, len(p.rows)-1), 0, 8).Draw(t, "which")
				}
				for _, i := range which {
					q.rows = append(q.rows, p.rows[i])
				}
				q.m = p.m.Select(which)
				all = append(all, q)
			},
			"clone": func(t *rapid.T) {
				p := pick()
				all = append(all, &pair{p.m.Clone(), p.rows, p.max})
			},
			"": func(t *rapid.T) {
				for _, p := range all {
					wantRows(t, &p.m, p.rows, p.max)
				}
			},
		})
	})
}

func TestShapePanics(t *testing.T) {
	m := matrix(v(1, 2), v(1, 3), v(1, 4)) // there is room for a fourth row
	for name, f := range map[string]func(){
		"Append of too few values":        func() { m.Append(vec.Vector{Index: []int32{1}}) },
		"Append of too many values":       func() { m.Append(vec.Vector{Index: []int32{}, Value: []float64{1}}) },
		"DotTo beyond the rows":           func() { m.DotTo(make([]float64, 4), v(1, 2)) },
		"DotTo of an empty vector":        func() { m.DotTo(make([]float64, 4), vec.Vector{}) },
		"SquaredDistanceTo":               func() { m.SquaredDistanceTo(make([]float64, 4), v(1, 2)) },
		"SquaredDistanceTo of a fraction": func() { m.SquaredDistanceTo(make([]float64, 4), v(1, 0.5)) },
		"Slice beyond the rows":           func() { m.Slice(1, 4) },
		"Slice of less than nothing":      func() { m.Slice(2, 1) },
		"Slice before the rows":           func() { m.Slice(-1, 1) },
	} {
		func() {
			defer func() {
				if p, ok := recover().(string); !ok || !strings.HasPrefix(p, "vec: ") {
					t.Errorf("%s: panic %q, want one with the package's name", name, p)
				}
			}()
			f()
		}()
	}
	if !reflect.DeepEqual(m.Row(2), v(1, 4)) || m.Len() != 3 {
		t.Errorf("after panics: %d rows", m.Len())
	}
}

// TestMatrixShares: rows with the same values as the beginning of another row's share these, and no
// others do.
func TestMatrixShares(t *testing.T) {
	rows := []vec.Vector{
		{Index: []int32{1, 4, 9}, Value: []float64{1, 1, 1}},
		{Index: []int32{2, 3}, Value: []float64{1, 1}},
		{Index: []int32{5}, Value: []float64{1}},
		{},
		{Index: []int32{0, 1, 2}, Value: []float64{1, 1, 1}},
		{Index: []int32{2, 3}, Value: []float64{1, 2}},
		{Index: []int32{2, 3}, Value: []float64{1, 1}},
		{Index: []int32{1, 2, 3, 4}, Value: []float64{0, 1, 1, 1}},
		{Index: []int32{7}, Value: []float64{math.Copysign(0, -1)}},
		{Index: []int32{7}, Value: []float64{0}},
	}
	var m vec.Matrix
	m.Reserve(5)
	for _, r := range rows {
		m.Append(r)
	}
	for i, r := range rows {
		got := m.Row(i)
		if !slices.Equal(got.Index, r.Index) || len(got.Value) != len(r.Value) {
			t.Fatalf("row %d is %v, want %v", i, got, r)
		}
		for k, v := range r.Value {
			if math.Float64bits(got.Value[k]) != math.Float64bits(v) {
				t.Errorf("row %d is %v, want %v", i, got, r)
			}
		}
	}
	for _, i := range []int{1, 2, 4} {
		if &m.Row(i).Value[0] != &m.Row(0).Value[0] {
			t.Errorf("row %d has values of its own", i)
		}
	}
}

// TestCopy: copies have the bits of the rows, and are independent of the other rows.
func TestCopy(t *testing.T) {
	var m vec.Matrix
	rows := []vec.Vector{v(1, 0.5, 3, 2), v(1, 1, 3, -2), v(9, 4), {}, v(1, 1, 3, math.Copysign(0, -1)), v(7, 1, 1000000, 1)}
	for _, row := range rows {
		m.Append(row)
	}
	c := m.Copy([]int{4, 1, 3, 0, 1})
	wantRows(t, &c, []vec.Vector{rows[4], rows[1], rows[3], rows[0], rows[1]}, 3)
	for i, of := range []int{4, 1} {
		if &c.Row(i).Value[0] == &m.Row(of).Value[0] || &c.Row(i).Index[0] == &m.Row(of).Index[0] {
			t.Errorf("row %d shares memory with that which it is a copy of", i)
		}
	}
	c.Append(rows[5])
	wantRows(t, &m, rows, 1000000)
	none := m.Copy(nil)
	wantRows(t, &none, nil, -1)
}
