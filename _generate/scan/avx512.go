package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// Constants of the passes; see train/internal/scan/scan.go.
const (
	tau    = 1e-12
	margin = 1 - 0x1p-48
	faint  = 0x1p-900
	steep  = 0x1p126
	near   = 1 - 0x1p-22
)

func bits(x float64) U64 { return U64(math.Float64bits(x)) }

// broadcast512 returns x in all lanes.
func broadcast512(x float64) VecVirtual {
	r, z := GP64(), ZMM()
	MOVQ(bits(x), r)
	VPBROADCASTQ(r, z)
	return z
}

// extremes512 writes the function that updates the gradient and finds its extremes, or without
// update the one that only finds the extremes. Of the lowest value, a lane notes only in which
// block of 64 elements it last was. The last such block of all lanes that have the lowest value is
// searched again.
func extremes512(update bool) {
	name := pick(update, "stepAVX512", "lookAVX512")
	if update {
		TEXT(name, NOSPLIT, "func(f *float64, x, y *float32, n int, dx, dy float64, up, low *uint64) (i int, lowest, highest float64)")
	} else {
		TEXT(name, NOSPLIT, "func(f *float64, n int, up, low *uint64) (i int, lowest, highest float64)")
	}
	Pragma("noescape")
	Doc(name + " is " + pick(update, "step", "look") + "; n > 0. If lowest is infinite, i means nothing.")
	f := Load(Param("f"), GP64())
	n := Load(Param("n"), GP64())
	up := Load(Param("up"), GP64())
	low := Load(Param("low"), GP64())
	var x, y Register
	dx, dy := ZMM(), ZMM()
	if update {
		x, y = Load(Param("x"), GP64()), Load(Param("y"), GP64())
		p, err := Param("dx").Resolve()
		must(err)
		VBROADCASTSD(p.Addr, dx)
		p, err = Param("dy").Resolve()
		must(err)
		VBROADCASTSD(p.Addr, dy)
	}
	infinity, one := broadcast512(math.Inf(1)), ZMM()
	r := GP64()
	MOVQ(U32(1), r)
	VPBROADCASTQ(r, one)
	lowest, here, highest := ZMM(), ZMM(), broadcast512(math.Inf(-1)) // of all, of the block, of all
	at, block := ZMM(), ZMM()
	VMOVAPD(infinity, lowest)
	VMOVAPD(infinity, here)
	VPTERNLOGD(U8(0xff), at, at, at) // -1
	VPXORQ(block, block, block)

	// eight takes eight elements, of which only those in part count, unless that is nil
	eight := func(i int, part Register) {
		v, b, u, l := ZMM(), ZMM(), K(), K()
		KMOVB(Mem{Base: up, Disp: i}, u)
		KMOVB(Mem{Base: low, Disp: i}, l)
		if part != nil {
			KANDB(part, u, u)
			KANDB(part, l, l)
		}
		to := Mem{Base: f, Disp: 64 * i}
		switch {
		case update && part != nil:
			VCVTPS2PD_Z(Mem{Base: x, Disp: 32 * i}, part, v)
			VCVTPS2PD_Z(Mem{Base: y, Disp: 32 * i}, part, b)
		case update:
			VCVTPS2PD(Mem{Base: x, Disp: 32 * i}, v)
			VCVTPS2PD(Mem{Base: y, Disp: 32 * i}, b)
		case part != nil:
			VMOVUPD_Z(to, part, v)
		default:
			VMOVUPD(to, v)
		}
		if update {
			VMULPD(dx, v, v)
			VMULPD(dy, b, b)
			VADDPD(b, v, v)
			if part != nil {
				g := ZMM()
				VMOVUPD_Z(to, part, g)
				VADDPD(g, v, v)
				VMOVUPD(v, part, to)
			} else {
				VADDPD(to, v, v)
				VMOVUPD(v, to)
			}
		}
		VMINPD(here, v, u, here) // what was there stays where v is NaN
		VMAXPD(highest, v, l, highest)
	}
	advance := func(eights int) {
		ADDQ(U32(uint32(64*eights)), f)
		if update {
			ADDQ(U32(uint32(32*eights)), x)
			ADDQ(U32(uint32(32*eights)), y)
		}
		ADDQ(Imm(uint64(eights)), up)
		ADDQ(Imm(uint64(eights)), low)
		SUBQ(Imm(uint64(8*eights)), n)
	}
	endOfBlock := func() {
		k := K()
		VCMPPD(U8(lessOrEqual), lowest, here, k)
		VMOVAPD(here, k, lowest)
		VMOVDQA64(block, k, at)
		VMOVAPD(infinity, here)
		VPADDQ(one, block, block)
	}
	Label("block")
	CMPQ(n, Imm(64))
	JLT(LabelRef("rest"))
	for i := range 8 {
		eight(i, nil)
	}
	endOfBlock()
	advance(8)
	JMP(LabelRef("block"))

	Label("rest")
	TESTQ(n, n)
	JZ(LabelRef("done"))
	Label("eight")
	CMPQ(n, Imm(8))
	JLT(LabelRef("part"))
	eight(0, nil)
	advance(1)
	JMP(LabelRef("eight"))
	Label("part")
	TESTQ(n, n)
	JZ(LabelRef("end"))
	eight(0, tail512(n))
	Label("end")
	endOfBlock()
	Label("done")
	zero := XMM()
	VXORPD(zero, zero, zero)
	top := across512(highest, VMAXPD)
	VADDSD(zero, top, top)
	VMOVSD(top, result(2))
	bottom, all, k := across512(lowest, VMINPD), ZMM(), K()
	VBROADCASTSD(bottom, all)
	VADDSD(zero, bottom, bottom)
	VMOVSD(bottom, result(1))

	// the last block with the lowest value
	VCMPPD(U8(equal), all, lowest, k)
	VPTERNLOGD(U8(0xff), here, here, here) // -1
	VMOVDQA64(at, k, here)
	half, quarter := YMM(), XMM()
	VEXTRACTI64X4(U8(1), here, half)
	VPMAXSQ(half, here.AsY(), half)
	VEXTRACTI64X2(U8(1), half, quarter)
	VPMAXSQ(quarter, half.AsX(), quarter)
	VPSHUFD(U8(0x4e), quarter, half.AsX())
	VPMAXSQ(quarter, half.AsX(), quarter)
	last := GP64()
	VMOVQ(quarter, last)
	TESTQ(last, last)
	JS(LabelRef("nothing"))

	// the last place in the block
	Load(Param("f"), f)
	Load(Param("n"), n)
	Load(Param("up"), up)
	in, start := GP64(), GP64()
	MOVQ(Mem{Base: up, Index: last, Scale: 8}, in)
	SHLQ(U8(6), last)
	SUBQ(last, n)
	CMPQ(n, Imm(64))
	JGE(LabelRef("whole"))
	BZHIQ(n, in, in)
	Label("whole")
	LEAQ(Mem{Base: f, Index: last, Scale: 8}, start)
	place := equals64(start, in, all)
	BSRQ(place, place)
	ADDQ(last, place)
	Store(place, ReturnIndex(0))
	Label("nothing")
	VZEROUPPER()
	RET()
}

