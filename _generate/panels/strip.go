package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// strip writes the functions for 32 lanes of sparse rows in so many registers.
func strip(level string, wide int, vector func() VecVirtual) {
	bytes := 256 / wide
	each := func(f func(i int, at int)) {
		for i := range wide {
			f(i, bytes*i)
		}
	}
	start := func() (dst Register, sums []VecVirtual) {
		dst = Load(Param("sums"), GP64())
		sums = make([]VecVirtual, wide)
		each(func(i, at int) {
			sums[i] = vector()
			VMOVUPD(Mem{Base: dst, Disp: at}, sums[i])
		})
		return dst, sums
	}
	finish := func(dst Register, sums []VecVirtual) {
		each(func(i, at int) { VMOVUPD(sums[i], Mem{Base: dst, Disp: at}) })
		VZEROUPPER()
		RET()
	}

	TEXT("stripDots"+level, NOSPLIT, "func(sums, x *float64, terms *float64, n int)")
	Pragma("noescape")
	Doc("stripDots" + level + " adds x[32 column+i] value to sums[i] for i < 32 and each of n > 0 terms, of type stripTerm, in turn.")
	dst, sums := start()
	x, term, n := Load(Param("x"), GP64()), Load(Param("terms"), GP64()), Load(Param("n"), GP64())
	Label("term")
	p, z := GP64(), vector()
	MOVQ(Mem{Base: term}, p)
	SHLQ(U8(8), p)
	VBROADCASTSD(Mem{Base: term, Disp: 8}, z)
	each(func(i, at int) {
		t := vector()
		VMULPD(Mem{Base: x, Index: p, Scale: 1, Disp: at}, z, t)
		VADDPD(t, sums[i], sums[i])
	})
	ADDQ(U8(24), term)
	DECQ(n)
	JNZ(LabelRef("term"))
	finish(dst, sums)

	TEXT("stripDistances"+level, NOSPLIT, "func(sums, x, squares *float64, columns int, terms *float64, n int)")
	Pragma("noescape")
	Doc("stripDistances" + level + " adds, for i < 32, squares[32k+i] to sums[i] for each k < columns, but of the columns that a term matches (x[32k+i]-value)^2; and value^2 for each of n terms, of type stripTerm, that does not match, before its column.")
	dst, sums = start()
	x, squares := Load(Param("x"), GP64()), Load(Param("squares"), GP64())
	columns := Load(Param("columns"), GP64())
	term, n = Load(Param("terms"), GP64()), Load(Param("n"), GP64())
	k, until := GP64(), GP64() // places of columns in bytes
	SHLQ(U8(8), columns)
	XORQ(k, k)
	Label("next")
	MOVQ(columns, until)
	TESTQ(n, n)
	JZ(LabelRef("skip"))
	MOVQ(Mem{Base: term}, until)
	SHLQ(U8(8), until)
	Label("skip")
	CMPQ(k, until)
	JGE(LabelRef("there"))
	each(func(i, at int) {
		VADDPD(Mem{Base: squares, Index: k, Scale: 1, Disp: at}, sums[i], sums[i])
	})
	ADDQ(U32(256), k)
	JMP(LabelRef("skip"))
	Label("there")
	TESTQ(n, n)
	JZ(LabelRef("end"))
	z = vector()
	VBROADCASTSD(Mem{Base: term, Disp: 8}, z)
	CMPQ(Mem{Base: term, Disp: 16}, U8(0))
	JE(LabelRef("alone"))
	each(func(i, at int) {
		t := vector()
		VSUBPD(Mem{Base: x, Index: k, Scale: 1, Disp: at}, z, t)
		VMULPD(t, t, t)
		VADDPD(t, sums[i], sums[i])
	})
	ADDQ(U32(256), k)
	JMP(LabelRef("done"))
	Label("alone")
	VMULPD(z, z, z)
	each(func(i, at int) { VADDPD(z, sums[i], sums[i]) })
	Label("done")
	ADDQ(U8(24), term)
	DECQ(n)
	JMP(LabelRef("next"))
	Label("end")
	finish(dst, sums)
}
