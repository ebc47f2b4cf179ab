package kernel

import (
	"math"

	"github.com/slimsvm/slimsvm/format/vec"
)

// Problem: determine whether kernel values times 0 are 0, so that vectors with coefficient 0 can be
// left out of sums. They are unless a value is infinite or NaN. Overflow can make such values of
// finite numbers.

// farthest is what sums of products may come to: well below what is too large for a float64.
const farthest = 1e300

// Finite reports whether all values of the batch are known to be finite. They are not if rows or
// vectors are not finite, or if products of their numbers may overflow.
func (b *Batch) Finite() bool {
	z := b.basis
	z.sizing.Do(func() { z.largest, z.longest = largestOf(z.zs) })
	x, n := 0.0, z.longest
	for _, row := range b.xs {
		x, n = math.Max(x, largest(row.Value)), max(n, len(row.Index)) // Max keeps what is no number
	}
	dot := float64(n) * x * z.largest // bounds that of absolute values
	switch k := z.kernel.(type) {
	case Linear:
		return dot < farthest
	case RBF:
		// at most 2n squares, none of a larger number than the sum of both
		return k.Gamma >= 0 && 2*float64(n)*(x+z.largest)*(x+z.largest)*max(k.Gamma, 1) < farthest
	case Poly:
		size := float64(math.Abs(k.Gamma)*dot) + math.Abs(k.Coef0)
		_, exponent := math.Frexp(max(size, 1)) // size is less than 2 to that
		return size < farthest && float64(k.Degree)*float64(exponent) < 1000
	case Sigmoid:
		return float64(math.Abs(k.Gamma)*dot)+math.Abs(k.Coef0) < farthest
	}
	return false
}

// largestOf returns the largest absolute value of the rows, no number if one is none, and the most entries of one.
func largestOf(zs *vec.Matrix) (size float64, entries int) {
	for i := range zs.Len() {
		z := zs.Row(i)
		size, entries = math.Max(size, largest(z.Value)), max(entries, len(z.Index))
	}
	return size, entries
}

// largest returns the largest absolute value, infinite or no number if one is.
func largest(values []float64) float64 {
	const sign = 1 << 63 // without it values are in the order of their bits
	var a, b uint64
	for ; len(values) >= 2; values = values[2:] {
		a, b = max(a, math.Float64bits(values[0])&^sign), max(b, math.Float64bits(values[1])&^sign)
	}
	for _, v := range values {
		a = max(a, math.Float64bits(v)&^sign)
	}
	return math.Float64frombits(max(a, b))
}

// finiteRows reports whether all values of some are.
func finiteRows(zs *vec.Matrix) bool {
	some := false
	for i := range zs.Len() {
		x := zs.Row(i)
		if !finite(x) {
			return false
		}
		some = some || len(x.Index) > 0
	}
	return some
}

// finite reports whether all values of x are.
func finite(x vec.Vector) bool {
	for _, v := range x.Value {
		if v-v != 0 {
			return false
		}
	}
	return true
}
