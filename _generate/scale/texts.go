package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// copyTexts copies the texts of values behind each other, each over what the one before has too much.
func copyTexts() {
	const (
		log2Places             = 12
		bits, text, slot, size = 0, 8, 32, 36 // from a text on, of 40 bytes
	)
	TEXT("textsAVX2", NOSPLIT, "func(dst *byte, list *uint64, places *uint16, value *float64, slots *int32, n int, spreadBits, spreadSlot uint64) (done, bytes, written int)")
	Pragma("noescape")
	Doc("textsAVX2 copies the texts of n > 0 values of features to dst, as long as they are on the list, of",
		"whose numbers there are 4096 places. It returns how many it did, how many bytes these have, and how many of them",
		"are not empty. Up to 24 bytes more are written.")
	dst, list, places := Load(Param("dst"), GP64()), Load(Param("list"), GP64()), Load(Param("places"), GP64())
	value, slots, n := Load(Param("value"), GP64()), Load(Param("slots"), GP64()), Load(Param("n"), GP64())
	at, written, v, s, place, e, length := GP64(), GP64(), GP64(), GP64(), GP64(), GP64(), GP64()
	words := XMM()
	XORQ(at, at)
	XORQ(written, written)
	Label("one")
	MOVQ(Mem{Base: value, Index: at, Scale: 8}, v)
	MOVLQZX(Mem{Base: slots, Index: at, Scale: 4}, s)
	MOVQ(NewParamAddr("spreadBits", 48), place)
	IMULQ(v, place)
	MOVQ(NewParamAddr("spreadSlot", 56), e)
	IMULQ(s, e)
	ADDQ(e, place)
	SHRQ(U8(64-log2Places), place)
	Label("probe")
	MOVWQZX(Mem{Base: places, Index: place, Scale: 2}, e)
	TESTQ(e, e)
	JZ(LabelRef("done"))
	LEAQ(Mem{Base: e, Index: e, Scale: 4}, e)
	LEAQ(Mem{Base: list, Index: e, Scale: 8}, e)
	CMPQ(v, Mem{Base: e, Disp: bits})
	JNE(LabelRef("next"))
	CMPL(s.As32(), Mem{Base: e, Disp: slot})
	JNE(LabelRef("next"))
	VMOVDQU(Mem{Base: e, Disp: text}, words)
	VMOVDQU(words, Mem{Base: dst})
	MOVQ(Mem{Base: e, Disp: text + 16}, v)
	MOVQ(v, Mem{Base: dst, Disp: 16})
	MOVLQZX(Mem{Base: e, Disp: size}, length)
	ADDQ(length, dst)
	CMPQ(length, U8(1)) // carries below
	SBBQ(I8(-1), written)
	INCQ(at)
	CMPQ(at, n)
	JL(LabelRef("one"))
	JMP(LabelRef("done"))
	Label("next")
	INCQ(place)
	ANDQ(U32(1<<log2Places-1), place)
	JMP(LabelRef("probe"))
	Label("done")
	start := Load(Param("dst"), GP64())
	SUBQ(start, dst)
	Store(at, ReturnIndex(0))
	Store(dst, ReturnIndex(1))
	Store(written, ReturnIndex(2))
	RET()
}
