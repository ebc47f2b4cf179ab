package kernel

import (
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/format/vec/simd"
)

// columnsOf returns rows of real numbers, of whole ones, of decimal ones, or of several kinds, some
// of which list no zeros.
func columnsOf(kind string, n, d int) *vec.Matrix {
	rng := rand.New(rand.NewPCG(1, 2))
	m := new(vec.Matrix)
	row := make([]float64, d)
	for range n {
		for j := range row {
			row[j] = float64(rng.IntN(9) - 2)
			switch {
			case kind == "real", kind == "mixed" && j%3 == 0:
				row[j] = rng.NormFloat64()
			case kind == "decimal", kind == "mixed" && j%3 == 1:
				row[j] /= 8
			}
		}
		m.Append(vec.FromSlice(row))
	}
	return m
}

// TestGramWhile: a Gram that is wanted no more is packed no further, whatever form its rows have;
// the memory then serves another, which has the values of one that was packed at once.
func TestGramWhile(t *testing.T) {
	const n, d, workers = 20 * packStep, 40, 3
	do := func(n int, f func(part int)) {
		done := make(chan bool)
		for part := range n {
			go func() { f(part); done <- true }()
		}
		for range n {
			<-done
		}
	}
	forms := map[form]bool{}
	for _, kind := range []string{"real", "whole", "decimal", "mixed"} {
		x := columnsOf(kind, n, d)
		for _, k := range []Kernel{RBF{Gamma: 0.1}, Sigmoid{Gamma: 0.01}} {
			s := NewStore(x)
			want := NewStore(x).Gram(k, nil)
			forms[want.form] = true
			for _, after := range []int64{0, 1, 5, n} {
				name := fmt.Sprintf("%s, %T, after %d", kind, k, after)
				var asked atomic.Int64
				g := s.GramWhile(func() bool { return asked.Add(1) <= after }, workers, do, k, nil)
				if after < n {
					if got := asked.Load(); g != nil || got > after+workers*21 {
						t.Errorf("%s: a Gram, or %d times asked", name, got)
					}
					continue
				}
				if got := asked.Load(); g == nil || got < n/packStep {
					t.Fatalf("%s: no Gram, or only %d times asked", name, got)
				}
				got, wanted := make([]float32, n), make([]float32, n)
				for _, i := range []int{0, 1, n / 2, n - 1} {
					g.RowsTo([][]float32{got}, []int{i}, 0, n)
					want.RowsTo([][]float32{wanted}, []int{i}, 0, n)
					for j := range got {
						if got[j] != wanted[j] {
							t.Fatalf("%s: K(%d, %d) = %v, want %v", name, i, j, got[j], wanted[j])
						}
					}
				}
			}
		}
	}
	for _, f := range []form{asPanels, asWholes, asMixed} {
		if !forms[f] && (f == asPanels || simd.Current() != simd.Portable) {
			t.Errorf("no rows of form %d", f)
		}
	}
}

// TestGramWhileTable: the values that a store keeps for others are complete, though the Gram for
// which they would have been computed was wanted no more.
func TestGramWhileTable(t *testing.T) {
	const n = 2 * packStep
	x := columnsOf("real", n, 30)
	k := RBF{Gamma: 0.1}
	rows := make([]int, n)
	for i := range rows {
		rows[i] = i
	}
	s := NewStore(x)
	s.CacheValues(t.Context(), 100<<20)
	got, want := make([]float32, n), make([]float32, n)
	for range n { // after that they are computed for the next Gram
		g := s.GramWhile(func() bool { return true }, 1, serially, k, rows)
		g.RowsTo([][]float32{got}, []int{0}, 0, n)
		g.Release()
	}
	if s.GramWhile(func() bool { return false }, 1, serially, k, rows) != nil {
		t.Error("a Gram that is not wanted")
	}
	g, all := s.Gram(k, rows), NewStore(x).Gram(k, nil)
	for i := range n {
		g.RowsTo([][]float32{got}, []int{i}, 0, n)
		all.RowsTo([][]float32{want}, []int{i}, 0, n)
		for j := range got {
			if got[j] != want[j] {
				t.Fatalf("K(%d, %d) = %v, want %v", i, j, got[j], want[j])
			}
		}
	}
}
