package smo

import (
	"slices"

	"github.com/slimsvm/slimsvm/train/internal/scan"
)

// A workspace is the memory for one problem's vectors. The next problem uses it again: one-vs-one
// training of many classes solves many small problems. A nil workspace allocates.
type workspace struct {
	pool  *memoryPool
	n     int  // number of variables of the problem
	most  int  // largest number of variables of later problems
	begun bool // begin was called for the problem
	block []float64
	rest  []float64 // what is left of block
	order []int
	where []uint8
	bits  []uint64
	words []uint64 // what is left of bits; nil: everything
	row   []float32
	list  []int
	swaps []Pair

	// the parts of a problem
	source     rowSource
	doubled    doubledSource
	filler     rowFiller
	prefetcher prefetcher
	qp         QP
	state      state
	result     Result
}

// workspaceVectors is the number of vectors that a problem takes from the block, if it is a C-SVC;
// others take fewer.
const workspaceVectors = 8

// workspaceSets is the number of sets that a nu problem takes; others take fewer.
const workspaceSets = 6

// newWorkspace returns a workspace for problems of about n variables. Later problems will have up
// to most.
func newWorkspace(n, most int, s *memoryPool) *workspace {
	w := take(s, &s.workspaces)
	if w == nil {
		w = &workspace{pool: s}
	}
	w.n, w.most, w.begun, w.words = n, most, false, nil
	return w
}

// begin gets the memory ready, at the first call that needs it. A source that doubles the variables
// doubles n and most before that, so no memory of the single size is allocated.
func (w *workspace) begin() {
	if w.begun = true; len(w.block) < workspaceVectors*scan.PaddedLen(w.n) {
		w.block = make([]float64, workspaceVectors*scan.PaddedLen(w.most))
		w.order, w.where = make([]int, w.most), make([]uint8, w.most)
	}
	w.rest = w.block
}

// zeros returns n zeros. Its capacity is n.
func (w *workspace) zeros(n int) []float64 {
	if w != nil && !w.begun {
		w.begin()
	}
	if w == nil || len(w.rest) < n {
		return make([]float64, n)
	}
	s := w.rest[:n:n]
	w.rest = w.rest[n:]
	clear(s)
	return s
}

// places returns memory for the order of n variables and for their places. Its contents are
// undefined.
func (w *workspace) places(n int) (order []int, where []uint8) {
	if w == nil {
		return make([]int, n), make([]uint8, n)
	}
	if len(w.order) < n {
		w.order, w.where = make([]int, n), make([]uint8, n)
	}
	return w.order[:n], w.where[:n]
}

// set returns an empty set of positions below n.
func (w *workspace) set(n int) scan.Set {
	words := scan.Words(n)
	if w == nil {
		return scan.NewSet(n)
	}
	if w.words == nil {
		if len(w.bits) < workspaceSets*words {
			w.bits = make([]uint64, workspaceSets*scan.Words(max(n, w.most)))
		}
		w.words = w.bits
	}
	if len(w.words) < words {
		return scan.NewSet(n)
	}
	set := scan.Set(w.words[:words:words])
	w.words = w.words[words:]
	clear(set)
	return set
}

// values returns room for n values of rows. Its contents are undefined, and valid until the next
// call.
func (w *workspace) values(n int) []float32 {
	if w == nil {
		return make([]float32, n)
	}
	w.row = slices.Grow(w.row[:0], n)
	return w.row[:n]
}

// lists returns empty lists of positions and of exchanges with room.
func (w *workspace) lists() (list []int, swaps []Pair) {
	if w == nil {
		return nil, nil
	}
	return w.list[:0], w.swaps[:0]
}

// keep takes back lists that the problem no longer uses.
func (w *workspace) keep(list []int, swaps []Pair) {
	w.list, w.swaps = list, swaps
}

// release makes the memory free for other problems.
func (w *workspace) release() {
	w.source.reset()
	w.filler.reset()
	w.state.reset()
	w.qp, w.result, w.doubled.rows = QP{}, Result{}, nil
	give(w.pool, &w.pool.workspaces, w)
}
