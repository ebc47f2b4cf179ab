package kernel

import "math"

// Problem: compute e^x for float64 x with the bits of the GNU C library (2.28 and later, on
// processors with fused multiply-add), which LIBSVM's kernel values have.
//
// Method: the table-driven method that Szabolcs Nagy published in Arm's optimized routines, with
// his constants. Write e^x = 2^(k/128) e^r with integer k and |r| <= ln2/256. The power comes from
// a table of 2^(i/128), i = k mod 128, in two parts (H, and T relative to H); e^r - 1 is a
// polynomial of degree 5. The stated error is 0.511 units in the last place. The library's build
// for such processors also fuses the product with 128/ln 2 into the rounding to an integer.
const (
	invLn2N = 0x1.71547652b82fep0 * 128
	ln2Hi   = -0x1.62e42fefa0000p-8
	ln2Lo   = -0x1.cf79abc9e3b39p-47
	toInt   = 0x1.8p52 // adding and subtracting it rounds to the nearest integer

	toIntBits = 0x4338000000000000 // the bits of toInt

	c2 = 0x1.ffffffffffdbdp-2
	c3 = 0x1.555555555543cp-3
	c4 = 0x1.55555cf172b91p-5
	c5 = 0x1.1111167a4d017p-7
)

// ExpTable returns H and T of 2^(i/128) for i from 0 to 127, one pair after the other, for writers
// of Exp in other languages.
func ExpTable() []float64 {
	list := make([]float64, 0, 2*len(expTable))
	for i := range expTable {
		list = append(list, expTable[i][:]...)
	}
	return list
}

// expPlain bounds the size of the arguments for which H * 2^e below is a normal number.
const expPlain = 512

// expNone bounds the arguments for which e^x is not 0.
const expNone = -746

// Exp returns e^x with the bits of the GNU C library on processors with fused multiply-add.
func Exp(x float64) float64 {
	if !(x > -expPlain && x < expPlain) {
		return expFar(x)
	}
	head, e, t := expParts(x)
	// adding e to the exponent bits multiplies by 2^e
	s := math.Float64frombits(math.Float64bits(head) + uint64(e)<<52)
	return math.FMA(s, t, s)
}

// expParts returns H, e and t with e^x = H 2^e (1 + t), for |x| < 2^40.
func expParts(x float64) (head float64, e int64, t float64) {
	shifted := math.FMA(x, invLn2N, toInt)
	k := shifted - toInt
	low := math.Float64bits(shifted) // its low bits hold k
	entry := &expTable[low%128]
	r := math.FMA(k, ln2Lo, math.FMA(k, ln2Hi, x))
	r2 := float64(r * r)
	t = math.FMA(float64(r2*r2), math.FMA(r, c5, c4), math.FMA(r2, math.FMA(r, c3, c2), entry[1]+r))
	return entry[0], int64(low-toIntBits) >> 7, t
}

// expFar handles arguments whose result may not be a normal number, and those that are not finite.
// The C library has a separate branch for them. Below -512, that branch does not fuse the last
// product.
func expFar(x float64) float64 {
	switch {
	case math.IsNaN(x):
		return x
	case x < expNone:
		return 0
	case x > 1e4:
		return math.Inf(1)
	}
	head, e, t := expParts(x)
	if x > 0 {
		return math.Ldexp(math.FMA(head, t, head), int(e))
	}
	// the result times 2^1022: a result that will be subnormal is less than 1
	s := math.Float64frombits(math.Float64bits(head) + uint64(e+1022)<<52)
	part := float64(s * t)
	y := s + part
	if y >= 1 {
		return math.Float64frombits(math.Float64bits(y) - 1022<<52)
	}
	// Round once, to the multiple of 2^-52 that 1 + y can hold. lost is what the sum above rounded
	// off, rest what 1 + y rounds off. The bits of the sum above 1 are those of the result.
	lost := s - y + part
	up := 1 + y
	rest := 1 - up + y + lost
	return math.Float64frombits(math.Float64bits(up+rest) - 1023<<52)
}
