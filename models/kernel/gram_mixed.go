package kernel

import (
	"math"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/format/vec/simd"
)

// Problem: kernel rows, Gaussian and linear, of vectors of which some columns are real numbers and others small whole
// numbers, as one-hot codes of nominal attributes are beside numeric ones.
//
// Method: a dot product is that of the real columns, in float64, and that of the whole ones, in integers, which takes a
// quarter of the time and less. Their sum is not rounded as LIBSVM's is, which adds all products in the order of columns.
// But both are near the product itself: with m products, one of n rounded columns and one addition, and u = 2^-53,
//
//	|LIBSVM's - sum x_k z_k| <= m u sum |x_k z_k|,  |ours - sum x_k z_k| <= (n + 1) u sum |x_k z_k|
//
// up to terms of u^2, and sum |x_k z_k| <= |x| |z|, by Cauchy and Schwarz no more than the largest squared norm N. So dot
// products differ by up to (m + n + 1) u N, and where both roundings to float32 of ours, that added and subtracted, are one, it is that of LIBSVM's.
// Arguments of exp differ by up to 2 gamma (m + n + 1) u N for that, by 8 gamma u N for the roundings of distances, none of which is
// more than 4 N, and by two roundings of a product with gamma. That is added to what is known of the error of the
// quick way to float32 (quick.go). Where the bound reaches across the middle of two float32, LIBSVM's product is computed.

// columnKinds tells the columns that are real numbers from those that are whole.
type columnKinds struct {
	real, whole   []int32 // the column of each index, -1 for none
	reals, wholes int
	bytes         bool // whole ones are from 0 to 255
	most          int  // number of columns of the row with most
	norm          float64
}

// Rough times in nanoseconds: of a column of real numbers, and of what two kinds take more than one.
const mixedExtra = 0.15

func realColumn() float64 {
	if simd.Current() == simd.AVX2 {
		return 0.12
	}
	return 0.08
}

// mixedShare is the part of the time of another form that two kinds of columns have to take at most.
const mixedShare = 0.8

// kindsPay reports whether so many columns of both kinds take less time than the form that s has.
func (s *Store) kindsPay(reals, wholes int) bool {
	if wholes == 0 {
		return false
	}
	now := float64(0.7*s.columns.shared) + 1.8
	if s.form == asPanels {
		now = realColumn() * float64(s.columns.count)
	}
	return mixedExtra+float64(realColumn()*(float64(reals)+float64(float64(wholes)/wholesAtOnce))) <= mixedShare*now
}

// sampleRows are looked at before all are.
const sampleRows = 100

// kindsOf returns the kinds of columns, nil unless they are of use.
func (s *Store) kindsOf() *columnKinds {
	c, n := &s.columns, s.near.Len()
	if simd.Current() == simd.Portable || s.form != asPanels && s.form != asLists || !s.kindsPay(0, c.count) {
		return nil
	}
	largest := make([]float64, c.count) // absolute value of a column, NaN if it is real
	k := &columnKinds{bytes: true}
	look := func(from, to int) bool {
		for i := from; i < to; i++ {
			row := s.near.Row(i)
			for e, v := range row.Value {
				at := c.of[row.Index[e]]
				if at < 0 || largest[at] != largest[at] {
					continue
				}
				if v != math.Trunc(v) || v < math.MinInt16 || v > math.MaxInt16 {
					largest[at] = math.NaN()
					continue
				}
				largest[at] = max(largest[at], math.Abs(v))
				k.bytes = k.bytes && v >= 0
			}
		}
		k.reals = 0
		for _, v := range largest {
			if v != v {
				k.reals++
			}
		}
		k.wholes = c.count - k.reals
		return s.kindsPay(k.reals, k.wholes)
	}
	if sample := min(n, sampleRows); !look(0, sample) || !look(sample, n) {
		return nil
	}
	square := 0.0
	for _, v := range largest {
		if v == v {
			square += float64(v * v)
			k.bytes = k.bytes && v <= 255
		}
	}
	if square > vec.MaxWholeNorm {
		return nil
	}
	element := 2
	if k.bytes {
		element = 1
	}
	if s.form == asLists && (8*k.reals+element*k.wholes)*n > 16*c.entries+64*n {
		return nil
	}
	k.real, k.whole = make([]int32, len(c.of)), make([]int32, len(c.of))
	reals, wholes := int32(0), int32(0)
	for i, at := range c.of {
		k.real[i], k.whole[i] = -1, -1
		switch {
		case at < 0:
		case largest[at] != largest[at]:
			k.real[i] = reals
			reals++
		default:
			k.whole[i] = wholes
			wholes++
		}
	}
	for i := range n {
		k.norm = max(k.norm, s.near.SquaredNorm(i))
	}
	k.most = c.longest
	return k
}

