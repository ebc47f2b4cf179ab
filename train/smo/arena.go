package smo

import "github.com/slimsvm/slimsvm/format/vec/pages"

// An arena cuts rows of float32 from slabs. What is not touched of a slab, but for some pages
// behind the last row, takes no memory, but of large pages, which are some times sooner there, what is touched at all
// takes two megabytes. So small and large slabs take turns until the end of a large page is
// little beside all rows, and then slabs are large, more and more so. Memory that many
// problems use one after the other may take its time: for these the first slabs are all
// small. The small slabs of several threads fill large pages together, unless a problem
// needs no more than two: the rest of the page might never be used.
type arena struct {
	stock *stock
	slabs [][]float32
	rest  []float32
	again bool // rest is memory that was used before
	ready int  // values of the last slab that were made ready, or used before
	small int  // slabs
	first int  // small ones before the first large one
	tiny  bool // so few small slabs have room for all rows that a large page would mostly be waste

	errand func(f func()) // may let another goroutine do f; nil: there is none
}

const (
	smallSlabLen = 1 << 16                    // 256 KiB
	smallSlabs   = 6                          // one after the other, before each of
	mixedSlabs   = 2                          // the first large slabs;
	tinySlabs    = 2                          // as many at most are in small pages
	moreSmall    = 16                         // for many problems, before the first
	onlySmall    = 11                         // as many at most are better than fewer and a part of a large page
	slabLen      = pages.Size / 4             // of the first large slab; each has twice the length of the one before,
	slabKinds    = 4                          // up to these
	preparedSlab = slabLen << 2               // in shorter ones a page too many is much
	longRow      = slabLen << (slabKinds - 2) // the length from which rows are allocated by themselves
)

// cut returns room for n values, which hold anything.
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

// prepare has the large page behind that of the next n values made ready, when they are the
// first of theirs. When the threads of a pass come to a new page together, each makes one,
// and all but one are thrown away.
func (a *arena) prepare(n int) {
	slab := a.slabs[len(a.slabs)-1]
	if a.errand == nil || len(slab) < preparedSlab {
		return
	}
	begin := len(slab) - len(a.rest)
	if page := (begin + n - 1) / slabLen; begin%slabLen == 0 || page > begin/slabLen {
		if next := (page + 1) * slabLen; next < len(slab) {
			a.errand(func() { pages.Prepare(slab[next:min(next+slabLen, len(slab))]) })
		}
	}
}

// ahead has the pages of the next n values, and of some behind them, made ready.
func (a *arena) ahead(n int) {
	slab := a.slabs[len(a.slabs)-1]
	if end := len(slab) - len(a.rest) + n; end > a.ready {
		to := min(max(end, a.ready+pages.Ahead/4), len(slab))
		pages.Prepare(slab[a.ready:to])
		a.ready = to
	}
}

// has reports whether the room for n values that cut returns next is memory that was used before.
func (a *arena) has(n int) bool {
	switch {
	case n >= longRow:
		return false
	case len(a.rest) >= n:
		return a.again
	}
	free, _ := a.kind(n)
	return a.stock.has(free)
}

// kind returns the free slabs that the next one, for rows of n values, is of, and its length.
func (a *arena) kind(n int) (free *[][]float32, length int) {
	large := len(a.slabs) - a.small
	if n <= smallSlabLen && a.small < max(a.first, smallSlabs*min(large+1, mixedSlabs)) {
		return &a.stock.small, smallSlabLen
	}
	kind := min(large, slabKinds-1)
	for slabLen<<kind < n {
		kind++
	}
	return &a.stock.slabs[kind], slabLen << kind
}

// firstSmall returns how many small slabs come before the first large one where rows have so many
// values, if they are all asked for: all of few. The last is for what the ends of the others lack.
func firstSmall(values int) int {
	if n := (values+smallSlabLen-1)/smallSlabLen + 1; n <= onlySmall {
		return n
	}
	return 0
}

// slab returns a slab for rows of n values that holds anything.
func (a *arena) slab(n int) []float32 {
	free, length := a.kind(n)
	if length == smallSlabLen {
		a.small++
	}
	slab := take(a.stock, free)
	if a.again = slab != nil; a.again {
		return slab
	}
	room := &a.stock.room
	if length == smallSlabLen && (!a.stock.shared || a.tiny) {
		room = &a.stock.littleRoom
	}
	return a.stock.slab(room, length)
}

// release makes the slabs free for other arenas. The last one, of which a part may never have been
// touched, is the last to be used again, so that problems of one size touch the same memory.
func (a *arena) release() {
	for i, slab := range a.slabs {
		free := &a.stock.small
		if len(slab) > smallSlabLen {
			kind := 0
			for slabLen<<kind < len(slab) {
				kind++
			}
			free = &a.stock.slabs[kind]
		}
		if i == len(a.slabs)-1 {
			a.stock.insert(free, slab)
		} else {
			give(a.stock, free, slab)
		}
	}
	*a = arena{stock: a.stock}
}
