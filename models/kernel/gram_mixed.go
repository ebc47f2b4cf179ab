package kernel

import (
	"math"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/format/vec/simd"
)

// Problem: compute Gaussian, linear and polynomial kernel rows of vectors of decimal numbers. Some
// columns may have small whole numbers, such as one-hot codes beside numeric attributes, and some
// may have real numbers of many digits.
//
// Method: a dot product is a sum of three parts. The real columns are summed in float64 with
// unrounded products. The decimal columns are held in 32 bits (vec.DecimalPanels). Columns that are
// whole numbers, at least when all are multiplied by some power of ten, are summed in integers
// (vec.WholePanels), which takes a quarter of the time or less. The roundings differ from LIBSVM's,
// which adds all products in the order of columns. But both sums are near the exact dot product:
// with m products of LIBSVM's, n columns that are summed in float64, one addition, c =
// vec.FusedProductError and u = 2^-53,
//
//	|LIBSVM's - sum x_k z_k| <= m u sum |x_k z_k|,  |ours - sum x_k z_k| <= (n + 1 + c) u sum |x_k z_k|
//
// up to terms of u^2, and sum |x_k z_k| <= |x| |z|, which by Cauchy and Schwarz is at most the
// largest squared norm N. So dot products differ by up to (m + n + 1 + c) u N. If ours plus and
// minus that bound round to the same float32, LIBSVM's rounds to it as well.
//
// Arguments of exp differ by up to 2 gamma (m + n + 1 + c) u N because of dot products; by 6 gamma
// u N because of the roundings in LIBSVM's distances (two norms, and numbers of at most 4 N); by 4
// gamma u N because of the roundings in ours (norms times gamma, and their sum); and by two
// roundings of an argument. All of that is added to the known error of the quick way to float32
// (quick.go). If a midpoint of two float32 is within the bound, LIBSVM's product is computed.
// Vectors of lengths a and b are at most a + b apart, which often shows that all values are normal
// numbers of float32.
//
// Powers (gamma x.z + c)^p have bases of at most B = |gamma| N + |c|, which differ by |gamma| times
// the bound of dot products and four roundings of B. With repeated squaring, the relative error of
// a power is less than p roundings, as if its base had one more rounding. So LIBSVM's power is
// between our powers of the base minus and plus all of these, as long as the two bases have the
// same sign, which the sizes of the powers show.

const roundoff = 0x1p-53 // u

// dotError returns a bound on the difference of dot products. 1.01 covers the terms of u^2.
func (k *columnKinds) dotError() float64 {
	return float64(float64(k.norm*float64(k.most+k.reals+k.decimals+1+vec.FusedProductError)) * (roundoff * 1.01))
}

// argumentError returns a bound on the difference of the arguments of exp, and so on the relative
// difference of the results.
func (k *columnKinds) argumentError(gamma float64) float64 {
	return float64(gamma*(float64(2*k.dotError())+float64(10.1*roundoff*k.norm))) + 2*105*roundoff
}

// mostUnits is the largest error, in units of 2^-52 of a mantissa below 2, for which kinds of
// columns are used. With a larger error, more than one in fifteen groups of 256 values, which are
// computed together, would have to be computed again.
const mostUnits = 1 << 15

// doubtTime is about how many nanoseconds more a value takes with that error.
const doubtTime = 1

// units converts a relative error to such units.
func units(relative float64) float64 { return relative * 0x1p53 }

// mixes reports whether Grams of this many rows with k use kinds of columns. Products that are
// mostly 0, as with lists, would be nothing but rounding errors with a linear kernel.
func (s *Store) mixes(k Kernel, rows int) bool {
	kinds := s.kinds
	if kinds == nil || simd.Current() == simd.Portable || !panelsFit(rows, s.columns.count, 8) {
		return false
	}
	switch k := k.(type) {
	case RBF:
		doubt := units(kinds.argumentError(k.Gamma)) / mostUnits
		return k.Gamma > 0 && doubt < 1 && s.kindsPay(kinds.time+float64(doubtTime*doubt))
	case Linear:
		return s.form == asPanels
	case Poly:
		shift, largest := kinds.baseError(k)
		return s.form == asPanels && k.Degree > 0 && s.kindsPay(kinds.time+nearPowerTime) &&
			units(float64(usualPart*float64(k.Degree))*shift/largest) < mostUnits
	}
	return false
}

// nearPowerTime is about how many nanoseconds two powers and their comparison take more than one
// power. usualPart is about how many times smaller the usual base of a polynomial kernel is than
// the largest.
const nearPowerTime, usualPart = 0.6, 16

// baseError returns a bound on the difference of the bases of k's powers, including the roundings
// of the powers, and a bound on the bases.
func (k *columnKinds) baseError(of Poly) (shift, largest float64) {
	largest = float64(math.Abs(of.Gamma)*k.norm) + math.Abs(of.Coef0)
	const roundings = 16 // more than four for the base, one for the shift and two for powers
	return float64(1.01 * (float64(math.Abs(of.Gamma)*k.dotError()) + float64(roundings*roundoff*largest))), largest
}

