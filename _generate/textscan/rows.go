package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// Offsets of bits for eight values: which of them have a minus, which a zero in front, and which
// are labels.
const (
	signAt = iota
	zeroAt
	labelAt
)

// A rowReader reads rows as pairs reads pairs, from one line to the next. It takes a label for the
// value of a pair that begins at the end of the line before, and whose colon is the line feed. So
// pairs begin at blanks and at line feeds, but not at those behind a blank, and have their colons
// at colons and line feeds. In plain rows there are as many beginnings as colons, in alternation;
// in others some index or value is not valid.
type rowReader struct {
	pairReader
	begins, colons, starts, flags Mem // of 16 bits each, except flags
	done, before, index           Mem
}

func rows(words constants) {
	TEXT("rowsAVX512", 0, "func(text *byte, size int, labels *float64, starts *int32, rowRoom int, index *int32, value *float64, before, pairRoom int, tables *float64) (rows, pairs, stop int)")
	Pragma("noescape")
	Doc("rowsAVX512 reads rows from size > 0 bytes of text, the first a line feed or a blank before one, the",
		"last a line feed, behind which 64 more can be read, as long as they are plain, and as there is",
		"room for as many as 512 bytes may have. There are pairs before the first, which value is behind",
		"but index not. Starts are where rows begin in value. It returns how many labels and pairs there are",
		"then, and what it stopped behind: a line, or a part of one. Up to seven elements more are written.")
	const places = 2*window + 2*64
	r := &rowReader{pairReader: pairReader{constants: words, line: Load(Param("text"), GP64()), left: GP64()}}
	r.begins, r.colons, r.starts, r.flags = AllocLocal(places), AllocLocal(places), AllocLocal(places), AllocLocal(places)
	r.before, r.index, r.done = AllocLocal(64), AllocLocal(8), AllocLocal(8)
	rows, pairs := GP64(), GP64()
	XORQ(rows, rows)
	Load(Param("before"), pairs)
	MOVQ(Load(Param("index"), GP64()), r.index)
	r.digits = r.newDigits()
	r.one, r.eight, r.width, r.top = r.of64(1), r.of64(8), r.of64(64), r.of64(1<<63)
	v := r.newValues()
	VMOVDQU64(v.ones, r.before)
	iota := ZMM()
	VPMOVZXBQ(Mem{Base: Load(Param("tables"), GP64()), Disp: bytes}, iota)

	Label("window")
	room := GP64()
	Load(Param("pairRoom"), room)
	SUBQ(pairs, room)
	CMPQ(room, U32(window/4+16))
	JL(LabelRef("stopped"))
	Load(Param("rowRoom"), room)
	SUBQ(rows, room)
	CMPQ(room, U32(window/2+16))
	JL(LabelRef("stopped"))
	r.find()
	CMPQ(r.left, U8(0))
	JLE(LabelRef("stopped"))
	off, n := GP64(), GP64()
	r.indices(v, off, n)

	XORQ(off, off)
	Label("eight")
	lanes, word := GP64(), GP64()
	SUBQ(U8(8), n)
	JL(LabelRef("last"))
	MOVQ(U32(0xff), word)
	Label("live")
	v.live, v.sign, v.zero = K(), K(), K()
	KMOVB(word.As32(), v.live)
	KMOVB(r.flags.Offset(signAt).Idx(off, 1), v.sign)
	KMOVB(r.flags.Offset(zeroAt).Idx(off, 1), v.zero)
	v.start, v.size = ZMM(), ZMM()
	VPMOVZXWQ(r.starts.Idx(off, 1), v.start)
	VPMOVZXWQ(r.begins.Offset(2).Idx(off, 1), v.size)
	VPSUBQ(v.start, v.size, v.size)
	VPSUBQ(r.one, v.size, v.size)
	v.read(r.starts.Idx(off, 1))

	label, k, some := GP64(), K(), ZMM()
	MOVBQZX(r.flags.Offset(labelAt).Idx(off, 1), label)
	KMOVB(label.As32(), k)
	VPCOMPRESSQ_Z(v.lo, k, some)
	VMOVDQU64(some, Mem{Base: Load(Param("labels"), GP64()), Index: rows, Scale: 8})
	VPBROADCASTQ(pairs, some) // pairs before a label: all before the eight, and lanes before it except labels
	from := ZMM()
	VPCOMPRESSQ_Z(iota, k, from)
	VPSUBQ(iota, from, from)
	VPADDQ(some, from, from)
	VPMOVQD(from, Mem{Base: Load(Param("starts"), GP64()), Index: rows, Scale: 4})
	KNOTB(k, k)
	VPCOMPRESSQ_Z(v.lo, k, some)
	VMOVDQU64(some, Mem{Base: Load(Param("value"), GP64()), Index: pairs, Scale: 8})
	KMOVB(v.good, word.As32())
	CMPL(word.As32(), U32(0xff)) // a jump, not a count, which the next eight would wait for
	JNE(LabelRef("some"))
	countAll(8, label, rows, pairs, off)
	JMP(LabelRef("eight"))
	Label("some")
	countSome(word, label, rows, pairs, off)
	JMP(LabelRef("done"))

	// fewer than eight are left
	Label("last")
	ADDQ(U8(8), n)
	JZ(LabelRef("next"))
	MOVQ(U32(0xff), word)
	BZHIQ(n, word, word)
	MOVQ(n, lanes)
	JMP(LabelRef("live"))

	// if all of the window was good, it is done, and the next one begins at the pair behind
	Label("next")
	CMPQ(off, r.done)
	JNE(LabelRef("done"))
	at := GP64()
	nextWindow(r.begins, off, at, r.line)

	v.readOdd(r.starts.Idx(off, 1))

	Label("done")
	MOVWQZX(r.begins.Idx(off, 1), at)
	ADDQ(at, r.line)
	Label("stopped")
	VZEROUPPER()
	SUBQ(NewParamAddr("text", 0), r.line)
	Store(rows, ReturnIndex(0))
	Store(pairs, ReturnIndex(1))
	Store(r.line, ReturnIndex(2))
	RET()
}

