//go:build amd64 && !purego

package kernel

import "github.com/slimsvm/slimsvm/format/vec/simd"

//go:generate sh -c "cd ../../_generate && go run ./estimate -out ../models/kernel/estimate_amd64.s -stubs ../models/kernel/estimate_stubs_amd64.go -pkg kernel"

type denseFunc = func(dst, panel, z *float32, stride, columns int)

// by number of vectors, less one
var (
	dense512 = [...]denseFunc{denseDots1AVX512, denseDots2AVX512, denseDots3AVX512, denseDots4AVX512, denseDots5AVX512, denseDots6AVX512}
	dense2   = [...]denseFunc{denseDots1AVX2, denseDots2AVX2, denseDots3AVX2, denseDots4AVX2, denseDots5AVX2, denseDots6AVX2}
)

func denseDots(level simd.Level, dst, panel, z []float32, columns int) {
	forms := &dense512
	switch level {
	case simd.AVX2:
		forms = &dense2
	case simd.Portable:
		denseDotsPortable(dst, panel, z, columns)
		return
	}
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

func exp2(level simd.Level, values, shifts []float32, offsets *[EstimateRows]float32) {
	if len(shifts) == 0 {
		return
	}
	switch level {
	case simd.AVX512:
		exp2AVX512(&values[0], &shifts[0], &offsets[0], len(shifts))
	case simd.AVX2:
		exp2AVX2(&values[0], &shifts[0], &offsets[0], len(shifts))
	default:
		exp2Portable(values, shifts, offsets)
	}
}
