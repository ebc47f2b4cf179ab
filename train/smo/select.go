package smo

import "github.com/slimsvm/slimsvm/train/internal/scan"

// Problem: the pair of variables whose joint move promises most.
//
// First i: of the variables that can go up, the one with the smallest f. Then j:
// of those that can go down and have f_j > f_i, the one with the largest
// (f_j - f_i)^2 / a, a = K_ii + K_jj - 2 K_ij. In ties the last position wins.
// The programme is solved when max f over those that can go down, minus min f
// over those that can go up, is below the tolerance. In a nu programme each pair
// is of one kind, and both kinds must be solved.

// selectPair returns the pair, or j = -1 when the active variables are optimal.
func (s *state) selectPair() (i, j int) {
	s.look()
	if s.violation() < s.opt.Tolerance {
		return -1, -1
	}
	best := partner{Partner: scan.Partner{J: -1}}
	for g := range s.groups() {
		first, lowest := s.ends[g].I, s.ends[g].Lowest
		if first < 0 {
			continue
		}
		row := s.activeRowForPass(first)
		diag := s.diag[:s.active]
		if s.unit {
			diag = nil
		}
		p := s.passes.second(s.f[:s.active], row, diag, s.diag[first], lowest, s.low[g])
		if p.J >= 0 && (best.J < 0 || p.Gain > best.Gain || p.Gain == best.Gain && p.J > best.J) {
			best, i = p, first
			s.chosen = chosen{fi: lowest, fj: p.f, k: p.k}
		}
	}
	if best.J < 0 {
		return -1, -1
	}
	return i, best.J
}

// chosen is what the step of a pair is made of.
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

// violation returns by how much the active variables violate the conditions of
// optimality, as far as ends tell.
func (s *state) violation() float64 {
	v := s.ends[0].Highest - s.ends[0].Lowest
	if s.nu {
		v = max(v, s.ends[1].Highest-s.ends[1].Lowest)
	}
	return v
}
