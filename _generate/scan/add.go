package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// add512 writes the function of f += c row.
func add512() {
	TEXT("addAVX512", NOSPLIT, "func(f *float64, row *float32, n int, c float64)")
	Pragma("noescape")
	Doc("addAVX512 is add; n > 0.")
	f, row, n := Load(Param("f"), GP64()), Load(Param("row"), GP64()), Load(Param("n"), GP64())
	c := ZMM()
	p, err := Param("c").Resolve()
	must(err)
	VBROADCASTSD(p.Addr, c)
	t := GP64()
	XORQ(t, t)
	Label("eight")
	CMPQ(n, Imm(8))
	JLT(LabelRef("rest"))
	v := ZMM()
	VCVTPS2PD(Mem{Base: row, Index: t, Scale: 4}, v)
	VMULPD(c, v, v)
	VADDPD(Mem{Base: f, Index: t, Scale: 8}, v, v)
	VMOVUPD(v, Mem{Base: f, Index: t, Scale: 8})
	ADDQ(Imm(8), t)
	SUBQ(Imm(8), n)
	JMP(LabelRef("eight"))
	Label("rest")
	TESTQ(n, n)
	JZ(LabelRef("done"))
	k := tail512(n)
	w, g := ZMM(), ZMM()
	VCVTPS2PD_Z(Mem{Base: row, Index: t, Scale: 4}, k, w)
	VMULPD(c, w, w)
	VMOVUPD_Z(Mem{Base: f, Index: t, Scale: 8}, k, g)
	VADDPD(g, w, w)
	VMOVUPD(w, k, Mem{Base: f, Index: t, Scale: 8})
	Label("done")
	VZEROUPPER()
	RET()
}

// add2 writes the function of f += c row, for multiples of eight elements.
func add2() {
	TEXT("addAVX2", NOSPLIT, "func(f *float64, row *float32, n int, c float64)")
	Pragma("noescape")
	Doc("addAVX2 is add; n is a positive multiple of 8.")
	f, row, n := Load(Param("f"), GP64()), Load(Param("row"), GP64()), Load(Param("n"), GP64())
	c := YMM()
	p, err := Param("c").Resolve()
	must(err)
	VBROADCASTSD(p.Addr, c)
	t := GP64()
	XORQ(t, t)
	Label("eight")
	for i := range 2 {
		v := YMM()
		VCVTPS2PD(Mem{Base: row, Index: t, Scale: 4, Disp: 16 * i}, v)
		VMULPD(c, v, v)
		VADDPD(Mem{Base: f, Index: t, Scale: 8, Disp: 32 * i}, v, v)
		VMOVUPD(v, Mem{Base: f, Index: t, Scale: 8, Disp: 32 * i})
	}
	ADDQ(Imm(8), t)
	SUBQ(Imm(8), n)
	JNZ(LabelRef("eight"))
	VZEROUPPER()
	RET()
}

// addBoth512 writes the function of f = (f + cx x) + cy y.
func addBoth512() {
	TEXT("addBothAVX512", NOSPLIT, "func(f *float64, x, y *float32, n int, cx, cy float64)")
	Pragma("noescape")
	Doc("addBothAVX512 is addBoth; n > 0.")
	f, x, y := Load(Param("f"), GP64()), Load(Param("x"), GP64()), Load(Param("y"), GP64())
	n := Load(Param("n"), GP64())
	var c [2]VecVirtual
	for i, name := range []string{"cx", "cy"} {
		c[i] = ZMM()
		p, err := Param(name).Resolve()
		must(err)
		VBROADCASTSD(p.Addr, c[i])
	}
	t := GP64()
	XORQ(t, t)
	Label("eight")
	CMPQ(n, Imm(8))
	JLT(LabelRef("rest"))
	v, w := ZMM(), ZMM()
	VCVTPS2PD(Mem{Base: x, Index: t, Scale: 4}, v)
	VCVTPS2PD(Mem{Base: y, Index: t, Scale: 4}, w)
	VMULPD(c[0], v, v)
	VMULPD(c[1], w, w)
	VADDPD(Mem{Base: f, Index: t, Scale: 8}, v, v)
	VADDPD(w, v, v)
	VMOVUPD(v, Mem{Base: f, Index: t, Scale: 8})
	ADDQ(Imm(8), t)
	SUBQ(Imm(8), n)
	JMP(LabelRef("eight"))
	Label("rest")
	TESTQ(n, n)
	JZ(LabelRef("done"))
	k := tail512(n)
	g := ZMM()
	VCVTPS2PD_Z(Mem{Base: x, Index: t, Scale: 4}, k, v)
	VCVTPS2PD_Z(Mem{Base: y, Index: t, Scale: 4}, k, w)
	VMULPD(c[0], v, v)
	VMULPD(c[1], w, w)
	VMOVUPD_Z(Mem{Base: f, Index: t, Scale: 8}, k, g)
	VADDPD(g, v, v)
	VADDPD(w, v, v)
	VMOVUPD(v, k, Mem{Base: f, Index: t, Scale: 8})
	Label("done")
	VZEROUPPER()
	RET()
}

// addBoth2 writes the function of f = (f + cx x) + cy y, for multiples of eight elements.
func addBoth2() {
	TEXT("addBothAVX2", NOSPLIT, "func(f *float64, x, y *float32, n int, cx, cy float64)")
	Pragma("noescape")
	Doc("addBothAVX2 is addBoth; n is a positive multiple of 8.")
	f, x, y := Load(Param("f"), GP64()), Load(Param("x"), GP64()), Load(Param("y"), GP64())
	n := Load(Param("n"), GP64())
	var c [2]VecVirtual
	for i, name := range []string{"cx", "cy"} {
		c[i] = YMM()
		p, err := Param(name).Resolve()
		must(err)
		VBROADCASTSD(p.Addr, c[i])
	}
	t := GP64()
	XORQ(t, t)
	Label("eight")
	for i := range 2 {
		v, w := YMM(), YMM()
		VCVTPS2PD(Mem{Base: x, Index: t, Scale: 4, Disp: 16 * i}, v)
		VCVTPS2PD(Mem{Base: y, Index: t, Scale: 4, Disp: 16 * i}, w)
		VMULPD(c[0], v, v)
		VMULPD(c[1], w, w)
		VADDPD(Mem{Base: f, Index: t, Scale: 8, Disp: 32 * i}, v, v)
		VADDPD(w, v, v)
		VMOVUPD(v, Mem{Base: f, Index: t, Scale: 8, Disp: 32 * i})
	}
	ADDQ(Imm(8), t)
	SUBQ(Imm(8), n)
	JNZ(LabelRef("eight"))
	VZEROUPPER()
	RET()
}
