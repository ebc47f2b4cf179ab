package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// Offsets in a rowTexts of format/scale.
const (
	workZeros = 8 * iota
	workZerosEnd
	workMarks
	workRoom
	workIndex
	workLists
	workStarts
	workLabels
	workKept
	workShift
	workNumbers
	workFirst
	workY
	workTexts
	workPlaces
	workTextShift
	workLast
	workColumns
	workPairs
)

// Offsets in a labelText of format/scale; usualLabel is the number of bytes of a label that is
// copied.
const (
	labelBits  = 0
	labelText  = 8
	labelSize  = 63
	usualLabel = 24
)

// Offsets of the texts of SixDigits.
const (
	sixesLo = 0
	sixesHi = 8 * 128
	sixesN  = 16 * 128
)

// goldenBits is a factor that hashes numbers which differ in their higher bits.
const goldenBits = 0x9e3779b97f4a7c15

// A rowWriter writes rows, each text over the excess bytes of the one before. A text waits for
// nothing but the end of the one before, and jumps are mispredicted only where a row ends or has
// zeros that others do not have.
type rowWriter struct {
	dst, work, more, n, m, index, numbers GPVirtual
	free                                  [2]GPVirtual // for the code of number
}

func (r *rowWriter) at(offset int) Mem { return Mem{Base: r.work, Disp: offset} }

