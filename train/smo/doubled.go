package smo

import (
	"slices"

	"github.com/slimsvm/slimsvm/train/internal/scan"
)

// doubledSource presents each variable of a source twice, as regression needs: first n positions,
// then the same n again. Rows are kept once, in original order.
type doubledSource struct {
	rows    *rowSource
	state   *state  // of the quadratic programme, for hints; nil: none
	asked   int     // the position whose row is asked for, -1 if no rows should be computed ahead
	of      []int32 // the row of each position
	swapped bool    // positions were exchanged: of is no longer 0 to n-1 twice

	// a few rows in order of position, because the same few variables change again and again
	places  []orderedRow
	at      []int32    // by position: 1 + the index of the place that has its row, 0 if there is none
	width   int        // number of columns that a place has room for, 0 if the places must be laid out anew
	memory  []float32  // the memory that places are cut from
	buffers rowBuffers // the buffers that memory is taken from
	many    int        // after this many missed rows there are more places
	missed  int        // rows that were in no place, in all
	found   int        // rows that were in a place but not among the last two used, since the places were laid out
	placed  int        // rows that were in no place, since the places were laid out
	few     int        // for how many layouts there are only two places, because few rows were found in more
	time    int        // counts the uses of places

	halves [][]float64 // scratch of a sum: vectors, rows, coefficients
	added  [][]float32
	times  []float64
}

// orderedRow is a place for a row in order of position.
type orderedRow struct {
	i, n int // the row's position and its number of columns; n is 0 if the place is empty
	used int // time of the last use
	row  []float32
}

// After manyMissed misses, the places have room for keptRows values together. There are at most
// mostPlaces places, because all are searched for the least recently used one. If less than a fifth
// of the rows was found, there are only two places for the next fewPlaced layouts: two stay in the
// first-level cache.
const (
	keptRows   = 1 << 18
	manyMissed = 1 << 12
	mostPlaces = 1 << 7
	fewPlaced  = 1 << 4
)

// rowBuffers is memory for rows in order of position: one kind for few rows, one for many. There
// are two of each kind, because rows returned earlier stay valid when the places are laid out anew.
type rowBuffers struct {
	few, many [2][]float32
	turn      int
}

// next returns room for n values, or for keptRows values if many. It is not the room returned
// before.
func (r *rowBuffers) next(n int, many bool) []float32 {
	kind := &r.few
	if many {
		kind, n = &r.many, keptRows
	}
	r.turn = 1 - r.turn
	kind[r.turn] = slices.Grow(kind[r.turn][:0], n)[:n]
	return kind[r.turn]
}

var _ Source = (*doubledSource)(nil)

// newDoubledSource returns a source in the memory of the rows' workspace, and sets up that
// workspace for twice as many variables.
func newDoubledSource(rows *rowSource) *doubledSource {
	n := rows.Len()
	rows.work.n, rows.work.most = 2*rows.work.n, 2*rows.work.most
	rows.passes.half = n / splitColumns * splitColumns
	s := &rows.work.doubled
	*s = doubledSource{
		rows: rows, of: slices.Grow(s.of, 2*n)[:2*n], at: slices.Grow(s.at, 2*n)[:2*n], many: manyMissed,
		buffers: s.buffers, places: s.places[:0], halves: s.halves, added: s.added, times: s.times,
	}
	s.memory = s.buffers.next(4*n, false)
	clear(s.at)
	if s.halves == nil {
		s.halves, s.added, s.times = make([][]float64, 0, 4), make([][]float32, 0, 1), make([]float64, 0, 1)
	}
	for i := range s.of {
		s.of[i] = int32(i % n)
	}
	return s
}

func (s *doubledSource) Len() int { return len(s.of) }

func (s *doubledSource) given() bool { return s.rows.given() }

func (s *doubledSource) foreign() bool { return s.rows.foreign() }

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

// rowForPass is Row, but the values may be computed only in the next pass over n variables: threads
// that share the pass fill in their part of the row just before they use it.
func (s *doubledSource) rowForPass(i, n int) []float32 {
	row, from := s.known(i, n)
	if from != nil {
		s.rows.passes.gather = s.placing(row, from, 0)
	}
	return row
}

