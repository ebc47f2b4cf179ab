//go:build !amd64 || purego

package vec

import "github.com/slimsvm/slimsvm/format/vec/simd"

func (f sum) to(_ simd.Level, dst []float64, stride int, panels []float64, count int, query []float64, columns, rows int) {
	f.portable(dst, stride, panels, count, query, columns, rows)
}

func (f count) to(_ simd.Level, dst []uint32, stride int, panels []uint64, count int, query []uint64, words, rows int) {
	f.portable(dst, stride, panels, count, query, words, rows)
}

func (f count) valuesTo(_ simd.Level, dst []float32, panels []uint64, count int, query []uint64, table *Table) {
	f.valuesPortable(dst, panels, count, query, table)
}

func turn(_ simd.Level, _ []float64, _ *[8]*float64, _ int) bool { return false }

func stripDots(_ simd.Level, sums, x []float64, terms []stripTerm) {
	stripDotsPortable(sums, x, terms)
}

func stripDistances(_ simd.Level, sums, x, squares []float64, terms []stripTerm) {
	stripDistancesPortable(sums, x, squares, terms)
}
