package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// copyOnes puts texts behind each other, each over what the one before has too much.
func copyOnes() {
	TEXT("onesAVX2", NOSPLIT, "func(dst *byte, texts *uint64, size int, index *int32, n int) (bytes, done, written int)")
	Pragma("noescape")
	Doc("onesAVX2 copies the texts of n > 0 indices to dst, but for those beyond size, as long as they are",
		"known. It returns how many bytes they have, how many indices are done, and how many of them have",
		"texts that are not empty. Up to 15 bytes more are written.")
	dst, texts, size := Load(Param("dst"), GP64()), Load(Param("texts"), GP64()), Load(Param("size"), GP64())
	index, n := Load(Param("index"), GP64()), Load(Param("n"), GP64())
	k, written, i, length := GP64(), GP64(), GP64(), GP64()
	XORQ(k, k)
	XORQ(written, written)
	text := XMM()
	Label("one")
	MOVLQZX(Mem{Base: index, Index: k, Scale: 4}, i)
	CMPQ(i, size)
	JAE(LabelRef("next"))
	LEAQ(Mem{Base: i, Index: i, Scale: 2}, i)
	MOVQ(Mem{Base: texts, Index: i, Scale: 8, Disp: 16}, length)
	TESTQ(length, length)
	JZ(LabelRef("done"))
	VMOVDQU(Mem{Base: texts, Index: i, Scale: 8}, text)
	VMOVDQU(text, Mem{Base: dst})
	LEAQ(Mem{Base: dst, Index: length, Scale: 1, Disp: -1}, dst)
	CMPQ(length, U8(2)) // carries below
	SBBQ(I8(-1), written)
	Label("next")
	INCQ(k)
	CMPQ(k, n)
	JL(LabelRef("one"))
	Label("done")
	start := Load(Param("dst"), GP64())
	SUBQ(start, dst)
	Store(dst, ReturnIndex(0))
	Store(k, ReturnIndex(1))
	Store(written, ReturnIndex(2))
	RET()
}
