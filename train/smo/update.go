package smo

import (
	"math"
)

// Problem: the best step of two variables within their boxes,
//
//	b_i += step, b_j -= step,  step = (f_j - f_i) / (K_ii + K_jj - 2 K_ij),
//
// and the gradient after it.

// update moves b_i up and b_j down by as much as is best, within their boxes,
// and brings the gradient up to date.
func (s *state) update(i, j int) {
	ki := s.activeRow(i)
	kj := s.activeRowForPass(j)
	wasI, wasJ := s.where[i], s.where[j]
	di, dj := s.step(i, j, ki[j])
	s.ends[0] = s.passes.step(s.f[:s.active], ki[:s.active], kj[:s.active], di, dj, s.up[0], s.low[0])
	if s.nu {
		s.ends[1] = s.passes.look(s.f[:s.active], s.up[1], s.low[1])
	}
	s.known = true
	s.movedBoth(i, j, wasI, wasJ) // which may ask for other rows
}

// step moves b_i up and b_j down, of which k is the kernel value, and returns by how much.
func (s *state) step(i, j int, k float32) (di, dj float64) {
	bi, bj := s.b[i], s.b[j]
	a := s.diag[i] + s.diag[j] - float64(2*float64(k))
	if a <= 0 {
		a = tau
	}
	step := (s.f[j] - s.f[i]) / a
	s.b[i], s.b[j] = bi+step, bj-step
	s.clip(i, j, bi+bj)
	// the sets that the next pair is chosen from depend on b alone
	s.place(i)
	s.place(j)
	return s.b[i] - bi, s.b[j] - bj
}

// movedBoth brings far up to date after two variables may have left their places.
func (s *state) movedBoth(i, j int, fromI, fromJ uint8) {
	if s.where[i] == fromI && s.where[j] == fromJ {
		return
	}
	ci, changedI := s.farChange(i, fromI)
	cj, changedJ := s.farChange(j, fromJ)
	switch {
	case !changedI || !changedJ || s.adder != nil || s.near.whole:
		if changedI {
			s.owe(i, ci)
		}
		if changedJ {
			s.owe(j, cj)
		}
	default: // which fetches far once
		s.pay()
		row := s.src.Row(i, s.n)
		rows := append(s.added[:0], row, s.rowForPass(j, s.n))
		s.passes.sum(summing{append(s.sums[:0], s.far), rows, append(s.times[:0], ci, cj)})
	}
}

// farChange returns how many times its row far has more now than where the variable was.
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

// owe adds a row times c to far, at once or later.
func (s *state) owe(i int, c float64) {
	if s.near.whole && s.active == s.n && len(s.owed) < owedMost {
		s.owed = append(s.owed, owing{i, c})
		return
	}
	s.pay()
	s.add(append(s.sums[:0], s.far), i, c)
}

// owing is a row times a coefficient that is still to be added to far. Until a variable is left out
// nobody looks at far, and where rows are there anyway most programmes end before.
type owing struct {
	i    int
	coef float64
}

// owedMost is how many additions are put off.
const owedMost = 1024

// pay makes the additions that were put off.
func (s *state) pay() {
	for _, o := range s.owed {
		s.add(append(s.sums[:0], s.far), o.i, o.coef)
	}
	s.owed = s.owed[:0]
}

// clip moves b_i and b_j back into their boxes along b_i + b_j = sum. The order
// of the cases, and which variable yields in a tie, is LIBSVM's; where rounding
// makes both tests true it matters.
func (s *state) clip(i, j int, sum float64) {
	if s.positive(j) {
		s.clipForward(i, j, sum)
		s.clipBackward(i, j, sum)
	} else {
		s.clipBackward(i, j, sum)
		s.clipForward(i, j, sum)
	}
}

// clipForward handles b_i above its box or b_j below.
func (s *state) clipForward(i, j int, sum float64) {
	edge := s.upper[i] + s.lower[j] // the sum for which both reach their ends together
	if sum > edge || sum == edge && !s.positive(i) {
		if s.b[i] > s.upper[i] {
			s.b[i] = s.upper[i]
			s.b[j] = sum - s.upper[i]
			if sum == 0 && !s.positive(i) && s.positive(j) {
				s.b[j] = math.Copysign(0, -1) // as LIBSVM prints it
			}
		}
	} else if s.b[j] < s.lower[j] {
		s.b[j] = s.lower[j]
		s.b[i] = sum - s.lower[j]
	}
}

// clipBackward handles b_i below its box or b_j above.
func (s *state) clipBackward(i, j int, sum float64) {
	edge := s.lower[i] + s.upper[j]
	if sum < edge || sum == edge && s.positive(i) {
		if s.b[i] < s.lower[i] {
			s.b[i] = s.lower[i]
			s.b[j] = sum - s.lower[i]
		}
	} else if s.b[j] > s.upper[j] {
		s.b[j] = s.upper[j]
		s.b[i] = sum - s.upper[j]
	}
}
