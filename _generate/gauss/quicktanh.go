package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// Problem: float32(tanh x) with less work than tanh x, for the kernel rows of training.
//
// Method: the one of models/kernel/quick.go, with tanh x = (1 - e^-2|x|)/(1 + e^-2|x|) and the sign
// of x. With -2|x| = k ln2/16 + r, e^-2|x| - 1 is s t + (s - 1), where s = 2^(k/16) and t is the
// Taylor polynomial of degree 6 of e^r - 1.
//
// Error: where k = 0, e^-2|x| - 1 is t, with a relative error of r^6/7! = 2e-14. Where k is not 0,
// it is at least 0.0214 in size. Its error is 2.3e-16 from the polynomial and less than 4e-16 from
// the roundings of s, of ln2/16 times k and of the sum, together 3e-14 relative to it. The quotient
// multiplies this by 2 at most, and that only where the relative error is some 1e-15; it adds
// roundings of 3e-16. In units of 2^-52 of a mantissa below 2 this is less than 300. The tanh of
// the package is itself wrong by less than 8 units; slackTanh is more than both together. Where a
// float32 is not normal, and thus loses more bits, x is so small that the steps give x itself, as
// tanh does.
//
// AVX2 has no room for the powers in registers. There s is 2^k and |r| <= ln2/2. A polynomial of
// degree 11 has a relative error of r^11/12! = 2e-14, and where k is not 0, e^-2|x| - 1 is at least
// 0.29 in size. So the same bound holds.
const (
	degreeTanh  = 6
	degreeTanh2 = 11
	slackTanh   = 512
)

// quickTanh writes the function with float32 results whose rounding is certified, much as quick512
// does.
func quickTanh() {
	const name = "quickTanhAVX512"
	TEXT(name, NOSPLIT, "func(dst *float32, x *float64, n int, scale, offset float64) (odd int)")
	Pragma("noescape")
	Doc(name + " sets dst[i] = float32(tanh(scale x[i] + offset)), product and sum rounded each, for i < n, n > 0. It returns 0 if all those values hold; otherwise some may be wrong.")
	f := &form{wide: true}
	v := f.v
	dst, src := Load(Param("dst"), GP64()), Load(Param("x"), GP64())
	n := Load(Param("n"), GP64())
	scale, offset := broadcast("scale", v()), broadcast("offset", v())
	number := f.numbers(name)
	real := func(x float64) VecVirtual { return number(f64(x)).(VecVirtual) }
	var c [degreeTanh]VecVirtual // 1/1!, ..., 1/degree!; the first, which is 1, is not used
	factorial := 1.0
	for k := 1; k < degreeTanh; k++ {
		factorial *= float64(k + 1)
		c[k] = real(1 / factorial)
	}
	inverse, step, shift := real(-2*powers/math.Ln2), real(math.Ln2/powers), real(toInt)
	start, outside := number(middle-slackTanh), number(low&^(2*slackTanh-1))
	stored := f.stored(name + "Constants")
	magnitude, most := stored(math.MaxInt64), stored(f64(22))
	one, two, minusTwo := stored(f64(1)), stored(f64(2)), stored(f64(-2))
	table := NewDataAddr(NewStaticSymbol("powers"), 0)
	power0, power1 := f.load(table), f.load(table.Offset(64))
	bad := K()
	KXORW(bad, bad, bad)

	// vector returns the steps for eight values; some is the mask of those that exist, nil for all
	vector := func(at int, some Register) (list []func()) {
		do := func(step func()) { list = append(list, step) }
		x, a, shifted, k, rest, s, t, low := v(), v(), v(), v(), v(), v(), v(), v()
		unsure := K()
		y := YMM()
		from := Mem{Base: src, Disp: 64 * at}
		do(func() {
			if some == nil {
				VMULPD(from, scale, x)
			} else {
				VMULPD_Z(from, scale, some, x)
			}
		})
		do(func() { VADDPD(offset, x, x) })
		do(func() { VANDPD_BCST(magnitude, x, a) })
		do(func() { VBROADCASTSD(most, t) })
		do(func() { VMINPD(a, t, a) }) // NaN stays
		// -2a = k ln2/16 + rest
		do(func() { VMOVAPD(inverse, shifted) })
		do(func() { VFMADD213PD(shift, a, shifted) })
		do(func() { VSUBPD(shift, shifted, k) })
		do(func() { VMULPD_BCST(minusTwo, a, rest) })
		do(func() { VFNMADD231PD(step, k, rest) })
		do(func() { VMOVDQA64(shifted, s) })
		do(func() { VPERMI2PD(power1, power0, s) })
		do(func() { VPSLLQ(U8(48), shifted, shifted) })
		do(func() { VPADDQ(shifted, s, s) })
		// t = e^rest - 1 = r + r^2 (c2 + c3 r + r^2 (c4 + c5 r + c6 r^2))
		square := k
		do(func() { VMULPD(rest, rest, square) })
		do(func() { VMOVAPD(c[4], t) })
		do(func() { VFMADD213PD(c[3], rest, t) })
		do(func() { VFMADD231PD(c[5], square, t) })
		do(func() { VMOVAPD(c[2], low) })
		do(func() { VFMADD213PD(c[1], rest, low) })
		do(func() { VFMADD213PD(low, square, t) })
		do(func() { VFMADD213PD(rest, square, t) })
		// e = e^-2a - 1
		do(func() { VSUBPD_BCST(one, s, low) })
		do(func() { VFMADD213PD(low, s, t) })
		do(func() { VADDPD_BCST(two, t, low) })
		do(func() { VDIVPD(low, t, t) })
		do(func() { VPTERNLOGQ_BCST(U8(0xe4), magnitude, x, t) })
		// the rounding is certain unless the bits that float32 loses are near one half
		do(func() { VPSUBQ(start, t, low) })
		do(func() { VPTESTNMQ(outside, low, unsure) })
		do(func() { VCVTPD2PS(t, y) })
		do(func() {
			if some == nil {
				VMOVUPS(y, Mem{Base: dst, Disp: 32 * at})
			} else {
				KANDW(some, unsure, unsure)
				VMOVUPS(y, some, Mem{Base: dst, Disp: 32 * at})
			}
		})
		do(func() { KORW(unsure, bad, bad) })
		return list
	}
	const together = 2
	CMPQ(n, U8(8*together))
	JL(LabelRef("single"))
	Label("pairs")
	for _, do := range weave(vector(0, nil), vector(1, nil)) {
		do()
	}
	ADDQ(U8(32*together), dst)
	ADDQ(U8(64*together), src)
	SUBQ(U8(8*together), n)
	CMPQ(n, U8(8*together))
	JGE(LabelRef("pairs"))
	Label("single")
	f.each(n, func(some Register) {
		for _, do := range vector(0, some) {
			do()
		}
		ADDQ(U8(32), dst)
		ADDQ(U8(64), src)
	})
	odd := GP32()
	KMOVW(bad, odd)
	Store(odd.As64(), ReturnIndex(0))
	VZEROUPPER()
	RET()
}

