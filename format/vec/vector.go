// Package vec holds sparse vectors ([Vector]), matrices of them ([Matrix]), and the dot products
// that all kernels use.
//
// Most programs need only these two types: a Vector is a row, and a Matrix is the X of a
// format.Dataset. [FromSlice] and [FromMap] make a Vector. The other types hold rows side by side for
// vector instructions, in the form that suits their values: [Panels] (dense), [WholePanels] and
// [DecimalPanels] (whole numbers and decimal ones of few digits), [BitPanels] and [CodePanels] (sets
// of columns) and [Strip] (sparse). Packages kernel and predict use them.
//
// Every sum runs in ascending index order, in float64, with a separate multiply and add, so that
// results have the same bits on every machine and for every representation, unless a method says
// otherwise. Skipping entries that are absent on one side changes nothing, because adding a product
// with zero leaves a sum as it is. Values must be finite for that.
package vec

import "slices"

// A Vector is a sparse vector: Value[k] is at position Index[k]. Positions that are not listed are
// zero. Indices are not negative and strictly increasing, and both slices have the same length.
// Zeros may be listed; they are kept.
type Vector struct {
	Index []int32
	Value []float64
}

// FromSlice returns a vector with values[j] at position j+1, as features of data files are
// numbered. It copies values and does not list zeros. It is not for rows under a format.Header that
// declares columns: those are counted from 0, as in the example of encode.Fit.
func FromSlice(values []float64) Vector {
	n := 0
	for _, x := range values {
		if x != 0 {
			n++
		}
	}
	v := Vector{make([]int32, 0, n), make([]float64, 0, n)}
	for j, x := range values {
		if x != 0 {
			v.Index, v.Value = append(v.Index, int32(j+1)), append(v.Value, x)
		}
	}
	return v
}

// FromMap returns a vector with values[i] at position i. It does not list zeros.
func FromMap(values map[int32]float64) Vector {
	v := Vector{make([]int32, 0, len(values)), make([]float64, 0, len(values))}
	for i, x := range values {
		if x != 0 {
			v.Index = append(v.Index, i)
		}
	}
	slices.Sort(v.Index)
	for _, i := range v.Index {
		v.Value = append(v.Value, values[i])
	}
	return v
}

// Clone returns a copy that shares no memory with v.
func (v Vector) Clone() Vector {
	return Vector{slices.Clone(v.Index), slices.Clone(v.Value)}
}

// At returns the value at position index, 0 if it is not listed.
func (v Vector) At(index int32) float64 {
	if k, ok := slices.BinarySearch(v.Index, index); ok {
		return v.Value[k]
	}
	return 0
}

// Dot returns the sum of a[k]*b[k] over positions that both list, in ascending order.
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

// sameIndex reports whether two index lists are the same slice in memory, as for rows of a Matrix
// that share a list. It may return false for equal lists.
func sameIndex(a, b []int32) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}
