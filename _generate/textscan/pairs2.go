package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

const (
	// frame2 has room for a place of every byte, and for what is stored behind.
	frame2 = 2*window + 64

	// starts2 has room for the words of all values of a window, eight bytes each.
	starts2 = 8 * (window/2 + 8)

	// Such a word is the place where the value starts, less 1. Bit zeroBit is 1 if the value has a
	// zero in front; the highest bit is its sign.
	zeroBit = 32
)

// bitsOfBytes returns a table of the places of the bits that are 1 in each byte.
func bitsOfBytes() Mem {
	places := GLOBL("places", RODATA|NOPTR)
	for set := range 256 {
		word := uint64(0)
		for n, bit := 0, 0; bit < 8; bit++ {
			if set>>bit&1 == 1 {
				word |= uint64(bit) << (8 * n)
				n++
			}
		}
		DATA(8*set, U64(word))
	}
	return places
}

// pairs2 is pairs with AVX2, four pairs at a time.
func pairs2(c wide, places Mem) {
	TEXT("pairsAVX2", 0, "func(line *byte, size int, index *int32, value *float64, room int, last int64, tables *float64) (n, stop int, highest int64)")
	Pragma("noescape")
	Doc("pairsAVX2 is pairsAVX512, as long as there is room for four.")
	p := &pairReader2{
		wide:   c,
		line:   Load(Param("line"), GP64()),
		places: GP64(),
		left:   GP64(),
	}
	LEAQ(AllocLocal(frame2), p.places)
	p.starts = AllocLocal(starts2)
	p.find(places)
	p.readIndices()
	p.readValues()
}

type pairReader2 struct {
	wide
	line, places, left Register
	starts             Mem // words of the values
}

// find does what pairReader's does.
func (p *pairReader2) find(table Mem) {
	size, rest, to := Load(Param("size"), GP64()), GP64(), GP64()
	MOVQ(U32(window), rest)
	CMPQ(rest, size)
	CMOVQGT(size, rest)
	odd, at, sets := GP64(), GP64(), GP64() // odd: all bits if the last place is a blank's
	XORQ(odd, odd)
	MOVQ(p.line, at)
	MOVQ(p.places, to)
	LEAQ(table, sets)
	base, ones := XMM(), XMM()
	VPXOR(base, base, base)
	VPCMPEQQ(ones, ones, ones)

	Label("find")
	blanks, both := GP64(), GP64()
	for half := range 2 {
		text, t, b, c := YMM(), YMM(), GP64(), GP64()
		VMOVDQU(Mem{Base: at, Disp: 32 * half}, text)
		VPCMPEQB(p.of64(' '*everyByte), text, t)
		VPMOVMSKB(t, b.As32())
		VPCMPEQB(p.of64(':'*everyByte), text, t)
		VPMOVMSKB(t, c.As32())
		if half == 0 {
			MOVQ(b, blanks)
			MOVQ(c, both)
			continue
		}
		SHLQ(U8(32), b)
		SHLQ(U8(32), c)
		ORQ(b, blanks)
		ORQ(c, both)
	}
	CMPQ(rest, U8(64))
	JGE(LabelRef("whole"))
	BZHIQ(rest, blanks, blanks)
	BZHIQ(rest, both, both)
	Label("whole")
	ORQ(blanks, both)
	// Where the number of places up to here is odd, there must be a blank, where it is even, a
	// colon.
	parity, wrong := GP64(), GP64()
	x := XMM()
	VMOVQ(both, x)
	VPCLMULQDQ(U8(0), ones, x, x)
	VMOVQ(x, parity)
	XORQ(odd, parity)
	MOVQ(parity, wrong)
	XORQ(blanks, wrong)
	ANDQ(both, wrong)
	JZ(LabelRef("right"))
	TZCNTQ(wrong, wrong)
	BZHIQ(wrong, both, both)
	MOVQ(U32(1), wrong)
	Label("right")
	MOVQ(parity, odd)
	SARQ(U8(63), odd)
	for range 8 {
		set, count, words := GP64(), GP64(), XMM()
		MOVBQZX(both.As8L(), set)
		SHRQ(U8(8), both)
		POPCNTL(set.As32(), count.As32())
		VPMOVZXBW(Mem{Base: sets, Index: set, Scale: 8}, words)
		VPADDW(base, words, words)
		VMOVDQU(words, Mem{Base: to})
		LEAQ(Mem{Base: to, Index: count, Scale: 2}, to)
		VPADDW(p.of64(8*0x0001000100010001), base, base)
	}
	TESTQ(wrong, wrong)
	JNZ(LabelRef("found"))
	ADDQ(U8(64), at)
	SUBQ(U8(64), rest)
	JG(LabelRef("find"))
	// the end of the line, where a blank may be
	CMPQ(size, U32(window))
	JG(LabelRef("found"))
	TESTQ(odd, odd)
	JNZ(LabelRef("found"))
	MOVW(size.(GPVirtual).As16(), Mem{Base: to})
	ADDQ(U8(2), to)
	Label("found")
	nowhere := YMM()
	VPXOR(nowhere, nowhere, nowhere)
	VMOVDQU(nowhere, Mem{Base: to}) // so that four places can be loaded
	MOVQ(to, p.left)
	SUBQ(p.places, p.left)
	SARQ(U8(1), p.left)
	DECQ(p.left)
	SARQ(U8(1), p.left)
}