// appendRows writes a function that puts rows together.
//
// number writes the code for one pair: it appends the name of the feature whose mark is at m, and
// the number that is n elements before the end of numbers. The code jumps to next if there is
// nothing to write, and to failed if the number has no text. behind writes the rare parts of this
// code, behind the loop.
//
// With zeros, rows have the texts of zeros between their pairs. Without, no code deals with them,
// and m is the address of a mark only if marked is set; then features that are not written are
// skipped before number.
func appendRows(name, what string, zeros, marked bool, number, behind func(r *rowWriter)) {
	TEXT(name, 0, "func(dst *byte, work *uint64, from, to int) (row, bytes, more int)")
	Pragma("noescape")
	Doc(name+" puts rows from one on to before another together as work, a rowTexts, says, "+what,
		"It stops before a row for which that does not do, and returns which that is, how many bytes it has",
		"written, and how many more pairs than zeros of its own. Up to 79 bytes more are written, and up to",
		"63 more read of the zeros.")
	r := &rowWriter{dst: GP64(), work: GP64(), more: GP64(), n: GP64(), m: GP64(), numbers: GP64()}
	begin, before, rowAt := AllocLocal(8), AllocLocal(8), AllocLocal(8)
	zero, marks, index, left, t, text := GP64(), GP64(), GP64(), GP64(), GP64(), YMM()
	r.free, r.index = [2]GPVirtual{left, t}, index
	Load(Param("dst"), r.dst)
	Load(Param("work"), r.work)
	row := left
	Load(Param("from"), row)
	MOVQ(row, rowAt)
	MOVQ(r.at(workMarks), marks)
	XORQ(r.more, r.more)

	Label("row")
	CMPQ(row, NewParamAddr("to", 24))
	JGE(LabelRef("return"))
	MOVQ(r.dst, begin)
	MOVQ(r.more, before)
	MOVQ(row, index)
	r.label(index, t, left)
	MOVQ(r.at(workTextShift), RCX)
	// index and numbers point behind those of the row, and n counts up to 0
	MOVQ(r.at(workStarts), t)
	MOVLQSX(Mem{Base: t, Index: index, Scale: 4, Disp: 4}, r.numbers)
	MOVLQSX(Mem{Base: t, Index: index, Scale: 4}, r.n)
	SUBQ(r.numbers, r.n)
	SUBQ(r.at(workFirst), r.numbers)
	SHLQ(U8(3), r.numbers)
	ADDQ(r.at(workNumbers), r.numbers)
	MOVQ(r.at(workLists), t)
	MOVLQSX(Mem{Base: t, Index: index, Scale: 4}, t)
	SUBQ(r.n, t)
	MOVQ(r.at(workIndex), index)
	LEAQ(Mem{Base: index, Index: t, Scale: 4}, index)
	if zeros {
		XORQ(zero, zero)
	}
	TESTQ(r.n, r.n)
	JZ(LabelRef("end"))

	Label("pair")
	m := r.m
	MOVLQZX(Mem{Base: index, Index: r.n, Scale: 4}, m)
	CMPQ(m, r.at(workRoom))
	JAE(LabelRef("next"))
	if zeros || marked {
		LEAQ(Mem{Base: m, Index: m, Scale: markWords - 1}, m)
		LEAQ(Mem{Base: marks, Index: m, Scale: 8}, m)
	}
	if zeros {
		MOVLQZX(Mem{Base: m, Disp: markBefore}, left)
		SUBQ(zero, left)
		JNE(LabelRef("gap"))
		Label("own")
		MOVL(Mem{Base: m, Disp: markAfter}, zero.As32())
		CMPL(Mem{Base: m, Disp: markBefore}, zero.As32()) // sets the carry if markBefore is below
		SBBQ(I8(0), r.more)
		Label("number")
	} else if marked {
		CMPQ(Mem{Base: m, Disp: markSpread}, U8(0))
		JEQ(LabelRef("next"))
	}
	number(r)
	Label("next")
	INCQ(r.n)
	JNZ(LabelRef("pair"))

	Label("end")
	if zeros {
		MOVQ(r.at(workZerosEnd), left)
		SUBQ(zero, left)
		MOVQ(r.at(workZeros), t)
		VMOVDQU(Mem{Base: t, Index: zero, Scale: 1}, text)
		VMOVDQU(text, Mem{Base: r.dst})
		CMPQ(left, U8(32))
		JG(LabelRef("rest"))
		ADDQ(left, r.dst)
		Label("line")
	}
	MOVB(U8('\n'), Mem{Base: r.dst})
	INCQ(r.dst)
	MOVQ(rowAt, row)
	INCQ(row)
	MOVQ(row, rowAt)
	JMP(LabelRef("row"))

	if zeros {
		// there are zeros before the feature, or it is not written, or its zero is not the next
		Label("gap")
		CMPQ(Mem{Base: m, Disp: markSpread}, U8(0))
		JEQ(LabelRef("next"))
		TESTQ(left, left)
		JS(LabelRef("number"))
		copyZerosTo(r.at(workZeros), zero, left, r.dst, t, "gaps")
		JMP(LabelRef("own"))

		Label("rest")
		copyZerosTo(r.at(workZeros), zero, left, r.dst, t, "rests")
		JMP(LabelRef("line"))
	}

	behind(r)

	Label("failed")
	MOVQ(begin, r.dst)
	MOVQ(before, r.more)
	Label("return")
	SUBQ(NewParamAddr("dst", 0), r.dst)
	VZEROUPPER()
	MOVQ(rowAt, row)
	Store(row, ReturnIndex(0))
	Store(r.dst, ReturnIndex(1))
	Store(r.more, ReturnIndex(2))
	RET()
}

// label writes the label of a row. It jumps to return if the label is not in the table, or longer
// than usual. It uses two registers, and RCX.
func (r *rowWriter) label(row, t, left Register) {
	MOVQ(r.at(workLabels), t)
	MOVQ(Mem{Base: t, Index: row, Scale: 8}, t)
	MOVQ(U64(goldenBits), left)
	IMULQ(t, left)
	MOVQ(r.at(workShift), RCX)
	SHRQ(CL, left)
	SHLQ(U8(6), left)
	ADDQ(r.at(workKept), left)
	CMPQ(t, Mem{Base: left, Disp: labelBits})
	JNE(LabelRef("return"))
	MOVBQZX(Mem{Base: left, Disp: labelSize}, t)
	size, text := GP64(), YMM()
	LEAQ(Mem{Base: t, Disp: -1}, size)
	CMPQ(size, U8(usualLabel))
	JAE(LabelRef("return"))
	VMOVDQU(Mem{Base: left, Disp: labelText}, text)
	VMOVDQU(text, Mem{Base: r.dst})
	ADDQ(t, r.dst)
}

