package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// short writes the function from dot products to Gaussian kernel values in float32.
func short(wide bool) {
	level, condition := suffix(wide)
	name := "gauss" + level
	TEXT(name, NOSPLIT, "func(dst *float32, dots, norms *float64, n int, norm, scale float64, table *[128][2]float64) (odd int)")
	Pragma("noescape")
	Doc(name + " sets dst[i] = float32(exp(scale (norm + norms[i] - 2 dots[i]))) for i < n, " + condition + ". It returns 0 unless an argument of exp is 512 or more, or not a number; for those the values are wrong.")
	f := &form{wide: wide}
	v := f.v
	dst, dots, norms := Load(Param("dst"), GP64()), Load(Param("dots"), GP64()), Load(Param("norms"), GP64())
	n := Load(Param("n"), GP64())
	f.table = Load(Param("table"), GP64())
	least := f.constants(name + "Constants")(-128) // such an argument gives 0 as a float32
	scale, norm := broadcast("scale", v()), broadcast("norm", v())
	var bad Register
	if wide {
		bad = K()
		KXORW(bad, bad, bad)
	} else {
		bad = v()
		VPXOR(bad, bad, bad)
	}
	f.each(n, func(some Register) {
		x, d := v(), v()
		if some != nil {
			VMOVUPD_Z(Mem{Base: dots}, some, x)
			VMOVUPD_Z(Mem{Base: norms}, some, d)
		} else {
			VMOVUPD(Mem{Base: dots}, x)
			VMOVUPD(Mem{Base: norms}, d)
		}
		VADDPD(x, x, x)
		VADDPD(d, norm, d)
		VSUBPD(x, d, x) // not fused: twice the dot product may overflow
		VMULPD(scale, x, x)
		VMAXPD(x, f.load(least), x) // NaN stays
		if wide {
			far := K()
			VCMPPD(U8(5), f.size, x, far) // not x < 512
			if some != nil {
				KANDW(some, far, far)
			}
			KORW(far, bad, bad)
		} else {
			far := v()
			VCMPPD(U8(5), f.size, x, far)
			VPOR(far, bad.(VecVirtual), bad.(VecVirtual))
		}
		y := f.exp(x)
		switch {
		case !wide:
			VCVTPD2PSY(y, y.AsX())
			VMOVUPS(y.AsX(), Mem{Base: dst})
		case some != nil:
			z := YMM()
			VCVTPD2PS(y, z)
			VMOVUPS(z, some, Mem{Base: dst})
		default:
			z := YMM()
			VCVTPD2PS(y, z)
			VMOVUPS(z, Mem{Base: dst})
		}
		ADDQ(U8(uint8(4*f.lanes())), dst)
		ADDQ(U8(uint8(8*f.lanes())), dots)
		ADDQ(U8(uint8(8*f.lanes())), norms)
	})
	odd := GP32()
	if wide {
		KMOVW(bad, odd)
	} else {
		VMOVMSKPD(bad, odd)
	}
	Store(odd.As64(), ReturnIndex(0))
	VZEROUPPER()
	RET()
}

// each writes a loop over n values, a register of them at a time. If the last ones do not fill a
// wide register, vector gets their mask in some.
func (f *form) each(n Register, vector func(some Register)) {
	lanes := U8(uint8(f.lanes()))
	CMPQ(n, lanes)
	JL(LabelRef("rest"))
	Label("loop")
	vector(nil)
	SUBQ(lanes, n)
	CMPQ(n, lanes)
	JGE(LabelRef("loop"))
	Label("rest")
	if f.wide {
		TESTQ(n, n)
		JZ(LabelRef("end"))
		MOVQ(n, RCX)
		last, some := GP32(), K()
		MOVL(U32(1), last)
		SHLL(CL, last)
		DECL(last)
		KMOVW(last, some)
		vector(some)
		Label("end")
	}
}
