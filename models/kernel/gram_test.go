package kernel_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/format/vec/simd"
	"github.com/slimsvm/slimsvm/format/vec/simd/simdtest"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// wantGram compares rows of g with RowTo for the same vectors, x[order[i]] at position i, on random
// parts of every length from 0 on.
func wantGram(t *testing.T, g *kernel.Gram, k kernel.Kernel, x *vec.Matrix, order []int) {
	t.Helper()
	n := len(order)
	if g.Len() != n {
		t.Errorf("%d vectors, want %d", g.Len(), n)
		return
	}
	if b := g.BlockRows(); b < 1 || b > kernel.MaxBlockRows {
		t.Errorf("BlockRows is %d", b)
	}
	zs := x.Select(order)
	diag, wantDiag := make([]float64, n), make([]float64, n)
	g.DiagTo(diag)
	k.DiagTo(wantDiag, &zs)
	for i := range diag {
		if !same(diag[i], wantDiag[i]) {
			t.Errorf("%T%+v: diagonal %d is %v, want %v", k, k, i, diag[i], wantDiag[i])
			return
		}
	}
	r := rand.New(rand.NewPCG(uint64(n), 5))
	want := make([]float64, n)
	step := 1
	if _, gaussian := k.(kernel.RBF); !gaussian {
		step = 13
	}
	if testing.Short() {
		step = 31
	}
	for length := 0; length <= n; length += step {
		count := min(n, 1+length%kernel.MaxBlockRows)
		from := r.IntN(n - length + 1)
		rows, dst, guarded := make([]int, count), make([][]float32, count), make([][]float32, count)
		for q := range rows {
			rows[q] = r.IntN(n)
			guarded[q] = slices.Repeat([]float32{untouched}, length+9)
			dst[q] = guarded[q][3 : 3+length]
		}
		if length%2 == 0 {
			g.RowsTo(dst, rows, from, from+length)
		} else { // in two parts
			var query kernel.Query
			g.PrepareQuery(&query, rows)
			cut := r.IntN(length + 1)
			first, second := make([][]float32, count), make([][]float32, count)
			for q, d := range dst {
				first[q], second[q] = d[:cut], d[cut:]
			}
			g.QueryRowsTo(first, &query, from, from+cut)
			g.QueryRowsTo(second, &query, from+cut, from+length)
		}
		for q, i := range rows {
			k.RowTo(want, zs.Row(i), &zs)
			for at, got := range guarded[q] {
				expected := float32(untouched)
				if at >= 3 && at < 3+length {
					expected = float32(want[from+at-3])
				}
				if got != expected && !(math.IsNaN(float64(got)) && math.IsNaN(float64(expected))) {
					t.Errorf("%T%+v: rows %v, columns %d to %d of %d, row %d, place %d: %x, want %x",
						k, k, rows, from, from+length-1, n, q, at-3, got, expected)
					return
				}
			}
		}
	}
}

var gramKernels = []kernel.Kernel{
	kernel.Linear{},
	kernel.Poly{Degree: 3, Gamma: 0.3, Coef0: 1},
	kernel.RBF{Gamma: 0.25},
	kernel.Sigmoid{Gamma: 0.1, Coef0: -0.5},
}

// random returns n rows of d columns with the given share of entries, drawn by value.
func random(r *rand.Rand, n, d int, fill float64, value func() float64) *vec.Matrix {
	return uneven(r, n, d, func(int) float64 { return fill }, value)
}

// uneven is random with a share of its own for each column.
func uneven(r *rand.Rand, n, d int, fill func(column int) float64, value func() float64) *vec.Matrix {
	var m vec.Matrix
	for range n {
		var v vec.Vector
		for i := range d {
			if r.Float64() < fill(i) {
				v.Index = append(v.Index, int32(i+1))
				v.Value = append(v.Value, value())
			}
		}
		m.Append(v)
	}
	return &m
}

func identity(n int) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	return order
}

