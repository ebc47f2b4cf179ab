package smo

import "sync"

// An arena cuts rows of float32 from slabs.
type arena struct {
	slabs []*slab // from the pool
	rest  []float32
}

// slabLen is the length of a slab: 1 MiB.
const slabLen = 1 << 18

// longRow is the length from which rows are allocated by themselves, because
// cutting them from slabs would waste too much of each.
const longRow = slabLen / 8

type slab [slabLen]float32

var slabPool = sync.Pool{New: func() any { return new(slab) }}

// cut returns room for n values, which hold anything.
func (a *arena) cut(n int) []float32 {
	if n >= longRow {
		return make([]float32, n)
	}
	if len(a.rest) < n {
		s := slabPool.Get().(*slab)
		a.slabs = append(a.slabs, s)
		a.rest = s[:]
	}
	row := a.rest[:n:n]
	a.rest = a.rest[n:]
	return row
}

// release makes the slabs free for other arenas.
func (a *arena) release() {
	for _, s := range a.slabs {
		slabPool.Put(s)
	}
	*a = arena{}
}
