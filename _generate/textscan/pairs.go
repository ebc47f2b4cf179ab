package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

const (
	everyByte = 0x0101010101010101

	// window is the number of bytes that are read at a time: few enough for 16-bit places, and for
	// the places of all bytes to take little of the stack.
	window = 512

	// frame has room for a place of every byte, and for what vectors store behind.
	frame = 2*window + 3*64

	// mostPairs is the most pairs of a window, rounded up to a multiple of eight.
	mostPairs = window/2 + 8
	mostFlags = (mostPairs/8 + 7) / 8 * 8

	// narrowIndex is the most digits of an index that leave room in a word for the colon and two
	// more bytes.
	narrowIndex = 5

	// Offsets in the tables: sixteen powers of ten, the bytes 0 to 63, more powers, and the upper
	// halves of eight powers.
	tens    = 0
	bytes   = 128
	allTens = 192
	tens2   = allTens + 23*8
)

// Predicates of comparisons of integers.
const (
	below    = 1
	notAbove = 2
	notEqual = 4
	above    = 6
)

// pairs writes the function that reads pairs as textscan's plainPairs does, eight at a time.
//
// It first finds the places of blanks and colons, which must alternate. These places say where
// every index and value is, so that the pairs do not wait for each other: the texts of eight pairs
// are gathered into the lanes of registers.
func pairs(words constants) {
	TEXT("pairsAVX512", 0, "func(line *byte, size int, index *int32, value *float64, room int, last int64, tables *float64) (n, stop int, highest int64)")
	Pragma("noescape")
	Doc("pairsAVX512 reads pairs from size > 0 bytes of line, behind which 64 more can be read,",
		"as long as they are plain, and as there is room for eight. It returns how many it read,",
		"where it stopped, and the last index.")
	p := &pairReader{
		constants: words,
		line:      Load(Param("line"), GP64()),
		places:    GP64(),
		left:      GP64(),
	}
	LEAQ(AllocLocal(frame), p.places)
	p.starts, p.signs, p.zeros = AllocLocal(2*mostPairs), AllocLocal(mostFlags), AllocLocal(mostFlags)
	p.find()
	p.digits = p.newDigits()
	p.low16, p.one, p.eight, p.width = p.of64(0xffff), p.of64(1), p.of64(8), p.of64(64)
	p.top = p.of64(1 << 63)
	p.readIndices()
	p.readValues()
}

type pairReader struct {
	constants
	line, places, left Register

	starts       Mem // of the values, less 1, 16 bits each
	signs, zeros Mem // a bit for each value: whether it has a minus, and a zero in front
	digits       *digits

	low16, one, eight, width, top VecVirtual
}

