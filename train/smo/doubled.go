package smo

import "github.com/slimsvm/slimsvm/train/internal/scan"

// doubledSource shows each variable of a source twice, as regression needs: the
// first n positions, then the same again. Rows are kept once, in original order.
type doubledSource struct {
	rows    *rowSource
	of      []int32 // the row of each position
	swapped bool    // of is no longer 0 to n-1 twice
	buf     [2][]float32
	next    int
}

var _ Source = (*doubledSource)(nil)

func newDoubledSource(rows *rowSource) *doubledSource {
	n := rows.Len()
	s := &doubledSource{rows: rows, of: make([]int32, 2*n)}
	for i := range s.of {
		s.of[i] = int32(i % n)
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
	row := s.once(i)
	dst := s.buf[s.next][:n]
	s.next = 1 - s.next
	if s.swapped {
		scan.Gather(dst, row, s.of[:n])
	} else {
		copy(dst[copy(dst, row):], row)
	}
	return dst
}

// once returns row i for all variables of the source, in original order.
func (s *doubledSource) once(i int) []float32 {
	return s.rows.Row(int(s.of[i]), s.rows.Len())
}

// addTo implements adder.
func (s *doubledSource) addTo(dst []float64, i int, c float64) {
	row := s.once(i)
	n := len(row)
	scan.Add(dst[:n], row, c)
	scan.Add(dst[n:], row, c)
}

func (s *doubledSource) Swap(pairs []Pair) {
	for _, p := range pairs {
		s.of[p.I], s.of[p.J] = s.of[p.J], s.of[p.I]
		s.swapped = true
	}
}
