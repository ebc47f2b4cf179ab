package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// Problem: divide many numbers by the same c, with exactly the results of division, which takes
// several times as long as products.
//
// Method: let h + l be 1/c to twice the precision, h = RN(1/c). Then q = RN(a h + RN(a l)) is one
// of the two numbers next to a/c (N. Brisebarre, J.-M. Muller and S. K. Raina, "Accelerating
// correctly rounded floating-point division when the divisor is known in advance", 2004), c q - a
// is exact, and RN(q - (c q - a) h) is RN(a/c) (P. Markstein, "Computation of elementary functions
// on the IBM RISC System/6000 processor", 1990). This holds where no intermediate result is too
// small or too large. So a real division is done for a whose size is not from 2^-700 to 2^700, and
// for all a if c is not from 2^-50 to 2^50.

// A scope is a range of numbers, from low to high in size.
type scope struct {
	both        bool // of both signs; else only positive numbers
	least, span Mem  // bits of low, and of high less those of low; twice these if both
}

// scope makes the constants of a scope. AVX2 compares words as signed numbers, hence the bias.
func (f form) scope(name string, exponent int, both bool) scope {
	low, high := math.Float64bits(math.Ldexp(1, -exponent)), math.Float64bits(math.Ldexp(1, exponent))
	if both {
		low, high = 2*low, 2*high
	}
	bias := uint64(0)
	if f.width == 32 {
		bias = 1 << 63
	}
	return scope{both, constants("least"+name+f.name, low-bias), constants("span"+name+f.name, high-low+bias)}
}

// unless jumps to label unless in each lane a is in ofA and b in ofB.
func (f form) unless(a VecVirtual, ofA scope, b VecVirtual, ofB scope, label string) {
	beyond := func(v VecVirtual, s scope) (bits VecVirtual) {
		bits = f.vector()
		if s.both {
			VPADDQ(v, v, bits)
			v = bits
		}
		VPSUBQ(s.least, v, bits)
		return bits
	}
	first, second := beyond(a, ofA), beyond(b, ofB)
	if f.width == 64 {
		const greater = 6
		k, l := K(), K()
		VPCMPUQ(U8(greater), ofA.span, first, k)
		VPCMPUQ(U8(greater), ofB.span, second, l)
		KORTESTB(k, l)
	} else {
		VPCMPGTQ(ofA.span, first, first)
		VPCMPGTQ(ofB.span, second, second)
		VPOR(second, first, first)
		VPTEST(first, first)
	}
	JNE(LabelRef(label))
}

// A divisor is c with 1/c in two parts.
type divisor struct{ c, h, l VecVirtual }

// over returns c as a divisor.
func (f form) over(c VecVirtual) divisor {
	h, l := f.inverse(c), f.copyOf(one)
	VFNMADD231PD(h, c, l)
	VMULPD(h, l, l)
	return divisor{c, h, l}
}

// quotient returns a / c.
func (f form) quotient(a VecVirtual, d divisor) (q VecVirtual) {
	q, rest := f.mul(a, d.l), f.vector()
	VFMADD231PD(d.h, a, q)
	VMOVAPD(q, rest)
	VFMSUB213PD(a, d.c, rest)
	VFNMADD231PD(d.h, rest, q)
	return q
}
