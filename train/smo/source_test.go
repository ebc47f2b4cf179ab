package smo

import (
	"context"
	"runtime"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train/internal/scan"
	"github.com/slimsvm/slimsvm/train/internal/team"
)

// twice returns the rows of x, followed by the same rows again.
func twice(x *vec.Matrix) *vec.Matrix {
	order := make([]int, 2*x.Len())
	for i := range order {
		order[i] = i % x.Len()
	}
	all := x.Select(order)
	return &all
}

// TestSources: rows and swaps of a source with a small cache give the kernel's values for the rows
// in their places; those of a doubled source its values for all rows twice. A row does not change
// while the next one is computed.
func TestSources(t *testing.T) {
	check(t, func(t *rapid.T) {
		seed := rapid.IntRange(0, 1<<20).Draw(t, "seed")
		s := newSetting(seed)
		x := randomRows(s.Rand, rapid.IntRange(1, 9).Draw(t, "rows"), 4)
		k := rapid.SampledFrom(kernels).Draw(t, "kernel")
		rows := newRowSource(context.Background(), kernel.NewGram(k, &x), float64(rapid.IntRange(1, 40*x.Len()).Draw(t, "bytes"))/(1<<20))
		defer rows.release()
		firstValues, firstRows = 1, 2
		defer func() { firstValues, firstRows = usualValues, usualRows }()
		rows.startSmall = rapid.Bool().Draw(t, "start small")
		dear := rapid.Bool().Draw(t, "dear")
		defer func(was func() bool) { memoryIsCostly = was }(memoryIsCostly)
		memoryIsCostly = func() bool { return dear }
		var src Source = rows
		all := &x
		if rapid.Bool().Draw(t, "doubled") {
			doubled := newDoubledSource(rows)
			doubled.many = rapid.IntRange(1, 10).Draw(t, "many")
			src, all = doubled, twice(&x)
		}
		n := src.Len()
		if n != all.Len() {
			t.Fatalf("%d variables, want %d", n, all.Len())
		}
		want, order := rounded(k, all), make([]int, n)
		diag, wantDiag := make([]float64, n), make([]float64, n)
		src.DiagTo(diag)
		k.DiagTo(wantDiag, all)
		if !slices.Equal(diag, wantDiag) {
			t.Fatalf("diagonal %v, want %v", diag, wantDiag)
		}
		for i := range order {
			order[i] = i
		}
		compare := func(row []float32, i int) {
			for j, v := range row {
				if float64(v) != want[order[i]][order[j]] {
					t.Fatalf("K(%d,%d) = %v, want %v", order[i], order[j], v, want[order[i]][order[j]])
				}
			}
		}
		position := rapid.IntRange(0, n-1)
		var before []float32
		var of int
		t.Repeat(map[string]func(*rapid.T){
			"row": func(t *rapid.T) {
				i, length := position.Draw(t, "i"), rapid.IntRange(1, n).Draw(t, "length")
				row := src.Row(i, length)
				if len(row) != length {
					t.Fatalf("a row of %d values, want %d", len(row), length)
				}
				compare(row, i)
				compare(before, of)
				before, of = row, i
			},
			"part": func(t *rapid.T) {
				rows := rapid.SliceOfNDistinct(position, 0, PartRows, rapid.ID).Draw(t, "rows")
				from := rapid.IntRange(0, n).Draw(t, "from")
				to := rapid.IntRange(from, n).Draw(t, "to")
				dst := make([][]float32, len(rows))
				for r := range dst {
					dst[r] = make([]float32, to-from)
				}
				src.Part(dst, rows, from, to)
				for r, i := range rows {
					for k, v := range dst[r] {
						if v := float64(v); v != want[order[i]][order[from+k]] {
							t.Fatalf("part of row %d: %v, want %v", order[i], v, want[order[i]][order[from+k]])
						}
					}
				}
			},
			"swap": func(t *rapid.T) {
				var pairs []Pair
				for range rapid.IntRange(0, 3).Draw(t, "swaps") {
					i, j := position.Draw(t, "i"), position.Draw(t, "j")
					pairs = append(pairs, Pair{i, j})
					order[i], order[j] = order[j], order[i]
				}
				src.Swap(pairs)
				before = nil
			},
		})
	})
}

