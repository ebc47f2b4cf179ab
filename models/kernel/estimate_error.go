package kernel

import (
	"math"

	"github.com/slimsvm/slimsvm/format/vec"
)

// Problem: bound the difference between the float32 values of Estimates and the float64 values of
// EvaluateTo, as Estimates.Error promises it. u = 2^-24 and v = 2^-53 are the rounding errors of
// the two types.

const (
	unit32 = 0x1p-24
	unit64 = 0x1p-53
)

// A bound is the error bound of a row: see Estimates.Error, Size and Relative.
type bound struct {
	share, size float64
	relative    bool
}

var boundless = bound{share: math.Inf(1), size: 1}

// bound returns the bound for x, whose squared norm is norm.
func (e *Estimator) bound(x vec.Vector, norm float64) bound {
	if !(norm <= estimateLength*estimateLength) {
		return boundless
	}
	switch k := e.kernel.(type) {
	case Poly:
		return e.powerError(k, x, norm)
	case Sigmoid:
		return e.tanhError(k, x, norm)
	}
	if e.near {
		return e.nearError(x, norm)
	}
	t := 0.0
	if e.apart {
		t = e.apartError(len(x.Index), norm)
	} else {
		t = e.productError(len(x.Index), norm)
	}
	if !(t <= estimateError) {
		return boundless
	}
	// 2^t - 1, plus the error of the polynomial in exp2
	return bound{1.02 * (float64(0.73*t) + 0x1p-21), 1, true}
}

// nearError: 1 - 2^t has the error of t, times ln 2, and a relative error of its polynomial: 2^-27
// for the terms left out, and less than four roundings. 1 - 2^t is at most ln 2 times s
// (|x|+|z|)^2.
func (e *Estimator) nearError(x vec.Vector, norm float64) bound {
	length := math.Sqrt(norm) + e.length
	most := e.scale * length * length
	if !(most <= nearMost) {
		return boundless
	}
	size := 0.7 * most
	return bound{0.7*e.productError(len(x.Index), norm)/size + 0x1p-21, size, false}
}

// productError bounds the error of t = 2s x.z - s|x|^2 - s|z|^2, with |2s z| up to Z and s|z|^2 up
// to B:
//
//   - 2s z and x are rounded, and so are their n products and the sums: (n+2) u |x| Z;
//   - both norms are rounded, and two sums: u (2 |x| Z + 3 B + 2 s|x|^2);
//   - subnormal numbers add less than 2^-60, since |x| and Z are not large;
//   - the value of EvaluateTo has errors of the same kind in float64: m terms are summed, together
//     at most 2 (s|x|^2 + B), and so are the norms.
func (e *Estimator) productError(entries int, norm float64) float64 {
	product, norms := math.Sqrt(norm)*2*e.scale*e.length, e.scale*(norm+float64(e.length*e.length))
	n := float64(min(e.entries, entries))
	m := float64(e.entries + entries)
	return float64(1.01*unit32*(float64((n+4)*product)+float64(3*norms))) + float64(8*(m+8)*unit64*norms) + 0x1p-60
}

// apartError bounds the error of t = -D^2, with D^2 = s |x-z|^2 up to T = 128. Let X = sqrt(s) |x|
// and Z = sqrt(s) |z|, which is at most X + D:
//
//   - z and x are rounded, which moves them by u (|x| + |z|), so that D^2 is wrong by
//     2 D u (X + Z) + u^2 (X + Z)^2;
//   - differences, their n squares and the sums are rounded: (n+2) u D^2;
//   - s, the product with it, the share of columns without vectors, and the sum with that: 4 u D^2;
//   - subnormal numbers, and the value of EvaluateTo, as above.
//
// For vectors farther away, the error as a share of D^2 is no larger. If the bound is small enough
// for Estimates, that share is at most 1/1024. So both the estimate and the value are less than
// 2^-123, which EstimateFloor covers.
func (e *Estimator) apartError(entries int, norm float64) float64 {
	const most, root = 128, 11.4 // T, and a little more than its root
	s := math.Sqrt(e.scale)
	x := float64(s * math.Sqrt(norm))
	z := min(float64(s*e.length), x+root)
	n := float64(min(e.columns.count, e.entries+entries))
	moved := float64(unit32 * (x + z))
	return float64(1.01*(float64(2*root*moved)+float64(moved*moved)+float64((n+7)*unit32*most))) + float64(8*(n+8)*unit64*most) + 0x1p-60
}

