package smo

import (
	"slices"

	"github.com/slimsvm/slimsvm/train/internal/scan"
)

// Problem: which kernel rows to compute together with one that is missing. If the vectors do not
// fit into the first-level cache, several rows at once cost little more than one. Rows that are
// computed and never used cost time but do not change a result.
//
// Method: the rows most likely to be used next are those of the variables that violate the
// optimality conditions most. Half of the rows are taken from the variables that can go up, lowest
// f first, half from those that can go down, highest f first. A variable is taken only if its
// violation is at least three quarters of the worst one. Most rows of other variables are never
// used, and they take memory.

// worthAhead is the least violation, as a share of the largest one, that a variable must have for
// its row to be computed ahead.
const worthAhead = 0.75

// hint implements hinter.
func (s *state) hint(rows []int, n, active int, have scan.Set) []int {
	return s.likely(rows, rows[0], n, active, have)
}

// likely appends up to n rows that are likely to be needed in addition to rows[0], the row of the
// variable asked. The rows are below active and not in have.
func (s *state) likely(rows []int, asked, n, active int, have scan.Set) []int {
	if s.ahead != nil {
		return s.upcoming(rows, asked, n, active, have)
	}
	s.look()
	g := s.group(asked) // asked and its partner are in the same group
	if n == 0 || !(s.ends[g].Highest > s.ends[g].Lowest) {
		return rows
	}
	// asked is one side of the pair: rows of the other side are appended first
	up := n / 2
	if s.ends[g].I != asked {
		up = n - n/2
	}
	v := &s.violators
	v.begin(s, g, rows, have)
	rows = v.add(rows, up, true, have)
	return v.add(rows, n-up, false, have)
}

// rowOf returns the row of a variable. With a doubled source, two variables share each row.
func (s *state) rowOf(i int) int {
	if s.doubled != nil {
		return int(s.doubled.of[i])
	}
	return i
}

// upcoming appends the rows that come after asked in the list of those that a sum will need.
func (s *state) upcoming(rows []int, asked, n, active int, have scan.Set) []int {
	line := s.ahead
	for len(line) > 0 && line[0] != asked {
		line = line[1:]
	}
	for k := 1; k < len(line) && n > 0; k++ {
		if i := s.rowOf(line[k]); i < active && !have.Has(i) && !slices.Contains(rows, i) {
			rows = append(rows, i)
			n--
		}
	}
	return rows
}

// looksAhead is how many variables of a regression are examined for each row wanted: two variables
// share a row, and many rows are in the cache already.
const looksAhead = 4

// violators lists the active variables of a group in order of their violation: those that can go
// up, lowest f first, or those that can go down, highest f first. All variables of one side are
// asked for before those of the other. A regression has to skip many variables whose rows are in
// the cache. So the extremes of pieces of the variables are kept, and only the piece that gave the
// last variable is scanned again.
type violators struct {
	s       *state
	g       int
	up, low scan.Set // variables not yet taken
	worth   float64
	piece   int             // number of variables in a piece
	ends    []scan.Extremes // of each piece
	changed int             // the piece that gave the last variable, -1 if it was scanned since
	wasUp   bool            // whether the last variable was from the side that can go up
}

// violatorsPiece is the least number of variables in a piece of a regression's variables, and
// violatorsPieces the largest number of pieces.
const violatorsPiece, violatorsPieces = 512, 16

// begin makes all variables of group g available, except those whose rows are listed in rows or
// held in have. In a regression, add skips these instead.
func (v *violators) begin(s *state, g int, rows []int, have scan.Set) {
	words := scan.Words(s.active)
	v.s, v.g, v.changed = s, g, -1
	v.worth = worthAhead * (s.ends[g].Highest - s.ends[g].Lowest)
	v.up, v.low = s.left[0][:words], s.left[1][:words]
	copy(v.up, s.up[g])
	copy(v.low, s.low[g])
	if v.piece = s.active; s.doubled != nil {
		v.piece = max(violatorsPiece, 64*((words+violatorsPieces-1)/violatorsPieces))
	} else {
		for w := range words {
			v.up[w] &^= have[w]
			v.low[w] &^= have[w]
		}
		for _, i := range rows {
			if i < s.active {
				v.up.Put(i, false)
				v.low.Put(i, false)
			}
		}
	}
	v.ends = v.ends[:0]
	for from := 0; from < s.active; from += v.piece {
		v.ends = append(v.ends, v.look(from))
	}
}

// look returns the extremes of the piece that begins at variable from.
func (v *violators) look(from int) scan.Extremes {
	if v.piece == v.s.active {
		return v.s.passes.look(v.s.f[:v.piece], v.up, v.low)
	}
	to := min(from+v.piece, v.s.active)
	return scan.FindExtremes(v.s.f[from:to], v.up[from/64:], v.low[from/64:])
}

// next takes the remaining variable of a side that violates the conditions most. It returns -1 if
// no violation is large enough.
func (v *violators) next(up bool) int {
	if v.changed >= 0 && v.wasUp == up {
		v.ends[v.changed] = v.look(v.changed * v.piece)
	}
	v.changed = -1
	best := 0
	for k := range v.ends {
		if e := &v.ends[k]; up && e.Lowest <= v.ends[best].Lowest || !up && e.Highest >= v.ends[best].Highest {
			best = k
		}
	}
	e, ends, from := v.ends[best], v.s.ends[v.g], best*v.piece
	t := -1
	switch {
	case up && ends.Highest-e.Lowest > v.worth:
		t = e.I
	case !up && e.Highest-ends.Lowest > v.worth:
		t = scan.Find(v.s.f[from:min(from+v.piece, v.s.active)], v.low[from/64:], e.Highest)
	}
	if t < 0 {
		return -1
	}
	if t += from; up {
		v.up.Put(t, false)
	} else {
		v.low.Put(t, false)
	}
	v.changed, v.wasUp = best, up
	return t
}

// add appends the rows of up to n variables of a side.
func (v *violators) add(rows []int, n int, up bool, have scan.Set) []int {
	looks := n
	if v.s.doubled != nil { // rows in the cache are skipped below
		looks = looksAhead * n
	}
	for ; n > 0 && looks > 0; looks-- {
		t := v.next(up)
		if t < 0 {
			break
		}
		if i := v.s.rowOf(t); !have.Has(i) && !slices.Contains(rows, i) {
			rows = append(rows, i)
			n--
		}
	}
	return rows
}
