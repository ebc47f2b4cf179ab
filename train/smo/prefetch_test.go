package smo

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train/internal/scan"
	"github.com/slimsvm/slimsvm/train/internal/team"
)

// sparseRows returns n rows with few values.
func sparseRows(r *rand.Rand, n, columns int) vec.Matrix {
	var x vec.Matrix
	for range n {
		var v vec.Vector
		for c := range int32(columns) {
			if r.IntN(30) == 0 || c == 5 {
				v.Index, v.Value = append(v.Index, c), append(v.Value, r.NormFloat64())
			}
		}
		x.Append(v)
	}
	return x
}

// guesses gives arbitrary hints.
type guesses struct{ *rand.Rand }

func (g guesses) hint(rows []int, n, active int, have scan.Set) []int {
	for range g.IntN(n + 1) {
		if i := g.IntN(active); !have.Has(i) && !slices.Contains(rows, i) {
			rows = append(rows, i)
		}
	}
	return rows
}

// states returns the states of pending rows.
func states(all []pendingRow) (s []int32) {
	for k := range all {
		s = append(s, all[k].state.Load())
	}
	return s
}

// TestPrefetch: rows are the same whether helpers compute them before they are asked for or just
// then, or the owner does so in their place. It does not matter what else happens meanwhile:
// positions are exchanged, memory is short, rows are given up.
func TestPrefetch(t *testing.T) {
	smallParts(t)
	s := newSetting(3)
	for round, cached := range []int{3, 40, 400} { // number of rows
		x := sparseRows(s.Rand, 400, 300)
		n := x.Len()
		k := kernel.RBF{Gamma: 0.05}
		one := newRowSource(context.Background(), kernel.NewGram(k, &x), 100)
		ctx, stop := team.With(context.Background(), 2+round)
		many := newRowSource(ctx, kernel.NewGram(k, &x), float64(4*n*cached)/(1<<20))
		many.hints = guesses{s.Rand}
		if many.rowCache(); many.prefetcher == nil {
			t.Fatal("no rows are pending")
		}
		compare := func(i int, row []float32) {
			t.Helper()
			if !slices.Equal(row, one.Row(i, len(row))) {
				t.Fatalf("%d rows in the cache: row %d differs", cached, i)
			}
		}
		asked := [computed + 1]int{} // for rows, by their state
		stopped, awaited := 0, 0
		for turn := 0; turn < 3000 || cached > 3 && (asked[queued] == 0 || asked[computed] == 0 || stopped == 0 || awaited == 0); turn++ {
			i, length := s.IntN(n), 1+s.IntN(n)
			all := many.prefetcher.all[:]
			if turn%3 > 0 { // for rows that are likely to be asked for
				if a := &all[s.IntN(len(all))]; a.state.Load() != unused {
					i, length = a.rows[0], 1+s.IntN(len(a.dst[0]))
				}
			}
			if turn%50 == 0 && many.prefetcher.pending > 0 && many.passes.helpers.Ready() > 0 { // a helper does the work, not the owner
				many.prefetcher.call()
				waitFor(t, func() bool {
					return many.passes.helpers.Ready() == 0 || slices.ContainsFunc(states(all), func(s int32) bool { return s == computed })
				})
				awaited++
			}
			if a := many.prefetcher.find(i); a != nil {
				asked[a.state.Load()]++
			}
			switch s.IntN(12) {
			case 0:
				stopped += many.prefetcher.pending
				var swaps []Pair
				for range 3 {
					swaps = append(swaps, Pair{s.IntN(n), s.IntN(n)})
				}
				many.Swap(swaps)
				one.Swap(swaps)
				if many.prefetcher.pending != 0 {
					t.Fatal("rows are pending at positions that are no longer theirs")
				}
			case 1:
				many.dropPrefetched(length)
			case 2:
				dst := [][]float32{make([]float32, length)}
				many.Part(dst, []int{i}, 0, length)
				compare(i, dst[0])
			case 3, 4, 5:
				row := many.rowForPass(i, length)
				got, want := make([]float64, length), make([]float64, length)
				many.passes.sum(summing{to: [][]float64{got}, rows: [][]float32{row}, coefs: []float64{0.5}})
				compare(i, row)
				if scan.Add(want, row, 0.5); !slices.Equal(got, want) {
					t.Fatalf("%d rows in the cache: the sum of row %d differs", cached, i)
				}
			default:
				compare(i, many.Row(i, length))
			}
		}
		many.release()
		one.release()
		stop()
	}
}