// known returns the place's memory for row i. If the row is not there yet, it also returns the row
// in original order, from which the caller must fill it.
func (s *doubledSource) known(i, n int) (row, from []float32) {
	s.time++
	if k := s.at[i]; k > 0 {
		if g := &s.places[k-1]; g.n >= n {
			if g.used < s.time-2 { // with two places it would have been missed
				s.found++
			}
			g.used = s.time
			return g.row[:n], nil
		}
	}
	s.asked = i
	from = s.once(i)
	s.missed++
	s.placed++
	switch {
	case s.missed == s.many && len(s.memory) < keptRows:
		s.memory, s.width = s.buffers.next(0, true), 0
	case n > s.width && s.width > 0:
		s.memory, s.width = s.buffers.next(len(s.memory), len(s.memory) == keptRows), 0
	}
	if s.width == 0 {
		s.layOut(n)
	}
	g := &s.places[s.place(i)]
	g.n, g.used = n, s.time
	return g.row[:n], from
}

// place assigns a place to row i: the one that it has, or the least recently used one.
func (s *doubledSource) place(i int) int {
	if k := s.at[i]; k > 0 {
		return int(k - 1)
	}
	oldest := 0
	for k := range s.places {
		if s.places[k].used < s.places[oldest].used {
			oldest = k
		}
	}
	g := &s.places[oldest]
	if g.n > 0 {
		s.at[g.i] = 0
	}
	s.at[i], g.i = int32(oldest+1), i
	return oldest
}

// layOut lays out empty places for rows of n columns, at least two.
func (s *doubledSource) layOut(n int) {
	clear(s.at)
	most := mostPlaces
	if s.few--; s.few < 0 && len(s.places) > 2 && 4*s.found < s.placed {
		s.few = fewPlaced
	}
	if s.few > 0 {
		most = 2
	}
	s.found, s.placed = 0, 0
	s.width, s.places = n, s.places[:0]
	for rest := s.memory; len(rest) >= n && len(s.places) < most; rest = rest[n:] {
		s.places = append(s.places, orderedRow{row: rest[:n:n]})
	}
}

// placing describes how to set dst to a row's columns from position from on.
func (s *doubledSource) placing(dst, row []float32, from int) gathering {
	g := gathering{to: dst, row: row}
	if s.swapped || from > 0 {
		g.of = s.of[from : from+len(dst)]
	}
	return g
}

// Part implements Source.
func (s *doubledSource) Part(dst [][]float32, rows []int, from, to int) {
	s.asked = -1 // all rows are asked for in turn: no hints
	for r, i := range rows {
		s.rows.passes.move(s.placing(dst[r][:to-from], s.once(i), from))
	}
}

// once returns row i for all variables of the source, in original order.
func (s *doubledSource) once(i int) []float32 {
	return s.rows.Row(int(s.of[i]), s.rows.Len())
}

// hint implements hinter.
func (s *doubledSource) hint(rows []int, n, active int, have scan.Set) []int {
	if s.asked < 0 {
		return rows
	}
	return s.state.likely(rows, s.asked, n, active, have)
}

// addTo implements adder.
func (s *doubledSource) addTo(to [][]float64, i int, c float64) {
	if s.asked = -1; s.state != nil && s.state.ahead != nil {
		s.asked = i
	}
	row := s.rows.rowForPass(int(s.of[i]), s.rows.Len())
	n := len(row)
	halves := s.halves[:0]
	for _, t := range to {
		for ; len(t) > 0; t = t[n:] {
			halves = append(halves, t[:n])
		}
	}
	s.rows.passes.sum(summing{to: halves, rows: append(s.added[:0], row), coefs: append(s.times[:0], c)})
}

func (s *doubledSource) Swap(pairs []Pair) {
	s.width = 0
	clear(s.at)
	for _, p := range pairs {
		s.of[p.I], s.of[p.J] = s.of[p.J], s.of[p.I]
		s.swapped = true
	}
}