// quickTanh2 writes the function with AVX2. Its steps are not woven as in quickTanh: a processor
// finds enough to do in those for the next numbers, which do not wait for these.
func quickTanh2() {
	const name = "quickTanhAVX2"
	TEXT(name, NOSPLIT, "func(dst *float32, x *float64, n int, scale, offset float64) (odd int)")
	Pragma("noescape")
	Doc(name + " is quickTanhAVX512 for n > 0 a multiple of 4.")
	f := &form{}
	v := f.v
	dst, src := Load(Param("dst"), GP64()), Load(Param("x"), GP64())
	n := Load(Param("n"), GP64())
	scale, offset := broadcast("scale", v()), broadcast("offset", v())
	number := f.numbers(name + "Constants")
	real := func(x float64) Op { return number(f64(x)) }
	var c [degreeTanh2 + 1]Op // 1/k!
	factorial := 1.0
	for k := 2; k < len(c); k++ {
		factorial *= float64(k)
		c[k] = real(1 / factorial)
	}
	inverse, step, shift := real(-2/math.Ln2), real(math.Ln2), f.load(real(toInt))
	start, outside, zero := number(1<<64-(middle-slackTanh)), number(low&^(2*slackTanh-1)), number(0)
	magnitude, most := f.load(number(math.MaxInt64)), real(22)
	one, two, minusTwo := f.load(real(1)), real(2), real(-2)
	bad := v()
	VPXOR(bad, bad, bad)

	f.each(n, func(Register) {
		x, a, shifted, k, rest := v(), v(), v(), v(), v()
		VMULPD(Mem{Base: src}, scale, x)
		VADDPD(offset, x, x)
		VANDPD(magnitude, x, a)
		t := f.load(most)
		VMINPD(a, t, a) // NaN stays
		// -2a = k ln2 + rest
		VMOVUPD(inverse, shifted)
		VFMADD213PD(shift, a, shifted)
		VSUBPD(shift, shifted, k)
		VMULPD(minusTwo, a, rest)
		VFNMADD231PD(step, k, rest)
		VPSLLQ(U8(52), shifted, shifted)
		s := shifted
		VPADDQ(one, shifted, s)
		// t = e^rest - 1, the terms in pairs except the first and the last
		square := k
		VMULPD(rest, rest, square)
		VMOVUPD(c[11], t)
		VFMADD213PD(c[10], rest, t)
		for i := 8; i > 0; i -= 2 {
			pair := f.load(c[i+1])
			VFMADD213PD(c[i], rest, pair)
			VFMADD213PD(pair, square, t)
		}
		VFMADD213PD(rest, square, t)
		// e = e^-2a - 1
		VSUBPD(one, s, rest)
		VFMADD213PD(rest, s, t)
		VADDPD(two, t, rest)
		VDIVPD(rest, t, t)
		VANDPD(magnitude, t, t)
		VANDNPD(x, magnitude, x)
		VORPD(x, t, t)
		// the rounding is certain unless the bits that float32 loses are near one half
		VPADDQ(start, t, a)
		VPAND(outside, a, a)
		VPCMPEQQ(zero, a, a)
		VPOR(a, bad, bad)
		VCVTPD2PSY(t, t.AsX())
		VMOVUPS(t.AsX(), Mem{Base: dst})
		ADDQ(U8(16), dst)
		ADDQ(U8(32), src)
	})
	odd := GP32()
	VMOVMSKPD(bad, odd)
	Store(odd.As64(), ReturnIndex(0))
	VZEROUPPER()
	RET()
}
