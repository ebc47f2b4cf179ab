//go:build amd64 && !purego

package vec

import (
	"unsafe"

	"github.com/slimsvm/slimsvm/format/vec/simd"
)

//go:generate sh -c "cd ../../_generate && go run ./panels -out ../format/vec/panels_amd64.s -stubs ../format/vec/panels_stubs_amd64.go -pkg vec"

type (
	sumFunc   = func(dst *float64, stride int, panel *float64, panels int, query *float64, columns int)
	countFunc = func(dst *uint32, stride int, panel *uint64, panels int, query *uint64, columns int)
)

// element n-1 is for n query rows
var (
	sums512 = [...][MaxQueries]sumFunc{
		dots:      {dots1AVX512, dots2AVX512, dots3AVX512, dots4AVX512, dots5AVX512, dots6AVX512},
		distances: {distances1AVX512, distances2AVX512, distances3AVX512, distances4AVX512, distances5AVX512, distances6AVX512},
		nears:     {nears1AVX512, nears2AVX512, nears3AVX512, nears4AVX512, nears5AVX512, nears6AVX512},
	}
	sums2 = [...][MaxQueries]sumFunc{
		dots:      {dots1AVX2, dots2AVX2, dots3AVX2, dots4AVX2, dots5AVX2, dots6AVX2},
		distances: {distances1AVX2, distances2AVX2, distances3AVX2, distances4AVX2, distances5AVX2, distances6AVX2},
		nears:     {nears1AVX2, nears2AVX2, nears3AVX2, nears4AVX2, nears5AVX2, nears6AVX2},
	}
	counts512 = [2][MaxQueries]countFunc{
		common: {common1AVX512, common2AVX512, common3AVX512, common4AVX512, common5AVX512, common6AVX512},
		apart:  {apart1AVX512, apart2AVX512, apart3AVX512, apart4AVX512, apart5AVX512, apart6AVX512},
	}
)

func (f sum) to(level simd.Level, dst []float64, stride int, panels []float64, count int, query []float64, columns, rows int) {
	var forms *[sums][MaxQueries]sumFunc
	switch level {
	case simd.AVX512:
		forms = &sums512
	case simd.AVX2:
		forms = &sums2
	default:
		f.portable(dst, stride, panels, count, query, columns, rows)
		return
	}
	if columns == 0 {
		clearPanels(dst, stride, count, rows)
		return
	}
	forms[f][rows-1](&dst[0], 8*stride, &panels[0], count, &query[0], columns)
}

func (f count) to(level simd.Level, dst []uint32, stride int, panels []uint64, count int, query []uint64, words, rows int) {
	switch {
	case words == 0:
		clearPanels(dst, stride, count, rows)
	case level == simd.AVX512:
		counts512[f][rows-1](&dst[0], 4*stride, &panels[0], count, &query[0], words)
	case level == simd.AVX2 && f == common:
		commonAVX2(&dst[0], 4*stride, &panels[0], count, &query[0], words, rows)
	case level == simd.AVX2:
		apartAVX2(&dst[0], 4*stride, &panels[0], count, &query[0], words, rows)
	default:
		f.portable(dst, stride, panels, count, query, words, rows)
	}
}

