//go:build amd64 && !purego

package pairs

//go:generate sh -c "cd ../../../_generate && go run ./pairs -out ../predict/internal/pairs/pairs_amd64.s -stubs ../predict/internal/pairs/stubs_amd64.go -pkg pairs"

import "github.com/slimsvm/slimsvm/format/vec/simd"

func signs(level simd.Level, dst []uint64, values []float64, rho float64) {
	switch level {
	case simd.AVX512:
		signsAVX512(&dst[0], &values[0], rho, len(values))
	case simd.AVX2:
		signsAVX2(&dst[0], &values[0], rho, len(values))
	default:
		signsPortable(dst, values, rho)
	}
}

func certain(level simd.Level, sums, sizes, errors *[64]float64, rho, relative, absolute float64) (above, below uint64) {
	switch level {
	case simd.AVX512:
		return certainAVX512(&sums[0], &sizes[0], &errors[0], rho, relative, absolute)
	case simd.AVX2:
		return certainAVX2(&sums[0], &sizes[0], &errors[0], rho, relative, absolute)
	}
	return certainPortable(sums, sizes, errors, rho, relative, absolute)
}

func certainOfTwo(level simd.Level, a, b, errors *[64]float64, rho, relative, absolute float64) (above, below uint64) {
	switch level {
	case simd.AVX512:
		return certainOfTwoAVX512(&a[0], &b[0], &errors[0], rho, relative, absolute)
	case simd.AVX2:
		return certainOfTwoAVX2(&a[0], &b[0], &errors[0], rho, relative, absolute)
	}
	return certainOfTwoPortable(a, b, errors, rho, relative, absolute)
}

func arguments(level simd.Level, z, size, values []float64, rows []int32, a, b float64) {
	switch level {
	case simd.AVX512:
		argumentsAVX512(&z[0], &size[0], &values[0], &rows[0], a, b, len(z))
	case simd.AVX2:
		argumentsAVX2(&z[0], &size[0], &values[0], &rows[0], a, b, len(z))
	default:
		argumentsPortable(z, size, values, rows, a, b)
	}
}

func logistic(level simd.Level, dst, z, exps []float64, least, most float64) {
	switch level {
	case simd.AVX512:
		logisticAVX512(&dst[0], &z[0], &exps[0], least, most, len(dst))
	case simd.AVX2:
		logisticAVX2(&dst[0], &z[0], &exps[0], least, most, len(dst))
	default:
		logisticPortable(dst, z, exps, least, most)
	}
}

func three(level simd.Level, dst, r []float64, stride int) {
	switch level {
	case simd.AVX512:
		threeAVX512(&dst[0], &r[0], 8*stride, len(dst))
	case simd.AVX2:
		threeAVX2(&dst[0], &r[0], 8*stride, len(dst))
	default:
		threePortable(dst, r, stride)
	}
}

func four(level simd.Level, dst, r []float64, stride int) {
	switch level {
	case simd.AVX512:
		fourAVX512(&dst[0], &r[0], 8*stride, len(dst))
	case simd.AVX2:
		fourAVX2(&dst[0], &r[0], 8*stride, len(dst))
	default:
		fourPortable(dst, r, stride)
	}
}

func products(level simd.Level, c *Coupling, k int) {
	if level == simd.AVX512 {
		productsAVX512(&c.q[0], &c.p[0], &c.qp[0], &c.pqp[0], &c.worst[0], k)
	} else {
		productsAVX2(&c.q[0], &c.p[0], &c.qp[0], &c.pqp[0], &c.worst[0], k)
	}
}

func sweep(level simd.Level, c *Coupling, k int) {
	if level == simd.AVX512 {
		sweepAVX512(&c.q[0], &c.p[0], &c.qp[0], &c.pqp[0], k)
	} else {
		sweepAVX2(&c.q[0], &c.p[0], &c.qp[0], &c.pqp[0], k)
	}
}

func product(level simd.Level, q, p, qp []float64, k int) {
	switch level {
	case simd.AVX512:
		productAVX512(&q[0], &p[0], &qp[0], len(p), k)
	case simd.AVX2:
		productAVX2(&q[0], &p[0], &qp[0], len(p), k)
	default:
		productPortable(q, p, qp, k)
	}
}

func applyStep(level simd.Level, row, p, qp []float64, step, sum float64) {
	switch level {
	case simd.AVX512:
		turnAVX512(&row[0], &p[0], &qp[0], step, sum, len(row))
	case simd.AVX2:
		turnAVX2(&row[0], &p[0], &qp[0], step, sum, len(row))
	default:
		applyStepPortable(row, p, qp, step, sum)
	}
}
