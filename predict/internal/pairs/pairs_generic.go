//go:build !amd64 || purego

package pairs

import "github.com/slimsvm/slimsvm/format/vec/simd"

func signs(_ simd.Level, dst []uint64, values []float64, rho float64) {
	signsPortable(dst, values, rho)
}

func certain(_ simd.Level, sums, sizes, errors *[64]float64, rho, relative, absolute float64) (above, below uint64) {
	return certainPortable(sums, sizes, errors, rho, relative, absolute)
}

func certainOfTwo(_ simd.Level, a, b, errors *[64]float64, rho, relative, absolute float64) (above, below uint64) {
	return certainOfTwoPortable(a, b, errors, rho, relative, absolute)
}

func arguments(_ simd.Level, z, size, values []float64, rows []int32, a, b float64) {
	argumentsPortable(z, size, values, rows, a, b)
}

func logistic(_ simd.Level, dst, z, exps []float64, least, most float64) {
	logisticPortable(dst, z, exps, least, most)
}

func three(_ simd.Level, dst, r []float64, stride int) { threePortable(dst, r, stride) }

func four(_ simd.Level, dst, r []float64, stride int) { fourPortable(dst, r, stride) }

func product(_ simd.Level, q, p, qp []float64, k int) { productPortable(q, p, qp, k) }

func applyStep(_ simd.Level, row, p, qp []float64, step, sum float64) {
	applyStepPortable(row, p, qp, step, sum)
}

// Without vector instructions, One is used instead of products and sweep.

func products(simd.Level, *Coupling, int) { panic("pairs: no vector instructions") }

func sweep(simd.Level, *Coupling, int) { panic("pairs: no vector instructions") }
