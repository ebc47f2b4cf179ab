//go:build amd64 && !purego

package vec

import "github.com/slimsvm/slimsvm/format/vec/simd"

//go:generate sh -c "cd ../../_generate && go run ./panels -wholes -out ../format/vec/wholes_amd64.s -stubs ../format/vec/wholes_stubs_amd64.go -pkg vec"

type (
	bytesFunc    = func(dst *float64, stride int, panel *uint8, panels int, query *int16, pairs int, unit float64)
	wordsFunc    = func(dst *float64, stride int, panel *int16, panels int, query *int16, pairs int, unit float64)
	decimalsFunc = func(dst *float64, stride int, panel *int32, panels int, query *float64, columns, add int)
)

// element n-1 is for n query rows
var (
	bytes512 = [MaxQueries]bytesFunc{dotsOfBytes1AVX512, dotsOfBytes2AVX512, dotsOfBytes3AVX512, dotsOfBytes4AVX512, dotsOfBytes5AVX512, dotsOfBytes6AVX512}
	words512 = [MaxQueries]wordsFunc{dotsOfWords1AVX512, dotsOfWords2AVX512, dotsOfWords3AVX512, dotsOfWords4AVX512, dotsOfWords5AVX512, dotsOfWords6AVX512}
	bytes2   = [MaxQueries]bytesFunc{dotsOfBytes1AVX2, dotsOfBytes2AVX2, dotsOfBytes3AVX2, dotsOfBytes4AVX2, dotsOfBytes5AVX2, dotsOfBytes6AVX2}
	words2   = [MaxQueries]wordsFunc{dotsOfWords1AVX2, dotsOfWords2AVX2, dotsOfWords3AVX2, dotsOfWords4AVX2, dotsOfWords5AVX2, dotsOfWords6AVX2}
)

func dotsOfBytes(level simd.Level, dst []float64, stride int, data []uint8, panels int, query []int16, pairs, rows int, unit float64) {
	switch level {
	case simd.AVX512:
		bytes512[rows-1](&dst[0], 8*stride, &data[0], panels, &query[0], pairs, unit)
	case simd.AVX2:
		bytes2[rows-1](&dst[0], 8*stride, &data[0], panels, &query[0], pairs, unit)
	default:
		dotsOfWholes(dst, stride, data, panels, query, pairs, rows, unit)
	}
}

func dotsOfWords(level simd.Level, dst []float64, stride int, data []int16, panels int, query []int16, pairs, rows int, unit float64) {
	switch level {
	case simd.AVX512:
		words512[rows-1](&dst[0], 8*stride, &data[0], panels, &query[0], pairs, unit)
	case simd.AVX2:
		words2[rows-1](&dst[0], 8*stride, &data[0], panels, &query[0], pairs, unit)
	default:
		dotsOfWholes(dst, stride, data, panels, query, pairs, rows, unit)
	}
}

// element n-1 is for n query rows
var (
	decimals512 = [MaxQueries]decimalsFunc{dotsOfDecimals1AVX512, dotsOfDecimals2AVX512, dotsOfDecimals3AVX512, dotsOfDecimals4AVX512, dotsOfDecimals5AVX512, dotsOfDecimals6AVX512}
	decimals2   = [MaxQueries]decimalsFunc{dotsOfDecimals1AVX2, dotsOfDecimals2AVX2, dotsOfDecimals3AVX2, dotsOfDecimals4AVX2, dotsOfDecimals5AVX2, dotsOfDecimals6AVX2}
)

func dotsOfDecimals(level simd.Level, add int, dst []float64, stride int, data []int32, panels int, query []float64, columns, rows int) {
	switch level {
	case simd.AVX512:
		decimals512[rows-1](&dst[0], 8*stride, &data[0], panels, &query[0], columns, add)
	case simd.AVX2:
		decimals2[rows-1](&dst[0], 8*stride, &data[0], panels, &query[0], columns, add)
	default:
		dotsOfDecimalsPortable(add, dst, stride, data, panels, query, columns, rows)
	}
}

// areWhole is areWholePortable for the first n columns. It returns n.
func areWhole(level simd.Level, values, scale, low, high []float64) (n int, ok bool) {
	odd := 0
	switch level {
	case simd.AVX512:
		if n = len(values) &^ 7; n > 0 {
			odd = areWholeAVX512(&values[0], &scale[0], &low[0], &high[0], n)
		}
	case simd.AVX2:
		if n = len(values) &^ 3; n > 0 {
			odd = areWholeAVX2(&values[0], &scale[0], &low[0], &high[0], n)
		}
	}
	return n, odd == 0
}

// queryDecimals is queryDecimalsPortable.
func queryDecimals(level simd.Level, dst []float64, stride int, panel []int32, unit []float64, rows int) {
	if level != simd.AVX512 {
		queryDecimalsPortable(dst, stride, panel, unit, rows)
		return
	}
	last := len(unit) - 1
	for r := 0; r < rows; r += 8 {
		some := min(rows-r, 8)
		_, _ = dst[last*stride+r+some-1], panel[last*PanelRows+r+some-1]
		queryDecimalsAVX512(&dst[r], stride, &panel[r], &unit[0], len(unit), some)
	}
}

// transposeDecimals sets panel[PanelRows*k+i] to the whole number nearest to scale[k] times element
// k of row i, for eight rows. The number of columns is a multiple of eight. It returns false if the
// level has no such function.
func transposeDecimals(level simd.Level, panel []int32, rows *[8]*float64, scale []float64) bool {
	switch level {
	case simd.AVX512:
		turnDecimalsAVX512(&panel[0], rows, &scale[0], len(scale))
	case simd.AVX2:
		turnDecimalsAVX2(&panel[0], rows, &scale[0], len(scale))
	default:
		return false
	}
	return true
}

// transposeBytes and transposeWords are transposeDecimals for panels of small whole numbers, where
// two columns are together. scale has one number eight times.
func transposeBytes(level simd.Level, panel []uint8, rows *[8]*float64, scale *[8]float64, columns int) bool {
	switch level {
	case simd.AVX512:
		turnBytesAVX512(&panel[0], rows, &scale[0], columns)
	case simd.AVX2:
		turnBytesAVX2(&panel[0], rows, &scale[0], columns)
	default:
		return false
	}
	return true
}

func transposeWords(level simd.Level, panel []int16, rows *[8]*float64, scale *[8]float64, columns int) bool {
	switch level {
	case simd.AVX512:
		turnWordsAVX512(&panel[0], rows, &scale[0], columns)
	case simd.AVX2:
		turnWordsAVX2(&panel[0], rows, &scale[0], columns)
	default:
		return false
	}
	return true
}
