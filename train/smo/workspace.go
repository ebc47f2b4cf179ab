package smo

import "sync"

// A workspace is the memory of one problem's vectors, which the next problem uses
// again: one-vs-one training of many classes solves many small ones. A nil
// workspace allocates.
type workspace struct {
	block []float64
	rest  []float64 // of the block
}

// workspaceVectors is the number of vectors that a problem takes from a block.
const workspaceVectors = 9

var workspaces = sync.Pool{New: func() any { return new(workspace) }}

// newWorkspace returns a workspace for problems of about n variables.
func newWorkspace(n int) *workspace {
	w := workspaces.Get().(*workspace)
	if len(w.block) < workspaceVectors*n {
		w.block = make([]float64, workspaceVectors*n)
	}
	w.rest = w.block
	return w
}

// zeros returns n zeros, with no room beyond.
func (w *workspace) zeros(n int) []float64 {
	if w == nil || len(w.rest) < n {
		return make([]float64, n)
	}
	s := w.rest[:n:n]
	w.rest = w.rest[n:]
	clear(s)
	return s
}

// release makes the memory free for other problems.
func (w *workspace) release() { workspaces.Put(w) }
