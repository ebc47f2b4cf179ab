package kernel

import "math"

// Problem: compute the natural logarithm with the bits of the GNU C library (2.28 and later, on
// processors with fused multiply-add). LIBSVM starts the fit of a sigmoid at one logarithm and sums
// others, so they affect the 17 digits of probA and probB.
//
// Method: the table-driven method that Szabolcs Nagy published in Arm's optimized routines, with
// his constants. Write x = 2^k z with z from 0.6875 to 1.375, and take 1/c and log c for a c near z
// from a table; then
//
//	log x = k ln 2 + log c + log(1+r),  r = z/c - 1,
//
// where log(1+r) is a polynomial of degree 6. k ln 2 + log c is exact in its first part, because
// the last bits of both are 0. Near 1, where that would lose digits, log x is a polynomial of
// degree 12 in r = x-1, and r - r^2/2 is computed in two parts. The stated error is 0.52 units in
// the last place. Which products are fused is the library's choice on such processors.
const (
	logFirst = 0x3fe6000000000000 // the bits of 0.6875, where the table begins

	logLn2Hi = 0x1.62e42fefa38p-01
	logLn2Lo = 0x1.ef35793c7673p-45

	logA0 = -0x1.0000000000001p-01
	logA1 = 0x1.555555551305bp-02
	logA2 = -0x1.fffffffeb459p-03
	logA3 = 0x1.999b324f10111p-03
	logA4 = -0x1.55575e506c89fp-03
)

// Constants for the polynomial near 1, from 1 - 2^-4 to 1 + 0x1.09p-4: with r = x-1 it is r - r^2/2
// + B1 r^3 + ... + B10 r^12. logSplit is used to split r into two halves.
const (
	logNearFrom = 0x3fee000000000000
	logNearTo   = 0x3ff1090000000000
	logSplit    = 0x1p27

	logB1  = 0x1.5555555555577p-02
	logB2  = -0x1.ffffffffffdcbp-03
	logB3  = 0x1.999999995dd0cp-03
	logB4  = -0x1.55555556745a7p-03
	logB5  = 0x1.24924a344de3p-03
	logB6  = -0x1.fffffa4423d65p-04
	logB7  = 0x1.c7184282ad6cap-04
	logB8  = -0x1.999eb43b068ffp-04
	logB9  = 0x1.78182f7afd085p-04
	logB10 = -0x1.5521375d145cdp-04
)

// Log returns the natural logarithm of x. Log(0) is -Inf; the logarithm of a negative number is
// NaN.
func Log(x float64) float64 {
	bits := math.Float64bits(x)
	switch {
	case bits >= logNearFrom && bits < logNearTo:
		return logNear(x - 1)
	case x == 0:
		return math.Inf(-1)
	case !(x > 0):
		return math.NaN()
	case math.IsInf(x, 1):
		return x
	case x < 0x1p-1022: // subnormal
		bits = math.Float64bits(x*0x1p52) - 52<<52
	}
	above := bits - logFirst
	k := float64(int64(above) >> 52)
	entry := &logTable[above>>(52-7)%128]
	z := math.Float64frombits(bits - above&^(1<<52-1))

	r := math.FMA(z, entry[0], -1)
	r2 := float64(r * r)
	sum := math.FMA(logLn2Hi, k, entry[1])
	high := sum + r
	low := math.FMA(k, logLn2Lo, sum-high+r)
	p := math.FMA(math.FMA(r, logA4, logA3), r2, math.FMA(r, logA2, logA1))
	return math.FMA(float64(r*r2), p, math.FMA(r2, logA0, low)) + high
}

// logNear returns log(1+r) for r near 0.
func logNear(r float64) float64 {
	r2 := float64(r * r)
	r3 := float64(r * r2)
	p1 := math.FMA(r2, logB3, math.FMA(r, logB2, logB1))
	p4 := math.FMA(r2, logB6, math.FMA(r, logB5, logB4))
	p7 := math.FMA(r3, logB10, math.FMA(r2, logB9, math.FMA(r, logB8, logB7)))
	p := math.FMA(math.FMA(p7, r3, p4), r3, p1)

	// r - r^2/2 in two parts: the square of r's first half is exact
	head := math.FMA(-logSplit, r, math.FMA(r, logSplit, r))
	square := float64(head * head)
	high := math.FMA(square, -0.5, r)
	low := math.FMA(square, -0.5, r-high)
	low = math.FMA(float64(-0.5*(r-head)), r+head, low)
	return high + math.FMA(p, r3, low)
}
