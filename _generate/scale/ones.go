package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// copyOnes writes the function that puts texts behind each other, each over the excess bytes of the
// one before.
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
	CMPQ(length, U8(2)) // sets the carry if length < 2
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

// noneIs writes the function that looks for values with given bits.
func noneIs() {
	TEXT("noneIsAVX2", NOSPLIT, "func(value *float64, n int, bits uint64) bool")
	Pragma("noescape")
	Doc("noneIsAVX2 reports whether none of n values, a multiple of 16 above 0, has the bits.")
	every(func(a, b, c Op) { VPCMPEQQ(a, b, c) }, NewParamAddr("bits", 16))
}

// allOne writes the function that compares values with 1.
func allOne() {
	TEXT("allOneAVX2", NOSPLIT, "func(value *float64, n int) bool")
	Pragma("noescape")
	Doc("allOneAVX2 reports whether n values, a multiple of 16 above 0, are all 1.")
	one := GLOBL("one", RODATA|NOPTR)
	DATA(0, U64(0x3ff<<52))
	every(VPXOR, one)
}

// every reports whether an operation with the bits makes 0 of each value.
func every(operation func(a, b, c Op), bits Mem) {
	value, n := Load(Param("value"), GP64()), Load(Param("n"), GP64())
	same, some, v := YMM(), YMM(), YMM()
	VPBROADCASTQ(bits, same)
	none := GP8()
	Label("sixteen")
	operation(Mem{Base: value}, same, some)
	for k := 1; k < 4; k++ {
		operation(Mem{Base: value, Disp: 32 * k}, same, v)
		VPOR(v, some, some)
	}
	VPTEST(some, some)
	SETEQ(none)
	JNE(LabelRef("done"))
	ADDQ(U8(128), value)
	SUBQ(U8(16), n)
	JNZ(LabelRef("sixteen"))
	Label("done")
	VZEROUPPER()
	Store(none, ReturnIndex(0))
	RET()
}
