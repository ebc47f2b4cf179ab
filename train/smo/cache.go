package smo

import "github.com/slimsvm/slimsvm/train/internal/scan"

// cache holds kernel rows by position, within a memory limit, and drops the least recently used row
// when the memory is full. What it keeps never changes a result.
//
// Only the first columns of a row are valid: shrinking asks for fewer and fewer. In the first half
// of the memory, a row has room for the columns asked for, and moves when more are needed. In the
// second half, rows have room for all columns, so that any of them can take the room of any other.
// The room is cut from slabs. A solved problem returns its slabs, and the next one uses them, so
// one-vs-one training of many classes allocates once.
type cache struct {
	n     int
	limit int   // how many rows of all columns fit, at least 2
	most  int64 // how many values there may be room for, at least limit*n
	cut   int64 // how many values there is room for now
	rows  []entry
	// have has the rows that have room. The entries of other rows are not read: the system maps a
	// page that is read before it is written twice, and the second time it interrupts other
	// processors.
	have scan.Set
	// prefetched has the rows that were computed ahead and have not been asked for since.
	// unusedCount is their number. ahead counts all rows computed ahead so far, and found those
	// that were asked for later.
	prefetched                scan.Set
	unusedCount, ahead, found int

	log exchanges // of columns; each row applies them when it is used again

	slots [][]float32 // all room that was cut
	freed []slot      // slots of full length that rows have given back
	short []slot      // shorter slots that rows have given back
	arena arena

	budget cacheBudget

	prefetcher *prefetcher // rows that helpers compute; nil: there are none

	outdated []*entry // scratch

	head entryLink // of the ring of rows that have room, oldest first
}

// entry is one row. Links are positions, -1 for the head of the ring. An entry holds no pointers,
// so the garbage collector does not read the entries.
type entry struct {
	slot    slot
	valid   int32 // number of valid columns before the outstanding exchanges are applied
	applied int32 // how many runs of the log have been applied to the row
	link    entryLink
}

// slot is an index of cache.slots. The first slot belongs to no row.
type slot int32

type entryLink struct{ prev, next int32 }

// none is the position that stands for the head of the ring.
const none = -1

const (
	// reservedMB is how many megabytes of a large cache are reserved for what LIBSVM does not have:
	// the runtime, its tables, and the unused ends of large pages.
	reservedMB = 7

	// largeMB is the cache size in megabytes from which reservedMB is subtracted.
	largeMB = 64
)

// newCache returns a cache of mb megabytes for rows of n columns. It takes its memory from a pool.
// Later caches will have up to most columns.
func newCache(n, most int, mb float64, s *memoryPool) *cache {
	c := take(s, &s.caches)
	if c == nil {
		c = new(cache)
	}
	*c = cache{
		n: n, rows: newEntries(n, most, s), have: emptied(c.have, n), prefetched: emptied(c.prefetched, n), head: entryLink{none, none},
		slots: append(c.slots[:0], nil), freed: c.freed[:0], short: c.short[:0],
		log: exchanges{all: c.log.all[:0], runs: c.log.runs[:0]}, outdated: c.outdated[:0],
		budget: cacheBudget{dropped: c.budget.dropped},
	}
	if mb >= largeMB {
		mb -= reservedMB
	}
	c.limit = max(2, int(min(mb*(1<<20)/float64(4*max(n, 1)), float64(n))))
	// if there is memory for all rows, allow for the room that rows leave behind when they move
	c.most = max(int64(c.limit)*int64(n), int64(min(mb*(1<<20)/4, 2*float64(n)*float64(n))))
	c.arena = arena{pool: s, tiny: c.limit*n <= tinySlabs*smallSlabLen, first: firstSmall(c.limit * n)}
	return c
}

// holds returns how many rows the memory allowed now can hold.
func (c *cache) holds() int {
	if most := c.budget.values; most > 0 {
		return min(c.limit, int(most/int64(max(c.n, 1))))
	}
	return c.limit
}

// emptied returns an empty set of positions below n. It reuses the memory of set if that is enough.
func emptied(set scan.Set, n int) scan.Set {
	words := scan.Words(n)
	if cap(set) < words {
		return scan.NewSet(n)
	}
	set = set[:words]
	clear(set)
	return set
}

// newEntries returns n empty entries.
func newEntries(n, most int, s *memoryPool) []entry {
	if entries := take(s, &s.entries); cap(entries) >= n {
		return entries[:n]
	}
	return make([]entry, n, max(n, most))
}

