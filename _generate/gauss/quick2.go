package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// power2 is the polynomial of degree 8 that agrees with 2^r for |r| <= 1/2 at the zeros of the
// Chebyshev polynomial of degree 9.
var power2 = []float64{1, 0x1.62e42fef84cf0p-1, 0x1.ebfbdff823cedp-3, 0x1.c6b08dd6fd234p-5, 0x1.3b2ab7181b755p-7,
	0x1.5d8745a728441p-10, 0x1.4308ac85aa947p-13, 0x1.00dc4a532fb8ep-16, 0x1.63d136366db24p-20}

// Constants of models/kernel/quick.go, for powers of two.
const (
	normal2 = 125.5
	none2   = -151
	edge2   = -126
)

// quick2 writes the function with float32 results whose rounding is certified. It has no table, for
// which AVX2 has no room in registers.
func quick2(how argument) {
	name := how.name + "AVX2"
	how.text(name, "2^", "n > 0 a multiple of 4")
	f := &form{}
	v := f.v
	dst, dots, norms := Load(Param("dst"), GP64()), Load(Param("dots"), GP64()), Load(Param("norms"), GP64())
	n := Load(Param("n"), GP64())
	norm, scale := broadcast("norm", v()), broadcast("scale", v())
	number := f.numbers(name + "Constants")
	real := func(x float64) Op { return number(math.Float64bits(x)) }
	var c []Op
	for _, x := range power2 {
		c = append(c, real(x))
	}
	shift := f.load(real(toInt))
	size, none, magnitude := real(normal2), real(none2), number(math.MaxInt64)
	bits, zero := Load(Param("slack"), GP64()), number(0)
	start, outside := Mem{Base: bits}, Mem{Base: bits, Disp: slackMask}
	edge, shelf := real(edge2), real(least)
	bad := v()
	VPXOR(bad, bad, bad)

	// vector returns the steps for four values, with few registers in use at any of them. With any
	// they take arguments of any size; else apart becomes the mask of the results that are neither
	// 0 nor normal.
	vector := func(at int, any bool) (list []func(), apart VecVirtual) {
		do := func(step func()) { list = append(list, step) }
		x, d, shifted, r, r2 := v(), v(), v(), v(), v()
		u := v()
		apart = v()
		if how.folded {
			do(func() { VADDPD(Mem{Base: norms, Disp: 32 * at}, norm, x) })
			do(func() { VFMADD231PD(Mem{Base: dots, Disp: 32 * at}, scale, x) })
		} else {
			do(func() { VMOVUPD(Mem{Base: dots, Disp: 32 * at}, x) })
			do(func() { VADDPD(Mem{Base: norms, Disp: 32 * at}, norm, d) })
			do(func() { VADDPD(x, x, x) })
			do(func() { VSUBPD(x, d, x) }) // not fused: twice the dot product may overflow
			do(func() { VMULPD(scale, x, x) })
		}
		if any {
			do(func() { VMOVUPD(none, u) })
			do(func() { VMAXPD(x, u, x) })               // NaN stays
			do(func() { VCMPPD(U8(5), size, x, apart) }) // not x < size
			do(func() { VPOR(apart, bad, bad) })
		}
		do(func() { VADDPD(shift, x, shifted) })
		do(func() { VSUBPD(shift, shifted, r) })
		do(func() { VSUBPD(r, x, r) })
		do(func() { VPSLLQ(U8(52), shifted, shifted) })
		// pairs of terms, then these by Horner's rule: this takes few registers, and half as many
		// dependent steps
		do(func() { VMULPD(r, r, r2) })
		t := c[8]
		for i := 3; i >= 0; i-- {
			pair, above := v(), t
			do(func() { VMOVUPD(c[2*i+1], pair) })
			do(func() { VFMADD213PD(c[2*i], r, pair) })
			do(func() { VFMADD231PD(above, r2, pair) })
			t = pair
		}
		y := t.(VecVirtual)
		do(func() { VPADDQ(shifted, y, y) })
		certain := func(y VecVirtual) { // y is, unless the bits that float32 loses are near one half
			do(func() { VPADDQ(start, y, u) })
			do(func() { VPAND(outside, u, u) })
			do(func() { VPCMPEQQ(zero, u, u) })
			do(func() { VPOR(u, bad, bad) })
		}
		if any { // add a number that makes the last place of the sum's float32 that of subnormal ones
			do(func() { VCMPPD(U8(1), edge, x, x) })
			do(func() { VPAND(shelf, x, x) })
			do(func() { VADDPD(x, y, u) })
			certain(u)
		} else {
			certain(y)
			if !how.close {
				do(func() { VPAND(magnitude, x, apart) })
				do(func() { VCMPPD(U8(5), size, apart, apart) }) // not |x| < size
				do(func() { VCMPPD(U8(6), none, x, x) })         // not x <= none
				do(func() { VPAND(x, apart, apart) })
				do(func() { VPAND(x, y, y) })
			}
		}
		do(func() { VCVTPD2PSY(y, y.AsX()) })
		do(func() { VMOVUPS(y.AsX(), Mem{Base: dst, Disp: 16 * at}) })
		return list, apart
	}
	// advance goes past vectors that are done
	advance := func(vectors int) {
		ADDQ(U8(uint8(16*vectors)), dst)
		ADDQ(U8(uint8(32*vectors)), dots)
		ADDQ(U8(uint8(32*vectors)), norms)
		SUBQ(U8(uint8(4*vectors)), n)
	}
	const together = 2
	SUBQ(U8(4*together), n)
	JL(LabelRef("rest"))
	Label("loop")
	first, apart := vector(0, false)
	second, apart2 := vector(1, false)
	for _, do := range weave(first, second) {
		do()
	}
	if !how.close {
		VPOR(apart2, apart, apart)
		VPTEST(apart, apart)
		JNE(LabelRef("apart"))
	}
	Label("advance")
	advance(together)
	JGE(LabelRef("loop"))
	Label("rest")
	ADDQ(U8(4*together), n)
	JZ(LabelRef("end"))
	Label("four")
	steps, _ := vector(0, true)
	for _, do := range steps {
		do()
	}
	advance(1)
	JG(LabelRef("four"))
	Label("end")
	odd := GP32()
	VMOVMSKPD(bad, odd)
	Store(odd.As64(), ReturnIndex(0))
	VZEROUPPER()
	RET()
	if how.close {
		return
	}
	Label("apart")
	first, _ = vector(0, true)
	second, _ = vector(1, true)
	for _, do := range weave(first, second) {
		do()
	}
	JMP(LabelRef("advance"))
}
