package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// Constants of the passes, see scan.go of the package.
const (
	tau    = 1e-12
	margin = 1 - 0x1p-48
	faint  = 0x1p-900
	steep  = 0x1p126
	near   = 1 - 0x1p-22
	rough  = 1 - 0x1p-12
)

func bits(x float64) U64 { return U64(math.Float64bits(x)) }

// broadcast512 returns x in all lanes.
func broadcast512(x float64) VecVirtual {
	r, z := GP64(), ZMM()
	MOVQ(bits(x), r)
	VPBROADCASTQ(r, z)
	return z
}

// extremes512 writes the update of the gradient with its extremes, or without
// update the extremes alone. Of the lowest value, a lane notes only in which block
// of 64 elements it last was. The last block of all lanes that have it is gone
// through again.
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
	lowest, here, highest := ZMM(), ZMM(), broadcast512(math.Inf(-1)) // of all, of the block
	at, block := ZMM(), ZMM()
	VMOVAPD(infinity, lowest)
	VMOVAPD(infinity, here)
	VPTERNLOGD(U8(0xff), at, at, at) // -1
	VPXORQ(block, block, block)

	// eight elements, of which those in part count
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
		VMINPD(here, v, u, here) // v, or what was there if v is no number
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
	Store(top, ReturnIndex(2))
	bottom, all, k := across512(lowest, VMINPD), ZMM(), K()
	VBROADCASTSD(bottom, all)
	VADDSD(zero, bottom, bottom)
	Store(bottom, ReturnIndex(1))

	// the last block
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

	// the last place in it
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

// equals512 writes the search for a value in a block.
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

// equals64 returns which of a block's elements in a set, which is used up, have a value.
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

// Predicates of comparisons: of floating-point numbers false for NaN.
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

// estimateFrom is the number of variables from which gains are estimated first.
const estimateFrom = 256

