package smo

import (
	"context"
	"slices"
	"testing"

	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train/internal/team"
)

// TestRowsForSum: rows of which some columns were there, up to several lengths, or none, or all,
// have all columns afterwards; some rows are listed twice.
func TestRowsForSum(t *testing.T) {
	smallParts(t)
	s := newSetting(8)
	x := randomRows(s.Rand, 500, 3)
	n := x.Len()
	k := kernel.RBF{Gamma: 0.5}
	one := newRowSource(context.Background(), kernel.NewGram(k, &x), 1)
	defer one.release()
	for _, threads := range []int{1, 2, 3} {
		ctx, stop := team.With(context.Background(), threads)
		for round := range 100 {
			some := newRowSource(ctx, kernel.NewGram(k, &x), []float64{0.02, 1}[round%2])
			which := make([]int, 1+s.IntN(PartRows))
			active := 64 + s.IntN(n-64)
			for r := range which {
				which[r] = s.IntN(n)
				switch s.IntN(6) {
				case 0:
					which[r] = which[s.IntN(r+1)]
				case 1:
				case 2:
					some.Row(which[r], 1+s.IntN(n))
				default:
					some.Row(which[r], active)
				}
			}
			rows := some.rowsForSum(nil, which)
			got, want := make([]float64, n), make([]float64, n)
			coefs := make([]float64, len(which))
			for r := range coefs {
				coefs[r] = s.NormFloat64()
			}
			some.passes.sum(summing{to: [][]float64{got}, rows: rows, coefs: coefs})
			for r, i := range which {
				if !slices.Equal(rows[r], one.Row(i, n)) || !slices.Equal(some.Row(i, n), rows[r]) {
					t.Fatalf("%d threads, round %d: row %d of %v differs", threads, round, r, which)
				}
				for j, v := range rows[r] {
					want[j] += float64(coefs[r] * float64(v))
				}
			}
			if !slices.Equal(got, want) {
				t.Fatalf("%d threads, round %d: the sum of rows %v differs", threads, round, which)
			}
			some.release()
		}
		stop()
	}
}

// TestPendingAdditions: additions that are put off are the same, in the same order, as those made
// at once.
func TestPendingAdditions(t *testing.T) {
	smallParts(t)
	before := rowsPerRetained
	t.Cleanup(func() { rowsPerRetained = before })
	most, shrunk := 0, 0
	for seed := range seeds(30) {
		s := newSetting(9 + 9*seed)
		x := randomRows(s.Rand, 700, 1+s.IntN(4))
		s.opt.CacheMB = []float64{0.1, 100}[seed%2]
		s.opt.Shrinking = true
		s.c = []float64{0.1, 1, 10}[seed%3]
		var first *QP
		var states [2]*state
		for k, threads := range [2]int{1, 1 + seed%3} {
			ctx, stop := team.With(context.Background(), threads)
			defer stop()
			src := newRowSource(ctx, kernel.NewGram(kernel.RBF{Gamma: 1}, &x), s.opt.CacheMB)
			q := &QP{Q: src}
			if first == nil {
				q = s.randomQP(src, false)
				first = q
			}
			q.P, q.Lower, q.Upper, q.Start = slices.Clone(first.P), slices.Clone(first.Lower), slices.Clone(first.Upper), slices.Clone(first.Start)
			st, err := newState(ctx, q, s.opt)
			if err != nil {
				t.Fatal(err)
			}
			states[k] = st
		}
		for step := range 600 {
			for k, there := range [2]int{1 << 20, before} {
				rowsPerRetained = there
				st := states[k]
				if i, j := st.selectPair(); j >= 0 {
					st.update(i, j)
				}
				most = max(most, k*len(st.pending))
				if step%50 == 49 {
					if err := st.shrink(context.Background()); err != nil {
						t.Fatal(err)
					}
					st.addPending()
				}
			}
			if a, b := states[0], states[1]; step%50 == 49 && (!slices.Equal(a.far, b.far) || !slices.Equal(a.f[:a.active], b.f[:b.active]) || a.active != b.active) {
				t.Fatalf("seed %d, step %d: %d and %d active, far or the gradient differs", seed, step, a.active, b.active)
			}
		}
		if states[1].active < states[1].n {
			shrunk++
		}
	}
	if most < PartRows-1 || shrunk < 3 {
		t.Errorf("at most %d additions were put off, and %d programmes had variables left out", most, shrunk)
	}
}
