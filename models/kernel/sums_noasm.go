//go:build !amd64 || purego

package kernel

import (
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/format/vec/simd"
)

func addSums(_ simd.Level, sums *[vec.PanelRows]float64, coef, panel, queries []float64, columns int, scale float64, _ []float64, _ *squareTables) {
	addSumsPortable(sums, coef, panel, queries, columns, scale)
}

func setValues(_ simd.Level, dst []float64, stride int, panel, queries []float64, columns int, scale float64, _ []float64, _ *squareTables) {
	panic("kernel: values one by one are as soon had")
}
