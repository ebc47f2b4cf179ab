package smo

import (
	"slices"

	"github.com/slimsvm/slimsvm/train/internal/scan"
)

// Problem: which kernel rows to compute together with one that is missing.
//
// If the vectors do not fit into the first-level cache, several rows at once cost little more than
// one. Rows that are computed and never used cost time but do not change a result. The rows most
// likely to be used next are those of the variables that violate the optimality conditions most:
// half of them with the lowest f among variables that can go up, half with the highest f among
// those that can go down. Only variables that violate the conditions at least three quarters as
// much as the worst do are taken: most rows of others are never used, and they take memory.

// worthAhead is the share of the largest violation that a variable's must be for its row to be
// computed ahead.
const worthAhead = 0.75

// hint implements hinter.
func (s *state) hint(rows []int, n, active int, have scan.Set) []int {
	return s.likely(rows, rows[0], n, active, have)
}

// likely appends up to n rows below active, not in have, that are likely to be needed beside
// rows[0], the row of variable asked.
func (s *state) likely(rows []int, asked, n, active int, have scan.Set) []int {
	if s.ahead != nil {
		return s.inLine(rows, asked, n, active, have)
	}
	s.look()
	g := s.group(asked) // a pair is of one group
	if n == 0 || !(s.ends[g].Highest > s.ends[g].Lowest) {
		return rows
	}
	// the other side of the pair first
	up := n / 2
	if s.ends[g].I != asked {
		up = n - n/2
	}
	v := &s.violators
	v.begin(s, g, rows, have)
	rows = v.add(rows, up, true, have)
	return v.add(rows, n-up, false, have)
}

// rowOf returns the row of a variable. Two have the same one if there is a doubled source.
func (s *state) rowOf(i int) int {
	if s.doubled != nil {
		return int(s.doubled.of[i])
	}
	return i
}

// inLine appends rows from the list of those that a sum will need.
func (s *state) inLine(rows []int, asked, n, active int, have scan.Set) []int {
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

// looksAhead is how many variables a row are looked at, of those of a regression, two of which have the
// same row.
const looksAhead = 4

// violators finds active variables of a group that can go up and have the lowest f, or that can go down
// and have the highest, one after the other, first all of one side. Of a regression, many are found whose rows are
// there. So the extremes of pieces are kept, of which only that with the last one has to be looked at again.
type violators struct {
	s       *state
	g       int
	up, low scan.Set // those left
	worth   float64
	piece   int             // variables in one
	ends    []scan.Extremes // of each piece
	changed int             // the piece that one was found in, -1 if it was looked at since
	wasUp   bool            // which it was
}

// Regressions have up to violatorsPieces pieces, of violatorsPiece variables or more.
const violatorsPiece, violatorsPieces = 512, 16

// begin makes all of group g be left but for those whose rows are listed or there. Of a regression, these are
// passed over later.
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

// look returns the extremes of the piece that begins at a variable.
func (v *violators) look(from int) scan.Extremes {
	if v.piece == v.s.active {
		return v.s.passes.look(v.s.f[:v.piece], v.up, v.low)
	}
	to := min(from+v.piece, v.s.active)
	return scan.Look(v.s.f[from:to], v.up[from/64:], v.low[from/64:])
}

// next returns the variable that is left on a side and violates the conditions most, -1 if none does so as much as
// is worth it. It is left no longer.
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
	if v.s.doubled != nil { // what is there is passed over
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