// packMixed packs each kind of columns of the given rows separately.
func (g *Gram) packMixed(by packers, rows []int) {
	k, near := g.store.kinds, g.store.near
	g.panels.ResetWithin(g.n, g.most, k.reals)
	g.decimals.ResetWithin(g.n, g.most, k.columns)
	g.wholes.ResetScaled(g.n, g.most, k.wholes, k.bytes, k.digits)
	g.at = room(&g.at, g.most)[:g.n]
	for i := range g.at {
		g.at[i] = int32(at(rows, i))
	}
	switch of := g.kernel.(type) {
	case RBF:
		g.near = k.argumentError(of.Gamma)
		more := int(units(g.near)) + 1
		g.slack = slacks{*newSlack(quickUnits2 + more), *newSlack(quickUnits512 + more)}
		g.level, g.longest = simd.Current(), math.Sqrt(k.norm)
		g.scale = of.Gamma * nearUnit(g.level)
		g.scaled = room(&g.scaled, g.most)[:g.n]
		for i, norm := range g.norms {
			g.scaled[i] = -float64(g.scale * norm)
		}
	case Poly:
		g.near, _ = k.baseError(of)
		g.floor = 1.01 * Power(2.1*g.near, of.Degree)
	default:
		g.near = k.dotError() + float64(2*roundoff*k.norm) // the latter for the roundings of dots plus and minus near
	}
	if k.one() {
		g.packPanels(by, rows)
		return
	}
	panels := (g.n + vec.PanelRows - 1) / vec.PanelRows
	parts := by.parts(g.n*g.store.columns.count, panels)
	by.do(parts, func(p int) {
		for i := p * panels / parts * vec.PanelRows; i < min((p+1)*panels/parts*vec.PanelRows, g.n); i++ {
			if i%packStep == 0 && !by.goOn() {
				return
			}
			x := near.Row(at(rows, i))
			if k.reals > 0 {
				g.panels.Set(i, x, k.real)
			}
			if k.decimals > 0 {
				g.decimals.Set(i, x, k.decimal)
			}
			if k.wholes > 0 {
				g.wholes.Set(i, x, k.whole)
			}
		}
	})
}

// nearDotsTo sets dst to approximate dot products of a query's rows, in the layout of
// vec.Panels.DotsTo.
func (g *Gram) nearDotsTo(dst []float64, stride int, q *Query, rows, panel, panels int) {
	if g.panels.Columns() == 0 {
		g.decimals.DotsTo(dst, stride, q.decimals, rows, panel, panels)
	} else {
		g.panels.FusedDotsTo(dst, stride, q.values, rows, panel, panels)
		g.decimals.AddDotsTo(dst, stride, q.decimals, rows, panel, panels)
	}
	g.wholes.AddDotsTo(dst, stride, q.wholes, rows, panel, panels)
}

// roundNear sets dst to the values of row i for the columns from lo on. dots is from nearDotsTo.
func (g *Gram) roundNear(dst []float32, dots []float64, i, lo int) {
	switch k := g.kernel.(type) {
	case RBF:
		norms, norm, scale := g.norms[lo:lo+len(dst)], g.norms[i], -k.Gamma
		far := math.Sqrt(norm) + g.longest
		closed := float64(k.Gamma*float64(far*far)) < quickSize-1
		for t := nearExpTo(g.level, dst, dots, g.scaled[lo:lo+len(dst)], g.scaled[i], 2*g.scale, &g.slack, closed); t < len(dst); t++ {
			y := Exp(scale * (norm + norms[t] - float64(2*dots[t])))
			off := g.near + 0x1p-50 // the second term is for the roundings of Exp and of the products below
			if dst[t] = float32(float64(y * (1 - off))); dst[t] != float32(float64(y*(1+off))) {
				dst[t] = float32(Exp(scale * (norm + norms[t] - float64(2*g.dot(i, lo+t)))))
			}
		}
	case Poly:
		for t := nearPowerTo(simd.Current(), dst, dots, k.Gamma, k.Coef0, k.Degree, g.near, g.floor); t < len(dst); t++ {
			b := float64(k.Gamma*dots[t]) + k.Coef0
			least, most := Power(b-g.near, k.Degree), Power(b+g.near, k.Degree)
			if dst[t] = float32(least); dst[t] != float32(most) || !(math.Abs(least) > g.floor && math.Abs(most) > g.floor) {
				dst[t] = float32(Power(float64(k.Gamma*g.dot(i, lo+t))+k.Coef0, k.Degree))
			}
		}
	default:
		for t := nearRoundTo(simd.Current(), dst, dots, g.near); t < len(dst); t++ {
			if dst[t] = float32(dots[t] - g.near); dst[t] != float32(dots[t]+g.near) {
				dst[t] = float32(g.dot(i, lo+t))
			}
		}
	}
}

// dot returns LIBSVM's dot product of rows i and j.
func (g *Gram) dot(i, j int) float64 {
	near := g.store.near
	return vec.Dot(near.Row(int(g.at[i])), near.Row(int(g.at[j])))
}
