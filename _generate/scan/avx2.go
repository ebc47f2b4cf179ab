package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// broadcast2 returns x in all lanes.
func broadcast2(x float64) VecVirtual {
	r, y := GP64(), YMM()
	MOVQ(bits(x), r)
	VMOVQ(r, y.AsX())
	VBROADCASTSD(y.AsX(), y)
	return y
}

// inSet2 returns a vector that has, in the sign of lane i, whether place 4 group+i is in a set.
// word has at least the first 8 bits of the set in all lanes.
func inSet2(word VecVirtual, group int) VecVirtual {
	if places.Symbol.Name == "" {
		places = GLOBL("places", RODATA|NOPTR)
		for i := range 32 {
			DATA(8*i, U64(uint64(63-i)))
		}
	}
	in := YMM()
	VPSLLVQ(places.Offset(32*group), word, in)
	return in
}

// places has the shifts that bring the bit of each place to the sign.
var places Mem

// outside2 returns the address of four words for group i of four places of a set, of which word has
// up to 32 bits, from place 0 on. The word of a place that is not in the set is all ones, which
// makes NaN of its value. at is scratch.
func outside2(table, word, at GPVirtual, i int) Mem {
	RORXQ(U8(uint8(4*i+62)%64), word, at) // four bits, times four
	ANDL(U32(15<<2), at.As32())
	return Mem{Base: table, Index: at, Scale: 8}
}

// outsides returns the address of the words of outside2.
func outsides() GPVirtual {
	if outside.Symbol.Name == "" {
		outside = GLOBL("outsides", RODATA|NOPTR)
		for set := range 16 {
			for k := range 4 {
				word := uint64(math.MaxUint64)
				if set>>k&1 != 0 {
					word = 0
				}
				DATA(8*(4*set+k), U64(word))
			}
		}
	}
	table := GP64()
	LEAQ(outside, table)
	return table
}

// outside has these words, four for each of 16 sets.
var outside Mem

// block2 is the number of elements of a block: a lane only notes in which block its lowest value
// is.
const block2 = 32

