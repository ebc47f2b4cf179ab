package kernel_test

import (
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/slimsvm/slimsvm/models/kernel"
)

// TestSums: rows computed as sums, in several parts, are the same as by RowsTo, also after
// exchanges. Other parts and the memory beside a part do not change.
func TestSums(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 1))
	for _, n := range []int{70, 2048, 2309} {
		x := random(r, n, 400, 0.02, r.NormFloat64)
		for _, k := range gramKernels {
			g := kernel.NewGram(k, x)
			for range 50 {
				g.Swap(r.IntN(n), r.IntN(n))
			}
			compared := 0
			for range 20 {
				i, from := r.IntN(n), r.IntN(n/8)
				length, most, additions := g.SumsLen(i, from, n)
				if length == 0 {
					continue
				}
				compared++
				if length != n || most < 1 || most > 1 != (n >= 2048) || additions < 1 || additions > 400*n {
					t.Fatalf("%d vectors: %d sums in up to %d parts by %d additions", n, length, most, additions)
				}
				parts := 1 + r.IntN(most)
				sums := slices.Repeat([]float64{untouched}, n)
				for _, p := range r.Perm(parts) {
					before := slices.Clone(sums)
					g.SumTo(sums, i, p, parts)
					for slot := range sums {
						if before[slot] != untouched && sums[slot] != before[slot] {
							t.Fatalf("part %d of %d changes the sum of slot %d, which another has computed", p, parts, slot)
						}
					}
				}
				want, got := make([]float32, n-from), make([]float32, n-from)
				g.RowsTo([][]float32{want}, []int{i}, from, n)
				border := r.IntN(n - from)
				g.SummedTo(got[border:], sums, i, from+border)
				g.SummedTo(got[:border], sums, i, from)
				if !slices.Equal(got, want) {
					t.Fatalf("%T, %d vectors: row %d from %d on in %d parts differs", k, n, i, from, parts)
				}
			}
			if compared == 0 {
				t.Errorf("%d vectors: no row comes from lists", n)
			}
			g.Release()
		}
	}
	dense := kernel.NewGram(kernel.Linear{}, random(r, 30, 4, 1, r.NormFloat64))
	if n, parts, additions := dense.SumsLen(3, 0, 30); n != 0 || parts != 0 || additions != 0 {
		t.Errorf("dense rows have %d sums in %d parts by %d additions", n, parts, additions)
	}
}

// TestGramBy: rows packed by several goroutines give the same values as those packed by one.
func TestGramBy(t *testing.T) {
	together := func(n int, f func(part int)) {
		var all sync.WaitGroup
		for k := range n {
			all.Go(func() { f(k) })
		}
		all.Wait()
	}
	r := rand.New(rand.NewPCG(8, 2))
	for fill, n := range map[float64]int{1: 1000, 0.9: 1000, 0.2: 3500} {
		x := random(r, n, 400, fill, r.NormFloat64)
		one := kernel.NewGram(kernel.Linear{}, x)
		got, want := make([]float32, n), make([]float32, n)
		for _, workers := range []int{2, 50} {
			several := kernel.NewStoreBy(workers, together, x).GramBy(workers, together, kernel.Linear{}, nil)
			if several.Bytes() != one.Bytes() {
				t.Errorf("fill %g: %d bytes by %d, want %d", fill, several.Bytes(), workers, one.Bytes())
			}
			for range 20 {
				i := r.IntN(n)
				several.RowsTo([][]float32{got}, []int{i}, 0, n)
				one.RowsTo([][]float32{want}, []int{i}, 0, n)
				if !slices.Equal(got, want) {
					t.Fatalf("fill %g: row %d differs by %d", fill, i, workers)
				}
			}
		}
	}
}
