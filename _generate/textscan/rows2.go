package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// labelBit is the bit of a value's word that is 1 for a label.
const labelBit = zeroBit + 1

// rowReader2 is rowReader with AVX2, four pairs at a time.
type rowReader2 struct {
	pairReader2
	bits                Mem // places of the bits of each byte
	lanes               Mem // lanes of each set of four, for VPERMD
	begins, colons      Mem // of 16 bits each
	before, index, done Mem
	rows, pairs         Mem // how many there are
}

// rows2 is rows with AVX2.
func rows2(c wide, bits Mem) {
	lanes := GLOBL("lanes", RODATA|NOPTR)
	for set := range 16 {
		for n, lane := range lanesOf(set) {
			DATA(32*set+8*n, U64(uint64(2*lane+1)<<32|uint64(2*lane)))
		}
	}
	others := GLOBL("others", RODATA|NOPTR) // for each lane of a set, how many lanes before it are not in the set
	for set := range 16 {
		for n, lane := range lanesOf(set) {
			DATA(16*set+4*n, U32(uint32(max(0, lane-n))))
		}
	}

	TEXT("rowsAVX2", 0, "func(text *byte, size int, labels *float64, starts *int32, rowRoom int, index *int32, value *float64, before, pairRoom int, tables *float64) (rows, pairs, stop int)")
	Pragma("noescape")
	Doc("rowsAVX2 is rowsAVX512; up to three elements more are written.")
	const room = 2*window + 64
	r := &rowReader2{pairReader2: pairReader2{wide: c, line: Load(Param("text"), GP64()), left: GP64()}, bits: bits, lanes: lanes}
	r.begins, r.colons, r.starts = AllocLocal(room), AllocLocal(room), AllocLocal(4*room)
	r.before, r.index, r.done, r.rows, r.pairs = AllocLocal(32), AllocLocal(8), AllocLocal(8), AllocLocal(8), AllocLocal(8)
	n, off := GP64(), GP64()
	XORQ(n, n)
	MOVQ(n, r.rows)
	MOVQ(Load(Param("before"), GP64()), r.pairs)
	MOVQ(Load(Param("index"), GP64()), r.index)
	none := YMM()
	VPCMPEQQ(none, none, none)
	VMOVDQU(none, r.before)

	Label("window")
	left := GP64()
	Load(Param("pairRoom"), left)
	SUBQ(r.pairs, left)
	CMPQ(left, U32(window/4+16))
	JL(LabelRef("stopped"))
	Load(Param("rowRoom"), left)
	SUBQ(r.rows, left)
	CMPQ(left, U32(window/2+16))
	JL(LabelRef("stopped"))
	r.find()
	CMPQ(r.left, U8(0))
	JLE(LabelRef("stopped"))
	r.indices(off, n)

	v := &valueReader2{pairReader2: &r.pairReader2}
	rows, pairs, table, to := GP64(), GP64(), GP64(), GP64()
	MOVQ(r.rows, rows)
	MOVQ(r.pairs, pairs)
	XORQ(off, off)
	Label("four")
	v.live, v.start, v.size = GP64(), YMM(), YMM()
	SUBQ(U8(4), n)
	JL(LabelRef("last"))
	MOVQ(U32(15), v.live)
	Label("live")
	starts, t := r.starts.Idx(off, 4), YMM()
	VMOVDQU(starts, v.start)
	VPMOVZXWQ(r.begins.Offset(2).Idx(off, 1), v.size)
	VPAND(c.of64(0xffff), v.start, t)
	VPSUBQ(t, v.size, v.size)
	VPSUBQ(c.of64(1), v.size, v.size)
	v.read(starts)

	label, set := GP64(), GP64()
	VMOVDQU(starts, t)
	VPSLLQ(U8(63-labelBit), t, t)
	VMOVMSKPD(t, label.As32())
	good := GP64()
	VMOVMSKPD(v.good, good.As32())
	ANDQ(v.live, good)
	TESTQ(label, label)
	JNZ(LabelRef("labels"))
	VMOVUPD(v.lo, Mem{Base: Load(Param("value"), to), Index: pairs, Scale: 8})
	Label("on")
	CMPQ(good, U8(15)) // a jump, not a count, which the next four would wait for
	JNE(LabelRef("some"))
	countAll(4, label, rows, pairs, off)
	JMP(LabelRef("four"))
	Label("some")
	countSome(good, label, rows, pairs, off)
	MOVQ(rows, r.rows)
	MOVQ(pairs, r.pairs)
	JMP(LabelRef("done"))

	Label("labels")
	r.pick(label, v.lo, t)
	VMOVUPD(t, Mem{Base: Load(Param("labels"), to), Index: rows, Scale: 8})
	MOVQ(label, set)
	XORQ(U8(15), set)
	r.pick(set, v.lo, t)
	VMOVUPD(t, Mem{Base: Load(Param("value"), to), Index: pairs, Scale: 8})
	before := XMM() // pairs before a label: all before the four, and lanes before it except labels
	VMOVD(pairs.As32(), before)
	VPBROADCASTD(before, before)
	MOVQ(label, set)
	SHLQ(U8(4), set)
	LEAQ(others, table)
	VPADDD(Mem{Base: table, Index: set, Scale: 1}, before, before)
	VMOVDQU(before, Mem{Base: Load(Param("starts"), to), Index: rows, Scale: 4})
	JMP(LabelRef("on"))

	// fewer than four are left
	Label("last")
	MOVQ(rows, r.rows)
	MOVQ(pairs, r.pairs)
	ADDQ(U8(4), n)
	JZ(LabelRef("next"))
	MOVQ(U32(15), v.live)
	BZHIQ(n, v.live, v.live)
	JMP(LabelRef("live"))

	// if all of the window was good, it is done, and the next one begins at the pair behind
	Label("next")
	CMPQ(off, r.done)
	JNE(LabelRef("done"))
	at := GP64()
	nextWindow(r.begins, off, at, r.line)

	v.readOdd(starts)

	Label("done")
	MOVWQZX(r.begins.Idx(off, 1), at)
	ADDQ(at, r.line)
	Label("stopped")
	VZEROUPPER()
	SUBQ(NewParamAddr("text", 0), r.line)
	MOVQ(r.rows, n)
	Store(n, ReturnIndex(0))
	MOVQ(r.pairs, n)
	Store(n, ReturnIndex(1))
	Store(r.line, ReturnIndex(2))
	RET()
}

