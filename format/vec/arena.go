package vec

import (
	"sync"
	"unsafe"

	"github.com/slimsvm/slimsvm/format/vec/pages"
)

// An entryArena gives memory for entries to matrices whose rows will be joined. It first gives small
// blocks, then parts of large pages, which all these matrices share.
type entryArena struct {
	mu         sync.Mutex
	smallBytes int    // number of bytes given in small blocks
	slab       []byte // what is left of the current slab
	slabs      int
}

const (
	// smallBlocks is the number of bytes given in small blocks. Compared with them, the unused end
	// of the last large page is small.
	smallBlocks = 3 * pages.Size

	// The first slab has firstSlab bytes. The next mostDoubled slabs are each twice as large as the
	// one before. Memory that is not touched takes no room, but the garbage collector counts it.
	firstSlab, mostDoubled = pages.Size, 2

	// Blocks begin at multiples of slabAlign, a cache line.
	slabAlign = 64
)

// firstEntries is the number of entries in the first block of a matrix without an arena. Each later
// block is as large as all that the matrix has, up to blockEntries. The first is small because
// there may be tens of thousands of matrices with a few rows each, for instance for pairs of
// classes.
const firstEntries = 64

// block returns room for at least n entries. A nil entryArena allocates every block; has is how many
// entries the matrix has already.
func block[T int32 | float64](s *entryArena, n, has int) []T {
	if s == nil {
		return prepared(make([]T, 0, max(n, min(blockEntries, max(firstEntries, has)))))
	}
	n = max(n, blockEntries)
	b := cutSlab[T](s, n)
	if b == nil {
		b = make([]T, 0, n)
	}
	return prepared(b) // without the lock: several goroutines may prepare memory at once
}

// cutSlab returns room for n entries, from the rest of a slab if that is large enough. It is nil if
// the room should be a block of its own.
func cutSlab[T int32 | float64](s *entryArena, n int) []T {
	s.mu.Lock()
	defer s.mu.Unlock()
	var zero T
	size := (n*int(unsafe.Sizeof(zero)) + slabAlign - 1) / slabAlign * slabAlign
	if s.smallBytes < smallBlocks || size > firstSlab/4 {
		s.smallBytes += size
		return nil
	}
	if len(s.slab) < size {
		s.slab = pages.Make[byte](firstSlab << min(s.slabs, mostDoubled))
		s.slabs++
	}
	b := unsafe.Slice((*T)(unsafe.Pointer(&s.slab[0])), n)[:0]
	s.slab = s.slab[size:]
	return b
}

// prepared prepares the memory of b, which is about to be filled, and returns b.
func prepared[T int32 | float64](b []T) []T {
	pages.Prepare(b[:cap(b)])
	return b
}

func (s *entryArena) indices(n, has int) []int32 { return block[int32](s, n, has) }

func (s *entryArena) values(n, has int) []float64 { return block[float64](s, n, has) }

// Part returns an empty matrix whose rows are later added to m by Join. Several parts may be filled
// at once.
func (m *Matrix) Part() *Matrix {
	if m.arena == nil {
		m.arena = new(entryArena)
	}
	return &Matrix{arena: m.arena}
}

// Join appends the rows of p without copying them, and leaves p empty. If the first of them has the
// same indices as the last row of m, it shares m's list from now on, and so do the rows that share
// its list.
func (m *Matrix) Join(p *Matrix) {
	joined := p.last()
	if len(m.rows) > 0 && len(p.rows) > 0 {
		p.listAs(m.rows[len(m.rows)-1])
	}
	m.rows, m.norms = append(m.rows, p.rows...), append(m.norms, p.norms...)
	if p.some {
		m.max, m.some = max(m.max, p.max), true
	}
	m.nnz += p.nnz
	m.fraction = m.fraction || p.fraction
	m.doubtful = m.doubtful || p.doubtful
	*p = Matrix{rows: p.rows[:0], norms: p.norms[:0], index: p.index, value: p.value, common: p.common, joined: joined, alike: p.alike, fraction: p.fraction, doubtful: p.doubtful, arena: p.arena}
}

// listAs makes the first rows of p use the list of r, if their own list is equal.
func (p *Matrix) listAs(r header) {
	own := p.rows[0]
	if own.lists(&r) || own.n != r.n || own.n == 0 {
		return
	}
	if p.alike != [2]*int32{own.index, r.index} {
		if !EqualIndices(own.indices(), r.indices()) {
			return
		}
		p.alike = [2]*int32{own.index, r.index}
	}
	for i := range p.rows {
		if !p.rows[i].lists(&own) {
			return
		}
		p.rows[i].index = r.index
	}
}
