package kernel_test

import (
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/format/vec/simd"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// strangers are rows that do not fit the form of the other rows.
var strangers = []vec.Vector{
	{},
	{Index: []int32{2, 5}, Value: []float64{0.5, -7}},
	{Index: []int32{1, 1 << 30}, Value: []float64{1, 1}},
	{Index: []int32{0, 1, 2, 1000, 1001, 1002}, Value: []float64{1, 1, 1, 1, 1, 1}},
	{Index: []int32{3, 9999}, Value: []float64{1, 0}},
	{Index: []int32{3}, Value: []float64{math.Inf(1)}},
	{Index: []int32{3, 4}, Value: []float64{1, math.NaN()}},
	{Index: []int32{1}, Value: []float64{1e200}},
}

func TestBasis(t *testing.T) {
	everyLevel(t, func(t *testing.T) {
		var batch kernel.Batch
		for _, shape := range shapes {
			r := rand.New(rand.NewPCG(5, 6))
			x := shape.make(r)
			zs := x.Select(r.Perm(x.Len())[:70+r.IntN(8)])
			kinds := append(gramKernels, kernel.RBF{Gamma: 1. / 3})
			trials := 40
			if testing.Short() {
				trials = 10
			}
			for trial := range trials {
				k := kinds[trial%len(kinds)]
				b := kernel.NewBasis(k, &zs)
				if b.Len() != zs.Len() {
					t.Errorf("%d vectors, want %d", b.Len(), zs.Len())
				}
				if form := kernel.BasisFormOf(b); form != formInPrediction(shape.form, shape.name, shape.aligned) {
					t.Errorf("%s: %s", shape.name, form)
				}
				count := []int{33, 0, 1, 31, 32, 64, 97, 128}[trial/len(kinds)%8]
				rows := make([]vec.Vector, count)
				for i := range rows {
					rows[i] = x.Row(r.IntN(x.Len()))
					if trial%3 > 0 && r.IntN(4) == 0 {
						rows[i] = strangers[r.IntN(len(strangers))]
					}
				}
				batch.Pack(b, rows)
				restore := kernel.KeepBlocks(r.IntN(2) == 0)
				wantBatch(t, shape.name, &batch, k, rows, &zs, r)
				restore()
			}
			if t.Failed() {
				t.Fatalf("with %s", shape.name)
			}
		}
	})
}

// formInPrediction returns the form that vectors should have.
func formInPrediction(form, name string, aligned bool) string {
	switch {
	case aligned && simd.Current() == simd.Portable:
		return "rows"
	case name == "a large index":
		return "lists"
	case name == "empty", name == "zeros":
		return "rows"
	case name == "less sparse" && simd.Current() > simd.Portable: // panels pay sooner, as they are packed only once
		return "panels"
	case name == "sparse ones":
		return "sets"
	case form == "wholes":
		return "panels"
	}
	return form
}

// TestBasisOfWholes: rows of small whole numbers, some with columns that no vector has, are
// multiplied as integers with such vectors. Another row makes the batch use float64, with the same
// bits.
func TestBasisOfWholes(t *testing.T) {
	others := []vec.Vector{
		{},
		{Index: []int32{3, 500, 1 << 30}, Value: []float64{-3, 200, -1}},
		{Index: []int32{1, 2}, Value: []float64{math.MaxInt16, math.MinInt16}},
		{Index: []int32{2}, Value: []float64{math.Copysign(0, -1)}},
	}
	misfits := []vec.Vector{
		{Index: []int32{1}, Value: []float64{1 << 15}},
		{Index: []int32{1}, Value: []float64{-1<<15 - 1}},
		{Index: []int32{1, 2, 900}, Value: []float64{20000, 20000, 40000}},
		{Index: []int32{1, 2, 900}, Value: []float64{30000, 30000, 30000}},
		{Index: []int32{1}, Value: []float64{0.5}},
		{Index: []int32{1}, Value: []float64{math.NaN()}},
		{Index: []int32{900}, Value: []float64{math.Inf(-1)}},
	}
	everyLevel(t, func(t *testing.T) {
		var batch kernel.Batch
		r := rand.New(rand.NewPCG(77, 6))
		together := 0
		for trial := range 60 {
			most := []int{2, 256, 3000}[trial%3]
			zs := random(r, 50, 40+r.IntN(60), 0.9, func() float64 { return float64(r.IntN(most) - trial%2*most/2) })
			rows := make([]vec.Vector, r.IntN(kernel.BatchRows+1))
			for i := range rows {
				if rows[i] = zs.Row(r.IntN(zs.Len())); r.IntN(4) == 0 {
					rows[i] = others[r.IntN(len(others))]
				}
			}
			misfit := trial%4 == 3 && len(rows) > 0
			if misfit {
				rows[r.IntN(len(rows))] = misfits[r.IntN(len(misfits))]
			}
			k := append(gramKernels, kernel.RBF{Gamma: 1e-7})[trial%5]
			b := kernel.NewBasis(k, zs)
			batch.Pack(b, rows)
			if want := kernel.OfWholes(b); kernel.InWholes(&batch) != (want && !misfit) {
				t.Errorf("trial %d: rows in whole numbers: %v, the vectors %v, a row that is none %v", trial, kernel.InWholes(&batch), want, misfit)
			}
			if kernel.InWholes(&batch) {
				together++
			}
			restore := kernel.KeepBlocks(r.IntN(2) == 0)
			wantBatch(t, "whole numbers", &batch, k, rows, zs, r)
			restore()
			b.Release()
		}
		if simd.Current() > simd.Portable && together < 20 {
			t.Errorf("%d of 60 batches in whole numbers", together)
		}
	})
}

func wantBatch(t *testing.T, name string, batch *kernel.Batch, k kernel.Kernel, rows []vec.Vector, zs *vec.Matrix, r *rand.Rand) {
	t.Helper()
	from := r.IntN(zs.Len() + 1)
	to := from + r.IntN(zs.Len()-from+1)
	lanes := batch.Lanes()
	if lanes < len(rows) {
		t.Fatalf("%d lanes for %d rows", lanes, len(rows))
	}
	guarded := slices.Repeat([]float64{untouched}, (to-from)*lanes+10)
	batch.EvaluateTo(guarded[5:len(guarded)-5], from, to)
	for _, end := range [][]float64{guarded[:5], guarded[len(guarded)-5:]} {
		if slices.ContainsFunc(end, func(v float64) bool { return v != untouched }) {
			t.Fatalf("written outside: %v", end)
		}
	}
	want := make([]float64, zs.Len())
	for q, x := range rows {
		k.EvaluateTo(want, x, zs)
		for i := from; i < to; i++ {
			if got := guarded[5+(i-from)*lanes+q]; !same(got, want[i]) {
				t.Fatalf("%s, %T%+v: row %d of %d %v, vector %d %v: %x, want %x", name, k, k, q, len(rows), x, i, zs.Row(i), got, want[i])
			}
		}
	}
}

func TestBasisShapes(t *testing.T) {
	x := random(rand.New(rand.NewPCG(1, 1)), 9, 3, 1, func() float64 { return 1 })
	b := kernel.NewBasis(kernel.Linear{}, x)
	var batch kernel.Batch
	for name, f := range map[string]func(){
		"too many rows": func() { batch.Pack(b, make([]vec.Vector, kernel.BatchRows+1)) },
		"too long":      func() { batch.Pack(b, make([]vec.Vector, 3)); batch.EvaluateTo(make([]float64, 33), 0, 1) },
		"beyond":        func() { batch.Pack(b, make([]vec.Vector, 3)); batch.EvaluateTo(make([]float64, 32), 9, 10) },
		"before":        func() { batch.Pack(b, make([]vec.Vector, 3)); batch.EvaluateTo(make([]float64, 32), -1, 0) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			f()
		}()
	}
}

// TestLongRow: a row with many more entries than the others does not take memory for all of them in
// each row.
func TestLongRow(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	zs := random(r, 40, 3000, 0.01, r.NormFloat64)
	rows := make([]vec.Vector, kernel.BatchRows)
	for i := range rows {
		rows[i] = zs.Row(i % zs.Len())
	}
	long := &rows[70]
	*long = vec.Vector{}
	for i := range int32(300000) {
		long.Index, long.Value = append(long.Index, i), append(long.Value, r.NormFloat64())
	}
	everyLevel(t, func(t *testing.T) {
		for _, k := range []kernel.Kernel{kernel.Linear{}, kernel.RBF{Gamma: 0.001}} {
			b := kernel.NewBasis(k, zs)
			if form := kernel.BasisFormOf(b); form != "lists" {
				t.Fatal(form)
			}
			var batch kernel.Batch
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			batch.Pack(b, rows)
			wantBatch(t, "a long row", &batch, k, rows, zs, r)
			runtime.ReadMemStats(&after)
			if mb := (after.TotalAlloc - before.TotalAlloc) >> 20; mb > 40 {
				t.Errorf("%T: %d MB", k, mb)
			}
		}
	})
}
