// Package vec holds sparse vectors, matrices of them, and the dot products on
// which all kernels rest.
//
// Every sum runs in ascending index order, in float64, with a separate multiply
// and add, so that results have the same bits on every machine and for every
// representation. Skipping entries that are absent on one side changes nothing,
// because adding a product with zero leaves a sum as it is; values must be
// finite for that.
package vec

import "slices"

// A Vector is a sparse vector: Value[k] at position Index[k]. Index is strictly
// increasing and not negative; both slices have one length. Positions that are
// not listed are zero. Listed zeros are allowed and kept.
type Vector struct {
	Index []int32
	Value []float64
}

// Clone returns a copy that shares no memory with v.
func (v Vector) Clone() Vector {
	return Vector{slices.Clone(v.Index), slices.Clone(v.Value)}
}

// At returns the value at position index, 0 where none is listed.
func (v Vector) At(index int32) float64 {
	if k, ok := slices.BinarySearch(v.Index, index); ok {
		return v.Value[k]
	}
	return 0
}

// Dot returns the sum of a[k]*b[k] over common positions, in ascending order.
func Dot(a, b Vector) float64 {
	ai, av, bi, bv := a.Index, a.Value, b.Index, b.Value
	av, bv = av[:len(ai)], bv[:len(bi)]
	sum := 0.0
	i, j := 0, 0
	for i < len(ai) && j < len(bi) {
		switch p, q := ai[i], bi[j]; {
		case p == q:
			sum += float64(av[i] * bv[j])
			i++
			j++
		case p < q:
			i++
		default:
			j++
		}
	}
	return sum
}

// SquaredNorm returns the dot product of v with itself.
func SquaredNorm(v Vector) float64 {
	sum := 0.0
	for _, x := range v.Value {
		sum += float64(x * x)
	}
	return sum
}

// sameIndex reports whether two index lists are one slice in memory, as those
// of a Matrix's equally built rows are. It may say false for equal lists.
func sameIndex(a, b []int32) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}
