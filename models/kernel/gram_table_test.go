package kernel_test

import (
	"context"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec/simd"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// TestTable: once Grams of few rows have asked for as many values as all rows have with each other,
// they take values from a table, with the same bits as before. Until then, and for more rows, they
// compute them.
func TestTable(t *testing.T) {
	everyLevel(t, func(t *testing.T) {
		for _, shape := range shapes {
			r := rand.New(rand.NewPCG(11, 3))
			x := shape.make(r)
			n := x.Len()
			if n < 3 || n > 400 {
				continue
			}
			s := kernel.NewStore(x)
			for _, k := range gramKernels {
				part := r.Perm(n)[:min(n, 1+r.IntN(64))]
				m := len(part)
				var dst [][]float32
				for range m {
					dst = append(dst, make([]float32, m))
				}
				asked, made := 0, false
				for !made && asked <= n*n+m*m {
					g := s.Gram(k, part)
					if made = kernel.GramFormOf(g) == "table"; made && asked < n*n {
						t.Errorf("%s: a table after %d values of %d rows", shape.name, asked, n)
					}
					for i := range m {
						g.RowsTo(dst[i:i+1], []int{i}, 0, m)
					}
					asked += m * m
					g.Release()
				}
				if !made {
					t.Errorf("%s: no table after %d values of %d rows", shape.name, asked, n)
				}
				for range 3 {
					part := r.Perm(n)[:min(n, 1+r.IntN(64))]
					g := s.Gram(k, part)
					if form := kernel.GramFormOf(g); form != "table" {
						t.Errorf("%s: %d of %d rows are held as %s", shape.name, len(part), n, form)
					}
					wantGram(t, g, k, x, part)
					for range 50 {
						i, j := r.IntN(len(part)), r.IntN(len(part))
						g.Swap(i, j)
						part[i], part[j] = part[j], part[i]
					}
					wantGram(t, g, k, x, part)
					g.Release()
				}
				if n > 64 {
					many := r.Perm(n)[:65]
					g := s.Gram(k, many)
					if form := kernel.GramFormOf(g); form == "table" {
						t.Errorf("%s: 65 rows are held as %s", shape.name, form)
					}
					wantGram(t, g, k, x, many)
					g.Release()
				}
			}
		}
	})
}

// TestTableAtOnce: several threads that notice at the same time that a table is due have the same
// values.
func TestTableAtOnce(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 12))
	x := random(r, 200, 9, 1, r.NormFloat64)
	s, k := kernel.NewStore(x), kernel.RBF{Gamma: 0.25}
	var all sync.WaitGroup
	for range 4 {
		rows := r.Perm(x.Len())
		all.Go(func() {
			for trial := range 60 {
				part := rows[trial : trial+40]
				g := s.Gram(k, part)
				wantGram(t, g, k, x, part)
				row := make([]float32, len(part))
				for i := range part { // short tests ask for as many values too
					g.RowsTo([][]float32{row}, []int{i}, 0, len(part))
				}
				g.Release()
			}
		})
	}
	all.Wait()
	if form := kernel.GramFormOf(s.Gram(k, []int{1, 0})); form != "table" {
		t.Errorf("in the end rows are held as %s", form)
	}
}

// TestKeepValues: where a store keeps values, Grams of many rows take them from a table too, once
// as many were computed. They have the same bits in whatever order the rows stand, also after
// exchanges. There are at most two tables, or as many as there are bytes for. A Gram whose table
// was dropped still uses it.
func TestKeepValues(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 29))
	const n = 150
	x := random(r, n, 9, 0.7, r.NormFloat64)
	for _, bytes := range []int64{4*n*n - 1, 4 * n * n, 1 << 30} {
		s := kernel.NewStore(x)
		s.CacheValues(t.Context(), bytes)
		type held struct {
			*kernel.Gram
			rows []int
		}
		var all []held // the last Gram of each kernel
		check := func() {
			for _, h := range all {
				wantGram(t, h.Gram, kernel.RBF{Gamma: kernel.GammaOf(h.Gram)}, x, h.rows)
			}
		}
		for _, gamma := range []float64{0.5, 0.25, 2, 4, 0.125} {
			k := kernel.RBF{Gamma: gamma}
			orders := [][]int{r.Perm(n)[:100]}
			for _, runs := range [][2]int{{10, 149}, {0, 90}, {3, 75}, {149, 150}} {
				var rows []int
				for i := runs[0]; i < runs[1]; i++ {
					rows = append(rows, i)
				}
				orders = append(orders, rows, append(rows[len(rows)/2:len(rows):len(rows)], rows[:len(rows)/2]...))
			}
			for asked := 0; asked <= n*n; {
				g := s.Gram(k, orders[1])
				m := g.Len()
				row := make([]float32, m)
				for i := range m {
					g.RowsTo([][]float32{row}, []int{i}, 0, m)
				}
				if asked += m * m; kernel.GramFormOf(g) == "table" {
					t.Errorf("%d bytes: a table after %d values of %d rows", bytes, asked, n)
				}
				g.Release()
			}
			for i, rows := range orders {
				g := s.Gram(k, rows)
				if form := kernel.GramFormOf(g); (form == "table") != (bytes >= 4*n*n) && len(rows) > 64 {
					t.Errorf("%d bytes: %d of %d rows are held as %s", bytes, len(rows), n, form)
				}
				wantGram(t, g, k, x, rows)
				for swaps := range 3 {
					for range 20 * swaps {
						i, j := r.IntN(len(rows)), r.IntN(len(rows))
						g.Swap(i, j)
						rows[i], rows[j] = rows[j], rows[i]
					}
					wantGram(t, g, k, x, rows)
				}
				if i == 0 && gamma != 2 {
					all = append(all, held{g, rows})
				} else {
					g.Release()
				}
			}
			check()
		}
		for _, h := range all {
			h.Release()
		}
		if got, want := kernel.TablesOf(s), min(2, int(bytes/(4*n*n))); got != want && bytes >= 4*n*n {
			t.Errorf("%d bytes: %d tables in the end, want %d", bytes, got, want)
		}
	}
}

