//go:build amd64 && !purego

package combine

//go:generate sh -c "cd ../../../_generate && go run ./combine -out ../predict/internal/combine/combine_amd64.s -stubs ../predict/internal/combine/stubs_amd64.go -pkg combine"

import "github.com/slimsvm/slimsvm/format/vec/simd"

// addTo is AddFirstTo for a multiple of firstLanes rows. AVX-512 adds for 32 rows at a time: for half
// as many, AVX2 has less to do.
func addTo(level simd.Level, sums, coef [][]float64, values []float64, rows int) {
	switch {
	case level == simd.AVX512 && rows > Lanes/2:
		blocks(level, 6, 32, sums, coef, values, rows)
	case level >= simd.AVX2:
		blocks(simd.AVX2, 4, firstLanes, sums, coef, values, rows)
	default:
		addPortable(sums, coef, values, rows)
	}
}

// blocks processes as many machines at a time as registers allow, and width lanes.
func blocks(level simd.Level, most, width int, sums, coef [][]float64, values []float64, rows int) {
	lanes, n := len(sums[0]), len(coef[0])
	for passes := (len(sums) + most - 1) / most; passes > 0; passes-- {
		k := (len(sums) + passes - 1) / passes // in equal portions, since one machine takes as long as several
		var s, c [6]*float64
		for m := range k {
			c[m] = &coef[m][0]
		}
		for at := 0; at < rows; at += width {
			for m := range k {
				s[m] = &sums[m][at]
			}
			if level == simd.AVX512 {
				add512(k, &s, &c, &values[at], 8*lanes, n)
			} else {
				add2(k, &s, &c, &values[at], 8*lanes, n)
			}
		}
		sums, coef = sums[k:], coef[k:]
	}
}

func addEstimates(level simd.Level, sums [][]float64, coef [][]float32, values []float32) {
	switch level {
	case simd.AVX512:
		estimates(level, 6, 64, sums, coef, values)
	case simd.AVX2:
		estimates(level, 3, 32, sums, coef, values)
	default:
		addEstimatesPortable(sums, coef, values)
	}
}

func estimates(level simd.Level, most, width int, sums [][]float64, coef [][]float32, values []float32) {
	n := len(coef[0])
	for passes := (len(sums) + most - 1) / most; passes > 0; passes-- {
		k := (len(sums) + passes - 1) / passes
		var s [6]*float64
		var c [6]*float32
		for m := range k {
			c[m] = &coef[m][0]
		}
		for at := 0; at < EstimateLanes; at += width {
			for m := range k {
				s[m] = &sums[m][at]
			}
			if level == simd.AVX512 {
				estimate512(k, &s, &c, &values[at], n)
			} else {
				estimate2(k, &s, &c, &values[at], n)
			}
		}
		sums, coef = sums[k:], coef[k:]
	}
}

func addRows(level simd.Level, fused bool, sums, rows []float64, index []int32, coef []float64) {
	if level == simd.Portable {
		addRowsPortable(sums, rows, index, coef)
		return
	}
	lanes, n := len(sums), len(index)
	const most = 6
	left := lanes / RowLanes
	for passes := (left + most - 1) / most; passes > 0; passes-- {
		k := (left + passes - 1) / passes
		switch {
		case fused && level == simd.AVX512:
			rows512(k, &sums[0], &rows[0], 8*lanes, &index[0], &coef[0], n)
		case fused:
			rows2(k, &sums[0], &rows[0], 8*lanes, &index[0], &coef[0], n)
		case level == simd.AVX512:
			ordered512(k, &sums[0], &rows[0], 8*lanes, &index[0], &coef[0], n)
		default:
			ordered2(k, &sums[0], &rows[0], 8*lanes, &index[0], &coef[0], n)
		}
		if left -= k; left > 0 {
			sums, rows = sums[k*RowLanes:], rows[k*RowLanes:]
		}
	}
}

func join(level simd.Level, a, b *[EstimateLanes]float64) {
	switch level {
	case simd.AVX512:
		joinAVX512(&a[0], &b[0])
	case simd.AVX2:
		joinAVX2(&a[0], &b[0])
	default:
		joinPortable(a, b)
	}
}

// The following functions select by the number of machines, or of eights of sums. They are not
// tables of functions, because arguments of calls through a table would be allocated on the heap.