// shapes are matrices of 129 rows that are held in different forms.
var shapes = []struct {
	name, form string
	aligned    bool // all rows list the same columns
	make       func(r *rand.Rand) *vec.Matrix
}{
	{"dense 1", "panels", true, func(r *rand.Rand) *vec.Matrix { return random(r, 129, 1, 1, r.NormFloat64) }},
	{"dense 7 with gaps", "panels", false, func(r *rand.Rand) *vec.Matrix { return random(r, 129, 7, 0.8, r.NormFloat64) }},
	{"dense 23", "panels", true, func(r *rand.Rand) *vec.Matrix { return random(r, 129, 23, 1, r.NormFloat64) }},
	{"dense 23 with zeros", "wholes", true, func(r *rand.Rand) *vec.Matrix {
		return random(r, 129, 23, 1, func() float64 { return float64(r.IntN(4)) })
	}},
	{"grey levels", "wholes", false, func(r *rand.Rand) *vec.Matrix {
		return random(r, 129, 61, 0.8, func() float64 { return float64(r.IntN(256)) })
	}},
	{"whole numbers", "wholes", true, func(r *rand.Rand) *vec.Matrix {
		return random(r, 129, 140, 1, func() float64 { return float64(r.IntN(5001) - 2500) })
	}},
	{"whole numbers of few kinds", "wholes", false, func(r *rand.Rand) *vec.Matrix {
		return random(r, 129, 30, 0.9, func() float64 { return float64(r.IntN(5) - 2) })
	}},
	{"whole numbers, one too large", "panels", true, func(r *rand.Rand) *vec.Matrix {
		k := 0
		return random(r, 129, 30, 1, func() float64 {
			if k++; k == 2000 {
				return 1 << 15
			}
			return float64(k % 7)
		})
	}},
	{"whole numbers, one row too long", "panels", true, func(r *rand.Rand) *vec.Matrix {
		k := 0
		return random(r, 129, 30, 1, func() float64 {
			if k++; k > 2000 && k <= 2010 {
				return 20000
			}
			return float64(k % 7)
		})
	}},
	{"a column of zeros", "panels", true, func(r *rand.Rand) *vec.Matrix {
		k := 0
		return random(r, 129, 9, 1, func() float64 { k++; return r.Float64() * float64(k%9) })
	}},
	{"as many as there are columns, one of zeros", "panels", false, func(r *rand.Rand) *vec.Matrix {
		m := new(vec.Matrix)
		for i := range int32(129) {
			v := vec.Vector{Index: []int32{0, 1, 2, 3, 4}, Value: []float64{0, 2, r.Float64(), r.NormFloat64(), 1}}
			if i%9 == 0 { // all columns; column 0 is missing
				v.Index, v.Value = []int32{1, 2, 3, 4, 6}, append(v.Value[1:], r.Float64())
			}
			m.Append(v)
		}
		return m
	}},
	{"dense 41", "panels", true, func(r *rand.Rand) *vec.Matrix { return random(r, 129, 41, 1, r.NormFloat64) }},
	{"dense 300", "panels", false, func(r *rand.Rand) *vec.Matrix { return random(r, 129, 300, 0.6, r.Float64) }},
	{"far apart", "panels", true, func(r *rand.Rand) *vec.Matrix {
		return random(r, 129, 9, 1, func() float64 { return 30 * r.NormFloat64() })
	}},
	{"few columns with most entries", "panels", false, func(r *rand.Rand) *vec.Matrix {
		return uneven(r, 129, 60, func(column int) float64 {
			if column < 17 {
				return 1
			}
			return 0.03
		}, r.NormFloat64)
	}},
	{"extremes", "panels", false, func(r *rand.Rand) *vec.Matrix {
		values := []float64{1e300, -1e300, 1e154, 5e-324, -3e-310, math.Copysign(0, -1), 0, 1e-160, 1, -1}
		return random(r, 129, 9, 0.9, func() float64 { return values[r.IntN(len(values))] })
	}},
	{"ones", "sets", false, func(r *rand.Rand) *vec.Matrix { return random(r, 129, 70, 0.2, constant(1)) }},
	{"many ones", "sets", false, func(r *rand.Rand) *vec.Matrix { return random(r, 129, 400, 0.7, constant(1)) }},
	{"more ones than small tables have", "sets", false, func(r *rand.Rand) *vec.Matrix { return random(r, 129, 200, 0.4, constant(1)) }},
	{"nominal attributes", "sets", false, func(r *rand.Rand) *vec.Matrix {
		m := new(vec.Matrix)
		for range 129 {
			var v vec.Vector
			for first := int32(0); first < 40*7; first += 7 {
				v.Index, v.Value = append(v.Index, first+r.Int32N(7)), append(v.Value, 2)
			}
			m.Append(v)
		}
		return m
	}},
	{"ones and listed zeros", "sets", false, func(r *rand.Rand) *vec.Matrix {
		return random(r, 129, 90, 0.5, func() float64 { return float64(r.IntN(2)) })
	}},
	{"-2.5", "sets", false, func(r *rand.Rand) *vec.Matrix { return random(r, 129, 130, 0.3, constant(-2.5)) }},
	{"0.1", "sets", false, func(r *rand.Rand) *vec.Matrix { return random(r, 129, 130, 0.3, constant(0.1)) }},
	{"1e200", "sets", false, func(r *rand.Rand) *vec.Matrix { return random(r, 129, 5, 0.3, constant(1e200)) }},
	{"1e-200", "sets", false, func(r *rand.Rand) *vec.Matrix { return random(r, 129, 5, 0.3, constant(1e-200)) }},
	{"sparse", "lists", false, func(r *rand.Rand) *vec.Matrix { return random(r, 129, 400, 0.02, r.NormFloat64) }},
	{"less sparse", "lists", false, func(r *rand.Rand) *vec.Matrix { return random(r, 129, 300, 0.2, r.NormFloat64) }},
	{"sparse ones", "lists", false, func(r *rand.Rand) *vec.Matrix { return random(r, 129, 60000, 0.002, constant(1)) }},
	{"empty", "sets", false, func(r *rand.Rand) *vec.Matrix { return random(r, 129, 9, 0, r.NormFloat64) }},
	{"zeros", "sets", false, func(r *rand.Rand) *vec.Matrix { return random(r, 129, 9, 0.5, constant(math.Copysign(0, -1))) }},
	{"an infinity", "rows", false, func(r *rand.Rand) *vec.Matrix {
		m := random(r, 128, 9, 0.9, r.NormFloat64)
		m.Append(vec.Vector{Index: []int32{3}, Value: []float64{math.Inf(1)}})
		return m
	}},
	{"a large index", "panels", false, func(r *rand.Rand) *vec.Matrix {
		m := random(r, 128, 9, 0.9, r.NormFloat64)
		m.Append(vec.Vector{Index: []int32{3, 1 << 30}, Value: []float64{1, 2}})
		return m
	}},
	{"sparse and far apart", "lists", false, func(r *rand.Rand) *vec.Matrix { return scattered(r, 129, 40, r.NormFloat64) }},
	{"ones far apart", "lists", false, func(r *rand.Rand) *vec.Matrix { return scattered(r, 129, 20, constant(1)) }},
}

