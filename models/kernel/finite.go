package kernel

import (
	"math"

	"github.com/slimsvm/slimsvm/format/vec"
)

// Problem: determine whether 0 times a kernel value is always 0, so that vectors with coefficient 0
// can be left out of sums. It is, unless a value is infinite or NaN. Finite numbers can give such
// values by overflow.
//
// Method: bound all values by the largest numbers in the rows and in the vectors, and by the
// largest number of entries.

// farthest is the largest permitted bound of a sum of products, well below the largest float64.
const farthest = 1e300

// Finite reports whether all values of the batch are known to be finite. They are not if rows or
// vectors are not finite, or if products of their numbers may overflow.
func (b *Batch) Finite() bool {
	z := b.basis
	z.sizing.Do(func() { z.largest, z.longest = largestOf(z.zs) })
	x, n := 0.0, z.longest
	for _, row := range b.xs {
		x, n = math.Max(x, largest(row.Value)), max(n, len(row.Index)) // math.Max keeps NaN
	}
	dot := float64(n) * x * z.largest // a bound of the sum of the products' absolute values
	switch k := z.kernel.(type) {
	case Linear:
		return dot < farthest
	case RBF:
		// at most 2n squares; no difference is larger than the sum of both maxima
		return k.Gamma >= 0 && 2*float64(n)*(x+z.largest)*(x+z.largest)*max(k.Gamma, 1) < farthest
	case Poly:
		size := float64(math.Abs(k.Gamma)*dot) + math.Abs(k.Coef0)
		_, exponent := math.Frexp(max(size, 1)) // size is less than 2^exponent
		return size < farthest && float64(k.Degree)*float64(exponent) < 1000
	case Sigmoid:
		return float64(math.Abs(k.Gamma)*dot)+math.Abs(k.Coef0) < farthest
	}
	return false
}

// largestOf returns the largest absolute value in the rows, NaN if any is NaN, and the largest
// number of entries of a row.
func largestOf(zs *vec.Matrix) (size float64, entries int) {
	for i := range zs.Len() {
		z := zs.Row(i)
		size, entries = math.Max(size, largest(z.Value)), max(entries, len(z.Index))
	}
	return size, entries
}

// largest returns the largest absolute value. It is infinite or NaN if any value is.
func largest(values []float64) float64 {
	const sign = 1 << 63 // without the sign bit, values have the order of their bits
	var a, b uint64
	for ; len(values) >= 2; values = values[2:] {
		a, b = max(a, math.Float64bits(values[0])&^sign), max(b, math.Float64bits(values[1])&^sign)
	}
	for _, v := range values {
		a = max(a, math.Float64bits(v)&^sign)
	}
	return math.Float64frombits(max(a, b))
}

// finiteRows reports whether there are entries and all values are finite.
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

// finite reports whether all values of x are finite.
func finite(x vec.Vector) bool {
	for _, v := range x.Value {
		if v-v != 0 {
			return false
		}
	}
	return true
}
