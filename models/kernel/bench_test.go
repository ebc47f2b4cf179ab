package kernel_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/format/vec/simd"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// benchmarkShapes are matrices like those of common data sets.
var benchmarkShapes = []struct {
	name string
	make func(r *rand.Rand, n int) *vec.Matrix
}{
	{"dense8", func(r *rand.Rand, n int) *vec.Matrix { return random(r, n, 8, 1, r.Float64) }},
	{"dense16", func(r *rand.Rand, n int) *vec.Matrix { return random(r, n, 16, 1, r.Float64) }},
	{"dense22", func(r *rand.Rand, n int) *vec.Matrix { return random(r, n, 22, 1, r.Float64) }},
	{"dense50", func(r *rand.Rand, n int) *vec.Matrix { return random(r, n, 50, 1, r.Float64) }},
	{"ones14of123", func(r *rand.Rand, n int) *vec.Matrix { return random(r, n, 123, 14./123, constant(1)) }},
	{"dense256", func(r *rand.Rand, n int) *vec.Matrix { return random(r, n, 256, 1, r.Float64) }},
	{"sparse75of47236", func(r *rand.Rand, n int) *vec.Matrix { return random(r, n, 47236, 75./47236, r.Float64) }},
}

// BenchmarkGram measures rows of training: ns for a kernel value by the plain definition, and with
// every set of instructions with one row and with several at a time.
func BenchmarkGram(b *testing.B) {
	const n = 4096
	for _, shape := range benchmarkShapes {
		x := shape.make(rand.New(rand.NewPCG(1, 2)), n)
		k := kernel.RBF{Gamma: 1. / float64(x.MaxIndex())}
		b.Run(shape.name+"/RowTo", func(b *testing.B) {
			dst := make([]float64, n)
			i := 0
			for b.Loop() {
				k.RowTo(dst, x.Row(i%n), x)
				i++
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/value")
		})
		for l := simd.Portable; l <= simd.Best(); l++ {
			before := simd.Use(l)
			g := kernel.NewGram(k, x)
			for _, rows := range []int{1, 2, 4, 6} {
				b.Run(fmt.Sprintf("%s/%v/%d", shape.name, l, rows), func(b *testing.B) {
					dst, at := make([][]float32, rows), make([]int, rows)
					for r := range dst {
						dst[r] = make([]float32, n)
					}
					i := 0
					for b.Loop() {
						for r := range at {
							at[r] = i % n
							i++
						}
						g.RowsTo(dst, at, 0, n)
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n*rows), "ns/value")
				})
			}
			simd.Use(before)
		}
	}
}

// BenchmarkBatch measures prediction: ns for a kernel value by the plain definition and in batches.
func BenchmarkBatch(b *testing.B) {
	const n = 2048
	for _, shape := range benchmarkShapes {
		x := shape.make(rand.New(rand.NewPCG(1, 2)), n)
		k := kernel.RBF{Gamma: 1. / float64(x.MaxIndex())}
		b.Run(shape.name+"/EvaluateTo", func(b *testing.B) {
			dst := make([]float64, n)
			i := 0
			for b.Loop() {
				k.EvaluateTo(dst, x.Row(i%n), x)
				i++
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/value")
		})
		rows := make([]vec.Vector, kernel.BatchRows)
		for i := range rows {
			rows[i] = x.Row(i)
		}
		for l := simd.Portable; l <= simd.Best(); l++ {
			before := simd.Use(l)
			basis := kernel.NewBasis(k, x)
			b.Run(fmt.Sprintf("%s/%v", shape.name, l), func(b *testing.B) {
				const block = 256
				var batch kernel.Batch
				dst := make([]float64, block*kernel.BatchRows)
				for b.Loop() {
					batch.Pack(basis, rows)
					for from := 0; from < n; from += block {
						batch.EvaluateTo(dst, from, from+block)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n*len(rows)), "ns/value")
			})
			simd.Use(before)
		}
	}
}

func BenchmarkExp(b *testing.B) {
	x := -0.001
	for b.Loop() {
		x -= kernel.Exp(x) * 1e-3
	}
}
