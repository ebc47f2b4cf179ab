package vec

import (
	"sync"

	"github.com/slimsvm/slimsvm/format/vec/pages"
)

// A supply gives memory for entries to matrices whose rows will be joined. It is small
// blocks first, then parts of large pages, which all share.
type supply struct {
	mu    sync.Mutex
	given int // bytes in small blocks
	index []int32
	value []float64
}

const (
	// smallBlocks are bytes that are given in small blocks: against them the unused end
	// of the last large page is little.
	smallBlocks = 4 << 20

	// slabBytes is how much is allocated then. What is not touched takes no memory.
	slabBytes = 4 * pages.Size
)

// block returns room for n entries or more, from the rest of a slab if there is enough
// of it. A nil supply allocates every block.
func block[T pages.Number](s *supply, rest func(s *supply) *[]T, width, n int) []T {
	n = max(n, blockEntries)
	if s == nil {
		return make([]T, 0, n)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.given < smallBlocks || n > slabBytes/width/8 {
		s.given += n * width
		return make([]T, 0, n)
	}
	r := rest(s)
	if len(*r) < n {
		*r = pages.Make[T](slabBytes / width)
	}
	b := (*r)[:0:n]
	*r = (*r)[n:]
	return b
}

func (s *supply) indices(n int) []int32 {
	return block(s, func(s *supply) *[]int32 { return &s.index }, 4, n)
}

func (s *supply) values(n int) []float64 {
	return block(s, func(s *supply) *[]float64 { return &s.value }, 8, n)
}

// Part returns an empty matrix for rows that m is given by Join. Parts may be filled at
// the same time.
func (m *Matrix) Part() *Matrix {
	if m.supply == nil {
		m.supply = new(supply)
	}
	return &Matrix{supply: m.supply}
}

// Join appends the rows of p, which are not copied, and leaves p without rows.
func (m *Matrix) Join(p *Matrix) {
	m.rows, m.norms = append(m.rows, p.rows...), append(m.norms, p.norms...)
	if p.some {
		m.max, m.some = max(m.max, p.max), true
	}
	m.nnz += p.nnz
	m.fraction = m.fraction || p.fraction
	*p = Matrix{rows: p.rows[:0], norms: p.norms[:0], index: p.index, value: p.value, common: p.common, supply: p.supply}
}
