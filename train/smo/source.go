package smo

import (
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// rowSource computes kernel rows of a matrix and caches them.
type rowSource struct {
	x      vec.Matrix // in order of position
	kernel kernel.Kernel
	cache  *cache
	buf    []float64
}

var _ Source = (*rowSource)(nil)

// newRowSource returns a source that owns the order of x.
func newRowSource(k kernel.Kernel, x vec.Matrix, cacheMB float64) *rowSource {
	n := x.Len()
	return &rowSource{x: x, kernel: k, cache: newCache(n, cacheMB), buf: make([]float64, n)}
}

func (s *rowSource) Len() int { return s.x.Len() }

func (s *rowSource) DiagTo(dst []float64) { s.kernel.DiagTo(dst, &s.x) }

func (s *rowSource) Row(i, n int) []float32 {
	row, valid := s.cache.get(i, n)
	if valid < n {
		part := s.x.Slice(valid, n)
		values := s.buf[:n-valid]
		s.kernel.RowTo(values, s.x.Row(i), &part)
		fresh := row[valid:n]
		for k, v := range values {
			fresh[k] = float32(v)
		}
	}
	return row[:n]
}

func (s *rowSource) Swap(i, j int) {
	s.x.Swap(i, j)
	s.cache.swap(i, j)
}

func (s *rowSource) release() { s.cache.release() }

// doubledSource shows each variable of a source twice, as regression needs: the
// first n positions, then the same again.
type doubledSource struct {
	rows *rowSource
	of   []int // the row of each position
	buf  [2][]float32
	next int
}

var _ Source = (*doubledSource)(nil)

func newDoubledSource(rows *rowSource) *doubledSource {
	n := rows.Len()
	s := &doubledSource{rows: rows, of: make([]int, 2*n)}
	for i := range s.of {
		s.of[i] = i % n
	}
	for i := range s.buf {
		s.buf[i] = make([]float32, 2*n)
	}
	return s
}

func (s *doubledSource) Len() int { return len(s.of) }

func (s *doubledSource) DiagTo(dst []float64) {
	n := s.rows.Len()
	s.rows.DiagTo(dst[:n])
	copy(dst[n:], dst[:n])
}

func (s *doubledSource) Row(i, n int) []float32 {
	row := s.rows.Row(s.of[i], s.rows.Len())
	dst := s.buf[s.next][:n]
	s.next = 1 - s.next
	for k, j := range s.of[:n] {
		dst[k] = row[j]
	}
	return dst
}

func (s *doubledSource) Swap(i, j int) { s.of[i], s.of[j] = s.of[j], s.of[i] }