// get returns row i with room for at least n columns, and how many of them are valid. The caller
// must fill in the columns from valid to n-1: they count as valid afterwards.
func (c *cache) get(i, n int) (row []float32, valid int) {
	c.prefetcher.await(i)
	e := &c.rows[i]
	if c.prefetched.Has(i) {
		c.markUsed(i)
		c.found++
	}
	if !c.have.Has(i) {
		c.budget.miss(i, n)
		e.slot = c.newSlot(n)
		e.valid, e.applied = 0, int32(c.log.made())
		c.have.Put(i, true)
	} else {
		c.unlink(i)
		c.log.apply(e, c.slots)
		if len(c.slots[e.slot]) < n {
			longer := c.newSlot(n)
			copy(c.slots[longer], c.slots[e.slot][:e.valid])
			c.short = append(c.short, e.slot)
			e.slot = longer
		}
	}
	c.append(i)
	valid = int(e.valid)
	e.valid = int32(max(valid, n))
	return c.slots[e.slot], valid
}

// getPrefetch is get for a row that is computed ahead.
func (c *cache) getPrefetch(i, n int) []float32 {
	row, _ := c.get(i, n)
	c.prefetched.Put(i, true)
	c.unusedCount++
	c.ahead++
	return row[:n]
}

func (c *cache) markUsed(i int) {
	c.prefetched.Put(i, false)
	c.unusedCount--
}

// dropPrefetched drops the rows at positions from and above that were computed ahead and not asked
// for.
func (c *cache) dropPrefetched(from int) {
	for i := from; i < c.n; i++ {
		if c.prefetched.Has(i) {
			c.drop(i)
		}
	}
}

// If fewer than one in foundShare of the rows computed ahead are used, then at most one in
// prefetchedShare of the cached rows may be such a row, or as many as take little memory. A cache
// that holds fewer than one in wholeShare of all rows will be full in any case and has no such
// limit. A block of rows that are computed at once has fewer than half of fewPrefetched rows.
const (
	foundShare          = 3
	prefetchedShare     = 8
	fewPrefetched       = 64
	fewPrefetchedValues = 1 << 19 // two megabytes
	wholeShare          = 8
)

// evictPrefetched drops the older half of the rows that were computed ahead and not asked for, if
// there are too many of them to justify new memory. It reports whether it has dropped any.
func (c *cache) evictPrefetched() bool {
	rows := len(c.slots) - 1 - len(c.freed) - len(c.short)
	few := max(fewPrefetched, fewPrefetchedValues/c.n)
	if c.found*foundShare >= c.ahead || c.limit < c.n/wholeShare || c.unusedCount <= max(few, rows/prefetchedShare) {
		return false
	}
	left := c.unusedCount / 2
	for at := c.head.next; c.unusedCount > left; {
		i := int(at)
		at = c.rows[i].link.next
		if c.prefetched.Has(i) {
			c.drop(i)
		}
	}
	return true
}

// peek returns the valid part of row i and leaves its age unchanged.
func (c *cache) peek(i int) []float32 {
	if !c.have.Has(i) {
		return nil
	}
	c.prefetcher.await(i)
	e := &c.rows[i]
	c.log.apply(e, c.slots)
	return c.slots[e.slot][:e.valid]
}

const (
	// shortFrom is the limit, in rows, from which some rows may be short. Above it there are always
	// more rows with room for all columns than are in use at once.
	shortFrom = 32

	// slotStep is the unit of the lengths of short rows: a cache line.
	slotStep = 16

	// shortLooks is how many free short slots are examined.
	shortLooks = 8
)

// newSlot returns a slot for n columns. If necessary it drops the oldest rows.
func (c *cache) newSlot(n int) slot {
	length := c.n
	if c.limit >= shortFrom && c.cut < c.most/2 && n < c.n-c.n/slotStep {
		length = (n + slotStep - 1) / slotStep * slotStep
	}
	for {
		if s, ok := c.freedSlot(n); ok {
			return s
		}
		oldest := int(c.head.next)
		if more := c.cut + int64(length); more <= c.most && (oldest == none || c.budget.allows(more) || c.arena.has(length)) {
			if c.evictPrefetched() {
				continue
			}
			c.cut = more
			c.slots = append(c.slots, c.arena.cut(length))
			return slot(len(c.slots) - 1)
		}
		c.budget.drop(oldest)
		c.drop(oldest)
	}
}

// freedSlot takes a slot for n columns from those given back.
func (c *cache) freedSlot(n int) (s slot, ok bool) {
	for k := len(c.short) - 1; k >= max(0, len(c.short)-shortLooks); k-- {
		if s := c.short[k]; len(c.slots[s]) >= n {
			last := len(c.short) - 1
			c.short[k], c.short = c.short[last], c.short[:last]
			return s, true
		}
	}
	if k := len(c.freed); k > 0 {
		s := c.freed[k-1]
		c.freed = c.freed[:k-1]
		return s, true
	}
	return 0, false
}