// find stores the places in the window where pairs begin, and those of their colons. It sets left
// to the number of pairs with something behind them, a multiple of eight if the text goes on.
func (r *rowReader) find() {
	size, rest, begins, colons := GP64(), GP64(), GP64(), GP64()
	Load(Param("size"), size)
	ADDQ(NewParamAddr("text", 0), size)
	SUBQ(r.line, size)
	MOVQ(size, r.done)
	MOVQ(U32(window), rest)
	CMPQ(rest, size)
	CMOVQGT(size, rest)
	blank, colon, feed, all := r.of64(' '*everyByte), r.of64(':'*everyByte), r.of64('\n'*everyByte), ZMM()
	VMOVDQU64(Mem{Base: Load(Param("tables"), GP64()), Disp: bytes}, all)
	base, step := ZMM(), r.of64(64*0x0001000100010001)
	VPXORQ(base, base, base)
	LEAQ(r.begins, begins)
	LEAQ(r.colons, colons)
	at, carry := GP64(), GP64() // carry: whether there is a blank before the next 64 bytes
	MOVQ(r.line, at)
	XORQ(carry, carry)

	Label("find")
	text := ZMM()
	VMOVDQU64(Mem{Base: at}, text)
	masks := [3]GPVirtual{}
	for i, c := range []VecVirtual{blank, colon, feed} {
		k := K()
		masks[i] = GP64()
		VPCMPEQB(c, text, k)
		KMOVQ(k, masks[i])
	}
	plainMasks(masks, rest, carry)
	for i, to := range []GPVirtual{begins, colons} {
		k, found, count, words := K(), ZMM(), GP64(), ZMM()
		KMOVQ(masks[i], k)
		POPCNTQ(masks[i], count)
		VPCOMPRESSB_Z(all, k, found)
		VPMOVZXBW(found.AsY(), words)
		VPADDW(base, words, words)
		VMOVDQU64(words, Mem{Base: to})
		few := []string{"fewBegins", "fewColons"}[i]
		CMPQ(count, U8(32))
		JLE(LabelRef(few))
		VEXTRACTI64X4(U8(1), found, words.AsY())
		VPMOVZXBW(words.AsY(), words)
		VPADDW(base, words, words)
		VMOVDQU64(words, Mem{Base: to, Disp: 64})
		Label(few)
		LEAQ(Mem{Base: to, Index: count, Scale: 2}, to)
	}
	VPADDW(step, base, base)
	ADDQ(U8(64), at)
	SUBQ(U8(64), rest)
	JG(LabelRef("find"))

	nowhere, first := ZMM(), GP64()
	VPXORQ(nowhere, nowhere, nowhere)
	VMOVDQU64(nowhere, Mem{Base: begins}) // so that eight places can be loaded
	VMOVDQU64(nowhere, Mem{Base: colons})
	LEAQ(r.begins, first)
	SUBQ(first, begins)
	SARQ(U8(1), begins)
	DECQ(begins)
	LEAQ(r.colons, first)
	SUBQ(first, colons)
	SARQ(U8(1), colons)
	CMPQ(begins, colons)
	CMOVQGT(colons, begins)
	MOVQ(begins, r.left)
	CMPQ(r.done, U32(window)) // the size of the rest
	JLE(LabelRef("found"))
	ANDQ(I8(-8), r.left)
	Label("found")
}

