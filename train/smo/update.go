package smo

import "github.com/slimsvm/slimsvm/train/internal/scan"

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
	p := scan.Pair{B: [2]float64{bi + step, bj - step}, Boxes: [2]scan.Box{s.box(i), s.box(j)}}
	p.Clip(bi + bj)
	s.b[i], s.b[j] = p.B[0], p.B[1]
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
	if len(s.owed) == 0 {
		return
	}
	to := append(s.sums[:0], s.far)
	if s.adder != nil || !s.near.whole {
		for _, o := range s.owed {
			s.add(to, o.i, o.coef)
		}
	} else {
		rows, times := s.added[:0], s.times[:0]
		for _, o := range s.owed {
			rows, times = append(rows, s.near.walk.Row(o.i)[:s.n]), append(times, o.coef)
		}
		s.passes.sum(summing{to, rows, times})
		s.added, s.times = rows, times
	}
	s.owed = s.owed[:0]
}
