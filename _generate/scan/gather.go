package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// gather512 writes dst[k] = row[of[k]] for multiples of sixteen elements.
func gather512() {
	TEXT("gatherAVX512", NOSPLIT, "func(dst, row *float32, of *int32, n int)")
	Pragma("noescape")
	Doc("gatherAVX512 is gather; n is a positive multiple of 16.")
	dst, row := Load(Param("dst"), GP64()), Load(Param("row"), GP64())
	of, n := Load(Param("of"), GP64()), Load(Param("n"), GP64())
	t := GP64()
	XORQ(t, t)
	Label("sixteen")
	index, v, k := ZMM(), ZMM(), K()
	VMOVDQU32(Mem{Base: of, Index: t, Scale: 4}, index)
	KXNORW(k, k, k)
	VPXORD(v, v, v)
	VGATHERDPS(Mem{Base: row, Index: index, Scale: 4}, k, v)
	VMOVUPS(v, Mem{Base: dst, Index: t, Scale: 4})
	ADDQ(Imm(16), t)
	CMPQ(t, n)
	JLT(LabelRef("sixteen"))
	VZEROUPPER()
	RET()
}
