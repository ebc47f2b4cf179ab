package kernel

import (
	"sync"

	"github.com/slimsvm/slimsvm/format/vec"
)

// A Store holds the rows of a matrix ready for training problems on parts of
// them: it looks at the data once, for all class pairs, folds and kernels. It may
// be used by several goroutines at once.
type Store struct {
	x    *vec.Matrix
	pool sync.Pool // of Grams whose memory is free
}

// NewStore returns a store of the rows of x, with which it shares memory. The
// matrix must not change while the store is used.
func NewStore(x *vec.Matrix) *Store {
	return &Store{x: x}
}

// Len returns the number of rows.
func (s *Store) Len() int { return s.x.Len() }

// Gram returns the kernel matrix of the given rows in the given order; of all
// rows if rows is nil.
func (s *Store) Gram(k Kernel, rows []int) *Gram {
	g, _ := s.pool.Get().(*Gram)
	if g == nil {
		g = new(Gram)
	}
	g.kernel, g.store = k, s
	if rows == nil {
		g.x = s.x.Clone()
	} else {
		g.x = s.x.Select(rows)
	}
	return g
}
