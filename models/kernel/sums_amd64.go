//go:build amd64 && !purego

package kernel

import (
	"math"
	"unsafe"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/format/vec/simd"
)

// addSums is addSumsPortable with AVX2 or AVX-512. All arguments of exp must be smaller than
// expPlain in size, the number of coefficients even, and there must be at least sumsLeastColumns
// columns. If tables is not nil, queries must be the queries of tables.
func addSums(level simd.Level, sums *[vec.PanelRows]float64, coef, panel, queries []float64, columns int, scale float64, work []float64, tables *squareTables) {
	if len(coef)%2 > 0 {
		panic("kernel: an odd number of coefficients")
	}
	var w asmArgs
	w.begin(len(coef)/2, panel, queries, columns, scale, work, tables)
	if level == simd.AVX2 {
		for _, at := range []int{0, vec.PanelRows / 2} {
			if tables == nil {
				sumsAVX2(&sums[at], &coef[0], &w.panel[at], &queries[0], w.pairs, columns, scale, w.table, &w.work[0])
				continue
			}
			w.tabulate2(at)
			sumsTabledAVX2(&sums[at], &coef[0], &w.panel[at], &queries[0], w.pairs, columns, scale, w.table, &w.work[0], &w.squares[0], tables.tabled)
		}
		return
	}
	switch w.tabulate(); {
	case tables == nil && w.folded:
		sumsFoldedAVX512(&sums[0], &coef[0], &w.panel[0], &queries[0], w.pairs, columns, scale, &w.numbers, &w.work[0])
	case tables == nil:
		sumsAVX512(&sums[0], &coef[0], &w.panel[0], &queries[0], w.pairs, columns, scale, &w.numbers, &w.work[0])
	case w.folded:
		sumsFoldedTabledAVX512(&sums[0], &coef[0], &w.panel[0], &queries[0], w.pairs, columns, scale, &w.numbers, &w.work[0], &w.squares[0], tables.tabled)
	default:
		sumsTabledAVX512(&sums[0], &coef[0], &w.panel[0], &queries[0], w.pairs, columns, scale, &w.numbers, &w.work[0], &w.squares[0], tables.tabled)
	}
}

// setValues sets dst[i*stride+r] to exp(scale d), where d is the squared distance of vector i of
// the queries from row r of the panel. The conditions of addSums apply. dst ends after the value of
// the last row.
func setValues(level simd.Level, dst []float64, stride int, panel, queries []float64, columns int, scale float64, work []float64, tables *squareTables) {
	var w asmArgs
	w.begin(len(queries)/2/columns, panel, queries, columns, scale, work, tables)
	if stride < vec.PanelRows || len(dst) != (2*w.pairs-1)*stride+vec.PanelRows {
		panic("kernel: values of other shapes")
	}
	stride *= 8 // in bytes
	if level == simd.AVX2 {
		for _, at := range []int{0, vec.PanelRows / 2} {
			if tables == nil {
				valuesAVX2(&dst[at], stride, &w.panel[at], &queries[0], w.pairs, columns, scale, w.table, &w.work[0])
				continue
			}
			w.tabulate2(at)
			valuesTabledAVX2(&dst[at], stride, &w.panel[at], &queries[0], w.pairs, columns, scale, w.table, &w.work[0], &w.squares[0], tables.tabled)
		}
		return
	}
	switch w.tabulate(); {
	case tables == nil && w.folded:
		valuesFoldedAVX512(&dst[0], stride, &w.panel[0], &queries[0], w.pairs, columns, scale, &w.numbers, &w.work[0])
	case tables == nil:
		valuesAVX512(&dst[0], stride, &w.panel[0], &queries[0], w.pairs, columns, scale, &w.numbers, &w.work[0])
	case w.folded:
		valuesFoldedTabledAVX512(&dst[0], stride, &w.panel[0], &queries[0], w.pairs, columns, scale, &w.numbers, &w.work[0], &w.squares[0], tables.tabled)
	default:
		valuesTabledAVX512(&dst[0], stride, &w.panel[0], &queries[0], w.pairs, columns, scale, &w.numbers, &w.work[0], &w.squares[0], tables.tabled)
	}
}

// asmArgs has the arguments of the assembly for sums and values of pairs of vectors.
type asmArgs struct {
	pairs   int
	panel   []float64
	work    []float64
	table   *[128][2]float64 // of exp
	tables  *squareTables
	squares []float64
	folded  bool
	numbers [9]float64
}

// begin sets up w in the memory of work.
func (w *asmArgs) begin(pairs int, panel, queries []float64, columns int, scale float64, work []float64, tables *squareTables) {
	if pairs < 1 || columns < sumsLeastColumns || len(panel) != columns*vec.PanelRows || len(queries) != 2*pairs*columns || len(work) < sumsWork+len(panel)+tables.room() {
		panic("kernel: sums of other shapes")
	}
	for uintptr(unsafe.Pointer(&work[0]))%64 != 0 {
		work = work[1:]
	}
	// Data that are read again and again are stored next to each other: their pages then do not
	// compete for the same places in the first-level cache.
	near := work[sumsOwn:]
	w.pairs, w.work, w.tables, w.folded = pairs, work, tables, foldable(scale)
	w.table = (*[128][2]float64)(unsafe.Pointer(&near[:sumsTableLen][0]))
	*w.table = bareTable
	copy(near[sumsTableLen:], panel)
	w.panel = near[sumsTableLen:][:len(panel)]
	w.squares = near[sumsTableLen+len(panel):]
	w.numbers = [...]float64{toInt, invLn2N, ln2Hi, ln2Lo, c2, c3, c4, c5, 1}
	if w.folded {
		s2 := scale * scale
		w.numbers = [...]float64{toInt, scale * invLn2N, ln2Hi / scale, ln2Lo / scale, c2 * s2, c3 * s2 * scale, c4 * s2 * s2, c5 * s2 * s2 * scale, 1}
	}
}

// tabulate computes the tables of squared differences for AVX-512, if there are any.
func (w *asmArgs) tabulate() {
	if w.tables == nil {
		return
	}
	for _, c := range w.tables.columns {
		squaresAVX512(&w.squares[c.from*vec.PanelRows], &w.panel[c.column*vec.PanelRows], &w.tables.numbers[c.from], c.to-c.from)
	}
}

// tabulate2 computes these tables for AVX2, for the half of the rows that begins at row.
func (w *asmArgs) tabulate2(row int) {
	for _, c := range w.tables.columns {
		squaresAVX2(&w.squares[c.from*vec.PanelRows/2], &w.panel[c.column*vec.PanelRows+row], &w.tables.numbers[c.from], c.to-c.from)
	}
}

// foldable reports whether a scale can be multiplied into the constants of exp without changing a
// bit: products with it are exact, and none of its powers comes near the limits of float64.
func foldable(scale float64) bool {
	part, exponent := math.Frexp(math.Abs(scale))
	return part == 0.5 && -40 <= exponent && exponent <= 40
}
