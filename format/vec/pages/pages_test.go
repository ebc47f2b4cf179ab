package pages_test

import (
	"slices"
	"testing"
	"unsafe"

	"github.com/slimsvm/slimsvm/format/vec/pages"
)

// TestMake: slices have their length and no more, are zero and do not overlap.
func TestMake(t *testing.T) {
	const page = pages.Size / 4
	lengths := []int{0, 1, 1000, page - 1, page, page + 1, 3*page + 17}
	var all [][]float32
	for _, n := range lengths {
		s := pages.Make[float32](n)
		if len(s) != n || cap(s) != n {
			t.Fatalf("length %d, capacity %d, want %d", len(s), cap(s), n)
		}
		if slices.ContainsFunc(s, func(x float32) bool { return x != 0 }) {
			t.Errorf("%d elements are not zeros", n)
		}
		for i := range s {
			s[i] = float32(n)
		}
		all = append(all, s)
	}
	for k, s := range all {
		if n := float32(lengths[k]); slices.ContainsFunc(s, func(x float32) bool { return x != n }) {
			t.Errorf("%d elements were overwritten", len(s))
		}
	}
	if s := pages.Make[uint64](2 * page); uintptr(unsafe.Pointer(&s[0]))%8 != 0 {
		t.Error("not aligned")
	}
}

// TestPrepare: memory that is prepared keeps its contents.
func TestPrepare(t *testing.T) {
	for _, n := range []int{0, 1, 1000, pages.Size / 4, 3*pages.Size/4 + 17} {
		s := pages.Make[float32](n)
		for i := range n / 2 {
			s[i] = float32(i)
		}
		pages.Prepare(s)
		for i, x := range s {
			if want := float32(i); x != want && !(i >= n/2 && x == 0) {
				t.Fatalf("number %d of %d is %g", i, n, x)
			}
		}
	}
}

// TestDrop: memory that was dropped can be used again, and the memory beside it does not change.
func TestDrop(t *testing.T) {
	const page = pages.Size / 4
	for _, n := range []int{0, 1, 1000, page, 3*page + 17} {
		s := make([]float32, n+2000)
		for i := range s {
			s[i] = float32(i)
		}
		pages.Drop(s[1000 : 1000+n])
		for i := range s {
			if (i < 1000 || i >= 1000+n) && s[i] != float32(i) {
				t.Fatalf("%d numbers given back: number %d beside them is %g", n, i-1000, s[i])
			}
			s[i] = 1
		}
		if slices.ContainsFunc(s, func(x float32) bool { return x != 1 }) {
			t.Errorf("%d numbers cannot be used again", n)
		}
	}
}

// TestMove: moved numbers are unchanged.
func TestMove(t *testing.T) {
	for _, n := range []int{0, 1, 1000, 1<<20 + 17, 3 << 20} {
		s, moved := make([]int32, n), make([]int32, n+3)
		for i := range s {
			s[i] = int32(i + 1)
		}
		moved[n] = 7
		pages.Move(moved, s)
		for i, v := range moved[:n] {
			if v != int32(i+1) {
				t.Fatalf("%d numbers: number %d is %d", n, i, v)
			}
		}
		if moved[n] != 7 {
			t.Errorf("%d numbers: one was written behind them", n)
		}
	}
}

// TestDropLittle: a few pages are not dropped, or else thousands of small models would request them
// again and again.
func TestDropLittle(t *testing.T) {
	s := make([]float32, 32<<10)
	for i := range s {
		s[i] = float32(i)
	}
	pages.Drop(s)
	for i, x := range s {
		if x != float32(i) {
			t.Fatalf("number %d is %g", i, x)
		}
	}
}
