package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// readValues does what pairReader's does.
func (p *pairReader2) readValues() {
	value := Load(Param("value"), GP64())
	starts, n := GP64(), GP64()
	LEAQ(p.starts, starts)
	XORQ(n, n)
	v := &valueReader2{pairReader2: p}

	Label("four")
	CMPQ(p.left, U8(0))
	JLE(LabelRef("done"))
	v.live, v.start, v.size = p.alive(), YMM(), YMM()
	t := YMM()
	VMOVDQU(Mem{Base: starts}, v.start)
	VPMOVZXDQ(Mem{Base: p.places, Disp: 4}, v.size)
	VPAND(p.of64(0xffff), v.size, v.size)
	VPAND(p.of64(0xffff), v.start, t)
	VPSUBQ(t, v.size, v.size)
	VPSUBQ(p.of64(1), v.size, v.size) // below 0 where the line ends before the value
	v.read(Mem{Base: starts})
	VMOVUPD(v.lo, Mem{Base: value})

	done := p.count(v.good, v.live, n, "some")
	ADDQ(U8(4*4), p.places)
	SUBQ(U8(4), p.left)
	ADDQ(U8(4*8), value)
	ADDQ(U8(4*8), starts)
	JMP(LabelRef("four"))
	Label("some")
	LEAQ(Mem{Base: p.places, Index: done, Scale: 4}, p.places)
	JMP(LabelRef("done"))

	v.readOdd(Mem{Base: starts})

	Label("done")
	endPairs(n, p.places)
}

// valueReader2 reads four values.
type valueReader2 struct {
	*pairReader2

	live        GPVirtual // the lanes that are values
	start, size VecVirtual

	lo, good VecVirtual // the values, and the lanes whose value is valid
	digits   VecVirtual
}

// read sets lo and good. Rare cases are in readOdd, which must be written somewhere behind.
func (v *valueReader2) read(starts Mem) {
	p, start, size, good, t := v.pairReader2, v.start, v.size, YMM(), YMM()
	lo := p.wordsAt(starts, 8, 8, 1)
	v.lo, v.good = lo, good
	more := YMM()
	VPCMPEQQ(p.of64(1), size, more)
	word := GP64()
	VMOVMSKPD(more, word.As32())
	ANDNQ(v.live, word, word)
	JZ(LabelRef("digit"))
	digits := YMM() // number of digits, with the zero in front
	v.digits = digits
	VPSRLQ(U8(zeroBit), start, digits)
	VPAND(p.of64(1), digits, digits)
	VPADDQ(size, digits, digits)
	VPCMPGTQ(p.of64(8), size, more)
	anyLane(more, v.live, "more")

	// up to eight bytes, moved up to the end of a word, and then those before the point
	bits, none := YMM(), YMM()
	VPXOR(p.of64('0'*everyByte), lo, lo)
	VPSLLQ(U8(3), size, size)
	VMOVDQU(p.of64(64), t)
	VPSUBQ(size, t, size)
	VPSLLVQ(size, lo, lo)
	p.point(lo, bits, none)
	VPSUBQ(none, digits, digits) // count the point too, or 1 where there is none
	VPCMPGTQ(p.of64(1), digits, good)
	VPCMPEQQ(t, t, t)
	VPADDQ(bits, t, t)
	VPXOR(bits, t, t) // the bytes up to the point, or all
	zero, fraction, moved := YMM(), YMM(), YMM()
	VPXOR(zero, zero, zero)
	VPAND(p.of64(everyByte), t, fraction)
	VPSADBW(zero, fraction, fraction) // 8 less the digits behind the point
	VPANDN(t, none, t)
	VPSLLQ(U8(8), lo, moved)
	VPBLENDVB(t, moved, lo, lo)
	VPERMD(Mem{Base: Load(Param("tables"), GP64()), Disp: tens2}, fraction, fraction)
	VPSLLQ(U8(32), fraction, fraction)
	p.check(lo, good)
	p.number(lo)
	p.float(lo)
	VDIVPD(fraction, lo, lo)
	Label("store")
	VANDPD(p.of64(1<<63), start, start)
	VORPD(start, lo, lo)
}