// find stores the places of blanks and colons, 16 bits each, as far as they alternate. Behind the
// last pair of a line it stores the line's end. It sets left to the number of pairs with something
// behind them.
func (p *pairReader) find() {
	size, rest, to := Load(Param("size"), GP64()), GP64(), GP64()
	MOVQ(U32(window), rest)
	CMPQ(rest, size)
	CMOVQGT(size, rest)
	tables := Load(Param("tables"), GP64())
	blank, colon, all := p.of64(' '*everyByte), p.of64(':'*everyByte), ZMM()
	VMOVDQU64(Mem{Base: tables, Disp: bytes}, all)
	base, step := ZMM(), p.of64(64*0x0001000100010001)
	VPXORQ(base, base, base)
	pattern, at := GP64(), GP64() // which of the bits of both must be blanks
	MOVQ(U64(0x5555555555555555), pattern)
	MOVQ(p.line, at)
	MOVQ(p.places, to)

	Label("find")
	text, found := ZMM(), ZMM()
	blanks, both, count, wrong, odd := GP64(), GP64(), GP64(), GP64(), GP64()
	k := K()
	VMOVDQU64(Mem{Base: at}, text)
	VPCMPEQB(blank, text, k)
	KMOVQ(k, blanks)
	k = K()
	VPCMPEQB(colon, text, k)
	KMOVQ(k, both)
	CMPQ(rest, U8(64))
	JGE(LabelRef("whole"))
	BZHIQ(rest, blanks, blanks)
	BZHIQ(rest, both, both)
	Label("whole")
	ORQ(blanks, both)
	POPCNTQ(both, count)
	PEXTQ(both, blanks, wrong)
	XORQ(pattern, wrong)
	BZHIQ(count, wrong, wrong)
	k = K()
	KMOVQ(both, k)
	VPCOMPRESSB_Z(all, k, found)
	words := ZMM()
	VPMOVZXBW(found.AsY(), words)
	VPADDW(base, words, words)
	VMOVDQU64(words, Mem{Base: to})
	CMPQ(count, U8(32))
	JLE(LabelRef("few"))
	VEXTRACTI64X4(U8(1), found, words.AsY())
	VPMOVZXBW(words.AsY(), words)
	VPADDW(base, words, words)
	VMOVDQU64(words, Mem{Base: to, Disp: 64})
	Label("few")
	TESTQ(wrong, wrong)
	JNZ(LabelRef("wrong"))
	LEAQ(Mem{Base: to, Index: count, Scale: 2}, to)
	MOVQ(count, odd)
	ANDQ(U8(1), odd)
	NEGQ(odd)
	XORQ(odd, pattern)
	VPADDW(step, base, base)
	ADDQ(U8(64), at)
	SUBQ(U8(64), rest)
	JG(LabelRef("find"))
	// the end of the line, where a blank may be
	CMPQ(size, U32(window))
	JG(LabelRef("found"))
	TESTQ(U32(1), pattern)
	JZ(LabelRef("found"))
	MOVW(size.(GPVirtual).As16(), Mem{Base: to})
	ADDQ(U8(2), to)
	JMP(LabelRef("found"))

	Label("wrong")
	TZCNTQ(wrong, wrong)
	LEAQ(Mem{Base: to, Index: wrong, Scale: 2}, to)
	Label("found")
	nowhere := ZMM()
	VPXORQ(nowhere, nowhere, nowhere)
	VMOVDQU64(nowhere, Mem{Base: to}) // so that eight places can be loaded
	MOVQ(to, p.left)
	SUBQ(p.places, p.left)
	SARQ(U8(1), p.left)
	DECQ(p.left)
	SARQ(U8(1), p.left)
}

// wordsAt returns the eight bytes at a distance from each of eight places; these are step apart. A
// gather instruction is slower on some processors.
func (p *pairReader) wordsAt(places Mem, step, distance int) VecVirtual {
	var quarter [4]VecVirtual
	at := GP64()
	for i := range quarter {
		x := XMM()
		MOVWQZX(places.Offset(2*i*step), at)
		VMOVQ(Mem{Base: p.line, Index: at, Scale: 1, Disp: distance}, x)
		MOVWQZX(places.Offset((2*i+1)*step), at)
		VPINSRQ(U8(1), Mem{Base: p.line, Index: at, Scale: 1, Disp: distance}, x, x)
		quarter[i] = x
	}
	low, high := YMM(), YMM()
	VINSERTI64X2(U8(1), quarter[1], quarter[0].AsY(), low)
	VINSERTI64X2(U8(1), quarter[3], quarter[2].AsY(), high)
	z := ZMM()
	VINSERTI64X4(U8(1), high, low.AsZ(), z)
	return z
}

