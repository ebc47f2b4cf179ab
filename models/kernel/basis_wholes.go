package kernel

import (
	"math"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/format/vec/simd"
)

// Problem: predict with vectors and rows of small whole numbers.
//
// Method: as in training (gram_wholes.go). A sum of squared differences of whole numbers is a whole
// number, and so is the squared distance computed from squared norms and a dot product.

// wholesLeast is the number of columns from which this is faster than sums of squares in float64.
// With few columns, those sums are computed together with exp.
const wholesLeast = 48

// wholesPay reports whether the vectors are small whole numbers, and using that pays.
func (b *Basis) wholesPay() bool {
	if simd.Current() == simd.Portable || b.columns.count < wholesLeast {
		return false
	}
	_, _, ok := b.zs.WholeRange()
	return ok
}

// packWholes returns the queries of all vectors.
func (b *Basis) packWholes() []int16 {
	pairs := (b.columns.count + 1) / 2
	b.packed[0] = newPacking(0, 0, 2*b.zs.Len()*pairs)
	blocks := b.packed[0].short
	b.eachBlock(0, b.zs.Len(), func(first, rows, _, _ int) { b.packWhole(blocks[2*first*pairs:][:2*rows*pairs], first, rows) })
	return blocks
}

// packWhole writes the query of some vectors: two elements of each vector, then the next two, and
// so on.
func (b *Basis) packWhole(query []int16, first, rows int) {
	clear(query)
	for r := range rows {
		x := b.zs.Row(first + r)
		for k, index := range x.Index {
			if c := int(b.columns.of[index]); c >= 0 {
				query[c/2*2*rows+2*r+c%2] = int16(x.Value[k])
			}
		}
	}
}

// setWholes stores the rows as whole numbers. It returns false if the rows or the vectors are not
// whole.
func (b *Batch) setWholes() bool {
	z := b.basis
	if !z.integral {
		return false
	}
	b.norms = room(&b.norms, b.lanes)
	bytes := true
	for r, x := range b.xs {
		norm := 0.0
		for _, v := range x.Value {
			if v != math.Trunc(v) || v < math.MinInt16 || v > math.MaxInt16 {
				return false
			}
			norm += float64(v * v)
			bytes = bytes && v >= 0 && v <= 255
		}
		if !(norm <= vec.MaxWholeNorm) {
			return false
		}
		b.norms[r] = norm
	}
	clear(b.norms[len(b.xs):])
	b.wholes.ResetWithin(len(b.xs), len(b.xs), z.columns.count, bytes)
	for r, x := range b.xs {
		b.wholes.Set(r, x, z.columns.of)
	}
	return true
}

func (b *Batch) wholesTo(dst []float64, from, to int) {
	z, lanes := b.basis, b.lanes
	pairs := (z.columns.count + 1) / 2
	tile := room(&b.values, z.block*lanes)
	large := z.large(4 * pairs)
	var blocks []int16
	if large {
		b.short = room(&b.short, 2*z.block*pairs)
	} else {
		blocks = z.wholes.of(z, (*Basis).packWholes)
	}
	z.eachBlock(from, to, func(first, rows, lo, hi int) {
		var query []int16
		if large {
			query = b.short[:2*rows*pairs]
			z.packWhole(query, first, rows)
		} else {
			query = blocks[2*first*pairs : 2*(first+rows)*pairs]
		}
		b.wholes.DotsTo(tile[:rows*lanes], lanes, query, rows, 0, lanes/vec.PanelRows)
		out := dst[(lo-from)*lanes : (hi-from)*lanes]
		values := tile[(lo-first)*lanes : (hi-first)*lanes]
		k, is := z.kernel.(RBF)
		if !is {
			copy(out, values)
			FromDots(z.kernel, out)
			return
		}
		for i := lo; i < hi; i++ {
			norm, some := z.zs.SquaredNorm(i), values[(i-lo)*lanes:][:lanes]
			for r, own := range b.norms[:lanes] {
				some[r] = own + norm - 2*some[r]
			}
		}
		expScaled(out, values, -k.Gamma)
	})
}