// readOdd writes the rare cases of read.
func (v *valueReader2) readOdd(starts Mem) {
	p, start, size, good, lo, digits, t := v.pairReader2, v.start, v.size, v.good, v.lo, v.digits, YMM()

	// all values are a digit
	Label("digit")
	VPAND(p.of64(0xff), lo, lo)
	VPXOR(p.of64('0'), lo, lo)
	VPCMPGTQ(p.of64(9), lo, good)
	VPCMPEQQ(t, t, t)
	VPXOR(t, good, good)
	p.float(lo)
	JMP(LabelRef("store"))

	// up to 16 bytes, which are two words
	Label("more")
	more, bits, none, zero, moved := YMM(), YMM(), YMM(), YMM(), YMM()
	tables := Load(Param("tables"), GP64())
	VPCMPGTQ(p.of64(16), size, more)
	anyLane(more, v.live, "long")
	hi := p.wordsAt(starts, 8, 8, 9)
	// the bytes behind a value become 0
	VPSLLQ(U8(3), size, size) // bits
	VPXOR(p.of64('0'*everyByte), lo, lo)
	VPXOR(p.of64('0'*everyByte), hi, hi)
	ones := YMM()
	VPCMPEQQ(ones, ones, ones)
	VPSLLVQ(size, ones, t)
	VPANDN(lo, t, lo)
	VPSUBQ(p.of64(64), size, t)
	VPXOR(zero, zero, zero)
	VPCMPGTQ(zero, t, moved)
	VPAND(moved, t, t)
	VPSLLVQ(t, ones, t)
	VPANDN(hi, t, hi)

	// the point is removed; front is the bytes before it, all if there is none
	front, before8 := YMM(), YMM()
	p.point(lo, bits, none)
	VPSUBQ(none, digits, digits)
	VPCMPGTQ(p.of64(1), digits, good)
	VPCMPGTQ(p.of64(15+2), digits, t) // the zero in front takes no room
	VPANDN(good, t, good)
	VPSUBQ(p.of64(1), bits, t)
	VPANDN(t, bits, t)
	VPSRLQ(U8(7), t, t)
	VPOR(none, t, front)
	VPAND(p.of64(everyByte), front, before8)
	VPSADBW(zero, before8, before8)
	VPSLLQ(U8(3), before8, before8)
	VPSRLQ(U8(8), lo, t)
	VPSLLQ(U8(56), hi, moved)
	VPOR(moved, t, t)
	VPBLENDVB(front, lo, t, front)
	VPSRLQ(U8(8), hi, t)
	VPBLENDVB(none, hi, t, hi)
	VPANDN(p.of64(8), none, t)
	VPSUBQ(t, size, size)
	behind := YMM() // bits from the point on
	VPSUBQ(before8, size, behind)
	VPANDN(behind, none, behind)
	VPCMPGTQ(p.of64(8*15), size, t)
	VPANDN(good, t, good)
	p.number16(front, hi, size, good)
	p.float(front)
	VPSRLQ(U8(3), behind, behind)
	VPAND(good, behind, behind)
	VMOVAPD(front, lo)
	VDIVPD(p.power(tables, behind), lo, lo)
	JMP(LabelRef("store"))

	// Some values are longer than 16 bytes. Then a value must have its point at the beginning or
	// behind the zero in front, or have none. The point is skipped, and so is a 0 behind it.
	Label("long")
	skipped, gone, dot := YMM(), YMM(), YMM()
	VPAND(p.of64(0xff), lo, t)
	VPCMPEQQ(p.of64('.'), t, dot)
	VPAND(p.of64(0xff00), lo, t)
	VPCMPEQQ(p.of64('0'<<8), t, t)
	VPAND(dot, t, t)
	VPAND(p.of64(1), t, gone)
	VPSUBQ(dot, gone, skipped)
	VPSUBQ(skipped, size, size)
	VPADDQ(size, gone, gone)
	VPAND(dot, gone, gone) // digits behind the point
	VPADDQ(skipped, start, skipped)
	later := AllocLocal(32)
	VMOVDQU(skipped, later)
	lo2, hi2 := p.wordsAt(later, 8, 8, 1), p.wordsAt(later, 8, 8, 9)
	VPXOR(p.of64('0'*everyByte), lo2, lo2)
	VPXOR(p.of64('0'*everyByte), hi2, hi2)
	VPXOR(zero, zero, zero)
	VPSRLQ(U8(zeroBit), start, digits)
	VPAND(p.of64(1), digits, digits)
	VPSUBQ(digits, zero, digits)
	VPCMPGTQ(digits, size, good) // more than no digit, or none behind a zero
	VPCMPGTQ(p.of64(16), size, t)
	VPANDN(good, t, good)
	VPSLLQ(U8(3), size, size)
	p.number16(lo2, hi2, size, good)
	VPCMPGTQ(p.of64(1<<53-1), lo2, t)
	VPANDN(good, t, good)
	// convert as the sum of two numbers
	VPSRLQ(U8(32), lo2, t)
	VPOR(p.of(1<<84), t, t)
	VSUBPD(p.of(1<<84+1<<52), t, t)
	VPBLENDD(U8(0b10101010), p.of(1<<52), lo2, lo2)
	VADDPD(t, lo2, lo2)
	VPAND(good, gone, gone)
	VMOVAPD(lo2, lo)
	VDIVPD(p.power(tables, gone), lo, lo)
	JMP(LabelRef("store"))
}

