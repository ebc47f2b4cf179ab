package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// readValues reads a value for each index, and returns.
func (p *pairReader) readValues() {
	value := Load(Param("value"), GP64())
	starts, signs, zeros := GP64(), GP64(), GP64()
	LEAQ(p.starts, starts)
	LEAQ(p.signs, signs)
	LEAQ(p.zeros, zeros)
	n := GP64()
	XORQ(n, n)
	v := p.newValues()
	lanes, word := GP64(), GP64()

	Label("eight")
	CMPQ(p.left, U8(0))
	JLE(LabelRef("done"))
	MOVQ(U32(8), lanes)
	CMPQ(p.left, lanes)
	CMOVQLT(p.left, lanes)
	MOVQ(U32(0xff), word)
	BZHIQ(lanes, word, word)
	v.live, v.sign, v.zero = K(), K(), K()
	KMOVB(word.As32(), v.live)
	KMOVB(Mem{Base: signs}, v.sign)
	KMOVB(Mem{Base: zeros}, v.zero)
	v.start, v.size = ZMM(), ZMM()
	VPMOVZXWQ(Mem{Base: starts}, v.start)
	VPMOVZXDQ(Mem{Base: p.places, Disp: 4}, v.size)
	VPANDQ(p.low16, v.size, v.size)
	VPSUBQ(v.start, v.size, v.size)
	VPSUBQ(p.one, v.size, v.size) // below 0 where the line ends before the value
	v.read(Mem{Base: starts})
	VMOVUPD(v.lo, Mem{Base: value})

	KMOVB(v.good, word.As32())
	CMPL(word.As32(), U32(0xff)) // a jump, not a count, which the next eight would wait for
	JNE(LabelRef("some"))
	ADDQ(U8(8), n)
	ADDQ(U8(8*4), p.places)
	SUBQ(U8(8), p.left)
	ADDQ(U8(8*8), value)
	ADDQ(U8(8*2), starts)
	INCQ(signs)
	INCQ(zeros)
	JMP(LabelRef("eight"))
	Label("some")
	NOTQ(word)
	TZCNTQ(word, word)
	ADDQ(word, n)
	LEAQ(Mem{Base: p.places, Index: word, Scale: 4}, p.places)
	JMP(LabelRef("done"))

	v.readOdd(Mem{Base: starts})

	Label("done")
	endPairs(n, p.places)
}

// endPairs returns the number of pairs, where the text of the next begins and the last index.
func endPairs(n, places Register) {
	stop, highest, index := GP64(), Load(Param("last"), GP64()), Load(Param("index"), GP64())
	XORQ(stop, stop)
	TESTQ(n, n)
	JZ(LabelRef("return"))
	MOVWQZX(Mem{Base: places}, stop)
	MOVLQSX(Mem{Base: index, Index: n, Scale: 4, Disp: -4}, highest)
	Label("return")
	VZEROUPPER()
	Store(n, ReturnIndex(0))
	Store(stop, ReturnIndex(1))
	Store(highest, ReturnIndex(2))
	RET()
}

// valueReader reads eight values.
type valueReader struct {
	*pairReader
	point, every, ones, few VecVirtual

	live, sign, zero Register   // the lanes that are values, those with a minus, those with a zero in front
	start, size      VecVirtual // place of the byte before each value, and number of its bytes

	lo              VecVirtual // the values
	good            Register   // the lanes whose value is valid
	digits, t, bits VecVirtual
	dot             Register
}

func (p *pairReader) newValues() *valueReader {
	v := &valueReader{pairReader: p, point: p.of64(('.' ^ '0') * everyByte), every: p.of64(everyByte), ones: ZMM(), few: ZMM()}
	VPTERNLOGQ(U8(0xff), v.ones, v.ones, v.ones)
	tables := Load(Param("tables"), GP64())
	VMOVUPD(Mem{Base: tables, Disp: tens}, v.few)
	return v
}