// wordsAt returns the eight bytes at a distance from each of four places in line. A place has width
// bytes, 2 or 8, and the next one is step bytes behind it.
func (p *pairReader2) wordsAt(places Mem, width, step, distance int) VecVirtual {
	var half [2]VecVirtual
	for i := range half {
		x, at := XMM(), GP64()
		load := func(k int) {
			if width == 2 {
				MOVWQZX(places.Offset(k*step), at)
			} else {
				MOVL(places.Offset(k*step), at.As32())
			}
		}
		load(2 * i)
		VMOVQ(Mem{Base: p.line, Index: at, Scale: 1, Disp: distance}, x)
		load(2*i + 1)
		VPINSRQ(U8(1), Mem{Base: p.line, Index: at, Scale: 1, Disp: distance}, x, x)
		half[i] = x
	}
	y := YMM()
	VINSERTI128(U8(1), half[1], half[0].AsY(), y)
	return y
}

// alive returns the bits of the lanes that exist.
func (p *pairReader2) alive() GPVirtual {
	live := GP64()
	MOVQ(U32(15), live)
	BZHIQ(p.left, live, live) // 15 if four or more are left
	return live
}

// anyLane jumps if one of the lanes in live is set in mask.
func anyLane(mask VecVirtual, live GPVirtual, label string) {
	word := GP64()
	VMOVMSKPD(mask, word.As32())
	TESTQ(live, word)
	JNZ(LabelRef(label))
}

