package kernel_test

import (
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/format/vec/simd"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// megabytes returns the megabytes that f allocates.
func megabytes(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return (after.TotalAlloc - before.TotalAlloc) >> 20
}

// spaced returns n rows of d entries each, whose indices have the given distance on average.
func spaced(r *rand.Rand, n, d, distance int) *vec.Matrix {
	var m vec.Matrix
	for range n {
		var v vec.Vector
		for k := range d {
			at := k * distance
			if distance > 1 {
				at += r.IntN(distance)
			}
			v.Index, v.Value = append(v.Index, int32(at+1)), append(v.Value, r.NormFloat64())
		}
		m.Append(v)
	}
	return &m
}

// TestWideForms: the form of wide rows takes no more memory than LIBSVM's rows, 16 bytes an entry,
// or little in any case. Where indices are far apart this leaves no other form.
func TestWideForms(t *testing.T) {
	for _, c := range []struct {
		rows, entries, distance int
		store, gram, basis      string
	}{
		{2, 300_000, 1, "panels", "rows", "lists"},
		{10, 100_000, 1, "panels", "rows", "lists"},
		{16, 5_000, 1, "panels", "panels", "panels"}, // which takes little
		{33, 70_000, 1, "panels", "panels", "lists"},
		{200, 500, 200, "lists", "lists", "lists"},
		{200, 500, 2000, "lists", "lists", "lists"},
		{200, 500, 4_000_000, "lists", "lists", "lists"},
		{3000, 40, 25_000, "lists", "lists", "lists"},
	} {
		r := rand.New(rand.NewPCG(uint64(c.rows), uint64(c.distance)))
		x := spaced(r, c.rows, c.entries, c.distance)
		k := kernel.RBF{Gamma: 0.01}
		var g *kernel.Gram
		mb := megabytes(func() {
			s := kernel.NewStore(x)
			g = s.Gram(k, nil)
			if form, got := kernel.FormOf(s), kernel.GramFormOf(g); form != c.store || got != c.gram {
				t.Errorf("%+v: %s and %s", c, form, got)
			}
		})
		if most := uint64(16*x.NNZ()>>20) + 10; mb > most {
			t.Errorf("%+v: %d MB, LIBSVM has %d", c, mb, 16*x.NNZ()>>20)
		}
		want, got := make([]float64, c.rows), make([]float32, c.rows)
		for range 3 {
			i := r.IntN(c.rows)
			k.RowTo(want, x.Row(i), x)
			g.RowsTo([][]float32{got}, []int{i}, 0, c.rows)
			for j, v := range want {
				if got[j] != float32(v) {
					t.Fatalf("%+v: row %d, column %d: %x, want %x", c, i, j, got[j], v)
				}
			}
		}
		if simd.Current() == simd.Portable && c.distance == 1 {
			continue // dense rows stay as they are
		}
		if b := kernel.NewBasis(k, x); kernel.BasisFormOf(b) != c.basis {
			t.Errorf("%+v: %s for prediction", c, kernel.BasisFormOf(b))
		}
	}
}

// TestWideBatch: a batch of rows with many entries takes memory for some of their columns at a
// time, and has the values of single rows.
func TestWideBatch(t *testing.T) {
	for _, c := range []struct{ vectors, rows, entries, distance int }{
		{4, 12, 100_000, 1},
		{4, 3, 100_000, 1},
		{9, 40, 10_000, 37},
		{9, 40, 10_000, 200_000},
	} {
		r := rand.New(rand.NewPCG(uint64(c.rows), uint64(c.distance)))
		zs, xs := spaced(r, c.vectors, c.entries, c.distance), spaced(r, c.rows, c.entries, c.distance)
		var rows []vec.Vector
		for i := range xs.Len() {
			rows = append(rows, xs.Row(i))
		}
		for _, k := range []kernel.Kernel{kernel.RBF{Gamma: 1e-5}, kernel.Linear{}} {
			var batch kernel.Batch
			b := kernel.NewBasis(k, zs)
			mb := megabytes(func() {
				batch.Pack(b, rows)
				wantBatch(t, "wide", &batch, k, rows, zs, r)
			})
			if mb > 24 { // less than a panel of 32 rows and 100,000 columns
				t.Errorf("%+v: %d MB", c, mb)
			}
		}
	}
}

// TestEstimatesFit: there are estimates for as many rows as there is memory for.
func TestEstimatesFit(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 5))
	for _, c := range []struct{ entries, distance, rows, want int }{
		{100, 10, 200, kernel.EstimateRows},
		{20_000, 1, 200, kernel.EstimateRows}, // columns that all rows have
		{100, 1000, 40, 40},
		{1000, 1000, 64, 32},
		{40_000, 1, 9, 0},
	} {
		x := spaced(r, c.rows, c.entries, c.distance)
		var rows []vec.Vector
		for i := range x.Len() {
			rows = append(rows, x.Row(i))
		}
		if got := kernel.EstimatesFit(x, rows); got != c.want {
			t.Errorf("%+v: %d rows", c, got)
		}
	}
}

// TestWideSets: vectors of one entry each are not held as sets if these would take more bytes than
// a 32-bit int holds.
func TestWideSets(t *testing.T) {
	const n, columns = 180_000, 100_000
	var m vec.Matrix
	for i := range n {
		m.Append(vec.Vector{Index: []int32{int32(i % columns)}, Value: []float64{1}})
	}
	k := kernel.RBF{Gamma: 1}
	if mb := megabytes(func() {
		if form := kernel.BasisFormOf(kernel.NewBasis(k, &m)); form != "lists" {
			t.Errorf("a basis is held as %s", form)
		}
		kernel.NewEstimator(k, &m)
	}); mb > 100 {
		t.Errorf("%d MB for vectors of %d entries", mb, n)
	}
}
