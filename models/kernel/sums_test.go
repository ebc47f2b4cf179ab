package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/format/vec/simd"
)

// TestAddSums tests all numbers of pairs and columns around the borders of the function's parts,
// with words around the sums that must not change.
func TestAddSums(t *testing.T) {
	if simd.Best() == simd.Portable {
		t.Skip("SKIPPED: this machine or build has no vector instructions, with which sums are taken together")
	}
	r := rand.New(rand.NewPCG(1, 2))
	work := make([]float64, sumsWork+sumsMostColumns*vec.PanelRows+sumsMostColumns*2*64*vec.PanelRows)
	for columns := sumsLeastColumns; columns <= sumsMostColumns; columns++ {
		for _, pairs := range []int{1, 2, 3, 4, 5, 17, 64} {
			scales := []float64{-1, -0.37, -30. / float64(columns), 0.5, 0, -0x1p-7, -0x1p-40, -0x1p40, 0x1p13, -0x1.8p13}
			scale := scales[r.IntN(len(scales))]
			size := 1 / math.Sqrt(max(1, math.Abs(scale)))
			draw := func(n int) []float64 {
				x := make([]float64, n)
				for i := range x {
					if x[i] = size * (2*r.Float64() - 1); r.IntN(8) == 0 {
						x[i] = []float64{0, size, -size, 0x1p-1060, 0x1p-300}[r.IntN(5)]
					}
				}
				return x
			}
			panel, queries, coef := draw(columns*vec.PanelRows), draw(2*pairs*columns), draw(2*pairs)
			for k := range columns { // the first query is one of the rows
				queries[2*k] = panel[k*vec.PanelRows+5]
			}
			guarded := slices.Repeat([]float64{guard}, vec.PanelRows+16)
			sums := (*[vec.PanelRows]float64)(guarded[8:])
			copy(sums[:], draw(len(sums)))
			want := slices.Clone(guarded)
			addSumsPortable((*[vec.PanelRows]float64)(want[8:]), coef, panel, queries, columns, scale)
			before := *sums
			stride := vec.PanelRows + 8*r.IntN(3)
			values := slices.Repeat([]float64{guard}, 2*pairs*stride+16)
			wantValues := slices.Clone(values)
			for i := range 2 * pairs {
				of := (*[vec.PanelRows]float64)(wantValues[8+i*stride:])
				clear(of[:])
				addSumsPortable(of, []float64{1}, panel, pairOf(queries, columns, i), columns, scale)
			}
			for _, tables := range []*squareTables{nil, tablesOf(queries, columns, r.Uint64()), tablesOf(queries, columns, math.MaxUint64)} {
				queries, tabled := queries, uint64(0)
				if tables != nil {
					queries, tabled = tables.queries, tables.tabled
				}
				for level := simd.AVX2; level <= simd.Best(); level++ {
					*sums = before
					for i := range work {
						work[i] = math.NaN()
					}
					addSums(level, sums, coef, panel, queries, columns, scale, work, tables)
					for i := range work {
						work[i] = math.NaN()
					}
					copy(values, slices.Repeat([]float64{guard}, len(values)))
					setValues(level, values[8:][:(2*pairs-1)*stride+vec.PanelRows], stride, panel, queries, columns, scale, work, tables)
					for n, got := range [][]float64{guarded, values} {
						want := [][]float64{want, wantValues}[n]
						for i, x := range got {
							if math.Float64bits(x) != math.Float64bits(want[i]) {
								t.Fatalf("%v, %d columns, tables %b, %d pairs, scale %v, %s: place %d is %x, want %x", level, columns, tabled, pairs, scale, []string{"sums", "values"}[n], i-8, x, want[i])
							}
						}
					}
				}
			}
		}
	}
}

// pairOf returns vector i of queries, twice.
func pairOf(queries []float64, columns, i int) []float64 {
	pair := slices.Clone(queries[i/2*2*columns:][:2*columns])
	for k := range columns {
		pair[2*k] = pair[2*k+i%2]
	}
	return pair
}

// tablesOf returns tables of the columns whose bits are set, in which each vector has a number of
// its own.
func tablesOf(queries []float64, columns int, tabled uint64) *squareTables {
	t := &squareTables{tabled: tabled, queries: slices.Clone(queries)}
	for k := range columns {
		if tabled>>k&1 == 0 {
			continue
		}
		from := len(t.numbers)
		for pair := 2 * k; pair < len(queries); pair += 2 * columns {
			for at := pair; at < pair+2; at++ {
				t.queries[at] = math.Float64frombits(uint64(entryBytes * len(t.numbers)))
				t.numbers = append(t.numbers, queries[at])
			}
		}
		t.columns = append(t.columns, tabledColumn{k, from, len(t.numbers)})
	}
	return t
}

