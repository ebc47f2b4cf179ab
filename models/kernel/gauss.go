package kernel

import (
	"fmt"

	"github.com/slimsvm/slimsvm/format/vec/simd"
)

// Problem: many values of float32(exp(-gamma d)) in training, and of
// exp(-gamma d) in prediction, with the bits of Exp.
//
// Prediction: the steps of Exp in the lanes of vector registers; arguments not
// below 512 in size are left to Exp.
//
// Training: the value is rounded to float32, so that a less exact e^x will do
// wherever its rounding is certain. With x = (k/16) ln 2 + r (AVX-512), |r| <=
// ln2/32, e^r is its Taylor polynomial of degree 5 and 2^(k/16) comes from a
// table of 16 numbers; with x = k ln 2 + r (AVX2), |r| <= ln2/2, the polynomial
// has degree 10. The relative error is at most
//
//	degree 5:  (ln2/32)^6/6! e^r    1.5e-13
//	degree 10: (ln2/2)^11/11! e^r   3.1e-13
//	r:         |x| 2^-53 for the rounding of ln2/16 or ln2, |x| < 87    1.0e-14
//	roundings of the polynomial and the table                           0.1e-14
//
// which in units of 2^-52 of a mantissa below 2 is less than 1500 and 3000. Exp
// itself is wrong by less than 2 such units. Float32 keeps all but 29 bits: where
// those of the result are further than 2048, or 4096, from the middle between two
// float32, both round alike. Otherwise (4 to 16 in a million) and where the
// float32 is subnormal, Exp decides.

// gauss sets dst[i] = float32(Exp(-gamma * (norm + norms[i] - 2*dots[i]))).
func gauss(dst []float32, dots, norms []float64, norm, gamma float64) {
	if len(dots) != len(dst) || len(norms) != len(dst) {
		panic(fmt.Sprintf("kernel: %d dot products and %d norms for %d values", len(dots), len(norms), len(dst)))
	}
	gaussTo(simd.Current(), dst, dots, norms, norm, -gamma)
}

// zeroFrom is the argument from which downwards e^x is 0 in float32: half of the
// least subnormal, 2^-150, is e^-103.97.
const zeroFrom = -104

func gaussPortable(dst []float32, dots, norms []float64, norm, scale float64) {
	dots, norms = dots[:len(dst)], norms[:len(dst)]
	for i := range dst {
		x := scale * (norm + norms[i] - float64(2*dots[i]))
		if x <= zeroFrom {
			dst[i] = 0
			continue
		}
		dst[i] = float32(Exp(x))
	}
}

// expScaled sets dst[i] = Exp(scale * src[i]). The two do not overlap.
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
