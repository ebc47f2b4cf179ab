//go:build !amd64 || purego

package kernel

import "github.com/slimsvm/slimsvm/format/vec/simd"

func gaussTo(_ simd.Level, dst []float32, dots, norms []float64, norm, scale float64) {
	gaussPortable(dst, dots, norms, norm, scale)
}

func nearExpTo(_ simd.Level, _ []float32, _, _ []float64, _, _ float64, _ *slacks, _ bool) int {
	return 0
}

func nearUnit(_ simd.Level) float64 { return 1 }

func expTo(_ simd.Level, dst, src []float64, scale float64) { expPortable(dst, src, scale) }

func tanhTo(_ simd.Level, x []float64, scale, offset float64) { tanhPortable(x, scale, offset) }

func tanhRoundTo(level simd.Level, dst []float32, x []float64, scale, offset float64) {
	tanhTo(level, x[:len(dst)], scale, offset)
	roundTo(level, dst, x)
}

func powerTo(_ simd.Level, x []float64, scale, offset float64, degree int) {
	powerPortable(x, scale, offset, degree)
}

func roundTo(_ simd.Level, dst []float32, src []float64) { roundPortable(dst, src) }

func nearPowerTo(_ simd.Level, _ []float32, _ []float64, _, _ float64, _ int, _, _ float64) int {
	return 0
}

func nearRoundTo(_ simd.Level, _ []float32, _ []float64, _ float64) int { return 0 }

func lookupTo(_ simd.Level, dst []float32, at []uint32, table []float32) {
	lookupPortable(dst, at, table)
}
