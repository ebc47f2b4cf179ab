package kernel

import (
	"fmt"

	"github.com/slimsvm/slimsvm/format/vec/simd"
)

// Problem: compute many values of float32(exp(-gamma d)) in training, and of exp(-gamma d) in
// prediction, with the bits of Exp.
//
// Method: the steps of Exp in the lanes of vector registers. If some arguments are below -512, as
// with distances of unscaled data, a function computes all values that also has the steps for
// results near 0; only arguments of 512 and more are left to Exp. In training, arguments below -128
// give 0 as a float32 in any case. Most training values are found by a shorter way: see quick.go.
// In prediction with AVX-512, the table positions of some numbers are computed while the entries
// for the numbers before them are loaded.

// gauss sets dst[i] = float32(Exp(-gamma * (norm + norms[i] - 2*dots[i]))).
func gauss(dst []float32, dots, norms []float64, norm, gamma float64) {
	if len(dots) != len(dst) || len(norms) != len(dst) {
		panic(fmt.Sprintf("kernel: %d dot products and %d norms for %d values", len(dots), len(norms), len(dst)))
	}
	gaussTo(simd.Current(), dst, dots, norms, norm, -gamma)
}

// zeroBelow: for arguments below -zeroBelow, e^x is less than half of the least float32.
const zeroBelow = 128

// ExpTo sets dst[i] = Exp(src[i]). The slices must not overlap.
func ExpTo(dst, src []float64) { expScaled(dst, src, 1) }

// expScaled sets dst[i] = Exp(scale * src[i]). The slices must not overlap.
func expScaled(dst, src []float64, scale float64) {
	if len(dst) != len(src) {
		panic(fmt.Sprintf("kernel: %d arguments for %d values", len(src), len(dst)))
	}
	expTo(simd.Current(), dst, src, scale)
}

func expPortable(dst, src []float64, scale float64) {
	src = src[:len(dst)]
	for i, x := range src {
		dst[i] = Exp(scale * x)
	}
}

func roundPortable(dst []float32, src []float64) {
	src = src[:len(dst)]
	for i, v := range src {
		dst[i] = float32(v)
	}
}

// tables of up to this many values can be looked up in registers
const smallTable, mediumTable = 64, 128

// lookup sets dst[i] = table[at[i]].
func lookup(dst []float32, at []uint32, table []float32) {
	lookupTo(simd.Current(), dst, at[:len(dst)], table)
}

func lookupPortable(dst []float32, at []uint32, table []float32) {
	at = at[:len(dst)]
	for i, k := range at {
		dst[i] = table[k]
	}
}
