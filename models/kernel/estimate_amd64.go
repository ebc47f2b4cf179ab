//go:build amd64 && !purego

package kernel

import "github.com/slimsvm/slimsvm/format/vec/simd"

//go:generate sh -c "cd ../../_generate && go run ./estimate -out ../models/kernel/estimate_amd64.s -stubs ../models/kernel/estimate_stubs_amd64.go -pkg kernel"

type denseFunc = func(dst, panel, z *float32, stride, columns int)

// element n-1 is for n vectors
var (
	denseDots512  = [...]denseFunc{denseDots1AVX512, denseDots2AVX512, denseDots3AVX512, denseDots4AVX512, denseDots5AVX512, denseDots6AVX512}
	denseDots2    = [...]denseFunc{denseDots1AVX2, denseDots2AVX2, denseDots3AVX2, denseDots4AVX2, denseDots5AVX2, denseDots6AVX2}
	denseApart512 = [...]denseFunc{denseApart1AVX512, denseApart2AVX512, denseApart3AVX512, denseApart4AVX512, denseApart5AVX512, denseApart6AVX512}
	denseApart2   = [...]denseFunc{denseApart1AVX2, denseApart2AVX2, denseApart3AVX2, denseApart4AVX2, denseApart5AVX2, denseApart6AVX2}
)

func denseDots(level simd.Level, dst, panel, z []float32, columns int) {
	switch level {
	case simd.AVX512:
		dense(&denseDots512, dst, panel, z, columns)
	case simd.AVX2:
		dense(&denseDots2, dst, panel, z, columns)
	default:
		denseDotsPortable(dst, panel, z, columns)
	}
}

func denseApart(level simd.Level, dst, panel, z []float32, columns int) {
	switch level {
	case simd.AVX512:
		dense(&denseApart512, dst, panel, z, columns)
	case simd.AVX2:
		dense(&denseApart2, dst, panel, z, columns)
	default:
		denseApartPortable(dst, panel, z, columns)
	}
}

func dense(forms *[6]denseFunc, dst, panel, z []float32, columns int) {
	for len(dst) > 0 {
		n := min(len(dst)/EstimateRows, len(forms))
		forms[n-1](&dst[0], &panel[0], &z[0], 4*columns, columns)
		dst, z = dst[n*EstimateRows:], z[n*columns:]
	}
}

func sparseDots(level simd.Level, dst, panel []float32, slots, index []int32, z []float32) {
	if len(index) == 0 {
		clear(dst)
		return
	}
	switch level {
	case simd.AVX512:
		sparseDotsAVX512(&dst[0], &panel[0], &slots[0], &index[0], &z[0], len(index))
	case simd.AVX2:
		sparseDotsAVX2(&dst[0], &panel[0], &slots[0], &index[0], &z[0], len(index))
	default:
		sparseDotsPortable(dst, panel, slots, index, z)
	}
}

func exp2(level simd.Level, values, shifts []float32, offsets *[EstimateRows]float32, factor float32) {
	if len(shifts) == 0 {
		return
	}
	switch level {
	case simd.AVX512:
		exp2AVX512(&values[0], &shifts[0], &offsets[0], len(shifts), factor)
	case simd.AVX2:
		exp2AVX2(&values[0], &shifts[0], &offsets[0], len(shifts), factor)
	default:
		exp2Portable(values, shifts, offsets, factor)
	}
}

func nears(level simd.Level, values, shifts []float32, offsets *[EstimateRows]float32) {
	if len(shifts) == 0 {
		return
	}
	switch level {
	case simd.AVX512:
		nearsAVX512(&values[0], &shifts[0], &offsets[0], len(shifts))
	case simd.AVX2:
		nearsAVX2(&values[0], &shifts[0], &offsets[0], len(shifts))
	default:
		nearsPortable(values, shifts, offsets)
	}
}

func powers(level simd.Level, values []float32, gamma, coef0 float32, degree int) {
	if len(values) == 0 {
		return
	}
	switch level {
	case simd.AVX512:
		powersAVX512(&values[0], len(values)/EstimateRows, gamma, coef0, degree)
	case simd.AVX2:
		powersAVX2(&values[0], len(values)/EstimateRows, gamma, coef0, degree)
	default:
		powersPortable(values, gamma, coef0, degree)
	}
}

func tanhs(level simd.Level, values []float32, of *[4]float32) {
	if len(values) == 0 {
		return
	}
	switch level {
	case simd.AVX512:
		tanhsAVX512(&values[0], len(values)/EstimateRows, of)
	case simd.AVX2:
		tanhsAVX2(&values[0], len(values)/EstimateRows, of)
	default:
		tanhsPortable(values, of)
	}
}
