package smo

import (
	"slices"

	"github.com/slimsvm/slimsvm/train/internal/scan"
)

// Problem: make the best step of two variables within their boxes,
//
//	b_i += step, b_j -= step,  step = (f_j - f_i) / (K_ii + K_jj - 2 K_ij),
//
// and update the gradient.
//
// Method: the step is clipped to the boxes (scan.Pair). One pass then updates the gradient and, for
// the next selection, finds its extremes.

// update makes the best step of b_i up and b_j down within their boxes and brings the gradient up
// to date.
func (s *state) update(i, j int) {
	ki := s.activeRow(i)
	kj := s.activeRowForPass(j)
	wasI, wasJ := s.where[i], s.where[j]
	di, dj := s.step(i, j, s.chosen)
	// the sets from which the next pair is selected depend on b alone
	var where places
	for k, t := range [...]int{i, j} {
		at := s.box(t).Place(s.b[t])
		switch {
		case at == s.where[t]:
		case s.nu:
			s.put(t, at)
		default: // the pass updates the sets
			s.where[t] = at
			where.add(k, t, at)
		}
	}
	if s.nu {
		s.ends = s.passes.stepBoth(s.f[:s.active], ki[:s.active], kj[:s.active], di, dj, s.up, s.low)
	} else {
		s.ends[0] = s.passes.step(s.f[:s.active], ki[:s.active], kj[:s.active], di, dj, s.up[0], s.low[0], where)
	}
	s.known = true
	s.movedBoth(i, j, wasI, wasJ) // may ask for other rows
}

// step moves b_i up and b_j down and returns the changes. The caller updates what depends on their
// new places.
func (s *state) step(i, j int, c chosen) (di, dj float64) {
	bi, bj := s.b[i], s.b[j]
	a := s.diag[i] + s.diag[j] - float64(2*float64(c.k))
	if a <= 0 {
		a = tau
	}
	step := (c.fj - c.fi) / a
	p := scan.Pair{B: [2]float64{bi + step, bj - step}, Boxes: [2]scan.Box{s.box(i), s.box(j)}}
	p.Clip(bi + bj)
	s.b[i], s.b[j] = p.B[0], p.B[1]
	return s.b[i] - bi, s.b[j] - bj
}

// movedBoth brings far up to date after a step in which two variables may have left their places.
func (s *state) movedBoth(i, j int, fromI, fromJ uint8) {
	if s.where[i] == fromI && s.where[j] == fromJ {
		return
	}
	if c, changed := s.farChange(i, fromI); changed {
		s.pending = append(s.pending, pendingAddition{i, c})
	}
	if c, changed := s.farChange(j, fromJ); changed {
		s.pending = append(s.pending, pendingAddition{j, c})
	}
	if len(s.pending) >= s.mostPending() {
		s.addPending()
	}
}

// farChange returns how many times the variable's row must be added to far after the variable has
// moved.
func (s *state) farChange(i int, from uint8) (c float64, changed bool) {
	was, is := s.isFarAt(i, from), s.isFar(i)
	if was == is || s.far == nil {
		return 0, false
	}
	end := s.lower[i]
	if s.positive(i) {
		end = s.upper[i]
	}
	if was {
		end = -end
	}
	return end, true
}

// pendingAddition is a row times a coefficient that is still to be added to far. Nobody reads far
// until a variable is shrunk or brought back, so several additions can be made at once. Rows have
// only as many columns as there were active variables: the missing columns of all these rows are
// computed together, and far is read from memory once. If all rows are there anyway, most
// programmes end before any addition is made.
type pendingAddition struct {
	i    int
	coef float64
}

// mostPendingAdditions is how many additions may be put off if all rows are there.
const mostPendingAdditions = 1024

// mostPending returns the number of pending additions at which they are made.
func (s *state) mostPending() int {
	if s.activeRows.whole && s.active == s.n {
		return mostPendingAdditions
	}
	if r, ok := s.src.(*rowSource); ok && !s.activeRows.whole {
		return r.retainedRows()
	}
	return 1
}

// addPending makes the additions that were put off.
func (s *state) addPending() {
	if len(s.pending) == 0 {
		return
	}
	if s.adder != nil {
		for _, o := range s.pending {
			s.adder.addTo(append(s.sums[:0], s.far), o.i, o.coef)
		}
	} else {
		most := len(s.pending)
		if !s.activeRows.whole {
			most = min(max(s.mostPending(), 2), PartRows)
		}
		for some := range slices.Chunk(s.pending, most) {
			s.addToFar(some)
		}
	}
	s.pending = s.pending[:0]
}

// addToFar adds rows times coefficients to far.
func (s *state) addToFar(some []pendingAddition) {
	s.rows, s.times = s.rows[:0], s.times[:0]
	for _, o := range some {
		s.rows, s.times = append(s.rows, o.i), append(s.times, o.coef)
	}
	s.added = s.rowsForSum(s.added[:0], s.rows)
	s.passes.sum(summing{append(s.sums[:0], s.far), s.added, s.times, s.active})
}

// places has two variables that may have reached or left a bound, and the sets they now belong to.
type places struct {
	of   [2]int32
	bits pass
}

// add notes that variable i is now at where. k is 0 for the first variable, 1 for the second.
func (p *places) add(k, i int, where uint8) {
	bits := placed
	if where != atUpper {
		bits |= canGoUp
	}
	if where != atLower {
		bits |= canGoDown
	}
	p.of[k] = int32(i)
	p.bits |= bits << (k * placeBits)
}

// put brings the sets up to date for those of the variables that are in positions begin to end-1.
func (p places) put(up, low scan.Set, begin, end int) {
	for k, bits := 0, p.bits%withPartialRows; bits >= placed; k, bits = k+1, bits>>placeBits {
		if i := int(p.of[k]); bits&placed != 0 && begin <= i && i < end {
			up.Put(i, bits&canGoUp != 0)
			low.Put(i, bits&canGoDown != 0)
		}
	}
}
