package vec

import (
	"fmt"
	"slices"
)

// Slice returns rows lo to hi-1. It shares memory and order with m: Swap in one is visible in the
// other. Appending to one does not affect the other. Use Clone for an order of its own.
func (m *Matrix) Slice(lo, hi int) Matrix {
	if lo < 0 || lo > hi || hi > len(m.rows) {
		panic(fmt.Sprintf("vec: rows %d to %d of %d", lo, hi-1, len(m.rows)))
	}
	s := *m
	s.rows, s.norms = m.rows[lo:hi:hi], m.norms[lo:hi:hi]
	s.index, s.value, s.common = nil, nil, beginning{}
	return s
}

// Clone returns a matrix of the same rows. It shares their memory with m but has an order of its
// own.
func (m *Matrix) Clone() Matrix {
	c := *m
	c.rows, c.norms = slices.Clone(m.rows), slices.Clone(m.norms)
	c.index, c.value, c.common = nil, nil, beginning{}
	return c
}
