// Package simdtest has what tests of vector instructions have in common.
package simdtest

import (
	"math"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec/simd"
)

// EveryLevel runs test with each set of instructions that the machine has.
func EveryLevel(t *testing.T, test func(t *testing.T)) {
	for l := simd.Portable; l <= simd.Best(); l++ {
		t.Run(l.String(), func(t *testing.T) {
			before := simd.Use(l)
			defer simd.Use(before)
			test(t)
		})
	}
}

// Guarded returns n zeros with guard words around them, and a function that reports whether these
// are unchanged.
func Guarded(n int) (zeros []float64, unchanged func() bool) {
	const guard = 0x7ff8dead00000000
	const offset = 3 // so that nothing is aligned
	all := make([]float64, n+19)
	for i := range all {
		all[i] = math.Float64frombits(guard + uint64(i))
	}
	zeros = all[offset : offset+n : offset+n]
	clear(zeros)
	return zeros, func() bool {
		for i, v := range all {
			if (i < offset || i >= offset+n) && math.Float64bits(v) != guard+uint64(i) {
				return false
			}
		}
		return true
	}
}