// TestKeepValuesEnd: if a store does not keep values because its context ends before or during
// their computation, Grams compute the same values.
func TestKeepValuesEnd(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 29))
	const n = 150
	x := random(r, n, 9, 0.7, r.NormFloat64)
	rows := r.Perm(n)[:100]
	for looks := range 60 { // checks of the context before it ends
		s := kernel.NewStore(x)
		ctx := &endingContext{Context: t.Context(), looks: looks}
		s.CacheValues(ctx, 1<<20)
		made := false
		for range 6 {
			g := s.Gram(kernel.RBF{Gamma: 0.5}, rows)
			made = kernel.GramFormOf(g) == "table"
			row := make([]float32, len(rows))
			for i := range rows {
				g.RowsTo([][]float32{row}, []int{i}, 0, len(rows))
			}
			wantGram(t, g, kernel.RBF{Gamma: 0.5}, x, rows)
			g.Release()
		}
		if looks == 0 && made {
			t.Error("a table for a context that had ended")
		}
	}
}

// An endingContext has ended after a number of checks.
type endingContext struct {
	context.Context
	looks int
}

func (c *endingContext) Err() error {
	if c.looks--; c.looks < 0 {
		return context.Canceled
	}
	return nil
}

// TestKeepValuesAtOnce: several threads with a kernel each, whose tables replace each other, get
// the values of their own kernel.
func TestKeepValuesAtOnce(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 12))
	const n = 120
	x := random(r, n, 5, 1, r.NormFloat64)
	s := kernel.NewStore(x)
	s.CacheValues(t.Context(), 1<<20)
	var all sync.WaitGroup
	for c := range 4 {
		rows := r.Perm(n)[:80]
		all.Go(func() {
			for trial := range 40 {
				k := kernel.RBF{Gamma: float64(1 + (c+trial/8)%5)}
				g := s.Gram(k, rows)
				row := make([]float32, len(rows))
				for i := range rows {
					g.RowsTo([][]float32{row}, []int{i}, 0, len(rows))
				}
				wantGram(t, g, k, x, rows)
				g.Release()
			}
		})
	}
	all.Wait()
}

// TestPart: a store of some rows has their values, also in memory that other parts used before. If
// the whole store has a table, the part has none, nor does it for kernels that this package does
// not know.
func TestPart(t *testing.T) {
	everyLevel(t, func(t *testing.T) {
		for _, shape := range shapes {
			r := rand.New(rand.NewPCG(5, 3))
			x := shape.make(r)
			s := kernel.NewStore(x)
			for trial := range 12 {
				k := gramKernels[trial%len(gramKernels)]
				rows := r.Perm(x.Len())[:min(x.Len(), 2+r.IntN(30))]
				p := s.Part(k, rows)
				if p == nil {
					t.Fatalf("%s: no part, and no Gram has asked for a value but theirs", shape.name)
				}
				if p.Len() != len(rows) {
					t.Errorf("%d rows, want %d", p.Len(), len(rows))
				}
				for range 3 {
					places := r.Perm(len(rows))[:1+r.IntN(len(rows))]
					var of []int
					for _, at := range places {
						of = append(of, rows[at])
					}
					g := p.Gram(k, places)
					wantGram(t, g, k, x, of)
					g.Release()
				}
				p.Release()
				if kernel.HasTable(s, k) {
					s = kernel.NewStore(x)
				}
			}
		}
	})
	r := rand.New(rand.NewPCG(5, 4))
	x := random(r, 20, 5, 1, r.NormFloat64)
	s := kernel.NewStore(x)
	if s.Part(shifted{}, []int{1, 2}) != nil || s.Part(kernel.Precomputed{}, []int{1, 2}) != nil {
		t.Error("a part for values that are not known to depend on two rows only")
	}
	p := s.Part(kernel.Linear{}, []int{1, 2})
	for _, ask := range []func(){func() { p.Gram(kernel.RBF{Gamma: 1}, []int{0}) }, func() { p.Gram(kernel.Linear{}, nil) }} {
		func() {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			ask()
		}()
	}
}

// TestFewSparseRows: no lists are made of few rows with few of many columns. Their values are those
// of RowTo, also in the memory of a Gram that had lists, and the other way round.
func TestFewSparseRows(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	x := random(r, 1500, 4000, 0.005, r.NormFloat64) // too many rows for a table
	s := kernel.NewStore(x)
	if form := kernel.FormOf(s); form != "lists" {
		t.Fatalf("rows are held as %s", form)
	}
	for _, n := range []int{12, 700, 3, 63, 64, 1500, 20} {
		part := r.Perm(x.Len())[:n]
		g := s.Gram(kernel.RBF{Gamma: 0.125}, part)
		if listed := kernel.HasLists(g); listed != (n >= 64) {
			t.Errorf("%d rows have lists: %v", n, listed)
		}
		for i := range min(n, 12) {
			g.Swap(i, n-1-i)
			part[i], part[n-1-i] = part[n-1-i], part[i]
		}
		if sums, _, _ := g.SumsLen(0, 0, n); sums > 0 && n < 64 {
			t.Errorf("%d rows have sums", n)
		}
		if n <= 64 || simd.Current() == simd.Best() {
			wantGram(t, g, kernel.RBF{Gamma: 0.125}, x, part)
		}
		g.Release()
	}
}
