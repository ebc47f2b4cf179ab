package vec_test

import (
	"math/rand/v2"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/format/vec/simd"
)

// codedSets returns n sets of columns: of nominal attributes, each with one of its values, of any
// columns, or of both. The words of a set follow those of the one before.
func codedSets(r *rand.Rand, n, columns int, nominal float64) []uint64 {
	w := vec.Words(columns)
	words := make([]uint64, n*w)
	for first := 0; first < columns; {
		size := min(1+r.IntN(20), columns-first)
		attribute := r.Float64() < nominal
		for i := range n {
			one := r.IntN(size)
			for k := range size {
				if attribute && k == one || !attribute && r.IntN(3) == 0 {
					words[i*w+(first+k)/64] |= 1 << ((first + k) % 64)
				}
			}
		}
		first += size
	}
	return words
}

// TestCodePanels compares values by codes with those of the sets: for parts of all lengths, after
// exchanges, for some rows of the codes, with tables of all sizes.
func TestCodePanels(t *testing.T) {
	everyLevel(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(11, 3))
		var p vec.CodePanels
		halved := map[bool]bool{}
		for n := range 130 {
			if skipped(n) {
				continue
			}
			columns, nominal := (13*n)%127, float64(n%3)/2
			words := codedSets(r, n, columns, nominal)
			w := vec.Words(columns)
			codes := vec.NewCodes(words, n, columns)
			var rows []int
			sets := make([][]uint64, n)
			if n%2 == 1 {
				rows = make([]int, 1+r.IntN(n))
				for i := range rows {
					rows[i] = r.IntN(n)
				}
				sets = sets[:len(rows)]
			}
			p.Reset(codes, rows, n+r.IntN(50))
			for i := range sets {
				row := i
				if rows != nil {
					row = rows[i]
				}
				sets[i] = words[row*w : (row+1)*w]
			}
			if p.Len() != len(sets) {
				t.Fatalf("%d rows, want %d", p.Len(), len(sets))
			}
			if len(sets) == 0 {
				continue
			}
			for range len(sets) {
				i, j := r.IntN(len(sets)), r.IntN(len(sets))
				p.Swap(i, j)
				sets[i], sets[j] = sets[j], sets[i]
			}
			testCodes(t, &p, codes, sets, r, columns, halved)
		}
		if !halved[true] || !halved[false] {
			t.Errorf("numbers were all multiples of two: %v, want some that are and some that are not", halved)
		}
	})
}

func testCodes(t *testing.T, p *vec.CodePanels, codes *vec.Codes, sets [][]uint64, r *rand.Rand, columns int, halved map[bool]bool) {
	t.Helper()
	row := r.IntN(len(sets))
	var query []uint8
	test := func(form string, tableOf func([]float32) *vec.Table, f func([]float32, *[]uint8, int, *vec.Table, int)) {
		t.Helper()
		halved[tableOf(make([]float32, 129)).Small()] = true
		wantValues(t, sets, row, form, 1, []int{31, 32, 33, 63, 64, 65, 127, 128, columns + 1}, r, tableOf,
			func(dst []float32, table *vec.Table, from int) { f(dst, &query, row, table, from) })
	}
	test("common", codes.CommonTable, p.CommonValuesTo)
	test("apart", codes.HammingTable, p.HammingValuesTo)
}

// TestCodesGroups: a nominal attribute is one group, other columns are in groups of four.
func TestCodesGroups(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	var nominal []uint64 // attributes of 16, 15 and 9 values, then 24 columns of which each may be set
	for range 400 {
		nominal = append(nominal, 1<<r.IntN(16)|1<<(16+r.IntN(15))|1<<(31+r.IntN(9))|r.Uint64()>>40<<40)
	}
	if got, want := vec.NewCodes(nominal, len(nominal), 64).Groups(), 3+6; got != want {
		t.Errorf("%d groups, want %d", got, want)
	}
	sample := make([]uint64, 2560) // every tenth is equal, and these are examined first
	for i := range sample {
		if sample[i] = 5; i%10 > 0 {
			sample[i] = r.Uint64() >> 24
		}
	}
	codes := vec.NewCodes(sample, len(sample), 40)
	if got := codes.Groups(); got != 10 {
		t.Errorf("%d groups of any columns, want 10", got)
	}
	var p vec.CodePanels
	p.Reset(codes, nil, 0)
	sets := make([][]uint64, len(sample))
	for i := range sets {
		sets[i] = sample[i : i+1]
	}
	testCodes(t, &p, codes, sets, r, 40, map[bool]bool{})
	if got := vec.NewCodes(nil, 0, 100).Groups(); got != 0 {
		t.Errorf("%d groups of no rows, want none", got)
	}
	if got := vec.NewCodes(make([]uint64, 10), 5, 100).Groups(); got != 2 {
		t.Errorf("%d groups of empty sets, want one a word", got)
	}
}

// TestCodesAllocate: values take no memory, except for that of a query once.
func TestCodesAllocate(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	var p vec.CodePanels
	codes := vec.NewCodes(codedSets(r, 100, 70, 1), 100, 70)
	p.Reset(codes, nil, 0)
	dst := make([]float32, 90)
	var query []uint8
	table := codes.HammingTable(make([]float32, 71))
	defer simd.Use(simd.Best())
	for l := simd.Portable; l <= simd.Best(); l++ {
		simd.Use(l)
		p.HammingValuesTo(dst, &query, 3, table, 7)
		if n := testing.AllocsPerRun(100, func() { p.HammingValuesTo(dst, &query, 3, table, 7) }); n > 0 {
			t.Errorf("%v: %g allocations", l, n)
		}
	}
}

func TestCodesShapes(t *testing.T) {
	var p vec.CodePanels
	codes := vec.NewCodes(make([]uint64, 80), 40, 70)
	p.Reset(codes, nil, 0)
	table, dst := codes.HammingTable(make([]float32, 71)), make([]float32, 40)
	var query []uint8
	wantPanic(t, "words of other rows", func() { vec.NewCodes(make([]uint64, 79), 40, 70) })
	wantPanic(t, "a row that is not there", func() { p.HammingValuesTo(dst, &query, 40, table, 0) })
	wantPanic(t, "rows beyond the last", func() { p.HammingValuesTo(dst, &query, 0, table, 1) })
	wantPanic(t, "rows before the first", func() { p.CommonValuesTo(dst[:1], &query, 0, table, -1) })
	wantPanic(t, "a large table", func() { p.HammingValuesTo(dst, &query, 0, vec.NewTable(make([]float32, 129)), 0) })
}
