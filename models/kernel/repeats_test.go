package kernel

import (
	"math"
	"slices"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/format/vec/simd"
)

// alwaysTabulate has tables made until the end of the test where they take longer than arithmetic too.
func alwaysTabulate(t *testing.T) {
	before := fastLoads
	fastLoads = func() bool { return true }
	t.Cleanup(func() { fastLoads = before })
}

// TestRepeated: tables are made for the columns with the fewest different numbers, as many as
// allowed, after a number of panels and not before.
func TestRepeated(t *testing.T) {
	if simd.Best() == simd.Portable {
		t.Skip("SKIPPED: this machine or build has no vector instructions, with which sums are taken together")
	}
	for level := simd.AVX2; level <= simd.Best(); level++ {
		t.Run(level.String(), func(t *testing.T) {
			defer simd.Use(simd.Use(level))
			alwaysTabulate(t)
			most := mostNumbers
			if level == simd.AVX2 {
				most /= 2
			}
			testRepeated(t, most)
		})
	}
}

func testRepeated(t *testing.T, most int) {
	n := 8 * repeats * most / 10
	different := []int{n, 3, 8 * most / 10, 2, most / 10, n/repeats + 1, 1, most/10 - 6, 5}
	var zs vec.Matrix
	for i := range n {
		var z vec.Vector
		for k, d := range different {
			z.Index, z.Value = append(z.Index, int32(k)), append(z.Value, 0.1+float64(i%d)/float64(d))
		}
		zs.Append(z)
	}
	basis := NewBasis(RBF{Gamma: 1}, &zs)
	xs := make([]vec.Vector, BatchRows)
	for i := range xs {
		xs[i] = zs.Row(7 * i)
	}
	var batch Batch
	batch.Pack(basis, xs)
	coef := slices.Repeat([]float64{0.5}, n)
	first := make([]float64, BatchRows)
	const panels = BatchRows / vec.PanelRows
	for summed := 0; summed <= 2*repeatsAfter; summed += panels {
		if is, want := basis.squareTables.value != nil, summed > repeatsAfter; is != want {
			t.Fatalf("after %d panels: tables %v, want %v", summed, is, want)
		}
		sums := make([]float64, BatchRows)
		if !batch.AddTo(sums, coef, 0, n) {
			t.Fatal("not summed together")
		}
		if summed == 0 {
			copy(first, sums)
		}
		if !slices.Equal(sums, first) {
			t.Fatalf("after %d panels: other sums", summed)
		}
	}
	tables := basis.squareTables.value
	want := []int{6, 3, 1, 8, 7, 4} // for 1, 2, 3, 5 numbers and so on; with 8/10 there would be more than allowed
	var got []int
	at := 0
	for _, c := range tables.columns {
		got = append(got, c.column)
		if c.from != at || c.to-c.from != different[c.column] {
			t.Errorf("column %d has the numbers from %d to %d, want %d from %d on", c.column, c.from, c.to-1, different[c.column], at)
		}
		at = c.to
		numbers := slices.Sorted(slices.Values(tables.numbers[c.from:c.to]))
		if len(slices.Compact(numbers)) != different[c.column] {
			t.Errorf("column %d: numbers more than once", c.column)
		}
		if tables.tabled>>c.column&1 == 0 {
			t.Errorf("column %d is not among %b", c.column, tables.tabled)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("columns %v, want %v", got, want)
	}
	defer func(n int) { mostBlocks = n }(mostBlocks)
	s := basis.pairs.value
	for _, extra := range []int{-1, 0} {
		mostBlocks = 8*len(s.queries) + extra
		if made := newSquareTables(basis) != nil; made != (extra == 0) {
			t.Fatalf("queries of %d bytes, of which %d may be: tables %v", 8*len(s.queries), mostBlocks, made)
		}
	}
	for i := range n {
		for _, c := range tables.columns {
			at := i/2*2*s.columns + 2*c.column + i%2
			place := math.Float64bits(tables.queries[at]) / entryBytes
			if tables.numbers[place] != s.queries[at] {
				t.Fatalf("vector %d, column %d: %v, want %v", i, c.column, tables.numbers[place], s.queries[at])
			}
		}
	}
	if least := (at*repeats + len(want) - 1) / len(want); tables.pays(least-1) || !tables.pays(least) {
		t.Errorf("tables of %d numbers in %d columns do not pay from %d vectors on", at, len(want), least)
	}
}

// TestRepeatedOfFew: tables take no more memory than the vectors' queries.
func TestRepeatedOfFew(t *testing.T) {
	if simd.Best() == simd.Portable {
		t.Skip("SKIPPED: this machine or build has no vector instructions, with which sums are taken together")
	}
	const n, columns = 64, 9
	var zs vec.Matrix
	for i := range n {
		var z vec.Vector
		for k := range columns {
			z.Index, z.Value = append(z.Index, int32(k)), append(z.Value, 0.1+float64((i+k)%(n/repeats)))
		}
		zs.Append(z)
	}
	basis := NewBasis(RBF{Gamma: 1}, &zs)
	basis.pairs.of(basis, newVectorPairs)
	tables := newSquareTables(basis)
	if want := n * columns / vec.PanelRows / (n / repeats); tables == nil || len(tables.columns) != want || len(tables.numbers) != want*n/repeats {
		t.Errorf("tables %+v, want %d columns of %d numbers", tables, want, n/repeats)
	}
}

// TestNoTables: where loads take longer than arithmetic, no tables are made.
func TestNoTables(t *testing.T) {
	if simd.Best() == simd.Portable {
		t.Skip("SKIPPED: this machine or build has no vector instructions, with which sums are taken together")
	}
	defer func(f func() bool) { fastLoads = f }(fastLoads)
	for _, fast := range []bool{false, true} {
		fastLoads = func() bool { return fast }
		var zs vec.Matrix
		for i := range 1024 {
			var z vec.Vector
			for k := range 8 {
				z.Index, z.Value = append(z.Index, int32(k)), append(z.Value, float64(1+(i+k)%5))
			}
			zs.Append(z)
		}
		basis := NewBasis(RBF{Gamma: 0.5}, &zs)
		var batch Batch
		batch.Pack(basis, slices.Repeat([]vec.Vector{zs.Row(3)}, BatchRows))
		coef := slices.Repeat([]float64{0.5}, zs.Len())
		for range repeatsAfter + 1 {
			batch.AddTo(make([]float64, BatchRows), coef, 0, zs.Len())
		}
		if made := basis.squareTables.value != nil; made != fast {
			t.Errorf("loads fast: %v, tables: %v", fast, made)
		}
	}
}
