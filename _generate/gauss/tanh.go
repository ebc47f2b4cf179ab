package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// Constants of models/kernel/tanh.go.
const (
	em1Near  = 0x1.62e43p-2
	em1Ln2Hi = 6.93147180369123816490e-01
	em1Ln2Lo = 1.90821492927058770002e-10
	em1InvLn = 1.44269504088896338700e+00

	em1Q1 = -3.33333333333331316428e-02
	em1Q2 = 1.58730158725481460165e-03
	em1Q3 = -7.93650757867487942473e-05
	em1Q4 = 4.00821782732936239552e-06
	em1Q5 = -2.01099218183624371326e-07
)

// tanh writes the function of tanh of many values. It takes the steps of models/kernel/tanh.go,
// those of every branch, and chooses among their results.
func tanh(wide bool) {
	level, condition := suffix(wide)
	name := "tanh" + level
	TEXT(name, NOSPLIT, "func(x *float64, n int, scale, offset float64)")
	Pragma("noescape")
	Doc(name + " sets x[i] = tanh(scale x[i] + offset), product and sum rounded each, for i < n, " + condition + ".")
	f := &form{wide: wide}
	v := f.v
	at, n := Load(Param("x"), GP64()), Load(Param("n"), GP64())
	scale, offset := broadcast("scale", v()), broadcast("offset", v())
	number := f.stored(name + "Constants")
	real := func(x float64) Op { return number(math.Float64bits(x)) }
	magnitude, sign, ones := number(math.MaxInt64), number(1<<63), number(math.Float64bits(1))
	zero, half, one, two, three, six := real(0), real(0.5), real(1), real(2), real(3), real(6)
	minusHalf, minusOne, minusTwo := real(-0.5), real(-1), real(-2)
	most, near, many := real(22), real(em1Near/2), real(20)
	inverse, hi, lo, shift := real(em1InvLn), real(em1Ln2Hi), real(em1Ln2Lo), real(toInt)
	q1, q2, q3, q4, q5 := real(em1Q1), real(em1Q2), real(em1Q3), real(em1Q4), real(em1Q5)

	// operations with a constant
	add, mul, addq := f.either(VADDPD, VADDPD_BCST), f.either(VMULPD, VMULPD_BCST), f.either(VPADDQ, VPADDQ_BCST)
	fma231, fma213 := f.either(VFMADD231PD, VFMADD231PD_BCST), f.either(VFMADD213PD, VFMADD213PD_BCST)
	fnma231, fnma213 := f.either(VFNMADD231PD, VFNMADD231PD_BCST), f.either(VFNMADD213PD, VFNMADD213PD_BCST)
	compare, and, set := f.either(VCMPPD, VCMPPD_BCST), f.either(VANDPD, VANDPD_BCST), f.either(VMOVUPD, VBROADCASTSD)

	// vector returns the steps for the numbers of one register; some is the mask of those that
	// exist
	vector := func(slot int, some Register) (list []func()) {
		do := func(step func()) { list = append(list, step) }
		// choose sets y to x where a mask is set
		choose := func(mask Register, x Op, y VecVirtual) {
			do(func() {
				_, result := x.(VecVirtual)
				switch {
				case !wide:
					VBLENDVPD(mask, x, y, y)
				case result:
					VMOVAPD(x, mask, y)
				default:
					VBROADCASTSD(x, mask, y)
				}
			})
		}
		mask := func(predicate uint8, y Op, x VecVirtual) Register {
			var m Register = v()
			if wide {
				m = K()
			}
			do(func() { compare(U8(predicate), y, x, m) })
			return m
		}
		const less, atLeast, equal = 1, 13, 0
		x, a, z, k := v(), v(), v(), v()
		place := Mem{Base: at, Disp: 8 * f.lanes() * slot}
		do(func() {
			if some != nil {
				VMOVUPD_Z(place, some, x)
				VMULPD(scale, x, x)
			} else {
				VMULPD(place, scale, x)
			}
		})
		do(func() { VADDPD(offset, x, x) })
		do(func() { and(magnitude, x, a) })
		do(func() { set(most, z) })
		do(func() { VMINPD(a, z, a) }) // NaN stays
		large, small := mask(atLeast, one, a), mask(less, near, a)
		// z = 2a or -2a, the argument of expm1
		do(func() { set(minusTwo, z) })
		choose(large, two, z)
		do(func() { VMULPD(a, z, z) })
		do(func() { set(minusHalf, k) })
		choose(large, half, k)
		do(func() { fma231(inverse, z, k) })
		do(func() {
			if wide {
				VRNDSCALEPD(U8(3), k, k)
			} else {
				VROUNDPD(U8(3), k, k)
			}
		})
		choose(small, zero, k)
		r, c := v(), v()
		do(func() { fnma231(hi, k, z) })
		do(func() { mul(lo, k, c) })
		do(func() { VSUBPD(c, z, r) })
		do(func() { VSUBPD(r, z, z) })
		do(func() { VSUBPD(c, z, c) })
		// 2^k and 2^-k
		power, inverted := v(), z
		do(func() { add(shift, k, power) })
		do(func() { VPSLLQ(U8(52), power, power) })
		do(func() { set(ones, inverted) })
		do(func() { VPSUBQ(power, inverted, inverted) })
		do(func() { addq(ones, power, power) })
		// the rational approximation
		h, s, s2, p, low, t := v(), v(), v(), v(), v(), v()
		do(func() { mul(half, r, h) })
		do(func() { VMULPD(h, r, s) })
		do(func() { VMULPD(s, s, s2) })
		do(func() { set(q5, p) })
		do(func() { fma213(q4, s, p) })
		do(func() { set(q3, t) })
		do(func() { fma213(q2, s, t) })
		do(func() { set(q1, low) })
		do(func() { fma213(one, s, low) })
		do(func() { VFMADD213PD(low, s2, t) })
		do(func() { VMULPD(s2, s2, s2) })
		do(func() { VFMADD213PD(t, s2, p) })
		do(func() { set(three, t) })
		do(func() { VFNMADD231PD(h, p, t) })
		do(func() { VSUBPD(t, p, p) })
		do(func() { fnma213(six, r, t) })
		e := p
		do(func() { VDIVPD(t, p, e) })
		do(func() { VMULPD(s, e, e) })
		// e^z - 1 where k is 0
		plain := low
		do(func() { VMOVAPD(e, plain) })
		do(func() { VFMSUB213PD(s, r, plain) })
		do(func() { VSUBPD(plain, r, plain) })
		// and elsewhere
		do(func() { VSUBPD(c, e, e) })
		do(func() { VFMSUB213PD(c, r, e) })
		do(func() { VSUBPD(s, e, e) })
		part, rest, other := s, t, s2
		do(func() { VADDPD(inverted, e, other) })
		do(func() { VSUBPD(other, r, other) })
		do(func() { add(one, other, other) }) // r - (e + 2^-k) + 1
		do(func() { VSUBPD(r, e, e) })
		do(func() { set(one, part) })
		do(func() {
			if wide {
				VSUBPD(inverted, part, large, part)
			} else {
				VSUBPD(inverted, part, inverted)
				VBLENDVPD(large, inverted, part, part)
			}
		})
		do(func() { set(minusOne, rest) })
		single := mask(equal, minusOne, k)
		choose(single, zero, part)
		choose(single, minusHalf, rest)
		choose(large, zero, rest)
		do(func() { VSUBPD(e, part, part) }) // 1 - 2^-k, 1 or 0, less e - r
		high := mask(atLeast, many, k)
		choose(high, other, part)
		do(func() { VFMADD213PD(rest, power, part) })
		choose(small, plain, part)
		// 2/(e^z + 1), or (e^z - 1)/(e^z + 1)
		do(func() { add(two, part, rest) })
		choose(large, two, part)
		do(func() { VDIVPD(rest, part, part) })
		do(func() { set(one, rest) })
		do(func() { VSUBPD(part, rest, rest) })
		choose(large, rest, part)
		do(func() {
			if wide { // bits of the one or of the other
				VPTERNLOGQ_BCST(U8(0xe4), magnitude, x, part)
				return
			}
			VPAND(magnitude, part, part)
			VPAND(sign, x, x)
			VPOR(x, part, part)
		})
		do(func() {
			if some != nil {
				VMOVUPD(part, some, place)
			} else {
				VMOVUPD(part, place)
			}
		})
		return list
	}
	if wide {
		CMPQ(n, U8(16))
		JL(LabelRef("single"))
		Label("pairs")
		for _, do := range weave(vector(0, nil), vector(1, nil)) {
			do()
		}
		ADDQ(U8(128), at)
		SUBQ(U8(16), n)
		CMPQ(n, U8(16))
		JGE(LabelRef("pairs"))
		Label("single")
	}
	f.each(n, func(some Register) {
		for _, do := range vector(0, some) {
			do()
		}
		ADDQ(U8(uint8(8*f.lanes())), at)
	})
	VZEROUPPER()
	RET()
}