func add512(machines int, sums, coef *[6]*float64, values *float64, stride, n int) {
	switch machines {
	case 1:
		add1AVX512(sums, coef, values, stride, n)
	case 2:
		add2AVX512(sums, coef, values, stride, n)
	case 3:
		add3AVX512(sums, coef, values, stride, n)
	case 4:
		add4AVX512(sums, coef, values, stride, n)
	case 5:
		add5AVX512(sums, coef, values, stride, n)
	case 6:
		add6AVX512(sums, coef, values, stride, n)
	}
}

func add2(machines int, sums, coef *[6]*float64, values *float64, stride, n int) {
	switch machines {
	case 1:
		add1AVX2(sums, coef, values, stride, n)
	case 2:
		add2AVX2(sums, coef, values, stride, n)
	case 3:
		add3AVX2(sums, coef, values, stride, n)
	case 4:
		add4AVX2(sums, coef, values, stride, n)
	}
}

func estimate512(machines int, sums *[6]*float64, coef *[6]*float32, values *float32, n int) {
	switch machines {
	case 1:
		estimate1AVX512(sums, coef, values, n)
	case 2:
		estimate2AVX512(sums, coef, values, n)
	case 3:
		estimate3AVX512(sums, coef, values, n)
	case 4:
		estimate4AVX512(sums, coef, values, n)
	case 5:
		estimate5AVX512(sums, coef, values, n)
	case 6:
		estimate6AVX512(sums, coef, values, n)
	}
}

func estimate2(machines int, sums *[6]*float64, coef *[6]*float32, values *float32, n int) {
	switch machines {
	case 1:
		estimate1AVX2(sums, coef, values, n)
	case 2:
		estimate2AVX2(sums, coef, values, n)
	case 3:
		estimate3AVX2(sums, coef, values, n)
	}
}

func rows512(eights int, sums, rows *float64, stride int, index *int32, coef *float64, n int) {
	switch eights {
	case 1:
		rows1AVX512(sums, rows, stride, index, coef, n)
	case 2:
		rows2AVX512(sums, rows, stride, index, coef, n)
	case 3:
		rows3AVX512(sums, rows, stride, index, coef, n)
	case 4:
		rows4AVX512(sums, rows, stride, index, coef, n)
	case 5:
		rows5AVX512(sums, rows, stride, index, coef, n)
	case 6:
		rows6AVX512(sums, rows, stride, index, coef, n)
	}
}

func rows2(eights int, sums, rows *float64, stride int, index *int32, coef *float64, n int) {
	switch eights {
	case 1:
		rows1AVX2(sums, rows, stride, index, coef, n)
	case 2:
		rows2AVX2(sums, rows, stride, index, coef, n)
	case 3:
		rows3AVX2(sums, rows, stride, index, coef, n)
	case 4:
		rows4AVX2(sums, rows, stride, index, coef, n)
	case 5:
		rows5AVX2(sums, rows, stride, index, coef, n)
	case 6:
		rows6AVX2(sums, rows, stride, index, coef, n)
	}
}

func ordered512(eights int, sums, rows *float64, stride int, index *int32, coef *float64, n int) {
	switch eights {
	case 1:
		ordered1AVX512(sums, rows, stride, index, coef, n)
	case 2:
		ordered2AVX512(sums, rows, stride, index, coef, n)
	case 3:
		ordered3AVX512(sums, rows, stride, index, coef, n)
	case 4:
		ordered4AVX512(sums, rows, stride, index, coef, n)
	case 5:
		ordered5AVX512(sums, rows, stride, index, coef, n)
	case 6:
		ordered6AVX512(sums, rows, stride, index, coef, n)
	}
}

func ordered2(eights int, sums, rows *float64, stride int, index *int32, coef *float64, n int) {
	switch eights {
	case 1:
		ordered1AVX2(sums, rows, stride, index, coef, n)
	case 2:
		ordered2AVX2(sums, rows, stride, index, coef, n)
	case 3:
		ordered3AVX2(sums, rows, stride, index, coef, n)
	case 4:
		ordered4AVX2(sums, rows, stride, index, coef, n)
	case 5:
		ordered5AVX2(sums, rows, stride, index, coef, n)
	case 6:
		ordered6AVX2(sums, rows, stride, index, coef, n)
	}
}