// rowsOfNumbers writes the function that puts rows together from numbers that have been converted.
func rowsOfNumbers(name, what string, zeros bool) {
	appendRows(name, "of numbers that are ready"+what, zeros, true, func(r *rowWriter) {
		word, length := r.free[0], r.free[1]
		MOVQ(Mem{Base: r.numbers, Index: r.n, Scale: 8, Disp: sixesN}, length)
		TESTQ(length, length)
		JZ(LabelRef("odd"))
		INCQ(r.more)
		MOVQ(Mem{Base: r.m, Disp: markName}, word)
		MOVQ(word, Mem{Base: r.dst})
		SHRQ(U8(56), word)
		ADDQ(word, r.dst)
		MOVQ(Mem{Base: r.numbers, Index: r.n, Scale: 8, Disp: sixesLo}, word)
		MOVQ(word, Mem{Base: r.dst})
		MOVQ(Mem{Base: r.numbers, Index: r.n, Scale: 8, Disp: sixesHi}, word)
		MOVQ(word, Mem{Base: r.dst, Disp: 8})
		MOVB(U8(' '), Mem{Base: r.dst, Index: length, Scale: 1})
		LEAQ(Mem{Base: r.dst, Index: length, Scale: 1, Disp: 1}, r.dst)
	}, func(r *rowWriter) {
		Label("odd")
		word := r.free[0]
		MOVQ(r.numbers, word)
		SUBQ(r.at(workNumbers), word)
		ADDQ(r.at(workY), word)
		MOVQ(Mem{Base: word, Index: r.n, Scale: 8}, word)
		ADDQ(word, word) // without the sign
		JZ(LabelRef("next"))
	})
}

// rowsOfTexts writes the function that puts rows together from texts of a table.
func rowsOfTexts(name, what string, zeros bool) {
	const (
		bits, class, text, size = 0, 8, 16, 31 // offsets in a text, which has 1<<log2Text bytes
		log2Text                = 5
	)
	place := GPVirtual(nil)
	appendRows(name, "of texts of values"+what, zeros, true, func(r *rowWriter) {
		place = GP64()
		s, v, e, number := r.free[0], r.free[1], GP64(), XMM()
		MOVQ(Mem{Base: r.m, Disp: markSpread}, s)
		MOVQ(Mem{Base: r.numbers, Index: r.n, Scale: 8}, v)
		MOVQ(U64(goldenBits), place)
		IMULQ(v, place)
		ADDQ(s, place)
		SHRQ(CL, place)
		Label("probe")
		MOVQ(r.at(workPlaces), e)
		MOVWQZX(Mem{Base: e, Index: place, Scale: 2}, e)
		TESTQ(e, e)
		JZ(LabelRef("failed"))
		SHLQ(U8(log2Text), e)
		ADDQ(r.at(workTexts), e)
		CMPQ(v, Mem{Base: e, Disp: bits})
		JNE(LabelRef("other"))
		CMPQ(s, Mem{Base: e, Disp: class})
		JNE(LabelRef("other"))
		length, word := s, v
		MOVBQZX(Mem{Base: e, Disp: size}, length)
		MOVQ(Mem{Base: r.m, Disp: markName}, word)
		MOVQ(word, Mem{Base: r.dst})
		SHRQ(U8(56), word)
		TESTQ(length, length)
		CMOVQEQ(length, word)
		ADDQ(word, r.dst)
		CMPQ(length, U8(1)) // sets the carry if length is 0
		SBBQ(I8(-1), r.more)
		VMOVDQU(Mem{Base: e, Disp: text}, number)
		VMOVDQU(number, Mem{Base: r.dst})
		ADDQ(length, r.dst)
	}, func(r *rowWriter) {
		JMP(LabelRef("failed"))
		Label("other")
		INCQ(place)
		ANDQ(r.at(workLast), place)
		JMP(LabelRef("probe"))
	})
}