// point sets bits to 0x80 in the byte of lo that is the first point, less '0', and anything above;
// to 0 where there is none, as none says.
func (p *pairReader2) point(lo, bits, none VecVirtual) {
	t := YMM()
	VPXOR(p.of64(('.'^'0')*everyByte), lo, t)
	VPSUBQ(p.of64(everyByte), t, bits)
	VPANDN(bits, t, bits)
	VPAND(p.of64(0x80*everyByte), bits, bits)
	VPXOR(none, none, none)
	VPCMPEQQ(none, bits, none)
}

// power returns the powers of ten whose exponents are in the lanes of a register.
func (p *pairReader2) power(tables Register, exponents VecVirtual) VecVirtual {
	var half [2]VecVirtual
	for i := range half {
		x, at := exponents.AsX(), GP64()
		if i == 1 {
			x = XMM()
			VEXTRACTI128(U8(1), exponents, x)
		}
		half[i] = XMM()
		VMOVQ(x, at)
		VMOVSD(Mem{Base: tables, Index: at, Scale: 8, Disp: allTens}, half[i])
		VPEXTRQ(U8(1), x, at)
		VMOVHPD(Mem{Base: tables, Index: at, Scale: 8, Disp: allTens}, half[i], half[i])
	}
	y := YMM()
	VINSERTF128(U8(1), half[1], half[0].AsY(), y)
	return y
}

// number16 sets lo to the number of the digits in the first size bits, at most 128, of lo and hi.
// It takes lanes with other bytes there out of good.
func (p *pairReader2) number16(lo, hi, size, good VecVirtual) {
	// the digits, moved up to the end of two words
	up, down, t := YMM(), YMM(), YMM()
	VMOVDQU(p.of64(128), up)
	VPSUBQ(size, up, up)
	VPSUBQ(p.of64(64), size, down)
	VPSLLVQ(up, hi, hi)
	VPSRLVQ(down, lo, t)
	VPOR(t, hi, hi)
	VMOVDQU(p.of64(64), down)
	VPSUBQ(size, down, down)
	VPSLLVQ(down, lo, t)
	VPOR(t, hi, hi)
	VPSLLVQ(up, lo, lo)
	p.check(hi, good)
	p.check(lo, good)
	p.number(lo)
	p.number(hi)
	VPMULUDQ(p.of64(100_000_000), lo, lo)
	VPADDQ(hi, lo, lo)
}
