//go:build amd64 && !purego

package kernel

import (
	"math"

	"github.com/slimsvm/slimsvm/format/vec/simd"
)

//go:generate sh -c "cd ../../_generate && go run ./gauss -out ../models/kernel/gauss_amd64.s -stubs ../models/kernel/gauss_stubs_amd64.go -pkg kernel"

// bareTable is expTable, with i << 45 subtracted from the bits of H: adding k << 45 then gives H
// 2^e.
var bareTable [128][2]float64

func init() {
	for i := range expTable {
		e := &expTable[i]
		bareTable[i] = [2]float64{math.Float64frombits(math.Float64bits(e[0]) - uint64(i)<<45), e[1]}
	}
}

func gaussTo(level simd.Level, dst []float32, dots, norms []float64, norm, scale float64) {
	n, odd := 0, 0
	switch level {
	case simd.AVX512:
		if n = len(dst); n > 0 && quickAVX512(&dst[0], &dots[0], &norms[0], n, norm, scale, slack512) != 0 {
			odd = gaussAVX512(&dst[0], &dots[0], &norms[0], n, norm, scale, &bareTable)
		}
	case simd.AVX2:
		if n = len(dst) &^ 3; n > 0 && quickAVX2(&dst[0], &dots[0], &norms[0], n, norm, scale*math.Log2E, slack2) != 0 {
			odd = gaussAVX2(&dst[0], &dots[0], &norms[0], n, norm, scale, &bareTable)
		}
	}
	if odd != 0 {
		for i := range n {
			if x := scale * (norm + norms[i] - float64(2*dots[i])); !(x < expPlain) {
				dst[i] = float32(expFar(x))
			}
		}
	}
	gaussPortable(dst[n:], dots[n:], norms[n:], norm, scale)
}

// nearExpTo sets dst[i] to float32 of exp of an argument near norm + norms[i] + scale dots[i]; all
// of these are multiplied by nearUnit. The error before rounding is at most the units of slack.
// closed says that all results are normal numbers. It returns how many of the first values are
// certain.
func nearExpTo(level simd.Level, dst []float32, dots, norms []float64, norm, scale float64, slack *slacks, closed bool) int {
	n := len(dst)
	if level == simd.AVX2 {
		n &^= 3
	}
	if n == 0 || level == simd.Portable {
		return 0
	}
	// the calls are direct because arguments of calls through variables would be allocated on the
	// heap
	odd := 0
	switch {
	case level == simd.AVX512 && closed:
		odd = quickCloseAVX512(&dst[0], &dots[0], &norms[0], n, norm, scale, &slack.avx512)
	case level == simd.AVX512:
		odd = quickFoldedAVX512(&dst[0], &dots[0], &norms[0], n, norm, scale, &slack.avx512)
	case closed:
		odd = quickCloseAVX2(&dst[0], &dots[0], &norms[0], n, norm, scale, &slack.avx2)
	default:
		odd = quickFoldedAVX2(&dst[0], &dots[0], &norms[0], n, norm, scale, &slack.avx2)
	}
	if odd != 0 {
		return 0
	}
	return n
}

// nearUnit is the factor of nearExpTo's arguments.
func nearUnit(level simd.Level) float64 {
	if level == simd.AVX2 {
		return math.Log2E // this form computes powers of two
	}
	return 1
}

func expTo(level simd.Level, dst, src []float64, scale float64) {
	n, odd := 0, 0
	switch level {
	case simd.AVX512:
		if n = len(dst); n > 0 && (someFar(src, scale) || expAVX512(&dst[0], &src[0], n, scale, &bareTable) != 0) {
			odd = farAVX512(&dst[0], &src[0], n, scale, &bareTable)
		}
	case simd.AVX2:
		if n = len(dst) &^ 3; n > 0 && (someFar(src, scale) || expAVX2(&dst[0], &src[0], n, scale, &bareTable) != 0) {
			odd = farAVX2(&dst[0], &src[0], n, scale, &bareTable)
		}
	}
	if odd != 0 {
		for i, v := range src[:n] {
			if x := scale * v; x >= expPlain {
				dst[i] = expFar(x)
			}
		}
	}
	expPortable(dst[n:], src[n:], scale)
}

// someFar reports whether one of three arguments is below -expPlain. Then others are likely to be
// too, and the form for nearer ones need not be tried.
func someFar(src []float64, scale float64) bool {
	return scale*src[0] < -expPlain || scale*src[len(src)/2] < -expPlain || scale*src[len(src)-1] < -expPlain
}

