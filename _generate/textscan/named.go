package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// Offsets of the fields of textscan's Insertion.
const (
	place = 8 * iota
	from
	size
	betweenSize
)

// named writes the function of textscan's portable AppendNamed. Each word is written over the
// excess bytes of the one before, so that a number waits for nothing but the end of the one before.
func named() {
	TEXT("namedAVX2", NOSPLIT, "func(dst *byte, lo, hi *uint64, n *int64, x *float64, names *uint64, k int, between *int, texts *byte) (size, stop, skipped int, rest *int)")
	Pragma("noescape")
	Doc("namedAVX2 writes numbers from k on to dst, each behind its name and with a blank behind,",
		"but for those that are 0, which it skips, and what stands between them. It stops where the",
		"size of that is below 0, and at a number that has no text or no name. It returns how many bytes",
		"it wrote, where it stopped, how many numbers it skipped, and what is between the others. Up to",
		"31 bytes more are read and written.")
	dst, lo, hi := Load(Param("dst"), GP64()), Load(Param("lo"), GP64()), Load(Param("hi"), GP64())
	n, names := Load(Param("n"), GP64()), Load(Param("names"), GP64())
	k, between := Load(Param("k"), GP64()), Load(Param("between"), GP64())
	next, skipped := GP64(), GP64()
	XORQ(skipped, skipped)
	MOVQ(Mem{Base: between, Disp: place}, next)
	CMPQ(k, next)
	JEQ(LabelRef("between"))

	Label("number")
	length, name, word := GP64(), GP64(), GP64()
	MOVQ(Mem{Base: n, Index: k, Scale: 8}, length)
	MOVQ(Mem{Base: names, Index: k, Scale: 8}, name)
	TESTQ(length, length)
	JZ(LabelRef("odd"))
	MOVQ(name, Mem{Base: dst})
	SHRQ(U8(56), name)
	JZ(LabelRef("stop"))
	ADDQ(name, dst)
	MOVQ(Mem{Base: lo, Index: k, Scale: 8}, word)
	MOVQ(word, Mem{Base: dst})
	MOVQ(Mem{Base: hi, Index: k, Scale: 8}, word)
	MOVQ(word, Mem{Base: dst, Disp: 8})
	MOVB(U8(' '), Mem{Base: dst, Index: length, Scale: 1})
	LEAQ(Mem{Base: dst, Index: length, Scale: 1, Disp: 1}, dst)
	INCQ(k)
	CMPQ(k, next)
	JNE(LabelRef("number"))

	Label("between")
	left, source := GP64(), GP64()
	MOVQ(Mem{Base: between, Disp: size}, left)
	TESTQ(left, left)
	JS(LabelRef("stop"))
	Load(Param("texts"), source)
	ADDQ(Mem{Base: between, Disp: from}, source)
	ADDQ(U8(betweenSize), between)
	MOVQ(Mem{Base: between, Disp: place}, next)
	to := GP64()
	MOVQ(dst, to)
	ADDQ(left, dst)
	Label("copy")
	some := YMM()
	VMOVDQU(Mem{Base: source}, some)
	VMOVDQU(some, Mem{Base: to})
	ADDQ(U8(32), source)
	ADDQ(U8(32), to)
	SUBQ(U8(32), left)
	JG(LabelRef("copy"))
	CMPQ(k, next)
	JNE(LabelRef("number"))
	JMP(LabelRef("between"))

	Label("odd")
	x := Load(Param("x"), GP64())
	MOVQ(Mem{Base: x, Index: k, Scale: 8}, x)
	ADDQ(x, x) // without the sign
	JNZ(LabelRef("stop"))
	INCQ(skipped)
	INCQ(k)
	CMPQ(k, next)
	JNE(LabelRef("number"))
	JMP(LabelRef("between"))

	Label("stop")
	start := Load(Param("dst"), GP64())
	SUBQ(start, dst)
	VZEROUPPER()
	Store(dst, ReturnIndex(0))
	Store(k, ReturnIndex(1))
	Store(skipped, ReturnIndex(2))
	Store(between, ReturnIndex(3))
	RET()
}