// scattered returns n rows of at most this many entries, at some thousand indices from 0 to the
// largest.
func scattered(r *rand.Rand, n, most int, value func() float64) *vec.Matrix {
	indices := []int32{0, math.MaxInt32}
	for range 3000 {
		indices = append(indices, r.Int32())
	}
	slices.Sort(indices)
	indices = slices.Compact(indices)
	var m vec.Matrix
	for range n {
		var v vec.Vector
		for _, i := range indices {
			if len(v.Index) < most && r.IntN(100) == 0 {
				v.Index, v.Value = append(v.Index, i), append(v.Value, value())
			}
		}
		m.Append(v)
	}
	return &m
}

func constant(x float64) func() float64 { return func() float64 { return x } }

var everyLevel = simdtest.EveryLevel

func TestGram(t *testing.T) {
	everyLevel(t, func(t *testing.T) {
		for _, shape := range shapes {
			r := rand.New(rand.NewPCG(1, 2))
			x := shape.make(r)
			s := kernel.NewStore(x)
			want := shape.form
			if want == "wholes" && simd.Current() == simd.Portable {
				want = "panels"
			}
			if form := kernel.FormOf(s); form != want {
				t.Errorf("%s: %s, want %s", shape.name, form, want)
			}
			for _, k := range append(gramKernels, kernel.RBF{Gamma: 1. / 3}) {
				g := s.Gram(k, nil)
				order := identity(x.Len())
				wantGram(t, g, k, x, order)
				for range 100 {
					i, j := r.IntN(len(order)), r.IntN(len(order))
					g.Swap(i, j)
					order[i], order[j] = order[j], order[i]
				}
				wantGram(t, g, k, x, order)
				g.Release()
			}
			if t.Failed() {
				t.Fatalf("with %s", shape.name)
			}
		}
	})
}