// extremes2 writes the function that updates the gradient and finds its extremes, or without update
// the one that only finds the extremes, for multiples of eight elements. Of the lowest value, a
// lane notes only in which block of 32 elements it last was. The last such block of all lanes that
// have the lowest value is searched again.
func extremes2(update bool) {
	name := pick(update, "stepAVX2", "lookAVX2")
	if update {
		TEXT(name, NOSPLIT, "func(f *float64, x, y *float32, n int, dx, dy float64, up, low *uint64) (i int, lowest, highest float64)")
	} else {
		TEXT(name, NOSPLIT, "func(f *float64, n int, up, low *uint64) (i int, lowest, highest float64)")
	}
	Pragma("noescape")
	Doc(name + " is " + pick(update, "step", "look") + "; n is a positive multiple of 8. If lowest is infinite, i means nothing.")
	f := Load(Param("f"), GP64())
	n := Load(Param("n"), GP64())
	up := Load(Param("up"), GP64())
	low := Load(Param("low"), GP64())
	var x, y Register
	dx, dy := YMM(), YMM()
	if update {
		x, y = Load(Param("x"), GP64()), Load(Param("y"), GP64())
		p, err := Param("dx").Resolve()
		must(err)
		VBROADCASTSD(p.Addr, dx)
		p, err = Param("dy").Resolve()
		must(err)
		VBROADCASTSD(p.Addr, dy)
	}
	infinity := broadcast2(math.Inf(1))
	// the lowest of all; and two extremes of each kind side by side, so that the one need not wait
	// for the other
	lowest, at := YMM(), YMM()
	var here, highest [2]VecVirtual
	VMOVAPD(infinity, lowest)
	VPCMPEQQ(at, at, at) // -1
	for i := range here {
		here[i], highest[i] = YMM(), broadcast2(math.Inf(-1))
		VMOVAPD(infinity, here[i])
	}
	block, table, inUp, inLow, at4 := GP64(), outsides(), GP64(), GP64(), GP64()
	XORQ(block, block)

	// some writes the code for some groups of four elements
	some := func(groups int) {
		for i, set := range []Register{up, low} {
			word := []GPVirtual{inUp, inLow}[i]
			if groups == 2 {
				MOVBQZX(Mem{Base: set}, word)
			} else {
				MOVL(Mem{Base: set}, word.As32())
			}
		}
		for i := range groups {
			v, t := YMM(), YMM()
			to := Mem{Base: f, Disp: 32 * i}
			if update {
				VCVTPS2PD(Mem{Base: x, Disp: 16 * i}, v)
				VCVTPS2PD(Mem{Base: y, Disp: 16 * i}, t)
				VMULPD(dx, v, v)
				VMULPD(dy, t, t)
				VADDPD(t, v, v)
				VADDPD(to, v, v)
				VMOVUPD(v, to)
			} else {
				VMOVUPD(to, v)
			}
			VORPD(outside2(table, inUp, at4, i), v, t)
			VMINPD(here[i%2], t, here[i%2]) // what was there stays where t is NaN
			VORPD(outside2(table, inLow, at4, i), v, v)
			VMAXPD(highest[i%2], v, highest[i%2])
		}
		ADDQ(U32(uint32(32*groups)), f)
		if update {
			ADDQ(U32(uint32(16*groups)), x)
			ADDQ(U32(uint32(16*groups)), y)
		}
		ADDQ(Imm(uint64(groups/2)), up)
		ADDQ(Imm(uint64(groups/2)), low)
		SUBQ(Imm(uint64(4*groups)), n)
	}
	endOfBlock := func() {
		hit, number := YMM(), YMM()
		VMINPD(here[0], here[1], here[0])
		VCMPPD(U8(lessOrEqual), lowest, here[0], hit)
		VBLENDVPD(hit, here[0], lowest, lowest)
		VMOVQ(block, number.AsX())
		VPBROADCASTQ(number.AsX(), number)
		VBLENDVPD(hit, number, at, at)
		VMOVAPD(infinity, here[0])
		VMOVAPD(infinity, here[1])
		INCQ(block)
	}
	Label("block")
	CMPQ(n, Imm(block2))
	JLT(LabelRef("rest"))
	some(block2 / 4)
	endOfBlock()
	JMP(LabelRef("block"))
	Label("rest")
	TESTQ(n, n)
	JZ(LabelRef("done"))
	Label("eight")
	some(2)
	JNZ(LabelRef("eight"))
	endOfBlock()
	Label("done")
	VMAXPD(highest[0], highest[1], highest[0])
	top, zero := across2(highest[0], VMAXPD), XMM()
	VXORPD(zero, zero, zero)
	VADDSD(zero, top, top)
	VMOVSD(top, result(2))
	bottom, all := across2(lowest, VMINPD), YMM()
	VBROADCASTSD(bottom, all)
	VADDSD(zero, bottom, bottom)
	VMOVSD(bottom, result(1))

	// the last block with the lowest value
	none, hit, half := YMM(), YMM(), XMM()
	VCMPPD(U8(equal), all, lowest, hit)
	VPCMPEQQ(none, none, none) // -1
	VBLENDVPD(hit, at, none, at)
	VEXTRACTI128(U8(1), at, half)
	VPMAXSD(half, at.AsX(), half) // 32 bits suffice: a high half is 0 or -1, as is the sign of its low half
	odd := XMM()
	VPSHUFD(U8(0x4e), half, odd)
	VPMAXSD(odd, half, odd)
	last := GP64()
	VMOVQ(odd, last)
	TESTQ(last, last)
	JS(LabelRef("nothing"))

	// the last place in the block
	Load(Param("f"), f)
	Load(Param("n"), n)
	Load(Param("up"), up)
	in, most := GP32(), GP64()
	MOVL(Mem{Base: up, Index: last, Scale: 4}, in)
	SHLQ(U8(5), last)
	SUBQ(last, n)
	MOVQ(U32(block2), most)
	CMPQ(n, most)
	CMOVQGT(most, n)
	LEAQ(Mem{Base: f, Index: last, Scale: 8}, f)
	SHLQ(U8(3), n)
	place := equalsIn(f, n, all, "same")
	ANDL(in, place.As32())
	BSRL(place.As32(), place.As32())
	ADDQ(last, place)
	Store(place, ReturnIndex(0))
	Label("nothing")
	VZEROUPPER()
	RET()
}

// equals2 writes the function that searches for a value.
func equals2() {
	TEXT("equalsAVX2", NOSPLIT, "func(f *float64, eights int, value float64) uint64")
	Pragma("noescape")
	Doc("equalsAVX2 returns the set of those i below 8 eights for which f[i] is value, for 0 < eights <= 8.")
	f, eights, value := Load(Param("f"), GP64()), Load(Param("eights"), GP64()), YMM()
	p, err := Param("value").Resolve()
	must(err)
	VBROADCASTSD(p.Addr, value)
	SHLQ(U8(6), eights)
	Store(equalsIn(f, eights, value, "eight"), ReturnIndex(0))
	VZEROUPPER()
	RET()
}

// equalsIn returns the set of the elements that have a value. It overwrites size, their number,
// which is a positive multiple of 64.
func equalsIn(f, size Register, value VecVirtual, label string) GPVirtual {
	found := GP64()
	XORQ(found, found)
	Label(label)
	for i := range 2 { // the last ones first
		c, four := YMM(), GP32()
		VCMPPD(U8(equal), Mem{Base: f, Index: size, Scale: 1, Disp: -32 * (i + 1)}, value, c)
		VMOVMSKPD(c, four)
		SHLQ(U8(4), found)
		ORQ(four.As64(), found)
	}
	SUBQ(U8(64), size)
	JNZ(LabelRef(label))
	return found
}

// across2 returns the extreme of four lanes, none of which is NaN.
func across2(lanes VecVirtual, extreme func(...Op)) VecVirtual {
	half, odd := XMM(), XMM()
	VEXTRACTF128(U8(1), lanes, half)
	extreme(lanes.AsX(), half, half)
	VPERMILPD(U8(1), half, odd)
	extreme(odd, half, half)
	return half
}
