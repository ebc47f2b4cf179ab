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
	MOVQ(r, y.AsX())
	VBROADCASTSD(y.AsX(), y)
	return y
}

// nibbles is a table of the 16 sets of four lanes as masks.
var nibbles = func() Mem { return Mem{} }

// table returns the address of the masks of four lanes.
func table() Register {
	r := GP64()
	LEAQ(nibbles(), r)
	return r
}

func init() {
	var data Mem
	nibbles = func() Mem {
		if data.Symbol.Name == "" {
			data = GLOBL("nibbles", RODATA|NOPTR)
			for set := range 16 {
				for lane := range 4 {
					DATA(32*set+8*lane, I64(-int64(set>>lane&1)))
				}
			}
		}
		return data
	}
}

// mask2 returns four of the eight positions from t on in a set as a mask, the
// first or the second four. at is t/8.
func mask2(set, at, sets Register, i int) Mem {
	four := GP64()
	MOVBQZX(Mem{Base: set, Index: at, Scale: 1}, four)
	if i == 0 {
		ANDQ(Imm(15), four)
	} else {
		SHRQ(U8(4), four)
	}
	SHLQ(U8(5), four)
	return Mem{Base: sets, Index: four, Scale: 1}
}

// chain2 is one of the chains of minima and maxima that run side by side, so
// that one need not wait for the other.
type chain2 struct{ lowest, at, highest, index VecVirtual }

// extremes2 writes the update of the gradient with its extremes, or without
// update the extremes alone, for multiples of eight elements.
func extremes2(update bool) {
	name := pick(update, "stepAVX2", "lookAVX2")
	if update {
		TEXT(name, NOSPLIT, "func(f *float64, x, y *float32, n int, dx, dy float64, up, low *uint64, ends *[16]float64, at *[8]int64)")
		Pragma("noescape")
	} else {
		TEXT(name, NOSPLIT, "func(f *float64, n int, up, low *uint64, ends *[16]float64, at *[8]int64)")
		Pragma("noescape")
	}
	Doc(name + " is " + pick(update, "step", "look") + "; n is a positive multiple of 8. The extremes of the lanes go to ends, lowest first, and to at.")
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
	sets := table()
	minus := broadcast2(math.Inf(-1))
	var c [2]chain2
	index := GLOBL(name+"Index", RODATA|NOPTR)
	for i := range 8 {
		DATA(8*i, U64(uint64(i)))
	}
	for i := range c {
		c[i] = chain2{broadcast2(math.Inf(1)), YMM(), YMM(), YMM()}
		VMOVAPD(minus, c[i].highest)
		VPCMPEQQ(c[i].at, c[i].at, c[i].at) // -1
		VMOVDQU(index.Offset(32*i), c[i].index)
	}
	step, r := YMM(), GP64()
	MOVQ(U32(8), r)
	MOVQ(r, step.AsX())
	VPBROADCASTQ(step.AsX(), step)
	t, at := GP64(), GP64()
	XORQ(t, t)
	Label("eight")
	MOVQ(t, at)
	SHRQ(U8(3), at)
	for i := range c {
		v := YMM()
		if update {
			b := YMM()
			VCVTPS2PD(Mem{Base: x, Index: t, Scale: 4, Disp: 16 * i}, v)
			VCVTPS2PD(Mem{Base: y, Index: t, Scale: 4, Disp: 16 * i}, b)
			VMULPD(dx, v, v)
			VMULPD(dy, b, b)
			VADDPD(b, v, v)
			VADDPD(Mem{Base: f, Index: t, Scale: 8, Disp: 32 * i}, v, v)
			VMOVUPD(v, Mem{Base: f, Index: t, Scale: 8, Disp: 32 * i})
		} else {
			VMOVUPD(Mem{Base: f, Index: t, Scale: 8, Disp: 32 * i}, v)
		}
		// v <= lowest, in I_up
		hit := YMM()
		VCMPPD(U8(lessOrEqual), c[i].lowest, v, hit)
		VANDPD(mask2(up, at, sets, i), hit, hit)
		VBLENDVPD(hit, v, c[i].lowest, c[i].lowest)
		VBLENDVPD(hit, c[i].index, c[i].at, c[i].at)
		in := YMM()
		VMOVUPD(mask2(low, at, sets, i), in)
		VBLENDVPD(in, v, minus, v)
		VMAXPD(c[i].highest, v, c[i].highest)
		VPADDQ(step, c[i].index, c[i].index)
	}
	ADDQ(Imm(8), t)
	SUBQ(Imm(8), n)
	JNZ(LabelRef("eight"))
	ends, positions := Load(Param("ends"), GP64()), Load(Param("at"), GP64())
	for i := range c {
		VMOVUPD(c[i].lowest, Mem{Base: ends, Disp: 32 * i})
		VMOVUPD(c[i].highest, Mem{Base: ends, Disp: 64 + 32*i})
		VMOVDQU(c[i].at, Mem{Base: positions, Disp: 32 * i})
	}
	VZEROUPPER()
	RET()
}

