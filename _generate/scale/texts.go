package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// copyTexts puts the texts of zeros, names and values behind each other, each over what the one before
// has too much: so a text waits for nothing but where the one before ends.
func copyTexts() {
	const (
		name, spread, before, after = 0, 8, 16, 20 // in a mark, of 24 bytes
		bits, class, text, size     = 0, 8, 16, 31 // in a text, of 1<<log2Text
		log2Text                    = 5
	)
	TEXT("textsAVX2", NOSPLIT, "func(dst, zeros *byte, zero int, marks *uint64, room int, list *uint64, places *uint16, shift, last int, index *int32, value *float64, n int, factor uint64) (done, bytes, more, next int)")
	Pragma("noescape")
	Doc("textsAVX2 copies the texts of n > 0 values and of the zeros before them to dst, as long as they are",
		"on the list, of whose numbers there are last+1 places, and the zeros ascend. It returns how many it did,",
		"how many bytes these have, how many more pairs than zeros of its own it wrote, and the next zero. Up to 79",
		"bytes more are written, and up to 63 more read of the zeros.")
	dst, zero, marks := Load(Param("dst"), GP64()), Load(Param("zero"), GP64()), Load(Param("marks"), GP64())
	list, places := Load(Param("list"), GP64()), Load(Param("places"), GP64())
	index, value := Load(Param("index"), GP64()), Load(Param("value"), GP64())
	Load(Param("shift"), RCX)
	at, more := GP64(), GP64()
	XORQ(at, at)
	XORQ(more, more)

	Label("one")
	m, s, v, place := GP64(), GP64(), GP64(), GP64()
	MOVLQZX(Mem{Base: index, Index: at, Scale: 4}, m)
	CMPQ(m, NewParamAddr("room", 32))
	JAE(LabelRef("done"))
	LEAQ(Mem{Base: m, Index: m, Scale: 2}, m)
	LEAQ(Mem{Base: marks, Index: m, Scale: 8}, m)
	MOVQ(Mem{Base: m, Disp: spread}, s)
	TESTQ(s, s)
	JZ(LabelRef("next"))
	MOVQ(Mem{Base: value, Index: at, Scale: 8}, v)
	MOVQ(NewParamAddr("factor", 96), place)
	IMULQ(v, place)
	ADDQ(s, place)
	SHRQ(CL, place)
	Label("probe")
	e := GP64()
	MOVWQZX(Mem{Base: places, Index: place, Scale: 2}, e)
	TESTQ(e, e)
	JZ(LabelRef("done"))
	SHLQ(U8(log2Text), e)
	ADDQ(list, e)
	CMPQ(v, Mem{Base: e, Disp: bits})
	JNE(LabelRef("other"))
	CMPQ(s, Mem{Base: e, Disp: class})
	JNE(LabelRef("other"))

	// the zeros
	from, to, left := GP64(), GP64(), GP64()
	some := []VecVirtual{YMM(), YMM()}
	MOVLQZX(Mem{Base: m, Disp: before}, left)
	SUBQ(zero, left)
	JB(LabelRef("done"))
	MOVQ(NewParamAddr("zeros", 8), from)
	ADDQ(zero, from)
	MOVQ(dst, to)
	ADDQ(left, dst)
	Label("zeros")
	for k, y := range some {
		VMOVDQU(Mem{Base: from, Disp: 32 * k}, y)
	}
	for k, y := range some {
		VMOVDQU(y, Mem{Base: to, Disp: 32 * k})
	}
	ADDQ(U8(64), from)
	ADDQ(U8(64), to)
	SUBQ(U8(64), left)
	JG(LabelRef("zeros"))
	MOVLQZX(Mem{Base: m, Disp: after}, zero)
	CMPL(Mem{Base: m, Disp: before}, zero.(GPVirtual).As32()) // carries below
	SBBQ(I8(0), more)

	// the name and the number
	length, word := GP64(), GP64()
	MOVBQZX(Mem{Base: e, Disp: size}, length)
	MOVQ(Mem{Base: m, Disp: name}, word)
	MOVQ(word, Mem{Base: dst})
	SHRQ(U8(56), word)
	TESTQ(length, length)
	CMOVQEQ(length, word)
	ADDQ(word, dst)
	CMPQ(length, U8(1)) // carries below
	SBBQ(I8(-1), more)
	VMOVDQU(Mem{Base: e, Disp: text}, some[0].AsX())
	VMOVDQU(some[0].AsX(), Mem{Base: dst})
	ADDQ(length, dst)
	Label("next")
	INCQ(at)
	CMPQ(at, NewParamAddr("n", 88))
	JL(LabelRef("one"))
	JMP(LabelRef("done"))

	Label("other")
	INCQ(place)
	ANDQ(NewParamAddr("last", 64), place)
	JMP(LabelRef("probe"))

	Label("done")
	start := Load(Param("dst"), GP64())
	SUBQ(start, dst)
	VZEROUPPER()
	Store(at, ReturnIndex(0))
	Store(dst, ReturnIndex(1))
	Store(more, ReturnIndex(2))
	Store(zero, ReturnIndex(3))
	RET()
}