// across512 returns the extreme of eight lanes, none of which is NaN.
func across512(lanes VecVirtual, extreme func(...Op)) VecVirtual {
	half, quarter, odd := YMM(), XMM(), XMM()
	VEXTRACTF64X4(U8(1), lanes, half)
	extreme(lanes.AsY(), half, half)
	VEXTRACTF64X2(U8(1), half, quarter)
	extreme(half.AsX(), quarter, quarter)
	VPERMILPD(U8(1), quarter, odd)
	extreme(odd, quarter, quarter)
	return quarter
}

// equals512 writes the function that searches for a value in a block.
func equals512() {
	TEXT("equalsAVX512", NOSPLIT, "func(f *float64, in uint64, value float64) uint64")
	Pragma("noescape")
	Doc("equalsAVX512 returns the set of those i in a set of places below 64 for which f[i] is value. Others are not read.")
	f, in, value := Load(Param("f"), GP64()), Load(Param("in"), GP64()), ZMM()
	p, err := Param("value").Resolve()
	must(err)
	VBROADCASTSD(p.Addr, value)
	Store(equals64(f, in, value), ReturnIndex(0))
	VZEROUPPER()
	RET()
}

// equals64 returns the set of those of a block's elements in the set in that have the value. It
// overwrites in.
func equals64(f, in Register, value VecVirtual) GPVirtual {
	found := GP64()
	XORQ(found, found)
	for i := range 8 {
		k, part := K(), GP64()
		KMOVB(in.(GP).As32(), k)
		VCMPPD(U8(equal), Mem{Base: f, Disp: 64 * i}, value, k, k)
		KMOVB(k, part.As32())
		if i > 0 {
			SHLQ(U8(uint8(8*i)), part)
		}
		ORQ(part, found)
		SHRQ(U8(8), in)
	}
	return found
}

// Predicates of comparisons; those of floating-point numbers are false for NaN.
const (
	equal          = 0x00
	lessThan       = 0x11
	lessOrEqual    = 0x12
	greaterOrEqual = 0x1d
	greaterThan    = 0x1e
	ordered        = 0x07
	greaterInt     = 6
)

// tail512 returns the set of the first n lanes, n < 8.
func tail512(n Register) Register {
	count, r, k := ECX, GP32(), K()
	MOVL(n.(GP).As32(), count)
	MOVL(U32(1), r)
	SHLL(CL, r)
	DECL(r)
	KMOVB(r, k)
	return k
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func minusOne() Mem { return constant("minusOne", -1) }

// constants are numbers in memory, by name.
var constants = map[string]struct {
	at Mem
	x  float64
}{}

// constant returns a number in memory.
func constant(name string, x float64) Mem {
	c, ok := constants[name]
	if !ok {
		c.at, c.x = ConstData(name, F64(x)), x
		constants[name] = c
	}
	if c.x != x {
		panic("two numbers have the name " + name)
	}
	return c.at
}
