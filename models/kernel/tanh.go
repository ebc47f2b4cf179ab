package kernel

import "math"

// Problem: compute tanh x with the bits of the GNU C library, which LIBSVM's sigmoid kernel has.
//
// Method: that of Sun's fdlibm, by e = e^z - 1,
//
//	tanh x = 1 - 2/(e + 2)       with z = 2x,  for x >= 1
//	tanh x = -e/(e + 2)          with z = -2x, for 0 <= x < 1
//
// and e from expm1 below. Vectors compute all cases and select among the results, since the cases
// share most of the work.
func tanh(x float64) float64 {
	switch a := math.Abs(x); {
	case a < 0x1p-55 || math.IsNaN(x):
		return x
	case a >= 22: // closer to 1 than half a unit in the last place
		return math.Copysign(1, x)
	case a >= 1:
		return math.Copysign(1-2/(expm1(2*a)+2), x)
	default:
		e := expm1(-2 * a)
		return math.Copysign(-e/(e+2), x)
	}
}

// Constants of expm1: em1Near is the size of x from which k is not 0 (half of ln 2, rounded up to
// the upper half of a float64); ln 2 in two parts; 1/ln 2; and the coefficients of the rational
// approximation below (fdlibm's).
const (
	em1Near = 0x1.62e43p-2

	em1Ln2Hi = 6.93147180369123816490e-01
	em1Ln2Lo = 1.90821492927058770002e-10
	em1InvLn = 1.44269504088896338700e+00

	em1Q1 = -3.33333333333331316428e-02
	em1Q2 = 1.58730158725481460165e-03
	em1Q3 = -7.93650757867487942473e-05
	em1Q4 = 4.00821782732936239552e-06
	em1Q5 = -2.01099218183624371326e-07
)

// expm1 returns e^x - 1 for 2^-54 <= |x| <= 44.
//
// x = k ln 2 + r with |r| <= 0.35. With h = r/2, e^r - 1 follows from
//
//	R(r^2/2) = 1 + Q1 (r h) + ... + Q5 (r h)^5  ~  (6/r) (e^r+1)/(e^r-1) - 12/r^2,
//
// and is then scaled by 2^k, with care for the subtracted 1. c is the error of the last bits of r.
// The order of the sums, and which products are fused into them, are the GNU C library's on
// processors with fused multiply-add.
func expm1(x float64) float64 {
	k, r, c := 0, x, 0.0
	if math.Abs(x) >= em1Near {
		k = int(math.FMA(em1InvLn, x, math.Copysign(0.5, x)))
		t := float64(k)
		hi, lo := math.FMA(-t, em1Ln2Hi, x), float64(t*em1Ln2Lo)
		r = hi - lo
		c = (hi - r) - lo
	}
	half := float64(0.5 * r)
	s := float64(r * half)
	s2 := float64(s * s)
	s4 := float64(s2 * s2)
	p := math.FMA(s4, math.FMA(s, em1Q5, em1Q4), math.FMA(s2, math.FMA(s, em1Q3, em1Q2), math.FMA(s, em1Q1, 1)))
	t := math.FMA(-p, half, 3)
	e := float64(s * ((p - t) / math.FMA(-r, t, 6)))
	if k == 0 {
		return r - math.FMA(r, e, -s)
	}
	e = math.FMA(r, e-c, -c) - s
	scale := math.Float64frombits(uint64(0x3ff+k) << 52) // 2^k
	switch {
	case k == -1:
		return math.FMA(0.5, r-e, -0.5)
	case k == 1:
		if r < -0.25 {
			return -2 * (e - (r + 0.5))
		}
		return 1 + float64(2*(r-e))
	case k <= -2 || k > 56:
		return math.FMA(1-(e-r), scale, -1)
	case k < 20:
		t := 1 - 1/scale
		return float64((t - (e - r)) * scale)
	}
	t = 1 / scale
	return float64((r - (e + t) + 1) * scale)
}

// tanhPortable sets x[i] = tanh(scale x[i] + offset).
func tanhPortable(x []float64, scale, offset float64) {
	for i, v := range x {
		x[i] = tanh(float64(scale*v) + offset)
	}
}