// readIndices reads the indices of the pairs that find has found, and stores where their values
// begin, behind a minus and then a zero. It sets left to their number.
//
// Indices and values have loops of their own: iterations of such short loops overlap better.
func (p *pairReader) readIndices() {
	index, room := Load(Param("index"), GP64()), Load(Param("room"), GP64())
	places, starts, signs, zeros := GP64(), GP64(), GP64(), GP64()
	MOVQ(p.places, places)
	LEAQ(p.starts, starts)
	LEAQ(p.signs, signs)
	LEAQ(p.zeros, zeros)
	n := GP64()
	XORQ(n, n)
	before := ZMM() // the indices of the eight before; only the last lane counts
	VPBROADCASTQ(NewParamAddr("last", 40), before)
	c, low16, one, eight, width := p.digits, p.low16, p.one, p.eight, p.width
	narrow, byte1, minus := p.of64(8*narrowIndex), p.of64(0xff), p.of64('-'^'0')
	lanes, word := GP64(), GP64()

	Label("indices")
	CMPQ(p.left, U8(0))
	JLE(LabelRef("values"))
	CMPQ(room, U8(8))
	JL(LabelRef("values"))
	MOVQ(U32(8), lanes)
	CMPQ(p.left, lanes)
	CMOVQLT(p.left, lanes)
	MOVQ(U32(0xff), word)
	BZHIQ(lanes, word, word)
	live, good, wide := K(), K(), K()
	KMOVB(word.As32(), live)
	blank, start := ZMM(), ZMM()
	VPMOVZXDQ(Mem{Base: places}, start)
	VPANDQ(low16, start, blank)
	VPSRLQ(U8(16), start, start) // place of the colon

	// up to eight digits, moved up to the end of a word; next is what stands behind the colon
	i, size, next := p.wordsAt(Mem{Base: places}, 4, 1), ZMM(), ZMM()
	VPSUBQ(blank, start, size)
	VPSUBQ(one, size, size)
	VPSUBQ(one, size, blank)
	VPCMPUQ(U8(below), eight, blank, live, good)
	VPSLLQ(U8(3), size, size)
	VPXORQ(c.zeros, i, i)
	VPCMPUQ(U8(above), narrow, size, live, wide)
	KORTESTB(wide, wide)
	JNZ(LabelRef("wide"))
	VPSUBQ(size, narrow, size)
	VPSLLVQ(size, i, i)
	VPSRLQ(U8(8*(narrowIndex+1)), i, next)
	VPSLLQ(U8(8*(8-narrowIndex)), i, i)
	Label("index")
	c.check(i, good)
	c.number(i)
	t := ZMM()
	VALIGNQ(U8(7), before, i, t)
	VPCMPQ(U8(above), t, i, good, good)
	VMOVDQA64(i, before)
	VPMOVQD(i, Mem{Base: index})

	negative, zero := K(), K()
	VPANDQ(byte1, next, t)
	VPCMPEQQ(minus, t, negative)
	VPSRLQ(U8(8), next, negative, next)
	VPTESTNMQ(byte1, next, zero)
	VPADDQ(one, start, negative, start)
	VPADDQ(one, start, zero, start)
	begin := XMM()
	VPMOVQW(start, begin)
	VMOVDQU(begin, Mem{Base: starts})
	KMOVB(negative, Mem{Base: signs})
	KMOVB(zero, Mem{Base: zeros})

	KMOVB(good, word.As32())
	CMPL(word.As32(), U32(0xff)) // a jump, not a count, which the next eight would wait for
	JNE(LabelRef("fewer"))
	ADDQ(U8(8), n)
	SUBQ(U8(8), p.left)
	SUBQ(U8(8), room)
	ADDQ(U8(8*4), index)
	ADDQ(U8(8*4), places)
	ADDQ(U8(8*2), starts)
	INCQ(signs)
	INCQ(zeros)
	JMP(LabelRef("indices"))
	Label("fewer")
	NOTQ(word)
	TZCNTQ(word, word)
	ADDQ(word, n)
	JMP(LabelRef("values"))

	// a long index leaves too few bytes behind it in the word, so next is loaded
	Label("wide")
	VPSUBQ(size, width, size)
	VPSLLVQ(size, i, i)
	VPXORQ(c.zeros, p.wordsAt(Mem{Base: places, Disp: 2}, 4, 1), next)
	JMP(LabelRef("index"))

	Label("values")
	MOVQ(n, p.left)
}

// digits has the constants for reading eight digits.
type digits struct {
	zeros, tops, aboveNine             VecVirtual
	two, four, tenThousand, million100 VecVirtual
}

func (p *pairReader) newDigits() *digits {
	return &digits{
		zeros:       p.of64('0' * everyByte),
		tops:        p.of64(0x80 * everyByte),
		aboveNine:   p.of64((0x80 - 10) * everyByte),
		two:         p.of64(0x010a * 0x0001000100010001), // ten times the first and the second
		four:        p.of64(0x00010064 * 0x0000000100000001),
		tenThousand: p.of64(10_000),
		million100:  p.of64(100_000_000),
	}
}

// check takes those lanes out of good whose bytes are not all below 10.
func (d *digits) check(w VecVirtual, good Register) {
	t := ZMM()
	VPADDB(d.aboveNine, w, t)
	VPORQ(w, t, t)
	VPTESTNMQ(d.tops, t, good, good)
}

// number replaces eight digits by their number.
func (d *digits) number(w VecVirtual) {
	t := ZMM()
	VPMADDUBSW(d.two, w, w)
	VPMADDWD(d.four, w, w)
	VPSRLQ(U8(32), w, t)
	VPMULUDQ(d.tenThousand, w, w)
	VPADDQ(t, w, w)
}