// drop removes row i from the cache.
func (c *cache) drop(i int) {
	c.prefetcher.cancel(i)
	c.unlink(i)
	if s := c.rows[i].slot; len(c.slots[s]) == c.n {
		c.freed = append(c.freed, s)
	} else {
		c.short = append(c.short, s)
	}
	c.rows[i] = entry{}
	c.have.Put(i, false)
	if c.prefetched.Has(i) {
		c.markUsed(i)
	}
}

// longLog is the number of exchanges per column from which all rows apply them at once.
const longLog = 4

// swap exchanges the positions of each pair in turn, of rows and of columns. The columns of a row
// are exchanged only when the row is used again, and most rows never are.
func (c *cache) swap(pairs []Pair) {
	c.log.begin()
	for _, p := range pairs {
		if p.I != p.J {
			c.swapRows(p.I, p.J)
			c.log.add(p.I, p.J)
		}
	}
	if len(c.log.all) < longLog*c.n {
		return
	}
	var all []*entry
	for at := c.head.next; at != none; at = c.rows[at].link.next {
		all = append(all, &c.rows[at])
	}
	c.log.applyAll(all, c.slots)
	for _, e := range all {
		e.applied = 0
	}
	c.log.clear()
}

// applyExchanges makes those rows at the given positions that the cache holds ready for peek. The
// positions differ.
func (c *cache) applyExchanges(rows []int) {
	c.outdated = c.outdated[:0]
	for _, i := range rows {
		if c.have.Has(i) {
			c.outdated = append(c.outdated, &c.rows[i])
		}
	}
	c.log.applyAll(c.outdated, c.slots)
}

// swapRows exchanges the rows at two positions. Each row keeps its place in the ring.
func (c *cache) swapRows(i, j int) {
	hasI, hasJ := c.have.Has(i), c.have.Has(j)
	c.prefetched.Swap(i, j)
	c.budget.swap(i, j)
	switch {
	case hasI && hasJ:
		a, b := &c.rows[i], &c.rows[j]
		a.slot, b.slot = b.slot, a.slot
		a.valid, b.valid = b.valid, a.valid
		a.applied, b.applied = b.applied, a.applied
		// the ages go with the rows
		c.exchange(i, j)
	case hasI:
		c.move(i, j)
	case hasJ:
		c.move(j, i)
	}
}

// move gives the row at position i, with its place in the ring, to position j.
func (c *cache) move(i, j int) {
	c.rows[j] = c.rows[i]
	c.rows[i] = entry{}
	c.have.Swap(i, j)
	l := c.rows[j].link
	c.at(l.prev).next = int32(j)
	c.at(l.next).prev = int32(j)
}

// exchange exchanges the places of two positions in the ring.
func (c *cache) exchange(i, j int) {
	if int(c.rows[j].link.next) == i {
		i, j = j, i
	}
	if int(c.rows[i].link.next) == j { // neighbours: move j before i
		before := c.rows[i].link.prev
		c.unlink(j)
		c.insertAfter(before, j)
		return
	}
	beforeI, beforeJ := c.rows[i].link.prev, c.rows[j].link.prev
	c.unlink(i)
	c.unlink(j)
	c.insertAfter(beforeI, j)
	c.insertAfter(beforeJ, i)
}

func (c *cache) at(i int32) *entryLink {
	if i == none {
		return &c.head
	}
	return &c.rows[i].link
}

func (c *cache) unlink(i int) {
	l := c.rows[i].link
	c.at(l.prev).next = l.next
	c.at(l.next).prev = l.prev
}

func (c *cache) insertAfter(before int32, i int) {
	after := c.at(before).next
	c.rows[i].link = entryLink{before, after}
	c.at(before).next = int32(i)
	c.at(after).prev = int32(i)
}

// append puts row i at the young end of the ring.
func (c *cache) append(i int) { c.insertAfter(c.head.prev, i) }

// release gives the memory back. The cache must not be used again.
func (c *cache) release() {
	for at := c.head.next; at != none; {
		next := c.rows[at].link.next
		c.rows[at] = entry{}
		at = next
	}
	s := c.arena.pool
	give(s, &s.entries, c.rows)
	c.arena.release()
	clear(c.slots)
	clear(c.outdated)
	*c = cache{have: c.have, prefetched: c.prefetched, slots: c.slots, freed: c.freed, short: c.short, log: exchanges{all: c.log.all, runs: c.log.runs}, outdated: c.outdated, budget: cacheBudget{dropped: c.budget.dropped}}
	give(s, &s.caches, c)
}
