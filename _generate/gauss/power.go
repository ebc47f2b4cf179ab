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

	// vectors works on count registers; some is the mask of the numbers that exist, nil for all
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
		raise(label, x, y, degree)
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

// raise multiplies each y, which is 1, by the power of x, as Power does. It overwrites x.
func raise(label string, x, y []VecVirtual, degree Register) {
	bits := GP64()
	MOVQ(degree, bits)
	Label(label + "Bit")
	SHRQ(U8(1), bits)
	JCC(LabelRef(label + "Even"))
	for i := range y {
		VMULPD(x[i], y[i], y[i])
	}
	Label(label + "Even")
	for i := range x {
		VMULPD(x[i], x[i], x[i])
	}
	TESTQ(bits, bits)
	JNE(LabelRef(label + "Bit"))
}