// plainMasks turns the masks of blanks, colons and line feeds in 64 bytes, or in the first rest of
// them, into those of the beginnings of pairs and of their colons. carry says whether there is a
// blank before.
func plainMasks(masks [3]GPVirtual, rest, carry Register) {
	CMPQ(rest, U8(64))
	JGE(LabelRef("whole"))
	for _, m := range masks {
		BZHIQ(rest, m, m)
	}
	Label("whole")
	ORQ(masks[2], masks[1])
	behind := GP64()
	LEAQ(Mem{Base: carry, Index: masks[0], Scale: 2}, behind)
	ANDNQ(masks[2], behind, behind)
	MOVQ(masks[0], carry)
	SHRQ(U8(63), carry)
	ORQ(behind, masks[0])
}

// countAll counts all of these values, some of them labels.
func countAll(values uint64, label, rows, pairs, off Register) {
	POPCNTQ(label, label)
	ADDQ(label, rows)
	ADDQ(U8(values), pairs)
	SUBQ(label, pairs)
	ADDQ(U8(2*values), off)
}

// countSome counts the values before the first one that is not good.
func countSome(good, label, rows, pairs, off Register) {
	NOTQ(good)
	TZCNTQ(good, good)
	BZHIQ(good, label, label)
	POPCNTQ(label, label)
	ADDQ(label, rows)
	ADDQ(good, pairs)
	SUBQ(label, pairs)
	LEAQ(Mem{Base: off, Index: good, Scale: 2}, off)
}

// nextWindow begins the next window at a pair, if there is more than a line feed.
func nextWindow(begins Mem, off, at, line Register) {
	size := GP64()
	MOVWQZX(begins.Idx(off, 1), at)
	ADDQ(at, line)
	Load(Param("size"), size)
	ADDQ(NewParamAddr("text", 0), size)
	SUBQ(line, size)
	CMPQ(size, U8(1))
	JG(LabelRef("window"))
	JMP(LabelRef("stopped"))
}

