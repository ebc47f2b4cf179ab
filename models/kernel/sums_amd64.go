//go:build amd64 && !purego

package kernel

import (
	"math"
	"unsafe"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/format/vec/simd"
)

// addSums is addSumsPortable with AVX2 or AVX-512, where no argument of exp is expPlain or more in
// size, for an even number of coefficients and at least sumsLeastColumns. With tables, nil if there
// are none, the queries are theirs.
func addSums(level simd.Level, sums *[vec.PanelRows]float64, coef, panel, queries []float64, columns int, scale float64, work []float64, tables *repeated) {
	pairs := len(coef) / 2
	if pairs < 1 || len(coef)%2 > 0 || columns < sumsLeastColumns || len(panel) != columns*vec.PanelRows || len(queries) != 2*pairs*columns || len(work) < sumsWork+len(panel)+tables.room() {
		panic("kernel: sums of other shapes")
	}
	for uintptr(unsafe.Pointer(&work[0]))%64 != 0 {
		work = work[1:]
	}
	// What is read again and again stands side by side: such pages are not taken for each other
	// in the first cache.
	near := work[sumsOwn:]
	table := (*[128][2]float64)(unsafe.Pointer(&near[:sumsTableLen][0]))
	*table = bareTable
	copy(near[sumsTableLen:], panel)
	panel = near[sumsTableLen:][:len(panel)]
	squares := near[sumsTableLen+len(panel):]
	if level == simd.AVX2 {
		for half := range 2 {
			at := half * vec.PanelRows / 2
			if tables == nil {
				sumsAVX2(&sums[at], &coef[0], &panel[at], &queries[0], pairs, columns, scale, table, &work[0])
				continue
			}
			for _, c := range tables.columns {
				squaresAVX2(&squares[c.from*vec.PanelRows/2], &panel[c.column*vec.PanelRows+at], &tables.numbers[c.from], c.to-c.from)
			}
			sumsTabledAVX2(&sums[at], &coef[0], &panel[at], &queries[0], pairs, columns, scale, table, &work[0], &squares[0], tables.tabled)
		}
		return
	}
	folded := foldable(scale)
	numbers := [...]float64{toInt, invLn2N, ln2Hi, ln2Lo, c2, c3, c4, c5, 1}
	if folded {
		s2 := scale * scale
		numbers = [...]float64{toInt, scale * invLn2N, ln2Hi / scale, ln2Lo / scale, c2 * s2, c3 * s2 * scale, c4 * s2 * s2, c5 * s2 * s2 * scale, 1}
	}
	if tables == nil {
		if folded {
			sumsFoldedAVX512(&sums[0], &coef[0], &panel[0], &queries[0], pairs, columns, scale, &numbers, &work[0])
		} else {
			sumsAVX512(&sums[0], &coef[0], &panel[0], &queries[0], pairs, columns, scale, &numbers, &work[0])
		}
		return
	}
	for _, c := range tables.columns {
		squaresAVX512(&squares[c.from*vec.PanelRows], &panel[c.column*vec.PanelRows], &tables.numbers[c.from], c.to-c.from)
	}
	if folded {
		sumsFoldedTabledAVX512(&sums[0], &coef[0], &panel[0], &queries[0], pairs, columns, scale, &numbers, &work[0], &squares[0], tables.tabled)
	} else {
		sumsTabledAVX512(&sums[0], &coef[0], &panel[0], &queries[0], pairs, columns, scale, &numbers, &work[0], &squares[0], tables.tabled)
	}
}

// foldable reports whether a scale can go into the constants of exp without a change of
// bits: products with it are exact, and none of its powers comes near to what is too large or
// too small for a float64.
func foldable(scale float64) bool {
	part, exponent := math.Frexp(math.Abs(scale))
	return part == 0.5 && -40 <= exponent && exponent <= 40
}