// tanhTo sets x[i] = tanh(scale x[i] + offset).
func tanhTo(level simd.Level, x []float64, scale, offset float64) {
	n := 0
	switch level {
	case simd.AVX512:
		if n = len(x); n > 0 {
			tanhAVX512(&x[0], n, scale, offset)
		}
	case simd.AVX2:
		if n = len(x) &^ 3; n > 0 {
			tanhAVX2(&x[0], n, scale, offset)
		}
	}
	tanhPortable(x[n:], scale, offset)
}

// tanhRoundTo sets dst[i] = float32(tanh(scale x[i] + offset)) for each element of dst. It
// overwrites x. Nearly always a shorter way gives all values (_generate/gauss/quicktanh.go has its
// bound). If one value is uncertain, tanhTo computes all of them.
func tanhRoundTo(level simd.Level, dst []float32, x []float64, scale, offset float64) {
	x = x[:len(dst)]
	n, unsure := 0, 0
	switch level {
	case simd.AVX512:
		if n = len(dst); n > 0 {
			unsure = quickTanhAVX512(&dst[0], &x[0], n, scale, offset)
		}
	case simd.AVX2:
		if n = len(dst) &^ 3; n > 0 {
			unsure = quickTanhAVX2(&dst[0], &x[0], n, scale, offset)
		}
	}
	if unsure != 0 {
		n = 0
	}
	tanhTo(level, x[n:], scale, offset)
	roundTo(level, dst[n:], x[n:])
}

// powerTo sets x[i] = Power(scale x[i] + offset, degree).
func powerTo(level simd.Level, x []float64, scale, offset float64, degree int) {
	n := 0
	switch level {
	case simd.AVX512:
		if n = len(x); n > 0 {
			powerAVX512(&x[0], n, scale, offset, max(degree, 0))
		}
	case simd.AVX2:
		if n = len(x) &^ 3; n > 0 {
			powerAVX2(&x[0], n, scale, offset, max(degree, 0))
		}
	}
	powerPortable(x[n:], scale, offset, degree)
}

// roundTo sets dst[i] = float32(src[i]) for each element of dst.
func roundTo(level simd.Level, dst []float32, src []float64) {
	src = src[:len(dst)]
	n := 0
	switch level {
	case simd.AVX512:
		if n = len(dst); n > 0 {
			roundAVX512(&dst[0], &src[0], n)
		}
	case simd.AVX2:
		if n = len(dst) &^ 3; n > 0 {
			roundAVX2(&dst[0], &src[0], n)
		}
	}
	roundPortable(dst[n:], src[n:])
}

// nearRoundTo is roundTo for numbers that are wrong by up to off. It returns how many of the first
// results are certain to be those of the exact numbers.
func nearRoundTo(level simd.Level, dst []float32, src []float64, off float64) int {
	src = src[:len(dst)]
	n, odd := 0, 0
	switch level {
	case simd.AVX512:
		if n = len(dst); n > 0 {
			odd = nearRoundAVX512(&dst[0], &src[0], n, off)
		}
	case simd.AVX2:
		if n = len(dst) &^ 3; n > 0 {
			odd = nearRoundAVX2(&dst[0], &src[0], n, off)
		}
	}
	if odd != 0 {
		return 0
	}
	return n
}

// nearPowerTo sets dst[i] = float32((b-shift)^degree) for b = scale dots[i] + offset. It returns
// for how many of the first values float32((b+shift)^degree) is the same, and the size of both
// powers is above floor.
func nearPowerTo(level simd.Level, dst []float32, dots []float64, scale, offset float64, degree int, shift, floor float64) int {
	dots = dots[:len(dst)]
	n, odd := 0, 0
	switch level {
	case simd.AVX512:
		if n = len(dst); n > 0 {
			odd = nearPowerAVX512(&dst[0], &dots[0], n, scale, offset, shift, floor, degree)
		}
	case simd.AVX2:
		if n = len(dst) &^ 3; n > 0 {
			odd = nearPowerAVX2(&dst[0], &dots[0], n, scale, offset, shift, floor, degree)
		}
	}
	if odd != 0 {
		return 0
	}
	return n
}

func lookupTo(level simd.Level, dst []float32, at []uint32, table []float32) {
	small := len(table) <= smallTable && cap(table) >= smallTable
	n := 0
	switch medium := len(table) <= mediumTable && cap(table) >= mediumTable; {
	case level == simd.Portable || len(dst) < 8 || !small && !medium:
	case level == simd.AVX512:
		n = len(dst)
		if small {
			lookup64AVX512(&dst[0], &at[0], n, &table[0])
		} else {
			lookup128AVX512(&dst[0], &at[0], n, &table[0])
		}
	default:
		n = len(dst) &^ 7
		if small {
			lookup64AVX2(&dst[0], &at[0], n, &table[0])
		} else {
			lookup128AVX2(&dst[0], &at[0], n, &table[0])
		}
	}
	lookupPortable(dst[n:], at[n:], table)
}
