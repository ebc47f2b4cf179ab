//go:build !amd64 || purego

package vec

import "github.com/slimsvm/slimsvm/format/vec/simd"

func (f sum) to(_ simd.Level, dst []float64, stride int, panels []float64, count int, query []float64, columns, rows int) {
	f.portable(dst, stride, panels, count, query, columns, rows)
}

func dotsOfBytes(_ simd.Level, dst []float64, stride int, data []uint8, panels int, query []int16, pairs, rows int, unit float64) {
	dotsOfWholes(dst, stride, data, panels, query, pairs, rows, unit)
}

func dotsOfWords(_ simd.Level, dst []float64, stride int, data []int16, panels int, query []int16, pairs, rows int, unit float64) {
	dotsOfWholes(dst, stride, data, panels, query, pairs, rows, unit)
}

func dotsOfDecimals(_ simd.Level, add int, dst []float64, stride int, data []int32, panels int, query []float64, columns, rows int) {
	dotsOfDecimalsPortable(add, dst, stride, data, panels, query, columns, rows)
}

func (f count) to(_ simd.Level, dst []uint32, stride int, panels []uint64, count int, query []uint64, words, rows int) {
	f.portable(dst, stride, panels, count, query, words, rows)
}

func (f count) valuesTo(_ simd.Level, dst []float32, panels []uint64, count int, query []uint64, table *Table) {
	f.valuesPortable(dst, panels, count, query, table)
}

func codeValues(_ simd.Level, dst []float32, panels []uint8, count int, query []uint8, table *Table) {
	codeValuesPortable(dst, panels, count, query, table)
}

func transpose(_ simd.Level, _ []float64, _ *[8]*float64, _ int) bool { return false }

func areWhole(simd.Level, []float64, []float64, []float64, []float64) (int, bool) { return 0, true }

func queryDecimals(_ simd.Level, dst []float64, stride int, panel []int32, unit []float64, rows int) {
	queryDecimalsPortable(dst, stride, panel, unit, rows)
}

func transposeDecimals(simd.Level, []int32, *[8]*float64, []float64) bool { return false }

func transposeBytes(simd.Level, []uint8, *[8]*float64, *[8]float64, int) bool { return false }

func transposeWords(simd.Level, []int16, *[8]*float64, *[8]float64, int) bool { return false }

func stripRows(simd.Level) int { return PanelRows }

func stripDots(_ simd.Level, sums []float64, p *stripPart, z Vector, places []int32) int {
	return stripDotsPortable(sums, p, z, places)
}

func stripDistances(_ simd.Level, sums []float64, p *stripPart, z Vector, places []int32) int {
	return stripDistancesPortable(sums, p, z, places)
}