// indices reads the indices of the pairs in the window, and stores where their values begin. It
// sets n to their number, and done to twice left.
func (r *rowReader) indices(v *valueReader, off, n Register) {
	index := GP64()
	LEAQ(Mem{Base: r.left, Index: r.left, Scale: 1}, index)
	MOVQ(index, r.done)
	MOVQ(r.index, index)
	XORQ(off, off)
	XORQ(n, n)
	before := ZMM() // the indices of the eight before; only the last lane counts
	VMOVDQU64(r.before, before)
	c, one, eight, width := r.pairReader.digits, r.one, r.eight, r.width
	narrow, byte1 := r.of64(8*narrowIndex), r.of64(0xff)
	lanes, word := GP64(), GP64()

	Label("indices")
	MOVQ(U32(8), lanes)
	CMPQ(r.left, lanes)
	CMOVQLT(r.left, lanes)
	MOVQ(U32(0xff), word)
	BZHIQ(lanes, word, word)
	live, good, wide, label, pair := K(), K(), K(), K(), K()
	KMOVB(word.As32(), live)
	blank, start, size, next, t := ZMM(), ZMM(), ZMM(), ZMM(), ZMM()
	VPMOVZXWQ(r.begins.Idx(off, 1), blank)
	VPMOVZXWQ(r.colons.Idx(off, 1), start)
	i := r.wordsAt(r.begins.Idx(off, 1), 2, 1)
	VPSUBQ(blank, start, size)
	VPSUBQ(one, size, size)
	// the line feed of a label is its blank too, or right behind its blank
	VPANDQ(byte1, i, t)
	VPCMPEQQ_BCST(r.at('\n'), t, label)
	VPTESTNMQ(size, size, label, label)
	VPCMPEQQ(v.ones, size, pair)
	KORB(pair, label, label)
	KANDB(live, label, label)
	KNOTB(label, pair)
	VPSUBQ(one, size, t)
	VPCMPUQ(U8(below), eight, t, live, good)
	VPSLLQ(U8(3), size, size)
	VPXORQ(c.zeros, i, i)
	VPCMPQ(U8(above), narrow, size, live, wide)
	KORTESTB(wide, wide)
	JNZ(LabelRef("wide"))
	VPSUBQ(size, narrow, size)
	VPSLLVQ(size, i, i)
	VPSRLQ(U8(8*(narrowIndex+1)), i, next)
	VPSLLQ(U8(8*(8-narrowIndex)), i, i)
	Label("index")
	c.check(i, good)
	c.number(i)
	VMOVDQA64(v.ones, label, i) // -1
	VALIGNQ(U8(7), before, i, t)
	VPCMPQ(U8(above), t, i, good, good)
	KORB(label, good, good)
	VMOVDQA64(i, before)
	VPCOMPRESSQ_Z(i, pair, t)
	VPMOVQD(t, Mem{Base: index})

	negative, signed, zero := K(), K(), K()
	VPANDQ(byte1, next, t)
	VPCMPEQQ_BCST(r.at('-'^'0'), t, negative)
	VPCMPEQQ_BCST(r.at('+'^'0'), t, signed)
	KORB(negative, signed, signed)
	VPSRLQ(U8(8), next, signed, next)
	VPTESTNMQ(byte1, next, zero)
	VPADDQ(one, start, signed, start)
	VPADDQ(one, start, zero, start)
	begin := XMM()
	VPMOVQW(start, begin)
	VMOVDQU64(begin, r.starts.Idx(off, 1))
	KMOVB(negative, r.flags.Offset(signAt).Idx(off, 1))
	KMOVB(zero, r.flags.Offset(zeroAt).Idx(off, 1))
	KMOVB(label, r.flags.Offset(labelAt).Idx(off, 1))

	KMOVB(pair, word.As32())
	POPCNTQ(word, word)
	LEAQ(Mem{Base: index, Index: word, Scale: 4}, index)
	KMOVB(good, word.As32())
	CMPL(word.As32(), U32(0xff)) // a jump, not a count, which the next eight would wait for
	JNE(LabelRef("fewer"))
	ADDQ(U8(8), n)
	ADDQ(U8(2*8), off)
	SUBQ(U8(8), r.left)
	JG(LabelRef("indices"))
	JMP(LabelRef("values"))
	Label("fewer")
	NOTQ(word)
	TZCNTQ(word, word)
	ADDQ(word, n)
	JMP(LabelRef("values"))

	// a long index leaves too few bytes behind it in the word, so next is loaded
	Label("wide")
	VPSUBQ(size, width, size)
	VPSLLVQ(size, i, i)
	VPXORQ(c.zeros, r.wordsAt(r.colons.Idx(off, 1), 2, 1), next)
	JMP(LabelRef("index"))

	Label("values")
	VMOVDQU64(before, r.before)
	MOVQ(index, r.index)
}
