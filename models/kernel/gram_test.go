package kernel_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// wantGram compares rows of g with RowTo of the same vectors, x[order[i]] at
// position i, on random parts of every length from 0 on.
func wantGram(t *testing.T, g *kernel.Gram, k kernel.Kernel, x *vec.Matrix, order []int) {
	t.Helper()
	n := len(order)
	if g.Len() != n {
		t.Fatalf("%d vectors, want %d", g.Len(), n)
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
			t.Fatalf("%T%+v: diagonal %d is %v, want %v", k, k, i, diag[i], wantDiag[i])
		}
	}
	r := rand.New(rand.NewPCG(uint64(n), 5))
	want := make([]float64, n)
	for length := range n + 1 {
		count := 1 + length%kernel.MaxBlockRows
		from := r.IntN(n - length + 1)
		rows, dst, guarded := make([]int, count), make([][]float32, count), make([][]float32, count)
		for q := range rows {
			rows[q] = r.IntN(n)
			guarded[q] = slices.Repeat([]float32{untouched}, length+9)
			dst[q] = guarded[q][3 : 3+length]
		}
		g.RowsTo(dst, rows, from, from+length)
		for q, i := range rows {
			k.RowTo(want, zs.Row(i), &zs)
			for at, got := range guarded[q] {
				expected := float32(untouched)
				if at >= 3 && at < 3+length {
					expected = float32(want[from+at-3])
				}
				if got != expected && !(math.IsNaN(float64(got)) && math.IsNaN(float64(expected))) {
					t.Fatalf("%T%+v: rows %v, columns %d to %d of %d, row %d, place %d: %x, want %x",
						k, k, rows, from, from+length-1, n, q, at-3, got, expected)
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

// random returns n rows of d columns with the given share of entries, drawn by
// value.
func random(r *rand.Rand, n, d int, fill float64, value func() float64) *vec.Matrix {
	var m vec.Matrix
	for range n {
		var v vec.Vector
		for i := range d {
			if r.Float64() < fill {
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

func TestGram(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	x := random(r, 129, 7, 0.8, r.NormFloat64)
	for _, k := range gramKernels {
		g := kernel.NewGram(k, x)
		order := identity(x.Len())
		wantGram(t, g, k, x, order)
		for range 100 {
			i, j := r.IntN(len(order)), r.IntN(len(order))
			g.Swap(i, j)
			order[i], order[j] = order[j], order[i]
		}
		wantGram(t, g, k, x, order)
	}
}

// Parts of one store, one after the other in the same memory.
func TestStoreParts(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	x := random(r, 90, 5, 0.9, r.NormFloat64)
	s := kernel.NewStore(x)
	if s.Len() != x.Len() {
		t.Errorf("%d rows, want %d", s.Len(), x.Len())
	}
	for trial := range 20 {
		k := gramKernels[trial%len(gramKernels)]
		rows := r.Perm(x.Len())[:r.IntN(x.Len()+1)]
		g := s.Gram(k, rows)
		wantGram(t, g, k, x, rows)
		g.Release()
	}
}

func TestBasis(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	zs := random(r, 70, 6, 0.8, r.NormFloat64)
	var batch kernel.Batch
	for _, k := range gramKernels {
		b := kernel.NewBasis(k, zs)
		if b.Len() != zs.Len() {
			t.Errorf("%d vectors, want %d", b.Len(), zs.Len())
		}
		want := make([]float64, zs.Len())
		for count := range kernel.BatchRows + 1 {
			xs := random(r, count, 7, 0.8, r.NormFloat64)
			rows := make([]vec.Vector, count)
			for i := range rows {
				rows[i] = xs.Row(i)
			}
			batch.Pack(b, rows)
			from := r.IntN(zs.Len() + 1)
			to := from + r.IntN(zs.Len()-from+1)
			lanes := batch.Lanes()
			if lanes < count {
				t.Fatalf("%d lanes for %d rows", lanes, count)
			}
			guarded := slices.Repeat([]float64{untouched}, (to-from)*lanes+10)
			batch.EvaluateTo(guarded[5:len(guarded)-5], from, to)
			for _, end := range [][]float64{guarded[:5], guarded[len(guarded)-5:]} {
				if slices.ContainsFunc(end, func(v float64) bool { return v != untouched }) {
					t.Fatalf("written outside: %v", end)
				}
			}
			for q, x := range rows {
				k.EvaluateTo(want, x, zs)
				for i := from; i < to; i++ {
					if got := guarded[5+(i-from)*lanes+q]; !same(got, want[i]) {
						t.Fatalf("%T%+v: row %d of %d, vector %d: %x, want %x", k, k, q, count, i, got, want[i])
					}
				}
			}
		}
	}
}
