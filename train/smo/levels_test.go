package smo

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec/simd"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train/internal/scan"
)

// TestLevels: results and events of random problems do not depend on the vector instructions in
// use.
func TestLevels(t *testing.T) {
	defer simd.Use(simd.Current())
	for seed := range seeds(60) {
		var want *Result
		var events any
		for level := simd.Portable; level <= simd.Best(); level++ {
			simd.Use(level)
			s := newSetting(seed)
			nu := seed%3 == 0 && s.x.Len() > 1
			src := newRowSource(context.Background(), kernel.NewGram(s.k, &s.x), s.opt.CacheMB)
			r, err := s.randomQP(src, nu).Solve(context.Background(), s.opt)
			if err != nil {
				t.Fatalf("seed %d, %v: %v", seed, level, err)
			}
			if log := fmt.Sprint(s.log); level == simd.Portable {
				want, events = r, log
			} else if !sameResult(r, want) || log != events {
				t.Errorf("seed %d: %v gives another result than portable", seed, level)
			}
		}
	}
}

// TestHints: rows that are computed beside a missing one are not there already and are named once;
// they are active and violate the conditions of optimality nearly as much as any. There are never
// more than were asked for.
func TestHints(t *testing.T) {
	named := [2]int{} // by single variables, and by those of a regression
	for seed := range seeds(300) {
		s := newSetting(seed)
		if s.x.Len() < 4 {
			continue
		}
		var src Source
		rows := newRowSource(context.Background(), kernel.NewGram(s.k, &s.x), 100)
		kind := int(seed / 2 % 2)
		if src = rows; kind == 1 {
			src = newDoubledSource(rows)
		}
		st, err := newState(context.Background(), s.randomQP(src, seed%2 == 0), s.opt)
		if err != nil {
			t.Fatal(err)
		}
		for range 20 {
			i, j := st.selectPair()
			if j < 0 {
				break
			}
			for n := range 2 * PartRows {
				// also as if no row were there, so that free variables take part
				have := scan.NewSet(st.n)
				if n%2 == 0 {
					have = rows.rowCache().have
				}
				n /= 2
				active := st.active
				if kind == 1 {
					active = rows.Len()
				}
				named[kind] += wantLikely(t, st, st.likely([]int{st.rowOf(i)}, i, n, active, have), i, n, have)
			}
			st.update(i, j)
		}
	}
	if named[0] < 100 || named[1] < 100 {
		t.Errorf("only %d rows were named", named)
	}
}

// wantLikely fails unless the rows from the second on are likely to be asked for next to that of
// variable asked, and are n at most. It returns their number.
func wantLikely(t *testing.T, st *state, rows []int, asked, n int, have scan.Set) int {
	t.Helper()
	if len(rows) > n+1 {
		t.Fatalf("%d rows, %d were asked for", len(rows)-1, n)
	}
	for k, row := range rows[1:] {
		likely := false
		for v := range st.active {
			g := st.group(v)
			lowest, highest := st.ends[g].Lowest, st.ends[g].Highest
			worth := worthAhead * (highest - lowest)
			up := st.where[v] != atUpper && highest-st.f[v] > worth
			down := st.where[v] != atLower && st.f[v]-lowest > worth
			likely = likely || st.rowOf(v) == row && g == st.group(asked) && (up || down)
		}
		if have.Has(row) || slices.Contains(rows[:k+1], row) || !likely {
			t.Fatalf("row %d among %v", row, rows)
		}
	}
	return len(rows) - 1
}

// TestHintsOfRegressions: a regression computes rows ahead while it chooses pairs and, in their
// order, for its first gradient, but not if all rows are asked for in turn.
func TestHintsOfRegressions(t *testing.T) {
	s := newSetting(1)
	for seed := 2; s.x.Len() < 20; seed++ {
		s = newSetting(seed)
	}
	rows := newRowSource(context.Background(), kernel.NewGram(s.k, &s.x), 100)
	src := newDoubledSource(rows)
	n := rows.Len()
	st, err := newState(context.Background(), s.randomQP(src, false), s.opt)
	if err != nil {
		t.Fatal(err)
	}
	none := scan.NewSet(n)
	st.ahead = []int{0, 2, n, n + 1, 1, n + 2, 3}
	src.addTo([][]float64{make([]float64, 2*n)}, n, 1)
	if got := src.hint([]int{0}, 3, n, none); !slices.Equal(got, []int{0, 1, 2, 3}) {
		t.Errorf("in a row: %v", got)
	}
	st.ahead = nil
	src.addTo([][]float64{make([]float64, 2*n)}, 1, 1)
	if got := src.hint([]int{1}, 3, n, none); len(got) > 1 {
		t.Errorf("beside a row of a sum: %v", got)
	}
	i, _ := st.selectPair()
	src.known(i, 2*n)
	if want, got := st.likely([]int{st.rowOf(i)}, i, 3, n, none), src.hint([]int{st.rowOf(i)}, 3, n, none); !slices.Equal(got, want) || src.asked != i {
		t.Errorf("beside the row of variable %d, asked for %d: %v, want %v", i, src.asked, got, want)
	}
	src.Part([][]float32{make([]float32, 2*n)}, []int{2}, 0, 2*n)
	if got := src.hint([]int{2}, 3, n, none); len(got) > 1 {
		t.Errorf("beside a row of many: %v", got)
	}
}
