package kernel

import (
	"fmt"
	"sync"

	"github.com/slimsvm/slimsvm/format/vec"
)

// A Gram computes rows of the matrix K(x_i, x_j) of a training problem, as
// float32, in which training keeps them: each value is exactly float32 of the one
// that RowTo computes. The vectors x_i have positions, which Swap exchanges.
//
// Several goroutines may call RowsTo and DiagTo at once; Swap and Release need
// the Gram for themselves.
type Gram struct {
	kernel Kernel
	store  *Store
	x      vec.Matrix // in order of position
}

// NewGram returns the kernel matrix of the rows of x, with which it shares memory.
func NewGram(k Kernel, x *vec.Matrix) *Gram { return NewStore(x).Gram(k, nil) }

// Len returns the number of vectors.
func (g *Gram) Len() int { return g.x.Len() }

// BlockRows returns how many rows are best computed in one call of RowsTo, from 1
// to MaxBlockRows: where the vectors do not fit into the caches, several rows
// cost little more than one.
func (g *Gram) BlockRows() int { return 1 }

// MaxBlockRows is the largest number of rows in a call of RowsTo.
const MaxBlockRows = 6

var gramScratch = sync.Pool{New: func() any { return new([]float64) }}

// RowsTo sets dst[r][t-from] = float32(K(x[rows[r]], x[t])) for from <= t < to and
// each r. Every dst[r] has length to - from; there are at most MaxBlockRows.
func (g *Gram) RowsTo(dst [][]float32, rows []int, from, to int) {
	if len(dst) != len(rows) || len(rows) > MaxBlockRows {
		panic(fmt.Sprintf("kernel: %d rows into %d", len(rows), len(dst)))
	}
	if from < 0 || from > to || to > g.Len() {
		panic(fmt.Sprintf("kernel: columns %d to %d of %d", from, to-1, g.Len()))
	}
	for _, d := range dst {
		if len(d) != to-from {
			panic(fmt.Sprintf("kernel: room for %d values, expected %d", len(d), to-from))
		}
	}
	buf := gramScratch.Get().(*[]float64)
	defer gramScratch.Put(buf)
	if cap(*buf) < to-from {
		*buf = make([]float64, to-from)
	}
	values := (*buf)[:to-from]
	part := g.x.Slice(from, to)
	for r, i := range rows {
		g.kernel.RowTo(values, g.x.Row(i), &part)
		row := dst[r]
		for t, v := range values {
			row[t] = float32(v)
		}
	}
}

// DiagTo sets dst[i] = K(x[i], x[i]).
func (g *Gram) DiagTo(dst []float64) { g.kernel.DiagTo(dst, &g.x) }

// Swap exchanges the vectors at positions i and j.
func (g *Gram) Swap(i, j int) { g.x.Swap(i, j) }

// Bytes returns the memory that the packed vectors take, apart from what is
// shared with the matrix.
func (g *Gram) Bytes() int { return 0 }

// Release gives the memory back to the store, for the next Gram. The Gram must
// not be used again.
func (g *Gram) Release() {
	s := g.store
	*g = Gram{}
	s.pool.Put(g)
}
