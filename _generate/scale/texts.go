package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// Offsets in a mark of format/scale, and its size in words.
const (
	markName   = 0
	markSpread = 8
	markBefore = 16
	markAfter  = 20
	markMin    = 24
	markSpan   = 32
	markWords  = 5
)

// markOf sets m to the address of an index's mark. It jumps to beyond if there is none.
func markOf(index, at, marks Register, room Mem, m GPVirtual, beyond string) {
	MOVLQZX(Mem{Base: index, Index: at, Scale: 4}, m)
	CMPQ(m, room)
	JAE(LabelRef(beyond))
	LEAQ(Mem{Base: m, Index: m, Scale: markWords - 1}, m)
	LEAQ(Mem{Base: marks, Index: m, Scale: 8}, m)
}

// copyZeros copies the text of the zeros up to the mark's feature, from zero on, unless that is
// already done. Then it sets zero to the offset behind the feature's own zero.
func copyZeros(zeros Mem, zero GPVirtual, m, dst, more Register) {
	from, left := GP64(), GP64()
	MOVLQZX(Mem{Base: m, Disp: markBefore}, left)
	SUBQ(zero, left)
	JB(LabelRef("number"))
	JE(LabelRef("own"))
	copyZerosTo(zeros, zero, left, dst, from, "zeros")
	Label("own")
	MOVLQZX(Mem{Base: m, Disp: markAfter}, zero)
	CMPL(Mem{Base: m, Disp: markBefore}, zero.As32()) // sets the carry if markBefore is below
	SBBQ(I8(0), more)
	Label("number")
}

// copyZerosTo copies left > 0 bytes of the text of the zeros, from offset zero on, to dst, and
// moves dst behind them. It overwrites zero and from.
func copyZerosTo(zeros Mem, zero, left, dst, from Register, label string) {
	MOVQ(zeros, from)
	ADDQ(zero, from)
	MOVQ(dst, zero)
	ADDQ(left, dst)
	some := []VecVirtual{YMM(), YMM()}
	Label(label)
	for k, y := range some {
		VMOVDQU(Mem{Base: from, Disp: 32 * k}, y)
	}
	for k, y := range some {
		VMOVDQU(y, Mem{Base: zero, Disp: 32 * k})
	}
	ADDQ(U8(64), from)
	ADDQ(U8(64), zero)
	SUBQ(U8(64), left)
	JG(LabelRef(label))
}

// returnTexts returns how many numbers are done, how many bytes stand before dst, the number of
// pairs and the next zero.
func returnTexts(at, dst, more, zero Register) {
	start := Load(Param("dst"), GP64())
	SUBQ(start, dst)
	VZEROUPPER()
	Store(at, ReturnIndex(0))
	Store(dst, ReturnIndex(1))
	Store(more, ReturnIndex(2))
	Store(zero, ReturnIndex(3))
	RET()
}

// copyTexts writes the function that puts the texts of zeros, names and values behind each other,
// each over the excess bytes of the one before: so a text waits for nothing but the end of the one
// before.
func copyTexts() {
	const (
		bits, class, text, size = 0, 8, 16, 31 // offsets in a text, which has 1<<log2Text bytes
		log2Text                = 5
	)
	TEXT("textsAVX2", NOSPLIT, "func(dst, zeros *byte, zero int, marks *uint64, room int, list *uint64, places *uint16, shift, last int, index *int32, value *float64, n int, factor uint64) (done, bytes, more, next int)")
	Pragma("noescape")
	Doc("textsAVX2 copies the texts of n > 0 values and of the zeros before them to dst, as long as they are",
		"on the list, of whose numbers there are last+1 places. It returns how many it did, how many bytes these",
		"have, how many more pairs than zeros of its own it wrote, and the next zero. Up to 79 bytes more are",
		"written, and up to 63 more read of the zeros.")
	dst, zero, marks := Load(Param("dst"), GP64()), Load(Param("zero"), GP64()), Load(Param("marks"), GP64())
	list, places := Load(Param("list"), GP64()), Load(Param("places"), GP64())
	index, value := Load(Param("index"), GP64()), Load(Param("value"), GP64())
	Load(Param("shift"), RCX)
	at, more := GP64(), GP64()
	XORQ(at, at)
	XORQ(more, more)

	Label("one")
	m, s, v, place := GP64(), GP64(), GP64(), GP64()
	markOf(index, at, marks, NewParamAddr("room", 32), m, "next")
	MOVQ(Mem{Base: m, Disp: markSpread}, s)
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

	copyZeros(NewParamAddr("zeros", 8), zero.(GPVirtual), m, dst, more)
	length, word, number := GP64(), GP64(), XMM()
	MOVBQZX(Mem{Base: e, Disp: size}, length)
	MOVQ(Mem{Base: m, Disp: markName}, word)
	MOVQ(word, Mem{Base: dst})
	SHRQ(U8(56), word)
	TESTQ(length, length)
	CMOVQEQ(length, word)
	ADDQ(word, dst)
	CMPQ(length, U8(1)) // sets the carry if length is 0
	SBBQ(I8(-1), more)
	VMOVDQU(Mem{Base: e, Disp: text}, number)
	VMOVDQU(number, Mem{Base: dst})
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
	returnTexts(at, dst, more, zero)
}