const roundoff = 0x1p-53 // u

// dotError returns a bound on the difference of dot products, with some more than the terms of u^2.
func (k *columnKinds) dotError() float64 {
	return float64(float64(k.norm*float64(k.most+k.reals+1)) * (roundoff * 1.01))
}

// argumentError returns a bound on the difference of the arguments of exp, relative to exp that of the results.
func (k *columnKinds) argumentError(gamma float64) float64 {
	return float64(gamma*(float64(2*k.dotError())+float64(8.1*roundoff*k.norm))) + 2*105*roundoff
}

// mostUnits is the largest error in units of 2^-52 of a mantissa below 2 for which two kinds of columns are used:
// with more, too many values would have to be looked at again, of 256 that are computed together those of one in fifteen.
const mostUnits = 1 << 15

// units returns how many units an error is.
func units(relative float64) float64 { return relative * 0x1p53 }

// mixes reports whether Grams of so many rows with k have two kinds of columns. Products that are 0, as those of lists mostly
// are, would be nothing but rounding errors of linear kernels.
func (s *Store) mixes(k Kernel, rows int) bool {
	kinds := s.kinds
	if kinds == nil || simd.Current() == simd.Portable || !panelsFit(rows, kinds.reals+kinds.wholes, 8) {
		return false
	}
	switch k := k.(type) {
	case RBF:
		return k.Gamma > 0 && units(kinds.argumentError(k.Gamma)) < mostUnits
	case Linear:
		return s.form == asPanels
	}
	return false
}

// packMixed packs the kinds of columns of the given rows apart.
func (g *Gram) packMixed(by packers, rows []int) {
	k, near := g.store.kinds, g.store.near
	g.panels.ResetWithin(g.n, g.most, k.reals)
	g.wholes.ResetWithin(g.n, g.most, k.wholes, k.bytes)
	g.at = room(&g.at, g.most)[:g.n]
	if gaussian, is := g.kernel.(RBF); is {
		g.near = k.argumentError(gaussian.Gamma)
		more := int(units(g.near)) + 1
		g.slack = slacks{*newSlack(quickUnits2 + more), *newSlack(quickUnits512 + more)}
	} else {
		g.near = k.dotError() + float64(2*roundoff*k.norm) // which the sum and the difference with it are rounded by
	}
	panels := (g.n + vec.PanelRows - 1) / vec.PanelRows
	parts := by.parts(g.n*g.store.columns.count, panels)
	by.do(parts, func(p int) {
		for i := p * panels / parts * vec.PanelRows; i < min((p+1)*panels/parts*vec.PanelRows, g.n); i++ {
			row := at(rows, i)
			x := near.Row(row)
			g.panels.Set(i, x, k.real)
			g.wholes.Set(i, x, k.whole)
			g.at[i] = int32(row)
		}
	})
}

// roundNear sets dst to the values of row i and columns from lo on, whose dot products are nearly given.
func (g *Gram) roundNear(dst []float32, dots []float64, i, lo int) {
	gaussian, is := g.kernel.(RBF)
	if !is {
		for t := nearRoundTo(simd.Current(), dst, dots, g.near); t < len(dst); t++ {
			if dst[t] = float32(dots[t] - g.near); dst[t] != float32(dots[t]+g.near) {
				dst[t] = float32(g.dot(i, lo+t))
			}
		}
		return
	}
	norms, norm, scale := g.norms[lo:lo+len(dst)], g.norms[i], -gaussian.Gamma
	for t := nearGaussTo(simd.Current(), dst, dots, norms, norm, scale, &g.slack); t < len(dst); t++ {
		y := Exp(scale * (norm + norms[t] - float64(2*dots[t])))
		off := g.near + 0x1p-50 // and the roundings of Exp and of what follows
		if dst[t] = float32(float64(y * (1 - off))); dst[t] != float32(float64(y*(1+off))) {
			dst[t] = float32(Exp(scale * (norm + norms[t] - float64(2*g.dot(i, lo+t)))))
		}
	}
}

// dot returns LIBSVM's dot product of rows i and j.
func (g *Gram) dot(i, j int) float64 {
	near := g.store.near
	return vec.Dot(near.Row(int(g.at[i])), near.Row(int(g.at[j])))
}
