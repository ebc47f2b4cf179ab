//go:build !amd64 || purego

package combine

import "github.com/slimsvm/slimsvm/format/vec/simd"

func addTo(_ simd.Level, sums, coef [][]float64, values []float64) { addPortable(sums, coef, values) }

func addEstimates(_ simd.Level, sums [][]float64, coef [][]float32, values []float32) {
	addEstimatesPortable(sums, coef, values)
}