// read sets lo and good. Rare cases are in readOdd, which must be written somewhere behind.
func (v *valueReader) read(starts Mem) {
	c, one, eight, width, live, size := v.pairReader.digits, v.one, v.eight, v.width, v.live, v.size
	v.lo, v.good = v.wordsAt(starts, 2, 1), K()
	lo, good := v.lo, v.good
	more := K()
	VPCMPQ(U8(notEqual), one, size, live, more)
	KORTESTB(more, more)
	JZ(LabelRef("digit"))
	v.digits = ZMM() // number of digits, with the zero in front, less 1
	VPSUBQ(one, size, v.digits)
	VPADDQ(one, v.digits, v.zero, v.digits)
	more = K()
	VPCMPQ(U8(above), eight, size, live, more)
	KORTESTB(more, more)
	JNZ(LabelRef("more"))

	// up to eight bytes, moved up to the end of a word, and then those before the point
	v.t, v.bits, v.dot = ZMM(), ZMM(), K()
	t, bits, dot, digits := v.t, v.bits, v.dot, v.digits
	VPXORQ(c.zeros, lo, lo)
	VPSLLQ(U8(3), size, size)
	VPSUBQ(size, width, size)
	VPSLLVQ(size, lo, lo)
	VPXORQ(v.point, lo, t)
	VPSUBQ(v.every, t, bits)
	VPTERNLOGQ(U8(0x20), c.tops, t, bits) // 0x80 in the first byte that is 0
	VPTESTMQ(bits, bits, dot)
	KTESTB(dot, live)
	JZ(LabelRef("integers"))
	VPSUBQ(one, digits, dot, digits)
	VPCMPUQ(U8(notAbove), eight, digits, live, good)
	VPSUBQ(one, bits, t)
	VPXORQ_Z(bits, t, dot, t)
	moved := ZMM()
	VPSLLQ(U8(8), lo, moved)
	VPTERNLOGQ(U8(0xca), lo, moved, t)
	VPLZCNTQ(bits, bits)
	VPSRLQ(U8(3), bits, bits) // digits behind the point; 8, whose power is that of 0, if there is none
	VPERMPD(v.few, bits, bits)
	c.check(t, good)
	c.number(t)
	VCVTQQ2PD(t, t)
	VDIVPD(bits, t, lo)
	Label("store")
	VPORQ(v.top, lo, v.sign, lo)
}