// second2 writes the selection of the second variable, for multiples of eight
// elements.
func second2(ones bool) {
	name := pick(ones, "secondOnesAVX2", "secondAVX2")
	if ones {
		TEXT(name, NOSPLIT, "func(f *float64, row *float32, n int, d, lowest float64, low *uint64) (j int, gain float64)")
		Pragma("noescape")
		Doc(name + " is second where d is the sum of both elements of the diagonal; n is a positive multiple of 8.")
	} else {
		TEXT(name, NOSPLIT, "func(f *float64, row *float32, diag *float64, n int, d, lowest float64, low *uint64) (j int, gain float64)")
		Pragma("noescape")
		Doc(name + " is second; n is a positive multiple of 8.")
	}
	f, row := Load(Param("f"), GP64()), Load(Param("row"), GP64())
	var diag Register
	if !ones {
		diag = Load(Param("diag"), GP64())
	}
	n, low := Load(Param("n"), GP64()), Load(Param("low"), GP64())
	d, lowest := YMM(), YMM()
	p, err := Param("d").Resolve()
	must(err)
	VBROADCASTSD(p.Addr, d)
	p, err = Param("lowest").Resolve()
	must(err)
	VBROADCASTSD(p.Addr, lowest)
	sets := table()
	zero, small, minus, limit := YMM(), broadcast2(tau), broadcast2(math.Inf(-1)), broadcast2(-1)
	VXORPD(zero, zero, zero)
	best := XMM()
	VMOVAPD(minus.AsX(), best)
	j, t, at := GP64(), GP64(), GP64()
	MOVQ(I32(-1), j)
	XORQ(t, t)
	Label("eight")
	MOVQ(t, at)
	SHRQ(U8(3), at)
	for i := range 2 {
		next := pick(i == 0, "second", "next")
		v, c, a, k := YMM(), YMM(), YMM(), YMM()
		VMOVUPD(Mem{Base: f, Index: t, Scale: 8, Disp: 32 * i}, v)
		VSUBPD(lowest, v, v) // gap
		VCMPPD(U8(greaterThan), zero, v, k)
		VANDPD(mask2(low, at, sets, i), k, k)
		VMULPD(v, v, v)
		VCVTPS2PD(Mem{Base: row, Index: t, Scale: 4, Disp: 16 * i}, c)
		VADDPD(c, c, c)
		if ones {
			VSUBPD(c, d, a)
		} else {
			VADDPD(Mem{Base: diag, Index: t, Scale: 8, Disp: 32 * i}, d, a)
			VSUBPD(c, a, a)
		}
		VCMPPD(U8(lessOrEqual), zero, a, c)
		VBLENDVPD(c, small, a, a)
		VMULPD(limit, a, c)
		VCMPPD(U8(greaterOrEqual), c, v, c)
		VANDPD(c, k, k)
		VTESTPD(k, k)
		JZ(LabelRef(next))
		q, m, odd := YMM(), XMM(), XMM()
		VDIVPD(a, v, q)
		VCMPPD(U8(ordered), q, q, c) // no infinity by infinity
		VANDPD(c, k, k)
		VBLENDVPD(k, q, minus, q)
		VEXTRACTF128(U8(1), q, m)
		VMAXPD(q.AsX(), m, m)
		VPERMILPD(U8(1), m, odd)
		VMAXSD(odd, m, m)
		VUCOMISD(best, m)
		JCS(LabelRef(next)) // m < best
		VMOVAPD(m, best)
		VBROADCASTSD(m, c)
		VCMPPD(U8(equal), c, q, c)
		VANDPD(k, c, c)
		lane := GP32()
		VMOVMSKPD(c, lane)
		BSRL(lane, lane)
		JZ(LabelRef(next)) // no quotient is a number
		LEAQ(Mem{Base: t, Index: lane.As64(), Scale: 1, Disp: 4 * i}, j)
		l := XMM()
		VMINSD(constant("most", math.MaxFloat64), m, l)
		VMULSD(constant("margin", margin), l, l)
		VUCOMISD(constant("faint", faint), m)
		JCC(LabelRef(next + "bar")) // m >= faint
		VMOVSD(minusOne(), l)
		Label(next + "bar")
		VBROADCASTSD(l, limit)
		Label(next)
	}
	ADDQ(Imm(8), t)
	SUBQ(Imm(8), n)
	JNZ(LabelRef("eight"))
	Store(j, ReturnIndex(0))
	Store(best, ReturnIndex(1))
	VZEROUPPER()
	RET()
}

// add2 writes f += c row, for multiples of eight elements.
func add2() {
	TEXT("addAVX2", NOSPLIT, "func(f *float64, row *float32, n int, c float64)")
	Pragma("noescape")
	Doc("addAVX2 is add; n is a positive multiple of 8.")
	f, row, n := Load(Param("f"), GP64()), Load(Param("row"), GP64()), Load(Param("n"), GP64())
	c := YMM()
	p, err := Param("c").Resolve()
	must(err)
	VBROADCASTSD(p.Addr, c)
	t := GP64()
	XORQ(t, t)
	Label("eight")
	for i := range 2 {
		v := YMM()
		VCVTPS2PD(Mem{Base: row, Index: t, Scale: 4, Disp: 16 * i}, v)
		VMULPD(c, v, v)
		VADDPD(Mem{Base: f, Index: t, Scale: 8, Disp: 32 * i}, v, v)
		VMOVUPD(v, Mem{Base: f, Index: t, Scale: 8, Disp: 32 * i})
	}
	ADDQ(Imm(8), t)
	SUBQ(Imm(8), n)
	JNZ(LabelRef("eight"))
	VZEROUPPER()
	RET()
}
