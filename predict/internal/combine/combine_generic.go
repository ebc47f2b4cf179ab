//go:build !amd64 || purego

package combine

import "github.com/slimsvm/slimsvm/format/vec/simd"

func addTo(_ simd.Level, sums, coef [][]float64, values []float64, rows int) {
	addPortable(sums, coef, values, rows)
}

func addEstimates(_ simd.Level, sums [][]float64, coef [][]float32, values []float32) {
	addEstimatesPortable(sums, coef, values)
}

func addRows(_ simd.Level, _ bool, sums, rows []float64, index []int32, coef []float64) {
	addRowsPortable(sums, rows, index, coef)
}

func join(_ simd.Level, a, b *[EstimateLanes]float64) { joinPortable(a, b) }
