package smo

import "math"

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
	if s.nu {
		return s.selectPairNu()
	}
	i = -1
	lowest := math.Inf(1)
	where := s.where[:s.active]
	f := s.f[:s.active]
	for t, v := range f {
		if v <= lowest && where[t] != atUpper {
			lowest, i = v, t
		}
	}
	if i < 0 {
		return -1, -1
	}
	row := s.src.Row(i, s.active)[:s.active]
	diag := s.diag[:s.active]
	di := diag[i]
	highest, best := math.Inf(-1), math.Inf(-1)
	j = -1
	for t, v := range f {
		if where[t] == atLower {
			continue
		}
		if v > highest {
			highest = v
		}
		if gap := v - lowest; gap > 0 {
			a := di + diag[t] - float64(2*float64(row[t]))
			if a <= 0 {
				a = tau
			}
			if gain := float64(gap*gap) / a; gain >= best {
				best, j = gain, t
			}
		}
	}
	if highest-lowest < s.opt.Tolerance {
		return -1, -1
	}
	return i, j
}

// kind returns 0 for a variable with a box [0, C], 1 for one with [-C, 0].
func (s *state) kind(i int) int {
	if s.positive(i) {
		return 0
	}
	return 1
}

func (s *state) selectPairNu() (int, int) {
	first := [2]int{-1, -1}
	lowest := [2]float64{math.Inf(1), math.Inf(1)}
	for t, v := range s.f[:s.active] {
		if k := s.kind(t); s.where[t] != atUpper && v <= lowest[k] {
			lowest[k], first[k] = v, t
		}
	}
	var rows [2][]float32
	for k, i := range first {
		if i >= 0 {
			rows[k] = s.src.Row(i, s.active)
		}
	}
	highest := [2]float64{math.Inf(-1), math.Inf(-1)}
	best, j := math.Inf(-1), -1
	for t, v := range s.f[:s.active] {
		if s.where[t] == atLower {
			continue
		}
		k := s.kind(t)
		highest[k] = max(highest[k], v)
		if gap := v - lowest[k]; gap > 0 {
			a := s.diag[first[k]] + s.diag[t] - float64(2*float64(rows[k][t]))
			if a <= 0 {
				a = tau
			}
			if gain := float64(gap*gap) / a; gain >= best {
				best, j = gain, t
			}
		}
	}
	if j < 0 || max(highest[0]-lowest[0], highest[1]-lowest[1]) < s.opt.Tolerance {
		return -1, -1
	}
	return first[s.kind(j)], j
}
