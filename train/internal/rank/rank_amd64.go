//go:build amd64 && !purego

package rank

//go:generate sh -c "cd ../../../_generate && go run ./rank -out ../train/internal/rank/rank_amd64.s -stubs ../train/internal/rank/stubs_amd64.go -pkg rank"

import "github.com/slimsvm/slimsvm/format/vec/simd"

type kernel func(h *float64, hstride int, left, right *float64, stride, rows int)

// Element k adds to k+1 lines.
var (
	avx512 = []kernel{add1AVX512, add2AVX512, add3AVX512, add4AVX512, add5AVX512, add6AVX512}
	avx2   = []kernel{add1AVX2, add2AVX2, add3AVX2, add4AVX2}
)

func addTo(level simd.Level, h, z []float64, s, from, to int) {
	switch level {
	case simd.AVX512:
		tiles(avx512, 32, h, z, s, from, to)
	case simd.AVX2:
		tiles(avx2, 8, h, z, s, from, to)
	default:
		addPortable(h, z, s, from, to)
	}
}

// tiles calls kernels for as many lines at a time as the registers allow, and width numbers of each
// line.
func tiles(kernels []kernel, width int, h, z []float64, s, from, to int) {
	for from < to {
		lines := min(to-from, len(kernels))
		for b := from / width * width; b < s; b += width {
			kernels[lines-1](&h[from*s+b], 8*s, &z[from], &z[b], 8*s, len(z)/s)
		}
		from += lines
	}
}