// readIndices does what pairReader's does. The place where a value starts, whether it has a zero in
// front, and its sign are one word.
func (p *pairReader2) readIndices() {
	index, room := Load(Param("index"), GP64()), Load(Param("room"), GP64())
	places, starts := GP64(), GP64()
	MOVQ(p.places, places)
	LEAQ(p.starts, starts)
	n := GP64()
	XORQ(n, n)
	before := YMM() // the index before, in the first lane
	VMOVQ(NewParamAddr("last", 40), before.AsX())

	Label("indices")
	CMPQ(p.left, U8(0))
	JLE(LabelRef("values"))
	CMPQ(room, U8(4))
	JL(LabelRef("values"))
	live := p.alive()
	blank, start, good := YMM(), YMM(), YMM()
	VPMOVZXDQ(Mem{Base: places}, start)
	VPAND(p.of64(0xffff), start, blank)
	VPSRLQ(U8(16), start, start) // place of the colon

	// up to eight digits, moved up to the end of a word; next is what stands behind the colon
	i, size, next, t := p.wordsAt(Mem{Base: places}, 2, 4, 1), YMM(), YMM(), YMM()
	VPSUBQ(blank, start, size)
	VPSUBQ(p.of64(1), size, size)
	VPXOR(t, t, t)
	VPCMPGTQ(t, size, good)
	VPXOR(p.of64('0'*everyByte), i, i)
	VPCMPGTQ(p.of64(narrowIndex), size, t)
	VPSLLQ(U8(3), size, size)
	anyLane(t, live, "wide")
	VMOVDQU(p.of64(8*narrowIndex), t)
	VPSUBQ(size, t, size)
	VPSLLVQ(size, i, i)
	VPSRLQ(U8(8*(narrowIndex+1)), i, next)
	VPSLLQ(U8(8*(8-narrowIndex)), i, i)
	Label("index")
	p.check(i, good)
	p.number(i)
	after := YMM()
	VPERMQ(U8(0b10_01_00_11), i, after) // the index before each
	VPBLENDD(U8(3), before, after, t)
	VMOVDQA(after, before)
	VPCMPGTQ(t, i, t)
	VPAND(t, good, good)
	high := XMM()
	VEXTRACTI128(U8(1), i, high)
	VSHUFPS(U8(0b10_00_10_00), high, i.AsX(), high)
	VMOVUPS(high, Mem{Base: index})

	negative, zero := YMM(), YMM()
	VPAND(p.of64(0xff), next, t)
	VPCMPEQQ(p.of64('-'^'0'), t, negative)
	VPSUBQ(negative, start, start)
	VPAND(p.of64(8), negative, t)
	VPSRLVQ(t, next, next)
	VPAND(p.of64(0xff), next, next)
	VPXOR(zero, zero, zero)
	VPCMPEQQ(zero, next, zero)
	VPSUBQ(zero, start, start)
	VPAND(p.of64(1<<zeroBit), zero, zero)
	VPSLLQ(U8(63), negative, negative)
	VPOR(zero, start, start)
	VPOR(negative, start, start)
	VMOVDQU(start, Mem{Base: starts})

	p.count(good, live, n, "values")
	SUBQ(U8(4), p.left)
	SUBQ(U8(4), room)
	ADDQ(U8(4*4), index)
	ADDQ(U8(4*4), places)
	ADDQ(U8(4*8), starts)
	JMP(LabelRef("indices"))

	// a long index leaves too few bytes behind it in the word, so next is loaded
	Label("wide")
	VPCMPGTQ(p.of64(8*8), size, t)
	VPANDN(good, t, good)
	VMOVDQU(p.of64(64), t)
	VPSUBQ(size, t, size)
	VPSLLVQ(size, i, i)
	VPXOR(p.of64('0'*everyByte), p.wordsAt(Mem{Base: places, Disp: 2}, 2, 4, 1), next)
	JMP(LabelRef("index"))

	Label("values")
	MOVQ(n, p.left)
}

// count adds to n the number of lanes before the first that is not good, and jumps to fewer unless
// all four are good. What follows does not wait for that number.
func (p *pairReader2) count(good VecVirtual, live GPVirtual, n Register, fewer string) GPVirtual {
	word := GP64()
	VMOVMSKPD(good, word.As32())
	ANDQ(live, word)
	NOTQ(word)
	TZCNTQ(word, word)
	ADDQ(word, n)
	CMPQ(word, U8(4))
	JNE(LabelRef(fewer))
	return word
}

// check takes those lanes out of good whose bytes are not all below 10.
func (p *pairReader2) check(w, good VecVirtual) {
	t, zero := YMM(), YMM()
	VPADDB(p.of64((0x80-10)*everyByte), w, t)
	VPOR(w, t, t)
	VPAND(p.of64(0x80*everyByte), t, t)
	VPXOR(zero, zero, zero)
	VPCMPEQQ(zero, t, t)
	VPAND(t, good, good)
}

// number replaces eight digits by their number.
func (p *pairReader2) number(w VecVirtual) {
	t := YMM()
	VPMADDUBSW(p.of64(0x010a*0x0001000100010001), w, w) // ten times the first and the second
	VPMADDWD(p.of64(0x00010064*0x0000000100000001), w, w)
	VPSRLQ(U8(32), w, t)
	VPMULUDQ(p.of64(10_000), w, w)
	VPADDQ(t, w, w)
}

// float converts integers below 2^52 to float64.
func (p *pairReader2) float(w VecVirtual) {
	VPOR(p.of(1<<52), w, w)
	VSUBPD(p.of(1<<52), w, w)
}