// second512 writes the selection of the second variable. With ones it works on
// a/2, which is 1 less the row's element: so near to 0 that tau would count it is
// not, unless it is 0 or less.
//
// Each gain that is larger than those before it costs as much as dozens of others, and a processor
// cannot foresee it. So of many variables gains are estimated first, with approximate inverses, and the
// largest one of each block is kept. Only what may be as large as the largest of all is divided for.
func second512(ones bool) {
	name := pick(ones, "secondOnesAVX512", "secondAVX512")
	if ones {
		TEXT(name, 0, "func(f *float64, row *float32, n int, lowest float64, low *uint64) (j int, gain float64)")
		Doc(name + " is second where all elements of the diagonal are 1; n > 0.")
	} else {
		TEXT(name, 0, "func(f *float64, row *float32, diag *float64, n int, d, lowest float64, low *uint64) (j int, gain float64)")
		Doc(name + " is second; n > 0.")
	}
	Pragma("noescape")
	f, row := Load(Param("f"), GP64()), Load(Param("row"), GP64())
	var diag Register
	if !ones {
		diag = Load(Param("diag"), GP64())
	}
	n, low := Load(Param("n"), GP64()), Load(Param("low"), GP64())
	d, lowest := broadcast512(1), ZMM()
	if !ones {
		p, err := Param("d").Resolve()
		must(err)
		VBROADCASTSD(p.Addr, d)
	}
	p, err := Param("lowest").Resolve()
	must(err)
	VBROADCASTSD(p.Addr, lowest)
	zero, small, minus := ZMM(), broadcast512(tau), broadcast512(math.Inf(-1))
	most, slack := math.MaxFloat64, margin
	if ones {
		small = broadcast512(tau / 2)
		most, slack = math.MaxFloat64/2, 2*margin
	}
	VPXORQ(zero, zero, zero)
	limit := broadcast512(-1) // of num/a, or of num/(a/2)
	best := XMM()
	VMOVAPD(minus.AsX(), best)
	scale, dim, top := broadcast512(slack).AsX(), broadcast512(faint).AsX(), broadcast512(most).AsX()
	j, t := GP64(), GP64()
	MOVQ(I32(-1), j)
	XORQ(t, t)

	// quotient compares num/a of the candidates with the best, and goes on at next
	quotient := func(num, a VecVirtual, candidates Register, disp int, next string) {
		q, half, m, rest := ZMM(), YMM(), XMM(), K()
		if ones {
			VADDPD(a, a, a)
		}
		VDIVPD_Z(a, num, candidates, q)
		VCMPPD(U8(ordered), q, q, candidates, candidates) // no infinity by infinity
		KNOTB(candidates, rest)
		VMOVAPD(minus, rest, q)
		VEXTRACTF64X4(U8(1), q, half)
		VMAXPD(q.AsY(), half, half)
		VEXTRACTF64X2(U8(1), half, m)
		VMAXPD(half.AsX(), m, m)
		odd := XMM()
		VPERMILPD(U8(1), m, odd)
		VMAXSD(odd, m, m)
		VUCOMISD(best, m)
		JCS(LabelRef(next)) // m < best
		VMOVAPD(m, best)
		all, k, lane := ZMM(), K(), GP32()
		VBROADCASTSD(m, all)
		VCMPPD(U8(equal), all, q, candidates, k)
		KMOVB(k, lane)
		BSRL(lane, lane)
		JZ(LabelRef(next)) // no quotient is a number
		LEAQ(Mem{Base: t, Index: lane.As64(), Scale: 1, Disp: disp}, j)
		l := XMM()
		VMINSD(top, m, l)
		VMULSD(scale, l, l)
		VUCOMISD(dim, m)
		JCC(LabelRef(next + "bar")) // m >= faint
		VMOVSD(minusOne(), l)
		Label(next + "bar")
		VBROADCASTSD(l, limit)
	}
	eight := func(disp int, part Register) (num, a VecVirtual, candidates Register) {
		k, v, c := K(), ZMM(), ZMM()
		a = ZMM()
		KMOVB(Mem{Base: low, Disp: disp / 8}, k)
		if part != nil {
			KANDB(part, k, k)
		}
		// what is not in the set is not read, and counts as no gap
		VSUBPD_Z(Mem{Base: f, Index: t, Scale: 8, Disp: 8 * disp}, lowest, k, v)
		VCVTPS2PD_Z(Mem{Base: row, Index: t, Scale: 4, Disp: 4 * disp}, k, c)
		if !ones {
			VADDPD_Z(Mem{Base: diag, Index: t, Scale: 8, Disp: 8 * disp}, d, k, a)
		}
		VCMPPD(U8(lessThan), zero, v, k) // lowest - f < 0
		VMULPD(v, v, v)
		if ones {
			VSUBPD(c, d, a)
			VMAXPD(a, small, a) // a if it is no number
		} else {
			flat := K()
			VADDPD(c, c, c)
			VSUBPD(c, a, a)
			VCMPPD(U8(lessOrEqual), zero, a, flat)
			VMOVAPD(small, flat, a)
		}
		VMULPD(limit, a, c)
		VCMPPD(U8(greaterOrEqual), c, v, k, k)
		return v, a, k
	}
	advance := func(by uint64) {
		ADDQ(Imm(by), t)
		ADDQ(Imm(by/8), low)
		SUBQ(Imm(by), n)
	}
	sixteen := func(name string) {
		num0, a0, k0 := eight(0, nil)
		num1, a1, k1 := eight(8, nil)
		KORTESTB(k0, k1)
		JZ(LabelRef(name + "next"))
		quotient(num0, a0, k0, 0, name+"second")
		Label(name + "second")
		KORTESTB(k1, k1)
		JZ(LabelRef(name + "next"))
		quotient(num1, a1, k1, 8, name+"next")
		Label(name + "next")
		advance(16)
	}
	CMPQ(n, U32(estimateFrom))
	JLT(LabelRef("sixteen"))

	// the largest estimates of some blocks
	const most64 = 64
	kept := AllocLocal(64 * most64)
	Label("some")
	blocks, u, in, to, k8 := GP64(), GP64(), GP64(), GP64(), GP64()
	MOVQ(n, blocks)
	SHRQ(U8(6), blocks)
	JZ(LabelRef("sixteen"))
	MOVQ(U32(most64), k8)
	CMPQ(blocks, k8)
	CMOVQGT(k8, blocks)
	MOVQ(blocks, k8)
	MOVQ(t, u)
	MOVQ(low, in)
	LEAQ(kept, to)
	largest := ZMM()
	VPXORQ(largest, largest, largest)
	Label("estimate")
	here := ZMM()
	VPXORQ(here, here, here)
	for i := 0; i < 64; i += 8 {
		k, v, c, a := K(), ZMM(), ZMM(), ZMM()
		KMOVB(Mem{Base: in, Disp: i / 8}, k)
		VSUBPD_Z(Mem{Base: f, Index: u, Scale: 8, Disp: 8 * i}, lowest, k, v)
		VCVTPS2PD(Mem{Base: row, Index: u, Scale: 4, Disp: 4 * i}, c)
		VMINPD(zero, v, v) // 0 if it is no number
		if ones {
			VSUBPD(c, d, a)
			VMAXPD(a, small, a)
		} else {
			flat := K()
			VADDPD(Mem{Base: diag, Index: u, Scale: 8, Disp: 8 * i}, d, a)
			VADDPD(c, c, c)
			VSUBPD(c, a, a)
			VCMPPD(U8(lessOrEqual), zero, a, flat)
			VMOVAPD(small, flat, a)
		}
		VRCP14PD(a, a)
		VMULPD(v, v, v)
		VMULPD(a, v, v)
		VMAXPD(here, v, here) // what was there if v is no number
	}
	VMOVUPD(here, Mem{Base: to})
	VMAXPD(here, largest, largest)
	ADDQ(Imm(64), to)
	ADDQ(Imm(64), u)
	ADDQ(Imm(8), in)
	DECQ(k8)
	JNZ(LabelRef("estimate"))

	// what may be as large as the largest
	bar, least := across512(largest, VMAXPD), ZMM()
	VBROADCASTSD(minusOne(), least)
	VUCOMISD(constant("faint", faint), bar)
	JCS(LabelRef("barred"))
	VUCOMISD(constant("bright", 1/faint), bar)
	JCC(LabelRef("barred"))
	VMULSD(constant("rough", rough), bar, bar)
	VBROADCASTSD(bar, least)
	VMAXPD(least, limit, limit)
	Label("barred")
	LEAQ(kept, to)
	Label("block")
	may, quarter := K(), GP64()
	VMOVUPD(Mem{Base: to}, here)
	VCMPPD(U8(greaterOrEqual), least, here, may)
	KORTESTB(may, may)
	JZ(LabelRef("skip"))
	MOVQ(U32(4), quarter)
	Label("quarter")
	sixteen("of")
	DECQ(quarter)
	JNZ(LabelRef("quarter"))
	JMP(LabelRef("over"))
	Label("skip")
	advance(64)
	Label("over")
	ADDQ(Imm(64), to)
	DECQ(blocks)
	JNZ(LabelRef("block"))
	JMP(LabelRef("some"))

	Label("sixteen")
	CMPQ(n, Imm(16))
	JLT(LabelRef("eight"))
	sixteen("")
	JMP(LabelRef("sixteen"))
	Label("eight")
	CMPQ(n, Imm(8))
	JLT(LabelRef("rest"))
	num, a, k := eight(0, nil)
	KORTESTB(k, k)
	JZ(LabelRef("last"))
	quotient(num, a, k, 0, "last")
	Label("last")
	advance(8)
	Label("rest")
	TESTQ(n, n)
	JZ(LabelRef("done"))
	num, a, k = eight(0, tail512(n))
	KORTESTB(k, k)
	JZ(LabelRef("done"))
	quotient(num, a, k, 0, "done")
	Label("done")
	Store(j, ReturnIndex(0))
	Store(best, ReturnIndex(1))
	VZEROUPPER()
	RET()
}

func minusOne() Mem { return constant("minusOne", -1) }

var constants = map[string]Mem{}

// constant returns a number in memory.
func constant(name string, x float64) Mem {
	if _, ok := constants[name]; !ok {
		constants[name] = ConstData(name, F64(x))
	}
	return constants[name]
}