// lanesOf returns the lanes of a set, and then others up to four.
func lanesOf(set int) (lanes [4]int) {
	n := 0
	for lane := range lanes {
		if set>>lane&1 == 1 {
			lanes[n] = lane
			n++
		}
	}
	return lanes
}

// pick moves the lanes of a set to the front.
func (r *rowReader2) pick(set Register, v, to VecVirtual) {
	table, at, lanes := GP64(), GP64(), YMM()
	LEAQ(r.lanes, table)
	MOVQ(set, at)
	SHLQ(U8(5), at)
	VMOVDQU(Mem{Base: table, Index: at, Scale: 1}, lanes)
	VPERMD(v, lanes, to)
}

// find does what rowReader's does, with left a multiple of four if the text goes on.
func (r *rowReader2) find() {
	size, rest, to := GP64(), GP64(), [2]GPVirtual{GP64(), GP64()}
	Load(Param("size"), size)
	ADDQ(NewParamAddr("text", 0), size)
	SUBQ(r.line, size)
	MOVQ(size, r.done)
	MOVQ(U32(window), rest)
	CMPQ(rest, size)
	CMOVQGT(size, rest)
	LEAQ(r.begins, to[0])
	LEAQ(r.colons, to[1])
	at, carry, sets, base := GP64(), GP64(), GP64(), XMM() // carry: if a blank is before the next 64 bytes
	MOVQ(r.line, at)
	XORQ(carry, carry)
	LEAQ(r.bits, sets)
	VPXOR(base, base, base)

	Label("find")
	masks := [3]GPVirtual{GP64(), GP64(), GP64()}
	for half := range 2 {
		text := YMM()
		VMOVDQU(Mem{Base: at, Disp: 32 * half}, text)
		for i, c := range []uint64{' ', ':', '\n'} {
			t, found := YMM(), GP64()
			VPCMPEQB(r.of64(c*everyByte), text, t)
			if half == 0 {
				VPMOVMSKB(t, masks[i].As32())
				continue
			}
			VPMOVMSKB(t, found.As32())
			SHLQ(U8(32), found)
			ORQ(found, masks[i])
		}
	}
	plainMasks(masks, rest, carry)
	for range 8 {
		for i, to := range to {
			set, count, words := GP64(), GP64(), XMM()
			MOVBQZX(masks[i].As8L(), set)
			SHRQ(U8(8), masks[i])
			POPCNTL(set.As32(), count.As32())
			VPMOVZXBW(Mem{Base: sets, Index: set, Scale: 8}, words)
			VPADDW(base, words, words)
			VMOVDQU(words, Mem{Base: to})
			LEAQ(Mem{Base: to, Index: count, Scale: 2}, to)
		}
		VPADDW(r.of64(8*0x0001000100010001), base, base)
	}
	ADDQ(U8(64), at)
	SUBQ(U8(64), rest)
	JG(LabelRef("find"))

	nowhere, first := XMM(), GP64()
	VPXOR(nowhere, nowhere, nowhere)
	for i, list := range []Mem{r.begins, r.colons} {
		VMOVDQU(nowhere, Mem{Base: to[i]}) // so that four places can be loaded
		LEAQ(list, first)
		SUBQ(first, to[i])
		SARQ(U8(1), to[i])
	}
	DECQ(to[0])
	CMPQ(to[0], to[1])
	CMOVQGT(to[1], to[0])
	MOVQ(to[0], r.left)
	CMPQ(r.done, U32(window)) // the size of the rest
	JLE(LabelRef("found"))
	ANDQ(I8(-4), r.left)
	Label("found")
}

