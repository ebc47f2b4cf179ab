//go:build !amd64 || purego

package kernel

import "github.com/slimsvm/slimsvm/format/vec"

func addSums(sums *[vec.PanelRows]float64, coef, panel, queries []float64, columns int, scale float64, _ []float64) {
	addSumsPortable(sums, coef, panel, queries, columns, scale)
}