// TestGramOfAnyKernel: a Gram calls kernels from outside the package, and precomputed ones.
func TestGramOfAnyKernel(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	x := random(r, 40, 7, 0.8, r.NormFloat64)
	wantGram(t, kernel.NewGram(shifted{}, x), shifted{}, x, identity(40))
	var values vec.Matrix
	for i := range 40 {
		v := vec.Vector{Index: []int32{0}, Value: []float64{float64(i + 1)}}
		for j := range 40 {
			v.Index, v.Value = append(v.Index, int32(j+1)), append(v.Value, r.Float64())
		}
		values.Append(v)
	}
	g := kernel.NewGram(kernel.Precomputed{}, &values)
	wantGram(t, g, kernel.Precomputed{}, &values, identity(40))
	order := identity(40)
	for range 100 {
		i, j := r.IntN(40), r.IntN(40)
		g.Swap(i, j)
		order[i], order[j] = order[j], order[i]
	}
	wantGram(t, g, kernel.Precomputed{}, &values, order)

	var vectors vec.Matrix
	for _, serial := range []float64{7, 40, 1, 7, 2.5} {
		vectors.Append(vec.Vector{Index: []int32{0}, Value: []float64{serial}})
	}
	var rows []vec.Vector
	for i := range values.Len() {
		rows = append(rows, values.Row(i))
	}
	var batch kernel.Batch
	batch.Pack(kernel.NewBasis(kernel.Precomputed{}, &vectors), rows)
	wantBatch(t, "precomputed", &batch, kernel.Precomputed{}, rows, &vectors, r)
}

// shifted is a kernel from outside the package.
type shifted struct{ kernel.Linear }

func (shifted) RowTo(dst []float64, x vec.Vector, zs *vec.Matrix) {
	kernel.Linear{}.RowTo(dst, x, zs)
	for i := range dst {
		dst[i]++
	}
}

func TestGramShapes(t *testing.T) {
	x := random(rand.New(rand.NewPCG(1, 1)), 9, 3, 1, func() float64 { return 1 })
	g := kernel.NewGram(kernel.Linear{}, x)
	for _, c := range []struct {
		lengths  []int
		rows     []int
		from, to int
	}{
		{[]int{3}, []int{0, 1}, 0, 3}, {[]int{3}, []int{0}, 0, 2}, {[]int{3}, []int{0}, 7, 10}, {[]int{3}, []int{0}, -1, 2},
		{[]int{3}, []int{9}, 0, 3}, {[]int{3}, []int{-1}, 0, 3}, {[]int{0}, []int{0}, 5, 4}, {make([]int, 7), make([]int, 7), 0, 0},
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%v: no panic", c)
				}
			}()
			var dst [][]float32
			for _, n := range c.lengths {
				dst = append(dst, make([]float32, n))
			}
			g.RowsTo(dst, c.rows, c.from, c.to)
		}()
	}
}

// TestStoreParts: parts of one store have the right values, one after the other in the same memory,
// and several at once.
func TestStoreParts(t *testing.T) {
	everyLevel(t, func(t *testing.T) {
		for at, shape := range shapes {
			if testing.Short() && at%4 > 0 {
				continue
			}
			r := rand.New(rand.NewPCG(3, 4))
			x := shape.make(r)
			s := kernel.NewStore(x)
			if s.Len() != x.Len() {
				t.Errorf("%d rows, want %d", s.Len(), x.Len())
			}
			var all sync.WaitGroup
			for worker := range 3 {
				rows := r.Perm(x.Len())
				all.Go(func() {
					for trial := range 4 {
						k := gramKernels[(trial+worker)%len(gramKernels)]
						part := rows[:(trial+worker)*len(rows)/6]
						g := s.Gram(k, part)
						wantGram(t, g, k, x, part)
						g.Release()
					}
				})
			}
			all.Wait()
		}
	})
}

// TestManyRows: lists number vectors with 16 or 32 bits. For both, rows at the ends of the range of
// 16 bits and beyond it are those of RowTo.
func TestManyRows(t *testing.T) {
	r := rand.New(rand.NewPCG(16, 1))
	for _, n := range []int{1<<16 - 1, 1 << 16, 1<<16 + 1, 1<<16 + 70} {
		x := random(r, n, 300, 0.01, r.NormFloat64)
		s := kernel.NewStore(x)
		if form := kernel.FormOf(s); form != "lists" {
			t.Fatalf("%d rows are held as %s", n, form)
		}
		k := kernel.Linear{}
		g := s.Gram(k, nil)
		got, want := make([]float32, n), make([]float64, n)
		for _, i := range []int{0, 1, n / 2, n - 2, n - 1} {
			g.RowsTo([][]float32{got}, []int{i}, 0, n)
			k.RowTo(want, x.Row(i), x)
			for at, v := range want {
				if got[at] != float32(v) {
					t.Fatalf("%d rows: row %d, column %d is %v, want %v", n, i, at, got[at], v)
				}
			}
		}
	}
}