// formulaOfMarks writes the function that scales values of any features, four at a time and then
// one by one.
func formulaOfMarks() {
	TEXT("formulaOfMarksAVX2", NOSPLIT, "func(y *float64, marks *uint64, last int, index *int32, value *float64, n int, lower, width float64)")
	Pragma("noescape")
	Doc("formulaOfMarksAVX2 sets y to lower + width*(value-min)/span of n > 0 values of features; those beyond",
		"have the last mark.")
	y, marks, last := Load(Param("y"), GP64()), Load(Param("marks"), GP64()), Load(Param("last"), GP64())
	index, value, n := Load(Param("index"), GP64()), Load(Param("value"), GP64()), Load(Param("n"), GP64())
	lower, width := YMM(), YMM()
	VBROADCASTSD(NewParamAddr("lower", 48), lower)
	VBROADCASTSD(NewParamAddr("width", 56), width)
	// address of the min and span of an index
	pair := func(k int) Mem {
		m := GP64()
		MOVLQZX(Mem{Base: index, Disp: 4 * k}, m)
		CMPQ(m, last)
		CMOVQHI(last, m)
		LEAQ(Mem{Base: m, Index: m, Scale: markWords - 1}, m)
		return Mem{Base: marks, Index: m, Scale: 8, Disp: markMin}
	}
	SUBQ(U8(4), n)
	JL(LabelRef("rest"))
	Label("four")
	even, odd, low, v := YMM(), YMM(), YMM(), YMM()
	VMOVUPD(pair(0), even.AsX())
	VMOVUPD(pair(1), odd.AsX())
	VINSERTF128(U8(1), pair(2), even, even)
	VINSERTF128(U8(1), pair(3), odd, odd)
	VUNPCKLPD(odd, even, low)
	VUNPCKHPD(odd, even, odd)
	VMOVUPD(Mem{Base: value}, v)
	VSUBPD(low, v, v)
	VMULPD(width, v, v)
	VDIVPD(odd, v, v)
	VADDPD(lower, v, v)
	VMOVUPD(v, Mem{Base: y})
	ADDQ(U8(16), index)
	ADDQ(U8(32), value)
	ADDQ(U8(32), y)
	SUBQ(U8(4), n)
	JGE(LabelRef("four"))
	Label("rest")
	ADDQ(U8(4), n)
	JZ(LabelRef("return"))
	Label("one")
	one, ends := XMM(), pair(0)
	VMOVSD(Mem{Base: value}, one)
	VSUBSD(ends, one, one)
	VMULSD(width.AsX(), one, one)
	VDIVSD(ends.Offset(8), one, one)
	VADDSD(lower.AsX(), one, one)
	VMOVSD(one, Mem{Base: y})
	ADDQ(U8(4), index)
	ADDQ(U8(8), value)
	ADDQ(U8(8), y)
	DECQ(n)
	JNZ(LabelRef("one"))
	Label("return")
	VZEROUPPER()
	RET()
}

// placeNumbers writes the function that is copyTexts for numbers whose texts are side by side.
func placeNumbers() {
	TEXT("placeAVX2", NOSPLIT, "func(dst, zeros *byte, zero int, marks *uint64, room int, index *int32, n int, lo, hi *uint64, sizes *int64, y *float64) (done, bytes, more, next int)")
	Pragma("noescape")
	Doc("placeAVX2 copies the texts of n > 0 numbers and of the zeros before them to dst, up to one that has",
		"no text and is not 0, but for the zeros before that, which are copied. It returns how many it did, how",
		"many bytes these have, how many more pairs than zeros of its own it wrote, and the next zero. Up to 63",
		"bytes more are written, and up to 63 more read of the zeros.")
	dst, zero, marks := Load(Param("dst"), GP64()), Load(Param("zero"), GP64()), Load(Param("marks"), GP64())
	index, lo, hi, sizes := Load(Param("index"), GP64()), Load(Param("lo"), GP64()), Load(Param("hi"), GP64()), Load(Param("sizes"), GP64())
	at, more := GP64(), GP64()
	XORQ(at, at)
	XORQ(more, more)

	Label("one")
	m := GP64()
	markOf(index, at, marks, NewParamAddr("room", 32), m, "next")
	CMPQ(Mem{Base: m, Disp: markSpread}, U8(0))
	JEQ(LabelRef("next"))
	copyZeros(NewParamAddr("zeros", 8), zero.(GPVirtual), m, dst, more)
	length, word := GP64(), GP64()
	MOVQ(Mem{Base: sizes, Index: at, Scale: 8}, length)
	TESTQ(length, length)
	JZ(LabelRef("odd"))
	INCQ(more)
	MOVQ(Mem{Base: m, Disp: markName}, word)
	MOVQ(word, Mem{Base: dst})
	SHRQ(U8(56), word)
	ADDQ(word, dst)
	MOVQ(Mem{Base: lo, Index: at, Scale: 8}, word)
	MOVQ(word, Mem{Base: dst})
	MOVQ(Mem{Base: hi, Index: at, Scale: 8}, word)
	MOVQ(word, Mem{Base: dst, Disp: 8})
	MOVB(U8(' '), Mem{Base: dst, Index: length, Scale: 1})
	LEAQ(Mem{Base: dst, Index: length, Scale: 1, Disp: 1}, dst)
	Label("next")
	INCQ(at)
	CMPQ(at, NewParamAddr("n", 48))
	JL(LabelRef("one"))
	JMP(LabelRef("done"))

	Label("odd")
	y := Load(Param("y"), GP64())
	MOVQ(Mem{Base: y, Index: at, Scale: 8}, y)
	ADDQ(y, y) // without the sign
	JZ(LabelRef("next"))

	Label("done")
	returnTexts(at, dst, more, zero)
}