// TestDoubled: a problem over a doubled source takes the same steps, to the last bit, as one over
// rows that are there twice.
func TestDoubled(t *testing.T) {
	swaps := 0
	for seed := range seeds(90) {
		s := newSetting(seed)
		if s.x.Len() > 100 {
			continue
		}
		if s.k == (kernel.Precomputed{}) {
			s.k, s.x = kernels[1], randomRows(s.Rand, s.x.Len(), 5)
		}
		doubled := newDoubledSource(newRowSource(context.Background(), kernel.NewGram(s.k, &s.x), s.opt.CacheMB))
		q := s.randomQP(doubled, seed%2 == 0)
		r, err := q.clone(doubled).Solve(context.Background(), s.opt)
		if err != nil {
			t.Fatal(err)
		}
		plain, err := q.clone(newRowSource(context.Background(), kernel.NewGram(s.k, twice(&s.x)), s.opt.CacheMB)).Solve(context.Background(), s.opt)
		if err != nil {
			t.Fatal(err)
		}
		if !sameResult(r, plain) {
			t.Errorf("seed %d: the results differ: %d and %d iterations", seed, r.Iterations, plain.Iterations)
		}
		if doubled.swapped {
			swaps++
		}
	}
	if swaps == 0 {
		t.Error("no variable was swapped")
	}
}

// TestSplit: columns that several threads compute are the same as those of one thread, for rows of
// numbers and for sets.
func TestSplit(t *testing.T) {
	s := newSetting(1)
	numbers := randomRows(s.Rand, 3*8192+77, 3)
	var sets vec.Matrix
	for range 3*32768 + 77 {
		var v vec.Vector
		for k := range 9 {
			if s.IntN(2) > 0 {
				v.Index, v.Value = append(v.Index, int32(k)), append(v.Value, 1)
			}
		}
		sets.Append(v)
	}
	for _, x := range []*vec.Matrix{&numbers, &sets} {
		testSplit(t, s, x)
	}
}

func testSplit(t *testing.T, s *setting, x *vec.Matrix) {
	k := kernel.RBF{Gamma: 0.5}
	one := newRowSource(context.Background(), kernel.NewGram(k, x), 1)
	defer one.release()
	for _, threads := range []int{2, 3, 8} {
		ctx, stop := team.With(context.Background(), threads)
		many := newRowSource(ctx, kernel.NewGram(k, x), 1)
		for many.passes.helpers.Parts(2, 1) == 1 {
			runtime.Gosched()
		}
		for _, n := range []int{1, one.part, 2*one.part + 1, x.Len()} {
			if i := s.IntN(n); !slices.Equal(many.Row(i, n), one.Row(i, n)) {
				t.Errorf("%d threads, %d columns: row %d differs", threads, n, i)
			}
		}
		many.release()
		stop()
	}
}

// TestPartialRows: rows of which some columns were there, or none, have all columns after a sum,
// made in one go or in parts that are cut elsewhere than in the pass before; and the sum includes
// them.
func TestPartialRows(t *testing.T) {
	smallParts(t)
	s := newSetting(7)
	x := randomRows(s.Rand, 700, 3)
	n := x.Len()
	k := kernel.RBF{Gamma: 0.5}
	one := newRowSource(context.Background(), kernel.NewGram(k, &x), 1)
	defer one.release()
	for _, threads := range []int{2, 3, 8} {
		ctx, stop := team.With(context.Background(), threads)
		shared, longer := 0, 0
		for round := 0; round < 300 || shared < 20; round++ {
			many := newRowSource(ctx, kernel.NewGram(k, &x), 1)
			if many.passes.helpers == nil {
				t.Fatal("nobody shares the work")
			}
			if round%3 > 0 {
				waitFor(t, func() bool { return many.passes.helpers.Parts(1<<20, 1) > 1 })
			}
			got, want := make([]float64, n), make([]float64, n)
			rows, coefs := [][]float32{}, []float64{0.75, 1.0 / 3}[:1+round%2]
			which := [2]int{s.IntN(n / 2), n/2 + s.IntN(n/2)}
			active := 64 + s.IntN(n-64)
			many.passes.look(got[:active], scan.NewSet(n), scan.NewSet(n))
			none := round%4 == 2
			for r := range coefs {
				if !none {
					many.Row(which[r], max(active, s.IntN(n)))
				}
			}
			for r, c := range coefs {
				row := many.rowForSum
				if none {
					row = func(i int) []float32 { return many.rowForPass(i, n) }
				}
				rows = append(rows, row(which[r]))
				scan.Add(want, one.Row(which[r], n), c)
			}
			longer += len(many.passes.partialRows)
			before := many.passes.helpers.Command().Kind
			many.passes.sum(summing{to: [][]float64{got}, rows: rows, coefs: coefs})
			if after := many.passes.helpers.Command().Kind; after != before {
				shared++
			}
			for r := range coefs {
				if !slices.Equal(many.Row(which[r], n), one.Row(which[r], n)) {
					t.Fatalf("%d threads, round %d: row %d differs", threads, round, r)
				}
			}
			if !slices.Equal(got, want) || len(many.passes.partialRows) > 0 {
				t.Fatalf("%d threads, round %d: the sum of %d rows differs, or %d rows are left", threads, round, len(rows), len(many.passes.partialRows))
			}
			many.release()
		}
		if longer < 100 {
			t.Errorf("%d threads: only %d rows were made longer", threads, longer)
		}
		stop()
	}
}
