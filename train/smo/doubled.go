package smo

// doubledSource shows each variable of a source twice, as regression needs: the
// first n positions, then the same again. Rows are kept once, in original order.
type doubledSource struct {
	rows    *rowSource
	of      []int32 // the row of each position
	swapped bool    // of is no longer 0 to n-1 twice
	buf     [2]gathered
	last    int // which was returned last

	halves [][]float64 // scratch of a sum: vectors, rows, coefficients
	added  [][]float32
	times  []float64
}

// gathered is a row in order of position.
type gathered struct {
	i, n int // its position, and how many columns it has; n is 0 if it has none
	row  []float32
}

var _ Source = (*doubledSource)(nil)

func newDoubledSource(rows *rowSource) *doubledSource {
	n := rows.Len()
	s := &doubledSource{
		rows: rows, of: make([]int32, 2*n),
		halves: make([][]float64, 0, 4), added: make([][]float32, 0, 1), times: make([]float64, 0, 1),
	}
	for i := range s.of {
		s.of[i] = int32(i % n)
	}
	for i := range s.buf {
		s.buf[i].row = make([]float32, 2*n)
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
	row, from := s.known(i, n)
	if from != nil {
		s.rows.passes.move(s.placing(row, from, 0))
	}
	return row
}

// rowForPass is Row, but the values may be there only after the next pass over n
// variables: threads that share the pass place their part of the row just before.
func (s *doubledSource) rowForPass(i, n int) []float32 {
	row, from := s.known(i, n)
	if from != nil {
		s.rows.passes.gather = s.placing(row, from, 0)
	}
	return row
}

// known returns room for row i, and if the row is not there the row in original order
// from which it comes.
func (s *doubledSource) known(i, n int) (row, from []float32) {
	for k := range s.buf {
		if b := &s.buf[k]; b.i == i && b.n >= n {
			s.last = k
			return b.row[:n], nil
		}
	}
	from = s.once(i)
	s.last = 1 - s.last
	b := &s.buf[s.last]
	b.i, b.n = i, n
	return b.row[:n], from
}

// placing sets dst to a row's columns from position from on.
func (s *doubledSource) placing(dst, row []float32, from int) gathering {
	g := gathering{to: dst, row: row}
	if s.swapped || from > 0 {
		g.of = s.of[from : from+len(dst)]
	}
	return g
}

// Part implements Source.
func (s *doubledSource) Part(dst [][]float32, rows []int, from, to int) {
	for r, i := range rows {
		s.rows.passes.move(s.placing(dst[r][:to-from], s.once(i), from))
	}
}

// once returns row i for all variables of the source, in original order.
func (s *doubledSource) once(i int) []float32 {
	return s.rows.Row(int(s.of[i]), s.rows.Len())
}

// addTo implements adder.
func (s *doubledSource) addTo(to [][]float64, i int, c float64) {
	row := s.rows.rowForPass(int(s.of[i]), s.rows.Len())
	n := len(row)
	halves := s.halves[:0]
	for _, t := range to {
		halves = append(halves, t[:n], t[n:])
	}
	s.rows.passes.sum(summing{halves, append(s.added[:0], row), append(s.times[:0], c)})
}

func (s *doubledSource) Swap(pairs []Pair) {
	s.buf[0].n, s.buf[1].n = 0, 0
	for _, p := range pairs {
		s.of[p.I], s.of[p.J] = s.of[p.J], s.of[p.I]
		s.swapped = true
	}
}