// readOdd writes the rare cases of read.
func (v *valueReader) readOdd(starts Mem) {
	p := v.pairReader
	c, one, eight, width := p.digits, v.one, v.eight, v.width
	live, good, dot := v.live, v.good, v.dot
	start, size, lo, digits, t, bits := v.start, v.size, v.lo, v.digits, v.t, v.bits

	// no value has a point
	Label("integers")
	VPCMPUQ(U8(notAbove), eight, digits, live, good)
	c.check(lo, good)
	c.number(lo)
	VCVTQQ2PD(lo, lo)
	JMP(LabelRef("store"))

	// all values are a digit
	Label("digit")
	VPSLLQ(U8(56), lo, lo)
	VPSRLQ(U8(56), lo, lo)
	VPXORQ_BCST(p.at('0'), lo, lo)
	VPCMPUQ_BCST(U8(notAbove), p.at(9), lo, live, good)
	VCVTQQ2PD(lo, lo)
	JMP(LabelRef("store"))

	// up to 16 bytes, which are two words
	Label("more")
	more, tables := K(), Load(Param("tables"), GP64())
	VPCMPQ_BCST(U8(above), p.at(16), size, live, more)
	KORTESTB(more, more)
	JNZ(LabelRef("long"))
	hi := p.wordsAt(starts, 2, 9)
	// the bytes behind a value become 0
	VPSLLQ(U8(3), size, size) // bits
	VPXORQ(c.zeros, lo, lo)
	VPXORQ(c.zeros, hi, hi)
	VPSLLVQ(size, v.ones, t)
	VPANDNQ(lo, t, lo)
	none := ZMM()
	VPXORQ(none, none, none)
	VPSUBQ(width, size, t)
	VPMAXSQ(none, t, t)
	VPSLLVQ(t, v.ones, t)
	VPANDNQ(hi, t, hi)

	// the point is removed; front is the bytes before it, all if there is none
	front := ZMM()
	VPXORQ(v.point, lo, t)
	VPSUBQ(v.every, t, bits)
	VPTERNLOGQ(U8(0x20), c.tops, t, bits)
	VPTESTMQ(bits, bits, dot)
	VPSUBQ(one, digits, dot, digits)
	VPSUBQ(one, bits, t)
	VPANDNQ(t, bits, t)
	VMOVDQA64(v.ones, front)
	VPSRLQ(U8(7), t, dot, front)
	before8 := ZMM()
	VPOPCNTQ(front, before8)
	VPSRLQ(U8(8), lo, t)
	VPSLLQ(U8(56), hi, bits)
	VPORQ(bits, t, t)
	VPTERNLOGQ(U8(0xca), t, lo, front)
	VPSRLQ(U8(8), hi, dot, hi)
	VPSUBQ_BCST(p.at(8), size, dot, size)
	behind := ZMM() // bits from the point on
	VPSUBQ_Z(before8, size, dot, behind)
	VPCMPUQ_BCST(U8(notAbove), p.at(15), digits, live, good) // the zero in front takes no room
	VPCMPQ_BCST(U8(notAbove), p.at(8*15), size, good, good)

	p.number(c, width, front, hi, size, good)
	VCVTQQ2PD(front, lo)
	VPSRLQ(U8(3), behind, behind)
	power := ZMM()
	VMOVUPD(Mem{Base: tables, Disp: tens}, power)
	VPERMI2PD(Mem{Base: tables, Disp: tens + 64}, power, behind)
	VDIVPD(behind, lo, lo)
	JMP(LabelRef("store"))

	// Some values are longer than 16 bytes. Then a value must have its point at the beginning or
	// behind the zero in front, or have none. The point is skipped, and so is a 0 behind it.
	Label("long")
	skipped, gone, again, nothing := ZMM(), ZMM(), K(), K()
	VPANDQ_BCST(p.at(0xff), lo, t)
	VPCMPEQQ_BCST(p.at('.'), t, dot)
	VPANDQ_BCST(p.at(0xff00), lo, t)
	VPCMPEQQ_BCST(p.at('0'<<8), t, dot, again)
	VMOVDQA64_Z(one, again, gone)
	VPADDQ_Z(one, gone, dot, skipped)
	VPSUBQ(skipped, size, size)
	VPADDQ_Z(size, gone, dot, gone) // digits behind the point
	VPADDQ(skipped, start, start)
	places := XMM()
	VPMOVQW(start, places)
	later := AllocLocal(16)
	VMOVDQU64(places, later)
	VPXORQ(c.zeros, p.wordsAt(later, 2, 1), lo)
	VPXORQ(c.zeros, p.wordsAt(later, 2, 9), hi)
	VPTESTNMQ(size, size, v.zero, nothing) // 0
	VPSLLQ(U8(3), size, size)
	VPSUBQ(eight, size, t)
	VPCMPUQ_BCST(U8(notAbove), p.at(8*(16-1)), t, live, good)
	KORB(nothing, good, good)
	KANDB(live, good, good)
	p.number(c, width, lo, hi, size, good)
	VPCMPUQ_BCST(U8(below), p.at(1<<53), lo, good, good)
	VCVTQQ2PD(lo, lo)
	gather, word := K(), GP64()
	KMOVB(good, word.As32())
	KMOVB(word.As32(), gather)
	VPXORQ(power, power, power)
	VGATHERQPD(Mem{Base: tables, Disp: allTens, Index: gone, Scale: 8}, gather, power)
	VDIVPD(power, lo, lo)
	JMP(LabelRef("store"))
}

// number sets lo to the number of the digits in the first size bits, at most 128, of lo and hi. It
// takes lanes with other bytes there out of good.
func (p *pairReader) number(c *digits, width, lo, hi, size VecVirtual, good Register) {
	// the digits, moved up to the end of two words
	up, down, t := ZMM(), ZMM(), ZMM()
	VPSUBQ(size, width, up)
	VPADDQ(width, up, up)
	VPSUBQ(width, size, down)
	VPSLLVQ(up, hi, hi)
	VPSRLVQ(down, lo, t)
	VPORQ(t, hi, hi)
	VPSUBQ(size, width, down)
	VPSLLVQ(down, lo, t)
	VPORQ(t, hi, hi)
	VPSLLVQ(up, lo, lo)
	c.check(hi, good)
	c.check(lo, good)
	c.number(lo)
	c.number(hi)
	VPMULUDQ(c.million100, lo, lo)
	VPADDQ(hi, lo, lo)
}