// apartPays reports whether, for a row of the vectors' usual length, products lose too many digits
// and distances do not.
func (e *Estimator) apartPays() bool {
	if !(e.scale >= 1/float64(estimateLength) && e.scale <= estimateLength && e.length <= estimateLength) {
		return false
	}
	square := float64(e.usual * e.usual)
	product := e.productError(e.entries, square)
	return product > estimateApart && e.apartError(e.entries, square) < product/2
}

// estimateApart is the largest acceptable error of products.
const estimateApart = 1. / 512

// An argument describes the error of gamma x.z + coef0 in float32. The error is a share of
//
//	A = (|gamma| |x| L + |coef0|) max(|z|, L)/L,
//
// which is at least |gamma| |x| |z| + |coef0|, with the usual length L. x and z are rounded, and so
// are their n products and the sums, unless all are integers so small that nothing is rounded. Then
// gamma and coef0, a product and a sum are rounded. Each subnormal number is wrong by up to 2^-149.
//
// If nothing is negative, errors are shares of the sums themselves, apart from subnormal numbers,
// as long as those errors are negligible.
type argument struct {
	share         float64 // of A or, if positive is set, of the argument
	lost          float64 // error of subnormal numbers
	base, largest float64 // A for z of the usual length, and for the longest z
	positive      bool
}

func (e *Estimator) argument(gamma, coef0 float64, x vec.Vector, norm float64) argument {
	gamma, coef0 = math.Abs(gamma), math.Abs(coef0)
	length := math.Sqrt(norm)
	n := float64(min(e.entries, len(x.Index)))
	m := float64(e.entries + len(x.Index))
	if e.whole && length*e.length <= 1/unit32 && whole(x.Value) {
		n = 0
	}
	a := argument{
		share:    float64(1.01*unit32*(n+6)) + float64(8*(m+8)*unit64),
		lost:     0x1p-146 * (1 + float64(gamma*(m+1)*(1+length+e.length))),
		base:     float64(gamma*length*e.usual) + coef0,
		largest:  float64(gamma*length*e.length) + coef0,
		positive: e.positive && notNegative(x.Value),
	}
	a.positive = a.positive && a.lost <= EstimateFloor/2
	return a
}

// shareOfBase returns the whole error as a share of A.
func (a *argument) shareOfBase() float64 {
	if a.base > 0 {
		return a.share + a.lost/a.base
	}
	return a.share
}

// powerError: a number times 1 + a, to the power d, rounded d-1 times, has a relative error of
// (1+a)^d (1+u)^(d-1) - 1. If nothing is negative, the error lost in subnormal numbers is a share
// of 2^-41 of numbers from 2^-80 on, and less than EstimateFloor for smaller ones.
func (e *Estimator) powerError(k Poly, x vec.Vector, norm float64) bound {
	a := e.argument(k.Gamma, k.Coef0, x, norm)
	share := a.share + 0x1p-41
	if !a.positive {
		share = a.shareOfBase()
	}
	t := float64(k.Degree) * (share + 1.01*unit32)
	if !(t <= estimateError) || !(Power(a.largest, k.Degree) <= estimateMost) {
		return boundless
	}
	return bound{float64(1.08*t) + unit32, Power(a.base, k.Degree), a.positive}
}

// tanhError: with E = e^2v the estimates are 1 - 2/(E+1) or, if nothing is negative in kernel and
// vectors, 2/(E+1).
//
// tanh grows no faster than its argument. The relative error of 2^-21 of E adds at most a quarter
// of that, and rounding less than 2^-21.
//
// If nothing is negative in the row either, the relative error of 2/(E+1) is at most that of E,
// which is twice the error of v; the error of v is a share of v. This matters only up to v = 20:
// beyond, 2/(E+1) is less than half of ComplementFloor.
func (e *Estimator) tanhError(k Sigmoid, x vec.Vector, norm float64) bound {
	a := e.argument(k.Gamma, k.Coef0, x, norm)
	if !(a.largest <= estimateMost) {
		return boundless
	}
	b := bound{float64(1.01*a.shareOfBase()*a.base) + 0x1p-20, 1, false}
	if e.Complement() {
		b.size = 2
	}
	if a.positive {
		b.share, b.relative = float64(1.1*(2*min(a.largest, 20)*a.share))+0x1p-20, true
	}
	if !(b.share <= estimateError) {
		return boundless
	}
	return b
}
