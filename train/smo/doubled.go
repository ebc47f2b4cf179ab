package smo

import (
	"slices"

	"github.com/slimsvm/slimsvm/train/internal/scan"
)

// doubledSource shows each variable of a source twice, as regression needs: the
// first n positions, then the same again. Rows are kept once, in original order.
type doubledSource struct {
	rows    *rowSource
	state   *state  // of the programme, for hints; nil: none
	asked   int     // the position whose row is asked for, -1 if rows beside it are of no use
	of      []int32 // the row of each position
	swapped bool    // of is no longer 0 to n-1 twice

	// rows in order of position, of which there are places for a few: the same few variables
	// change again and again
	places []gathered
	at     []int32   // by position, 1 + the place that has its row, 0 if there is none
	width  int       // columns that a place has room for, 0 if rows are to be placed anew
	memory []float32 // that places are cut from
	rooms  rooms     // of which memory is one
	many   int       // rows that were not there before there are more places
	missed int       // rows that were not there, in all
	found  int       // rows that were, though not among the last two, and
	placed int       // rows that were not, since places were made
	few    int       // how often only two are made: of more, few were found
	time   int       // of the last use of a place

	halves [][]float64 // scratch of a sum: vectors, rows, coefficients
	added  [][]float32
	times  []float64
}

// gathered is a row in order of position.
type gathered struct {
	i, n int // its position, and how many columns it has; n is 0 if it has none
	used int // when, last
	row  []float32
}

// Places take keptRows values in all once rows have been placed manyMissed times. There are
// no more than mostPlaces, to look for the one that was not used for longest; and only two, which
// stay in the first cache, for the next fewPlaced times if less than a fifth of the rows was found.
const (
	keptRows   = 1 << 18
	manyMissed = 1 << 12
	mostPlaces = 1 << 7
	fewPlaced  = 1 << 4
)

// rooms is memory for rows in order of position: for few and for many, of each kind two, as rows
// that were returned stay when places are made anew.
type rooms struct {
	few, many [2][]float32
	turn      int
}

// next returns room for n values, or for keptRows, other than what was returned before.
func (r *rooms) next(n int, many bool) []float32 {
	kind := &r.few
	if many {
		kind, n = &r.many, keptRows
	}
	r.turn = 1 - r.turn
	kind[r.turn] = slices.Grow(kind[r.turn][:0], n)[:n]
	return kind[r.turn]
}

var _ Source = (*doubledSource)(nil)

// newDoubledSource returns a source in the memory of the rows' workspace, which is made one for
// twice as many variables.
func newDoubledSource(rows *rowSource) *doubledSource {
	n := rows.Len()
	rows.work.n, rows.work.most = 2*rows.work.n, 2*rows.work.most
	s := &rows.work.doubled
	*s = doubledSource{
		rows: rows, of: slices.Grow(s.of, 2*n)[:2*n], at: slices.Grow(s.at, 2*n)[:2*n], many: manyMissed,
		rooms: s.rooms, places: s.places[:0], halves: s.halves, added: s.added, times: s.times,
	}
	s.memory = s.rooms.next(4*n, false)
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
	s.time++
	if k := s.at[i]; k > 0 {
		if g := &s.places[k-1]; g.n >= n {
			if g.used < s.time-2 { // two places would not have had it
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
		s.memory, s.width = s.rooms.next(0, true), 0
	case n > s.width && s.width > 0:
		s.memory, s.width = s.rooms.next(len(s.memory), len(s.memory) == keptRows), 0
	}
	if s.width == 0 {
		s.lay(n)
	}
	g := &s.places[s.place(i)]
	g.n, g.used = n, s.time
	return g.row[:n], from
}

// place makes a place that of row i: the one that it has, or that was not used for longest.
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

// lay makes empty places for rows of n columns, at least two.
func (s *doubledSource) lay(n int) {
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
		s.places = append(s.places, gathered{row: rest[:n:n]})
	}
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
	s.asked = -1 // the rows of all are asked for, in turn
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
		halves = append(halves, t[:n], t[n:])
	}
	s.rows.passes.sum(summing{halves, append(s.added[:0], row), append(s.times[:0], c)})
}

func (s *doubledSource) Swap(pairs []Pair) {
	s.width = 0
	clear(s.at)
	for _, p := range pairs {
		s.of[p.I], s.of[p.J] = s.of[p.J], s.of[p.I]
		s.swapped = true
	}
}
