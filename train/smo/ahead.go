package smo

import "github.com/slimsvm/slimsvm/train/internal/scan"

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
	if s.ahead != nil {
		return s.inLine(rows, n, active, have)
	}
	s.look()
	// the other side of the pair first
	up := n / 2
	if s.ends[s.group(rows[0])].I != rows[0] {
		up = n - n/2
	}
	rows = s.violators(rows, up, true, have)
	return s.violators(rows, n-up, false, have)
}

// inLine appends rows from the list of those that a sum will need.
func (s *state) inLine(rows []int, n, active int, have scan.Set) []int {
	line := s.ahead
	for len(line) > 0 && line[0] != rows[0] {
		line = line[1:]
	}
	for k := 1; k < len(line) && n > 0; k++ {
		if i := line[k]; i < active && !have.Has(i) {
			rows = append(rows, i)
			n--
		}
	}
	return rows
}

// violators appends up to n active variables that can go up and have the lowest
// f, or that can go down and have the highest, if they violate three quarters as much as the
// worst pair does.
func (s *state) violators(rows []int, n int, up bool, have scan.Set) []int {
	if n == 0 {
		return rows
	}
	f, g := s.f[:s.active], s.group(rows[0]) // a pair is of one group
	in := s.low[g]
	if up {
		in = s.up[g]
	}
	lowest, highest := s.ends[g].Lowest, s.ends[g].Highest
	worth := worthAhead * (highest - lowest)
	left := s.left[:len(in)]
	for w := range left {
		left[w] = in[w] &^ have[w]
	}
	for _, i := range rows {
		left.Put(i, false)
	}
	for range n {
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
		rows = append(rows, t)
	}
	return rows
}