// indices does what rowReader's does. The place where a value starts, whether it has a zero in
// front, whether it is a label, and its sign are one word.
func (r *rowReader2) indices(off, n Register) {
	index := GP64()
	LEAQ(Mem{Base: r.left, Index: r.left, Scale: 1}, index)
	MOVQ(index, r.done)
	MOVQ(r.index, index)
	XORQ(off, off)
	XORQ(n, n)
	before := YMM() // the index before, in the first lane
	VMOVDQU(r.before, before)

	Label("indices")
	live, lanes := GP64(), GP64()
	MOVQ(U32(4), lanes)
	CMPQ(r.left, lanes)
	CMOVQLT(r.left, lanes)
	MOVQ(U32(15), live)
	BZHIQ(lanes, live, live)
	begins, colons := r.begins.Idx(off, 1), r.colons.Idx(off, 1)
	start, size, good, label, next, t, zero := YMM(), YMM(), YMM(), YMM(), YMM(), YMM(), YMM()
	VPMOVZXWQ(colons, start)
	VPMOVZXWQ(begins, t)
	i := r.wordsAt(begins, 2, 2, 1)
	VPSUBQ(t, start, size)
	VPSUBQ(r.of64(1), size, size)
	// the line feed of a label is its blank too, or right behind its blank
	VPXOR(zero, zero, zero)
	VPAND(r.of64(0xff), i, t)
	VPCMPEQQ(r.of64('\n'), t, label)
	VPCMPEQQ(zero, size, t)
	VPAND(t, label, label)
	VPCMPEQQ(t, t, t)
	VPCMPEQQ(t, size, t)
	VPOR(t, label, label)
	VPCMPGTQ(zero, size, good)
	VPXOR(r.of64('0'*everyByte), i, i)
	VPCMPGTQ(r.of64(narrowIndex), size, t)
	VPSLLQ(U8(3), size, size)
	anyLane(t, live, "wide")
	VMOVDQU(r.of64(8*narrowIndex), t)
	VPSUBQ(size, t, size)
	VPSLLVQ(size, i, i)
	VPSRLQ(U8(8*(narrowIndex+1)), i, next)
	VPSLLQ(U8(8*(8-narrowIndex)), i, i)
	Label("index")
	r.check(i, good)
	r.number(i)
	VPOR(label, i, i) // -1
	after, high := YMM(), XMM()
	VPERMQ(U8(0b10_01_00_11), i, after) // the index before each
	VPBLENDD(U8(3), before, after, t)
	VMOVDQA(after, before)
	VPCMPGTQ(t, i, t)
	VPAND(t, good, good)
	VPOR(label, good, good)
	set := GP64() // of the pairs
	VMOVMSKPD(label, set.As32())
	XORQ(U8(15), set)
	r.pick(set, i, i)
	VEXTRACTI128(U8(1), i, high)
	VSHUFPS(U8(0b10_00_10_00), high, i.AsX(), high)
	VMOVUPS(high, Mem{Base: index})

	signed, negative := YMM(), YMM()
	VPAND(r.of64(0xff), next, t)
	VPCMPEQQ(r.of64('-'^'0'), t, negative)
	VPCMPEQQ(r.of64('+'^'0'), t, signed)
	VPOR(negative, signed, signed)
	VPSUBQ(signed, start, start)
	VPAND(r.of64(8), signed, t)
	VPSRLVQ(t, next, next)
	VPAND(r.of64(0xff), next, next)
	VPCMPEQQ(zero, next, t)
	VPSUBQ(t, start, start)
	VPAND(r.of64(1<<zeroBit), t, t)
	VPOR(t, start, start)
	VPAND(r.of64(1<<labelBit), label, t)
	VPOR(t, start, start)
	VPSLLQ(U8(63), negative, negative)
	VPOR(negative, start, start)
	VMOVDQU(start, r.starts.Idx(off, 4))

	ANDQ(live, set)
	POPCNTQ(set, set)
	LEAQ(Mem{Base: index, Index: set, Scale: 4}, index)
	r.count(good, live, n, "values")
	ADDQ(U8(2*4), off)
	SUBQ(U8(4), r.left)
	JG(LabelRef("indices"))
	JMP(LabelRef("values"))

	// a long index leaves too few bytes behind it in the word, so next is loaded
	Label("wide")
	VPCMPGTQ(r.of64(8*8), size, t)
	VPANDN(good, t, good)
	VMOVDQU(r.of64(64), t)
	VPSUBQ(size, t, size)
	VPSLLVQ(size, i, i)
	VPXOR(r.of64('0'*everyByte), r.wordsAt(colons, 2, 2, 1), next)
	JMP(LabelRef("index"))

	Label("values")
	VMOVDQU(before, r.before)
	MOVQ(index, r.index)
}
