//go:build !amd64 || purego

package kernel

import "github.com/slimsvm/slimsvm/format/vec/simd"

func denseDots(_ simd.Level, dst, panel, z []float32, columns int) {
	denseDotsPortable(dst, panel, z, columns)
}

func denseApart(_ simd.Level, dst, panel, z []float32, columns int) {
	denseApartPortable(dst, panel, z, columns)
}

func sparseDots(_ simd.Level, dst, panel []float32, slots, index []int32, z []float32) {
	sparseDotsPortable(dst, panel, slots, index, z)
}

func exp2(_ simd.Level, values, shifts []float32, offsets *[EstimateRows]float32, factor float32) {
	exp2Portable(values, shifts, offsets, factor)
}

func nears(_ simd.Level, values, shifts []float32, offsets *[EstimateRows]float32) {
	nearsPortable(values, shifts, offsets)
}

func powers(_ simd.Level, values []float32, gamma, coef0 float32, degree int) {
	powersPortable(values, gamma, coef0, degree)
}

func tanhs(_ simd.Level, values []float32, of *[4]float32) {
	tanhsPortable(values, of)
}
