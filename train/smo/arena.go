package smo

import "github.com/slimsvm/slimsvm/format/vec/pages"

// An arena cuts rows of float32 from slabs. A slab in small pages takes memory only where it has
// been touched, plus some pages behind the last row. Large pages are provided several times faster,
// but a large page takes two megabytes as soon as any part of it is touched. So small and large
// slabs take turns until the unused end of a large page is small compared with all rows. From then
// on all slabs are large, each larger than the one before. Memory that many problems use one after
// the other can be slower to get: for these problems the first slabs are all small. The small slabs
// of several threads fill large pages together, unless a problem needs no more than two small
// slabs: the rest of the large page might never be used.
type arena struct {
	pool  *memoryPool
	slabs [][]float32
	rest  []float32
	again bool // rest is in a slab that was used before
	ready int  // how many values of the last slab are ready, or were used before
	small int  // number of small slabs
	first int  // number of small slabs before the first large one
	tiny  bool // all rows fit into so few small slabs that a large page would mostly be wasted

	async func(f func()) // may let another goroutine run f; nil: there is none
}

const (
	smallSlabLen = 1 << 16                    // 256 KiB
	smallSlabs   = 6                          // small slabs in a row before each of the first large ones
	mixedSlabs   = 2                          // number of large slabs that have small ones before them
	tinySlabs    = 2                          // a cache that needs no more small slabs than this takes them from small pages
	moreSmall    = 16                         // small slabs before the first large one when many problems follow each other
	onlySmall    = 11                         // if no more small slabs than this hold all rows, all slabs are small
	slabLen      = pages.Size / 4             // length of the first large slab; the length doubles with each slab
	slabKinds    = 4                          // number of lengths of large slabs
	preparedSlab = slabLen << 2               // in shorter slabs, one large page too many is a notable waste
	longRow      = slabLen << (slabKinds - 2) // rows of this length or more are allocated separately
)

// cut returns room for n values. Its contents are undefined.
func (a *arena) cut(n int) []float32 {
	if n >= longRow {
		return pages.Make[float32](n)
	}
	if len(a.rest) < n {
		a.rest = a.slab(n)
		a.slabs = append(a.slabs, a.rest)
		if a.ready = 0; a.again {
			a.ready = len(a.rest)
		}
	}
	a.prepare(n)
	a.ahead(n)
	row := a.rest[:n:n]
	a.rest = a.rest[n:]
	return row
}

// prepare asks another goroutine to make the next large page ready, as soon as the first row of a
// page is cut. If instead the threads of a pass came to a new page at the same time, each would
// create one, and all but one would be thrown away.
func (a *arena) prepare(n int) {
	slab := a.slabs[len(a.slabs)-1]
	if a.async == nil || len(slab) < preparedSlab {
		return
	}
	begin := len(slab) - len(a.rest)
	if page := (begin + n - 1) / slabLen; begin%slabLen == 0 || page > begin/slabLen {
		if next := (page + 1) * slabLen; next < len(slab) {
			a.async(func() { pages.Prepare(slab[next:min(next+slabLen, len(slab))]) })
		}
	}
}

// ahead makes the pages of the next n values ready, and some pages behind them.
func (a *arena) ahead(n int) {
	slab := a.slabs[len(a.slabs)-1]
	if end := len(slab) - len(a.rest) + n; end > a.ready {
		to := min(max(end, a.ready+pages.PrepareBytes/4), len(slab))
		pages.Prepare(slab[a.ready:to])
		a.ready = to
	}
}

// has reports whether cut would take room for n values from memory that was used before.
func (a *arena) has(n int) bool {
	switch {
	case n >= longRow:
		return false
	case len(a.rest) >= n:
		return a.again
	}
	free, _ := a.kind(n)
	return a.pool.has(free)
}

// kind returns the list of free slabs from which the next slab for rows of n values is taken, and
// the slab's length.
func (a *arena) kind(n int) (free *[][]float32, length int) {
	large := len(a.slabs) - a.small
	if n <= smallSlabLen && a.small < max(a.first, smallSlabs*min(large+1, mixedSlabs)) {
		return &a.pool.small, smallSlabLen
	}
	kind := min(large, slabKinds-1)
	for slabLen<<kind < n {
		kind++
	}
	return &a.pool.slabs[kind], slabLen << kind
}

// firstSmall returns how many small slabs come before the first large one in a cache whose rows
// have this many values together: enough for all rows if these are few, else 0. One slab is added
// for the room lost at the ends of the others.
func firstSmall(values int) int {
	if n := (values+smallSlabLen-1)/smallSlabLen + 1; n <= onlySmall {
		return n
	}
	return 0
}

// slab returns a slab for rows of n values. Its contents are undefined.
func (a *arena) slab(n int) []float32 {
	free, length := a.kind(n)
	if length == smallSlabLen {
		a.small++
	}
	slab := take(a.pool, free)
	if a.again = slab != nil; a.again {
		return slab
	}
	from := &a.pool.largeSlabs
	if length == smallSlabLen && (!a.pool.shared || a.tiny) {
		from = &a.pool.smallSlabs
	}
	return a.pool.slab(from, length)
}

// release makes the slabs free for other arenas. The end of the last slab may never have been
// touched, so this slab is the last to be used again. Problems of one size then touch the same
// memory.
func (a *arena) release() {
	for i, slab := range a.slabs {
		free := &a.pool.small
		if len(slab) > smallSlabLen {
			kind := 0
			for slabLen<<kind < len(slab) {
				kind++
			}
			free = &a.pool.slabs[kind]
		}
		if i == len(a.slabs)-1 {
			a.pool.insert(free, slab)
		} else {
			give(a.pool, free, slab)
		}
	}
	*a = arena{pool: a.pool}
}
