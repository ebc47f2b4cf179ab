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

// TestLevels: results and events of random programmes do not depend on the vector
// instructions that are used.
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

// TestHints: what is computed beside a missing row is neither there already nor
// named twice, is active, violates the conditions of optimality nearly as much as any, and is never
// more than was asked for.
func TestHints(t *testing.T) {
	named := 0
	for seed := range seeds(150) {
		s := newSetting(seed)
		if s.x.Len() < 4 {
			continue
		}
		src := newRowSource(context.Background(), kernel.NewGram(s.k, &s.x), 100)
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
				// also as if nothing were there, so that free variables take part
				have := scan.NewSet(st.n)
				if n%2 == 0 {
					have = src.kept().have
				}
				n /= 2
				rows := st.hint([]int{i}, n, st.active, have)
				if len(rows) > n+1 {
					t.Fatalf("seed %d: %d rows, %d were asked for", seed, len(rows)-1, n)
				}
				for k, row := range rows[1:] {
					g := st.group(row)
					lowest, highest := st.ends[g].Lowest, st.ends[g].Highest
					worth := worthAhead * (highest - lowest)
					up := st.where[row] != atUpper && highest-st.f[row] > worth
					down := st.where[row] != atLower && st.f[row]-lowest > worth
					if have.Has(row) || slices.Contains(rows[:k+1], row) || row >= st.active || !up && !down {
						t.Fatalf("seed %d: row %d among %v", seed, row, rows)
					}
					named++
				}
			}
			st.update(i, j)
		}
	}
	if named < 100 {
		t.Errorf("only %d rows were named", named)
	}
}
