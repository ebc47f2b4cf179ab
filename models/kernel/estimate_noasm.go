//go:build !amd64 || purego

package kernel

import "github.com/slimsvm/slimsvm/format/vec/simd"

func denseDots(_ simd.Level, dst, panel, z []float32, columns int) {
	denseDotsPortable(dst, panel, z, columns)
}

func sparseDots(_ simd.Level, dst, panel []float32, slots, index []int32, z []float32) {
	sparseDotsPortable(dst, panel, slots, index, z)
}

func exp2(_ simd.Level, values, shifts []float32, offsets *[EstimateRows]float32) {
	exp2Portable(values, shifts, offsets)
}
