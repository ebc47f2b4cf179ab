package smo

import "github.com/slimsvm/slimsvm/train/internal/scan"

// Problem: find the pair of variables whose joint step promises most.
//
// Method: first i: of the variables that can go up, the one with the smallest f. Then j: of those
// that can go down and have f_j > f_i, the one with the largest (f_j - f_i)^2 / a,
// a = K_ii + K_jj - 2 K_ij. In ties the last position wins. The programme is solved when the maximum of f over
// variables that can go down, minus the minimum over variables that can go up, is below the
// tolerance. In a nu programme both variables of a pair are of the same kind, and both kinds must
// be solved.

// selectPair returns the pair, or j = -1 when the active variables are optimal.
func (s *state) selectPair() (i, j int) {
	s.look()
	if s.violation() < s.opt.Tolerance {
		return -1, -1
	}
	if s.nu {
		return s.selectOfTwo()
	}
	if i = s.ends[0].I; i < 0 {
		return -1, -1
	}
	of := s.secondArgs(0, s.activeRowForPass(i))
	p := s.passes.second(s.f[:s.active], &of, s.low[0])
	if p.J < 0 {
		return -1, -1
	}
	s.chosen = chosen{fi: of.lowest, fj: p.f, k: p.k}
	return i, p.J
}

// selectOfTwo is selectPair for two groups. Threads find the partners of both groups in one pass.
func (s *state) selectOfTwo() (i, j int) {
	var found [2]partner
	f := s.f[:s.active]
	if s.passes.helpers != nil && s.ends[0].I >= 0 && s.ends[1].I >= 0 {
		of := [2]second{0: s.secondArgs(0, s.activeRow(s.ends[0].I))}
		of[1] = s.secondArgs(1, s.activeRowForPass(s.ends[1].I))
		found = s.passes.secondBoth(f, &of, s.low)
	} else {
		for g := range found {
			found[g].J = -1
			if i := s.ends[g].I; i >= 0 {
				of := s.secondArgs(g, s.activeRowForPass(i))
				found[g] = s.passes.second(f, &of, s.low[g])
			}
		}
	}
	best := partner{Partner: scan.Partner{J: -1}}
	for g, p := range found {
		if p.J >= 0 && (best.J < 0 || p.Gain > best.Gain || p.Gain == best.Gain && p.J > best.J) {
			best, i = p, s.ends[g].I
			s.chosen = chosen{fi: s.ends[g].Lowest, fj: p.f, k: p.k}
		}
	}
	if best.J < 0 {
		return -1, -1
	}
	return i, best.J
}

// secondArgs returns the arguments with which the partner in a group is found: the row of the
// variable with the lowest f, and a lower bound of the gain with the variable whose f is highest.
func (s *state) secondArgs(g int, row []float32) second {
	of := second{row: row, di: s.diag[s.ends[g].I], lowest: s.ends[g].Lowest}
	// a bound of K_ii + K_jj - 2 K_ij if no kernel value is negative; if one is, second searches
	// again without it
	most := 2.0
	if !s.unit {
		of.diag = s.diag[:s.active]
		most = of.di + s.steepest
	}
	if gap := s.ends[g].Highest - of.lowest; gap > 0 {
		of.least = gap * gap / most
	}
	return of
}

// chosen has the values from which the step of a pair is computed.
type chosen struct {
	fi, fj float64
	k      float32
}

// look brings ends up to date.
func (s *state) look() {
	if s.known {
		return
	}
	for g := range s.groups() {
		s.ends[g] = s.passes.look(s.f[:s.active], s.up[g], s.low[g])
	}
	s.known = true
}

// violation returns by how much the active variables violate the optimality conditions, according
// to ends.
func (s *state) violation() float64 {
	v := s.ends[0].Highest - s.ends[0].Lowest
	if s.nu {
		v = max(v, s.ends[1].Highest-s.ends[1].Lowest)
	}
	return v
}