func (f count) valuesTo(level simd.Level, dst []float32, panels []uint64, count int, query []uint64, table *Table) {
	to, from, q, words := &dst[0], &panels[0], &query[0], len(query)
	size, first := len(table.values), &table.values[0]
	// No tables of functions: arguments of calls through a table would be allocated on the heap.
	class := min(size/table64, 2) // by the size: 32, 64, 128; larger tables are read from memory
	switch {
	case level == simd.AVX512 && f == common && size <= table128:
		switch class {
		case 0:
			commonValues32AVX512(to, from, count, q, words, first)
		case 1:
			commonValues64AVX512(to, from, count, q, words, first)
		default:
			commonValues128AVX512(to, from, count, q, words, first)
		}
	case level == simd.AVX512 && f == common:
		commonValuesFarAVX512(to, from, count, q, words, first, table.last)
	case level == simd.AVX512 && f == apart && size <= table128:
		switch class {
		case 0:
			apartValues32AVX512(to, from, count, q, words, first)
		case 1:
			apartValues64AVX512(to, from, count, q, words, first)
		default:
			apartValues128AVX512(to, from, count, q, words, first)
		}
	case level == simd.AVX512 && f == apart:
		apartValuesFarAVX512(to, from, count, q, words, first, table.last)
	case level == simd.AVX2 && f == common && size <= table128:
		switch class {
		case 0:
			commonValues32AVX2(to, from, count, q, words, &table.bytes[0])
		case 1:
			commonValues64AVX2(to, from, count, q, words, &table.bytes[0])
		default:
			commonValues128AVX2(to, from, count, q, words, &table.bytes[0])
		}
	case level == simd.AVX2 && f == common:
		commonValuesFarAVX2(to, from, count, q, words, first, table.last)
	case level == simd.AVX2 && f == apart && size <= table128:
		switch class {
		case 0:
			apartValues32AVX2(to, from, count, q, words, &table.bytes[0])
		case 1:
			apartValues64AVX2(to, from, count, q, words, &table.bytes[0])
		default:
			apartValues128AVX2(to, from, count, q, words, &table.bytes[0])
		}
	case level == simd.AVX2 && f == apart:
		apartValuesFarAVX2(to, from, count, q, words, first, table.last)
	default:
		f.valuesPortable(dst, panels, count, query, table)
	}
}

func codeValues(level simd.Level, dst []float32, panels []uint8, count int, query []uint8, table *Table) {
	if groups := len(query) / codesOfGroup; level == simd.Portable || groups == 0 {
		codeValuesPortable(dst, panels, count, query, table)
	} else {
		switch to, from, bytes := &dst[0], &panels[0], &table.bytes[0]; len(table.values) {
		case table32:
			codeValues32AVX2(to, from, count, &query[0], groups, bytes)
		case table64:
			codeValues64AVX2(to, from, count, &query[0], groups, bytes)
		default:
			codeValues128AVX2(to, from, count, &query[0], groups, bytes)
		}
	}
}

// transpose sets panel[PanelRows*k+i] to element k of row i, for eight rows. columns is a multiple of
// eight. It returns false if the level has no such function.
func transpose(level simd.Level, panel []float64, rows *[8]*float64, columns int) bool {
	switch level {
	case simd.AVX512:
		turnAVX512(&panel[0], rows, columns)
	case simd.AVX2:
		turnAVX2(&panel[0], rows, columns)
	default:
		return false
	}
	return true
}

// stripRows returns the number of rows of a strip. With the many registers of AVX-512, sums of 64
// rows take hardly longer than sums of 32.
func stripRows(level simd.Level) int {
	if level == simd.AVX512 {
		return 2 * PanelRows
	}
	return PanelRows
}

func stripDots(level simd.Level, sums []float64, p *stripPart, z Vector, places []int32) int {
	at, entries, values := &places[0], unsafe.SliceData(z.Index), unsafe.SliceData(z.Value) // z may be empty
	n := len(z.Index)
	switch {
	case len(sums) > PanelRows:
		return stripDotsAVX512Twice(&sums[0], &p.x[0], &p.index[0], p.first, p.blocks, at, entries, values, n)
	case level == simd.AVX512:
		return stripDotsAVX512(&sums[0], &p.x[0], &p.index[0], p.first, p.blocks, at, entries, values, n)
	case level == simd.AVX2:
		return stripDotsAVX2(&sums[0], &p.x[0], &p.index[0], p.first, p.blocks, at, entries, values, n)
	}
	return stripDotsPortable(sums, p, z, places)
}

func stripDistances(level simd.Level, sums []float64, p *stripPart, z Vector, places []int32) int {
	at, entries, values := &places[0], unsafe.SliceData(z.Index), unsafe.SliceData(z.Value) // z may be empty
	n := len(z.Index)
	switch {
	case len(sums) > PanelRows:
		return stripDistancesAVX512Twice(&sums[0], &p.x[0], &p.index[0], p.first, p.blocks, at, entries, values, n)
	case level == simd.AVX512:
		return stripDistancesAVX512(&sums[0], &p.x[0], &p.index[0], p.first, p.blocks, at, entries, values, n)
	case level == simd.AVX2:
		return stripDistancesAVX2(&sums[0], &p.x[0], &p.index[0], p.first, p.blocks, at, entries, values, n)
	}
	return stripDistancesPortable(sums, p, z, places)
}
