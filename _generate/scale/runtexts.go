package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// runsOfNumbers writes the function that puts rows together which all list the same features, with
// nothing between these: the data of a number stands behind that of the number before.
func runsOfNumbers() {
	TEXT("numberRunAVX2", 0, "func(dst *byte, work, numbers, names *uint64, y *float64, each, from, to int) (row, bytes, written int)")
	Pragma("noescape")
	Doc("numberRunAVX2 puts rows from one on to before another together as work, a rowTexts, says. A row has each numbers, the first",
		"of them at numbers among those of SixDigits, its name at names and what it was made of at y. Numbers that are 0 are left out. It",
		"stops before a row whose label has no usual text, or one of whose numbers has none, and returns which",
		"that is, how many bytes it has written, and how many numbers. Up to 31 bytes more are written.")
	r := &rowWriter{dst: GP64(), work: GP64(), numbers: GP64()}
	begin, before, end := AllocLocal(8), AllocLocal(8), AllocLocal(8)
	row, names, n, written := GP64(), GP64(), GP64(), GP64()
	length, name, word := GP64(), GP64(), GP64()
	Load(Param("dst"), r.dst)
	Load(Param("work"), r.work)
	Load(Param("numbers"), r.numbers)
	Load(Param("names"), names)
	Load(Param("from"), row)
	Load(Param("to"), n)
	MOVQ(n, end)
	XORQ(written, written)

	Label("row")
	CMPQ(row, end)
	JGE(LabelRef("return"))
	MOVQ(r.dst, begin)
	MOVQ(written, before)
	r.label(row, length, name)
	Load(Param("each"), n)
	ADDQ(n, written)

	Label("number")
	MOVQ(Mem{Base: r.numbers, Disp: sixesN}, length)
	TESTQ(length, length)
	JZ(LabelRef("odd"))
	MOVQ(Mem{Base: names}, name)
	MOVQ(name, Mem{Base: r.dst})
	SHRQ(U8(56), name)
	MOVQ(Mem{Base: r.numbers, Disp: sixesLo}, word)
	MOVQ(word, Mem{Base: r.dst, Index: name, Scale: 1})
	MOVQ(Mem{Base: r.numbers, Disp: sixesHi}, word)
	MOVQ(word, Mem{Base: r.dst, Index: name, Scale: 1, Disp: 8})
	ADDQ(name, length)
	MOVB(U8(' '), Mem{Base: r.dst, Index: length, Scale: 1})
	LEAQ(Mem{Base: r.dst, Index: length, Scale: 1, Disp: 1}, r.dst)
	Label("next")
	ADDQ(U8(8), r.numbers)
	ADDQ(U8(8), names)
	DECQ(n)
	JNZ(LabelRef("number"))
	MOVB(U8('\n'), Mem{Base: r.dst})
	INCQ(r.dst)
	INCQ(row)
	JMP(LabelRef("row"))

	Label("odd")
	MOVQ(r.numbers, word)
	SUBQ(NewParamAddr("numbers", 16), word)
	ADDQ(NewParamAddr("y", 32), word)
	MOVQ(Mem{Base: word}, word)
	DECQ(written)
	ADDQ(word, word) // without the sign
	JZ(LabelRef("next"))
	MOVQ(begin, r.dst)
	MOVQ(before, written)
	Label("return")
	SUBQ(NewParamAddr("dst", 0), r.dst)
	VZEROUPPER()
	Store(row, ReturnIndex(0))
	Store(r.dst, ReturnIndex(1))
	Store(written, ReturnIndex(2))
	RET()
}

// scaleRun writes the function that scales values by the formula, whatever the results are.
func scaleRun() {
	TEXT("formulaOfRunAVX2", NOSPLIT, "func(y, value, min, span *float64, n int, lower, width float64)")
	Pragma("noescape")
	Doc("formulaOfRunAVX2 sets y to lower + width*(value-min)/span of n > 0 values, a multiple of four.")
	y, value := Load(Param("y"), GP64()), Load(Param("value"), GP64())
	low, span, n := Load(Param("min"), GP64()), Load(Param("span"), GP64()), Load(Param("n"), GP64())
	lower, width, at := YMM(), YMM(), GP64()
	VBROADCASTSD(NewParamAddr("lower", 40), lower)
	VBROADCASTSD(NewParamAddr("width", 48), width)
	XORQ(at, at)
	Label("four")
	v := YMM()
	each := func(base Register) Mem { return Mem{Base: base, Index: at, Scale: 8} }
	VMOVUPD(each(value), v)
	VSUBPD(each(low), v, v)
	VMULPD(width, v, v)
	VDIVPD(each(span), v, v)
	VADDPD(lower, v, v)
	VMOVUPD(v, each(y))
	ADDQ(U8(4), at)
	CMPQ(at, n)
	JL(LabelRef("four"))
	VZEROUPPER()
	RET()
}

// fillRows writes the function that puts the values of rows at their places among those of all
// features.
func fillRows() {
	TEXT("fillAVX512", NOSPLIT, "func(all, value *float64, masks *uint32, rows, each int)")
	Pragma("noescape")
	Doc("fillAVX512 sets all to the values of rows > 0 rows, with each > 0 elements for a row: its values, in their order, at the",
		"places of its mask, and zeros at the others. Up to seven elements more are written.")
	all, value, masks := Load(Param("all"), GP64()), Load(Param("value"), GP64()), Load(Param("masks"), GP64())
	rows, each := Load(Param("rows"), GP64()), Load(Param("each"), GP64())
	mask, count, left, to := GP64(), GP64(), GP64(), GP64()
	Label("row")
	MOVL(Mem{Base: masks}, mask.As32())
	MOVQ(each, left)
	MOVQ(all, to)
	Label("eight")
	k, v := K(), ZMM()
	KMOVB(mask.As32(), k)
	VEXPANDPD_Z(Mem{Base: value}, k, v)
	VMOVUPD(v, Mem{Base: to})
	MOVBQZX(mask.As8(), count)
	POPCNTQ(count, count)
	LEAQ(Mem{Base: value, Index: count, Scale: 8}, value)
	SHRQ(U8(8), mask)
	ADDQ(U8(64), to)
	SUBQ(U8(8), left)
	JG(LabelRef("eight"))
	LEAQ(Mem{Base: all, Index: each, Scale: 8}, all)
	ADDQ(U8(4), masks)
	DECQ(rows)
	JNZ(LabelRef("row"))
	VZEROUPPER()
	RET()
}
