package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// rowsOfPairs writes the function that puts rows together from texts of whole pairs.
func rowsOfPairs(name, what string, zeros bool) {
	const (
		first, count, lowest, log2Column = 0, 4, 8, 4  // offsets in a column, which has 1<<log2Column bytes
		bits, text, size, log2PairText   = 0, 8, 31, 5 // offsets in a pairText
	)
	appendRows(name, "of texts of pairs"+what, zeros, false, func(r *rowWriter) {
		c, v, e, pair := r.free[0], r.free[1], GP64(), YMM()
		MOVLQZX(Mem{Base: r.index, Index: r.n, Scale: 4}, c)
		SHLQ(U8(log2Column), c)
		ADDQ(r.at(workColumns), c)
		value := Mem{Base: r.numbers, Index: r.n, Scale: 8}
		VCVTTSD2SIQ(value, v)
		SUBQ(Mem{Base: c, Disp: lowest}, v)
		MOVLQZX(Mem{Base: c, Disp: count}, e)
		CMPQ(v, e)
		JAE(LabelRef("none"))
		MOVLQZX(Mem{Base: c, Disp: first}, e)
		ADDQ(e, v)
		SHLQ(U8(log2PairText), v)
		ADDQ(r.at(workPairs), v)
		MOVQ(value, e)
		CMPQ(e, Mem{Base: v, Disp: bits})
		JNE(LabelRef("failed"))
		MOVBQZX(Mem{Base: v, Disp: size}, e)
		VMOVDQU(Mem{Base: v, Disp: text}, pair)
		VMOVDQU(pair, Mem{Base: r.dst})
		ADDQ(e, r.dst)
		CMPQ(e, U8(1)) // sets the carry if e is 0
		SBBQ(I8(-1), r.more)
	}, func(r *rowWriter) {
		JMP(LabelRef("failed"))
		Label("none") // a feature that is not written, or a number without a text in its column
		c := r.free[0]
		CMPL(Mem{Base: c, Disp: count}, U8(0))
		JEQ(LabelRef("next"))
	})
}
