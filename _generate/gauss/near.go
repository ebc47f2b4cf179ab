package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// nearRound writes the function that rounds to float32 values that are only known within an error.
func nearRound(wide bool) {
	level, condition := suffix(wide)
	name := "nearRound" + level
	TEXT(name, NOSPLIT, "func(dst *float32, src *float64, n int, off float64) (odd int)")
	Pragma("noescape")
	Doc(name + " sets dst[i] = float32(src[i]-off) for i < n, " + condition + ". It returns 0 if all these are float32(src[i]+off) too.")
	f := &form{wide: wide}
	dst, src, n := Load(Param("dst"), GP64()), Load(Param("src"), GP64()), Load(Param("n"), GP64())
	off := broadcast("off", f.v())
	odd := GP32()
	if !wide {
		bad := XMM()
		VPXOR(bad, bad, bad)
		f.each(n, func(Register) {
			least, most := f.v(), f.v()
			VMOVUPD(Mem{Base: src}, most)
			VSUBPD(off, most, least)
			VADDPD(off, most, most)
			VCVTPD2PSY(least, least.AsX())
			VCVTPD2PSY(most, most.AsX())
			VMOVUPS(least.AsX(), Mem{Base: dst})
			VPXOR(least.AsX(), most.AsX(), most.AsX())
			VPOR(most.AsX(), bad, bad)
			ADDQ(U8(16), dst)
			ADDQ(U8(32), src)
		})
		XORL(odd, odd)
		VPTEST(bad, bad)
		SETNE(odd.As8())
	} else {
		bad := K()
		KXORW(bad, bad, bad)
		f.each(n, func(some Register) {
			least, most, unlike := f.v(), f.v(), K()
			a, b := YMM(), YMM()
			if some != nil {
				VMOVUPD_Z(Mem{Base: src}, some, most)
			} else {
				VMOVUPD(Mem{Base: src}, most)
			}
			VSUBPD(off, most, least)
			VADDPD(off, most, most)
			VCVTPD2PS(least, a)
			VCVTPD2PS(most, b)
			if some != nil {
				VMOVUPS(a, some, Mem{Base: dst})
				VPCMPD(U8(4), a, b, some, unlike)
			} else {
				VMOVUPS(a, Mem{Base: dst})
				VPCMPD(U8(4), a, b, unlike)
			}
			KORW(unlike, bad, bad)
			ADDQ(U8(32), dst)
			ADDQ(U8(64), src)
		})
		KMOVW(bad, odd)
	}
	Store(odd.As64(), ReturnIndex(0))
	VZEROUPPER()
	RET()
}

// nearPower writes the function of a polynomial kernel's values in float32, where the bases of the
// powers are only known within an error.
func nearPower(wide bool) {
	level, condition := suffix(wide)
	name := "nearPower" + level
	TEXT(name, NOSPLIT, "func(dst *float32, dots *float64, n int, scale, offset, shift, floor float64, degree int) (odd int)")
	Pragma("noescape")
	Doc(name+" sets dst[i] = float32((b-shift)^degree) for b = scale dots[i] + offset and i < n, "+condition+". It returns 0 if all these",
		"are float32((b+shift)^degree) too, and both powers are larger than floor.")
	f := &form{wide: wide}
	v := f.v
	dst, src, n := Load(Param("dst"), GP64()), Load(Param("dots"), GP64()), Load(Param("n"), GP64())
	scale, offset := broadcast("scale", v()), broadcast("offset", v())
	shift, floor := broadcast("shift", v()), broadcast("floor", v())
	degree := Load(Param("degree"), GP64())
	odd := GP32()
	set := f.either(VMOVUPD, VBROADCASTSD)
	number := f.stored(name + "Constants")
	one, size := number(f64(1)), v()
	set(number(math.MaxInt64), size) // all bits of a number but its sign
	var bad VecVirtual
	mask := K()
	if wide {
		KXORW(mask, mask, mask)
	} else {
		bad = YMM()
		VPXOR(bad, bad, bad)
	}
	f.each(n, func(some Register) {
		label := "one"
		if some != nil {
			label = "some"
		}
		x, y := []VecVirtual{v(), v()}, []VecVirtual{v(), v()}
		if some != nil {
			VMOVUPD_Z(Mem{Base: src}, some, x[1])
			VMULPD(scale, x[1], x[1])
		} else {
			VMULPD(Mem{Base: src}, scale, x[1])
		}
		VADDPD(offset, x[1], x[1])
		VSUBPD(shift, x[1], x[0])
		VADDPD(shift, x[1], x[1])
		set(one, y[0])
		VMOVUPD(y[0], y[1])
		raise(label, x, y, degree)
		a, b := YMM(), YMM()
		if wide {
			VCVTPD2PS(y[0], a)
			VCVTPD2PS(y[1], b)
			for _, p := range y {
				f.and(size, p, p)
				small := K()
				if some != nil {
					VCMPPD(U8(notGreater), floor, p, some, small)
				} else {
					VCMPPD(U8(notGreater), floor, p, small)
				}
				KORW(small, mask, mask)
			}
			unlike := K()
			if some != nil {
				VMOVUPS(a, some, Mem{Base: dst})
				VPCMPD(U8(4), a, b, some, unlike)
			} else {
				VMOVUPS(a, Mem{Base: dst})
				VPCMPD(U8(4), a, b, unlike)
			}
			KORW(unlike, mask, mask)
		} else {
			VCVTPD2PSY(y[0], a.AsX())
			VCVTPD2PSY(y[1], b.AsX())
			VMOVUPS(a.AsX(), Mem{Base: dst})
			VPXOR(a, b, a) // the upper halves are 0
			VPOR(a, bad, bad)
			for _, p := range y {
				f.and(size, p, p)
				VCMPPD(U8(notGreater), floor, p, p)
				VPOR(p, bad, bad)
			}
		}
		ADDQ(U8(uint8(4*f.lanes())), dst)
		ADDQ(U8(uint8(8*f.lanes())), src)
	})
	if wide {
		KMOVW(mask, odd)
	} else {
		XORL(odd, odd)
		VPTEST(bad, bad)
		SETNE(odd.As8())
	}
	Store(odd.As64(), ReturnIndex(0))
	VZEROUPPER()
	RET()
}

// notGreater is a predicate of comparisons: the second operand is not greater than the first, or
// one of them is NaN.
const notGreater = 0x1a
