//go:build amd64 && !purego

package combine

//go:generate sh -c "cd ../../../_generate && go run ./combine -out ../predict/internal/combine/combine_amd64.s -stubs ../predict/internal/combine/stubs_amd64.go -pkg combine"

import "github.com/slimsvm/slimsvm/format/vec/simd"

type kernel func(sums, coef *[6]*float64, values *float64, stride, n int)

// By number of machines; the last is for the most.
var (
	avx512 = []kernel{add1AVX512, add2AVX512, add3AVX512, add4AVX512, add5AVX512, add6AVX512}
	avx2   = []kernel{add1AVX2, add2AVX2, add3AVX2, add4AVX2}
)

func addTo(level simd.Level, sums, coef [][]float64, values []float64) {
	switch level {
	case simd.AVX512:
		blocks(avx512, 32, sums, coef, values)
	case simd.AVX2:
		blocks(avx2, 8, sums, coef, values)
	default:
		addPortable(sums, coef, values)
	}
}

// blocks takes as many machines at a time as there are registers for, and so many
// lanes.
func blocks(kernels []kernel, width int, sums, coef [][]float64, values []float64) {
	lanes, n := len(sums[0]), len(coef[0])
	for len(sums) > 0 {
		k := min(len(sums), len(kernels))
		var s, c [6]*float64
		for m := range k {
			c[m] = &coef[m][0]
		}
		for at := 0; at < lanes; at += width {
			for m := range k {
				s[m] = &sums[m][at]
			}
			kernels[k-1](&s, &c, &values[at], 8*lanes, n)
		}
		sums, coef = sums[k:], coef[k:]
	}
}

type estimate = func(sums *[6]*float64, coef *[6]*float32, values *float32, n int)

var (
	estimate512 = []estimate{estimate1AVX512, estimate2AVX512, estimate3AVX512, estimate4AVX512, estimate5AVX512, estimate6AVX512}
	estimate2   = []estimate{estimate1AVX2, estimate2AVX2, estimate3AVX2}
)

func addEstimates(level simd.Level, sums [][]float64, coef [][]float32, values []float32) {
	switch level {
	case simd.AVX512:
		estimates(estimate512, 64, sums, coef, values)
	case simd.AVX2:
		estimates(estimate2, 32, sums, coef, values)
	default:
		addEstimatesPortable(sums, coef, values)
	}
}

func estimates(kernels []estimate, width int, sums [][]float64, coef [][]float32, values []float32) {
	n := len(coef[0])
	for passes := (len(sums) + len(kernels) - 1) / len(kernels); passes > 0; passes-- {
		k := (len(sums) + passes - 1) / passes // passes of one machine are as long as of two
		var s [6]*float64
		var c [6]*float32
		for m := range k {
			c[m] = &coef[m][0]
		}
		for at := 0; at < EstimateLanes; at += width {
			for m := range k {
				s[m] = &sums[m][at]
			}
			kernels[k-1](&s, &c, &values[at], n)
		}
		sums, coef = sums[k:], coef[k:]
	}
}
