package smo

import "sync"

// An arena cuts rows of float32 from slabs: small ones first, so that a small
// problem takes little memory, then large ones in pages of the largest size that
// the system has, because memory that is touched for the first time can cost more
// than the kernel values in it.
type arena struct {
	slabs [][]float32 // from the pools
	rest  []float32
}

const (
	slabLen    = 1 << 18 // of a small slab: 1 MiB
	bigSlabLen = 1 << 21 // of a large one: 8 MiB
	smallSlabs = 16      // before the first large one
)

// longRow is the length from which rows are allocated by themselves, because
// cutting them from slabs would waste too much of each.
const longRow = bigSlabLen / 8

var slabPool, bigSlabPool sync.Pool // of *[]float32

// cut returns room for n values, which hold anything.
func (a *arena) cut(n int) []float32 {
	if n >= longRow {
		row := make([]float32, n)
		inLargePages(row)
		return row
	}
	if len(a.rest) < n {
		a.rest = newSlab(len(a.slabs) >= smallSlabs || n > slabLen/8)
		a.slabs = append(a.slabs, a.rest)
	}
	row := a.rest[:n:n]
	a.rest = a.rest[n:]
	return row
}

// newSlab returns a slab that holds anything.
func newSlab(big bool) []float32 {
	pool, n := &slabPool, slabLen
	if big {
		pool, n = &bigSlabPool, bigSlabLen
	}
	if s, ok := pool.Get().(*[]float32); ok {
		return *s
	}
	slab := make([]float32, n)
	if big {
		inLargePages(slab)
	}
	return slab
}

// release makes the slabs free for other arenas.
func (a *arena) release() {
	for _, s := range a.slabs {
		if len(s) == slabLen {
			slabPool.Put(&s)
		} else {
			bigSlabPool.Put(&s)
		}
	}
	*a = arena{}
}
