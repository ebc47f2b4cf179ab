package smo

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/slimsvm/slimsvm/train/internal/scan"
)

// TestViolators: exactly the variables that violate the conditions most are found, in order, in one
// piece and in several, with ties.
func TestViolators(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	named, pieces := 0, 0
	for trial := range 400 {
		rows := 1 + r.IntN([]int{40, 700, 9000}[trial%3])
		n, doubled := rows, (*doubledSource)(nil)
		if trial%2 == 0 {
			n = 2 * rows
			doubled = &doubledSource{of: make([]int32, n)}
			for i := range n {
				doubled.of[i] = int32(i % rows)
			}
			r.Shuffle(n, func(i, j int) { doubled.of[i], doubled.of[j] = doubled.of[j], doubled.of[i] })
		}
		set := func(n int, share float64) scan.Set {
			s := scan.NewSet(n)
			for i := range n {
				s.Put(i, r.Float64() < share)
			}
			return s
		}
		s := &state{n: n, active: 1 + r.IntN(n), f: make([]float64, n), passes: new(passes), doubled: doubled}
		for i := range s.f {
			s.f[i] = float64(r.IntN(2 * n))
		}
		s.up[0], s.low[0] = set(n, 0.6), set(n, 0.6)
		s.left = [2]scan.Set{scan.NewSet(n), scan.NewSet(n)}
		s.look()
		have := set(max(n, rows), r.Float64())
		listed := []int{r.IntN(rows)}
		var v violators
		v.begin(s, 0, listed, have)
		got, want := slices.Clone(listed), slices.Clone(listed)
		for _, up := range []bool{true, false} {
			most := r.IntN(6)
			got = v.add(got, most, up, have)
			want = append(want, naiveViolators(s, want, listed, most, up, have)...)
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%d variables of %d rows, %d active: rows %v, want %v", n, rows, s.active, got, want)
		}
		named += len(got) - 1
		pieces = max(pieces, len(v.ends))
	}
	if named < 500 || pieces < violatorsPieces {
		t.Errorf("%d rows named, at most %d pieces", named, pieces)
	}
}

// naiveViolators finds what is to be appended to rows: for each entry it looks at all variables.
func naiveViolators(s *state, rows, listed []int, n int, up bool, have scan.Set) (found []int) {
	worth := worthAhead * (s.ends[0].Highest - s.ends[0].Lowest)
	looks, gone := n, map[int]bool{}
	if s.doubled != nil {
		looks *= looksAhead
	}
	for ; n > 0 && looks > 0; looks-- {
		best, most := -1, worth
		for i, f := range s.f[:s.active] {
			in, by := s.low[0], f-s.ends[0].Lowest
			if up {
				in, by = s.up[0], s.ends[0].Highest-f
			}
			if !in.Has(i) || gone[i] || s.doubled == nil && (have.Has(i) || slices.Contains(listed, i)) {
				continue
			}
			if by > most || by == most && best >= 0 {
				best, most = i, by
			}
		}
		if best < 0 {
			break
		}
		gone[best] = true
		if i := s.rowOf(best); !have.Has(i) && !slices.Contains(rows, i) && !slices.Contains(found, i) {
			found = append(found, i)
			n--
		}
	}
	return found
}