// TestAddTo: sums over any part of the vectors are those of single values, whether they are
// computed together or not, and so are values: with few columns and many, far vectors, rows that do
// not fit, and repeated numbers.
func TestAddTo(t *testing.T) {
	defer func(n int) { repeatsAfter = n }(repeatsAfter)
	repeatsAfter = -1
	alwaysTabulate(t)
	everyLevel(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(3, 4))
		var batch Batch
		together, tabled := map[bool]int{}, 0
		for trial := range pick(600, 150) {
			columns := 1 + r.IntN(sumsMostColumns+4)
			size := math.Exp2(float64(r.IntN(8) - 3))
			few := make([]bool, columns) // columns with few different numbers
			for k := range few {
				few[k] = trial%2 == 0 && r.IntN(3) > 0
			}
			draw := func(n int) *vec.Matrix {
				var m vec.Matrix
				for range n {
					var x vec.Vector
					for k := range columns {
						if r.IntN(8) > 0 {
							v := size * r.NormFloat64()
							if few[k] {
								v = 0.7 * size * float64(r.IntN(4))
							}
							x.Index, x.Value = append(x.Index, int32(3*k)), append(x.Value, v)
						}
					}
					m.Append(x)
				}
				return &m
			}
			zs := draw(1 + r.IntN(140))
			xs := make([]vec.Vector, r.IntN(BatchRows+1))
			rows := draw(len(xs))
			for i := range xs {
				xs[i] = rows.Row(i)
			}
			if len(xs) > 0 && trial%7 == 0 { // a column that no vector has
				xs[r.IntN(len(xs))] = vec.Vector{Index: []int32{1}, Value: []float64{1}}
			}
			k := RBF{Gamma: 1 / float64(columns)}
			basis := NewBasis(k, zs)
			batch.Pack(basis, xs)
			from := r.IntN(zs.Len() + 1)
			to := from + r.IntN(zs.Len()-from+1)
			coef := make([]float64, to-from)
			for i := range coef {
				coef[i] = r.NormFloat64()
			}
			sums := make([]float64, batch.Lanes())
			done := batch.AddTo(sums, coef, from, to)
			together[done]++
			if basis.squareTables.value.pays(to - from) {
				tabled++
			}
			values := make([]float64, zs.Len())
			got := slices.Repeat([]float64{guard}, (to-from)*batch.Lanes()+1)
			batch.EvaluateTo(got[:len(got)-1], from, to)
			if got[len(got)-1] != guard {
				t.Fatalf("%d columns, vectors %d to %d: values written beyond the end", columns, from, to-1)
			}
			for i, x := range xs {
				want := 0.0
				k.EvaluateTo(values, x, zs)
				for j, c := range coef {
					if got := got[j*batch.Lanes()+i]; math.Float64bits(got) != math.Float64bits(values[from+j]) {
						t.Fatalf("%d columns of size %g, vectors %d to %d, done %v: row %d and vector %d give %x, want %x", columns, size, from, to-1, done, i, from+j, got, values[from+j])
					}
					if done {
						want += float64(c * values[from+j])
					}
				}
				if math.Float64bits(sums[i]) != math.Float64bits(want) {
					t.Fatalf("%d columns of size %g, vectors %d to %d, done %v: row %d has %x, want %x", columns, size, from, to-1, done, i, sums[i], want)
				}
			}
		}
		if simd.Current() > simd.Portable && (together[true] < 50 || together[false] < 20) || simd.Current() == simd.Portable && together[true] > 0 {
			t.Errorf("sums are taken together %d times, and %d times not", together[true], together[false])
		}
		if (simd.Current() > simd.Portable) != (tabled >= pick(20, 5)) {
			t.Errorf("with tables %d times", tabled)
		}
	})
}

// TestNear: the fast function must not be used if an argument may be too large for it.
func TestNear(t *testing.T) {
	for _, c := range []struct {
		distance float64
		near     bool
	}{{22, true}, {22.5, true}, {22.7, false}, {1e200, false}, {math.Inf(1), false}, {math.NaN(), false}} {
		z := vec.Vector{Index: []int32{0, 1}, Value: []float64{1, 0.5}}
		var zs vec.Matrix
		zs.Append(z)
		s := newVectorPairs(NewBasis(RBF{Gamma: 1}, &zs))
		if simd.Current() == simd.Portable && s == nil {
			t.Skip("SKIPPED: no panels without vector instructions")
		}
		for _, sign := range []float64{1, -1} {
			panel := make([]float64, sumsLeastColumns*vec.PanelRows)
			panel[9] = 1 + sign*c.distance
			if got := s.near(panel, 1); got != c.near {
				t.Errorf("at a distance of %v: near is %v", sign*c.distance, got)
			}
		}
	}
}

func BenchmarkAddTo(b *testing.B) {
	if simd.Best() == simd.Portable {
		b.Skip("needs vector instructions")
	}
	r := rand.New(rand.NewPCG(1, 2))
	for _, columns := range []int{4, 8, 12, 16, 22, 36, 64} {
		var zs vec.Matrix
		for range 2048 {
			var x vec.Vector
			for k := range columns {
				x.Index, x.Value = append(x.Index, int32(k)), append(x.Value, r.Float64())
			}
			zs.Append(x)
		}
		xs := make([]vec.Vector, BatchRows)
		for i := range xs {
			xs[i] = zs.Row(i)
		}
		coef := make([]float64, zs.Len())
		for level := simd.AVX2; level <= simd.Best(); level++ {
			b.Run(fmt.Sprint(columns, " ", level), func(b *testing.B) {
				defer simd.Use(simd.Use(level))
				var batch Batch
				basis := NewBasis(RBF{Gamma: 1}, &zs)
				sums := make([]float64, BatchRows)
				for b.Loop() {
					batch.Pack(basis, xs)
					batch.AddTo(sums, coef, 0, zs.Len())
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(xs)*zs.Len()), "ns/value")
			})
		}
	}
}
