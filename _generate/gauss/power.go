package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// power writes the function of many values of polynomial kernels.
func power(wide bool) {
	level, condition := suffix(wide)
	name := "power" + level
	TEXT(name, NOSPLIT, "func(x *float64, n int, scale, offset float64, degree int)")
	Pragma("noescape")
	Doc(name + " sets x[i] = (scale x[i] + offset)^degree, as Power does, product and sum rounded each, for i < n, " + condition + ".")
	f := &form{wide: wide}
	v := f.v
	at, n := Load(Param("x"), GP64()), Load(Param("n"), GP64())
	scale, offset := broadcast("scale", v()), broadcast("offset", v())
	degree := Load(Param("degree"), GP64())
	one := v()
	set := f.either(VMOVUPD, VBROADCASTSD)
	set(f.stored(name+"Constants")(f64(1)), one)

	// vectors works on so many registers, of which some numbers are there
	vectors := func(label string, count int, some Register) {
		place := func(i int) Mem { return Mem{Base: at, Disp: 8 * f.lanes() * i} }
		x, y := make([]VecVirtual, count), make([]VecVirtual, count)
		for i := range count {
			x[i], y[i] = v(), v()
			if some != nil {
				VMOVUPD_Z(place(i), some, x[i])
				VMULPD(scale, x[i], x[i])
			} else {
				VMULPD(place(i), scale, x[i])
			}
			VADDPD(offset, x[i], x[i])
			VMOVUPD(one, y[i])
		}
		bits := GP64()
		MOVQ(degree, bits)
		Label(label + "Bit")
		SHRQ(U8(1), bits)
		JCC(LabelRef(label + "Even"))
		for i := range count {
			VMULPD(x[i], y[i], y[i])
		}
		Label(label + "Even")
		for i := range count {
			VMULPD(x[i], x[i], x[i])
		}
		TESTQ(bits, bits)
		JNE(LabelRef(label + "Bit"))
		for i := range count {
			if some != nil {
				VMOVUPD(y[i], some, place(i))
			} else {
				VMOVUPD(y[i], place(i))
			}
		}
		ADDQ(U32(uint32(8*f.lanes()*count)), at)
	}
	const together = 4
	SUBQ(U8(uint8(together*f.lanes())), n)
	JL(LabelRef("few"))
	Label("many")
	vectors("many", together, nil)
	SUBQ(U8(uint8(together*f.lanes())), n)
	JGE(LabelRef("many"))
	Label("few")
	ADDQ(U8(uint8(together*f.lanes())), n)
	f.each(n, func(some Register) {
		label := "one"
		if some != nil {
			label = "some"
		}
		vectors(label, 1, some)
	})
	VZEROUPPER()
	RET()
}

// round writes the function that rounds to float32.
func round(wide bool) {
	level, condition := suffix(wide)
	name := "round" + level
	TEXT(name, NOSPLIT, "func(dst *float32, src *float64, n int)")
	Pragma("noescape")
	Doc(name + " sets dst[i] = float32(src[i]) for i < n, " + condition + ".")
	f := &form{wide: wide}
	dst, src, n := Load(Param("dst"), GP64()), Load(Param("src"), GP64()), Load(Param("n"), GP64())
	f.each(n, func(some Register) {
		y := YMM()
		switch {
		case !wide:
			VCVTPD2PSY(Mem{Base: src}, y.AsX())
			VMOVUPS(y.AsX(), Mem{Base: dst})
		case some != nil:
			VCVTPD2PS_Z(Mem{Base: src}, some, y)
			VMOVUPS(y, some, Mem{Base: dst})
		default:
			VCVTPD2PS(Mem{Base: src}, y)
			VMOVUPS(y, Mem{Base: dst})
		}
		ADDQ(U8(uint8(4*f.lanes())), dst)
		ADDQ(U8(uint8(8*f.lanes())), src)
	})
	VZEROUPPER()
	RET()
}

// nearRound writes the function that rounds what is only nearly known to float32.
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
