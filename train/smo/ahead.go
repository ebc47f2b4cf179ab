package smo

import (
	"slices"

	"github.com/slimsvm/slimsvm/train/internal/scan"
)

// Problem: which kernel rows to compute together with one that is missing.
//
// Several rows at once cost little more than one when the vectors do not fit into
// the cache nearest to the processor. Rows that are computed and never used cost
// time, never a result. While pairs are chosen, the rows most likely to be next
// are those of the variables that violate the conditions of optimality most: half
// of them the lowest f of those that can go up, half the highest f of those that
// can go down, as far as they violate them three quarters as much as the worst do: of the rows
// of others most are never used, and take memory.

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
	// the other side of the pair first
	up := n / 2
	if s.ends[g].I != asked {
		up = n - n/2
	}
	rows = s.violators(rows, g, up, true, have)
	return s.violators(rows, g, n-up, false, have)
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

// violators appends the rows of up to n active variables of a group that can go up and have the
// lowest f, or that can go down and have the highest, if they violate three quarters as much as the
// worst pair does.
func (s *state) violators(rows []int, g, n int, up bool, have scan.Set) []int {
	if n == 0 {
		return rows
	}
	f, in := s.f[:s.active], s.low[g]
	if up {
		in = s.up[g]
	}
	lowest, highest := s.ends[g].Lowest, s.ends[g].Highest
	worth := worthAhead * (highest - lowest)
	left, looks := s.left[:len(in)], n
	copy(left, in)
	if s.doubled == nil {
		for w := range left {
			left[w] &^= have[w]
		}
		for _, i := range rows {
			left.Put(i, false)
		}
	} else { // what is there is passed over
		looks = looksAhead * n
	}
	for ; n > 0 && looks > 0; looks-- {
		e, t := s.passes.look(f, left, left), 0
		if up {
			if t = e.I; t < 0 || !(highest-e.Lowest > worth) {
				break
			}
		} else {
			if !(e.Highest-lowest > worth) {
				break
			}
			if t = scan.Find(f, left, e.Highest); t < 0 {
				break
			}
		}
		left.Put(t, false)
		if i := s.rowOf(t); !have.Has(i) && !slices.Contains(rows, i) {
			rows = append(rows, i)
			n--
		}
	}
	return rows
}
