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
)

func bits(x float64) Op { return U64(math.Float64bits(x)) }

// broadcast512 returns x in all lanes.
func broadcast512(x float64) VecVirtual {
	r, z := GP64(), ZMM()
	MOVQ(bits(x), r)
	VPBROADCASTQ(r, z)
	return z
}

// counter512 returns the lanes' numbers, from first on.
func counter512(name string, first int) VecVirtual {
	data := GLOBL(name, RODATA|NOPTR)
	for i := range 8 {
		DATA(8*i, U64(uint64(first+i)))
	}
	z := ZMM()
	VMOVDQU64(data, z)
	return z
}

// chain512 is one of the chains of minima and maxima that run side by side, so
// that one need not wait for the other.
type chain512 struct{ lowest, at, highest, index VecVirtual }

// extremes512 writes the update of the gradient with its extremes, or without
// update the extremes alone.
func extremes512(update bool) {
	name := pick(update, "stepAVX512", "lookAVX512")
	if update {
		TEXT(name, NOSPLIT, "func(f *float64, x, y *float32, n int, dx, dy float64, up, low *uint64, ends *[16]float64, at *[8]int64)")
		Doc(name + " is step; n > 0. The extremes of the lanes go to ends, lowest first, and to at.")
	} else {
		TEXT(name, NOSPLIT, "func(f *float64, n int, up, low *uint64, ends *[16]float64, at *[8]int64)")
		Doc(name + " is look; n > 0. The extremes of the lanes go to ends, lowest first, and to at.")
	}
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
	infinity, minus := broadcast512(math.Inf(1)), broadcast512(math.Inf(-1))
	absent := ZMM()
	VPTERNLOGD(U8(0xff), absent, absent, absent) // -1
	both := broadcast512(0)
	r := GP64()
	MOVQ(U32(16), r)
	VPBROADCASTQ(r, both)
	var c [2]chain512
	for i := range c {
		c[i] = chain512{ZMM(), ZMM(), ZMM(), ZMM()}
		VMOVAPD(infinity, c[i].lowest)
		VMOVAPD(minus, c[i].highest)
		VMOVDQA64(absent, c[i].at)
		VMOVDQA64(counter512(name+pick(i == 0, "0", "8"), 8*i), c[i].index)
	}
	t, at := GP64(), GP64()
	XORQ(t, t)

	// eight elements from t+8*i on, of which those in part count
	eight := func(i int, c chain512, part Register) {
		v, b := ZMM(), ZMM()
		k, u := K(), K()
		off := 8 * i
		// load under part, or all
		MOVQ(t, at)
		SHRQ(U8(3), at)
		KMOVB(Mem{Base: up, Index: at, Scale: 1, Disp: i}, u)
		if part != nil {
			KANDB(part, u, u)
		}
		if update {
			if part != nil {
				VCVTPS2PD_Z(Mem{Base: x, Index: t, Scale: 4, Disp: 4 * off}, part, v)
				VCVTPS2PD_Z(Mem{Base: y, Index: t, Scale: 4, Disp: 4 * off}, part, b)
			} else {
				VCVTPS2PD(Mem{Base: x, Index: t, Scale: 4, Disp: 4 * off}, v)
				VCVTPS2PD(Mem{Base: y, Index: t, Scale: 4, Disp: 4 * off}, b)
			}
			VMULPD(dx, v, v)
			VMULPD(dy, b, b)
			VADDPD(b, v, v)
			if part != nil {
				g := ZMM()
				VMOVUPD_Z(Mem{Base: f, Index: t, Scale: 8, Disp: 8 * off}, part, g)
				VADDPD(g, v, v)
				VMOVUPD(v, part, Mem{Base: f, Index: t, Scale: 8, Disp: 8 * off})
			} else {
				VADDPD(Mem{Base: f, Index: t, Scale: 8, Disp: 8 * off}, v, v)
				VMOVUPD(v, Mem{Base: f, Index: t, Scale: 8, Disp: 8 * off})
			}
		} else if part != nil {
			VMOVUPD_Z(Mem{Base: f, Index: t, Scale: 8, Disp: 8 * off}, part, v)
		} else {
			VMOVUPD(Mem{Base: f, Index: t, Scale: 8, Disp: 8 * off}, v)
		}
		VCMPPD(U8(lessOrEqual), c.lowest, v, u, k) // v <= lowest
		VMOVAPD(v, k, c.lowest)
		VMOVDQA64(c.index, k, c.at)
		l := K()
		KMOVB(Mem{Base: low, Index: at, Scale: 1, Disp: i}, l)
		if part != nil {
			KANDB(part, l, l)
		}
		VMAXPD(c.highest, v, l, c.highest)
		VPADDQ(both, c.index, c.index)
	}
	Label("sixteen")
	CMPQ(n, Imm(16))
	JLT(LabelRef("eight"))
	eight(0, c[0], nil)
	eight(1, c[1], nil)
	ADDQ(Imm(16), t)
	SUBQ(Imm(16), n)
	JMP(LabelRef("sixteen"))

	Label("eight")
	// the second chain's positions lie between those of the first: merge by
	// value, then position; what follows is behind both
	CMPQ(n, Imm(8))
	JLT(LabelRef("rest"))
	eight(0, c[0], nil)
	VMOVDQA64(c[1].index, c[0].index) // the next eight, if any
	ADDQ(Imm(8), t)
	SUBQ(Imm(8), n)
	Label("rest")
	TESTQ(n, n)
	JZ(LabelRef("merge"))
	eight(0, c[0], tail512(n))
	Label("merge")
	less, same, later := K(), K(), K()
	VCMPPD(U8(lessThan), c[0].lowest, c[1].lowest, less)
	VCMPPD(U8(equal), c[0].lowest, c[1].lowest, same)
	VPCMPQ(U8(greaterInt), c[0].at, c[1].at, same, later) // at[1] > at[0]
	KORB(less, later, less)
	VMOVAPD(c[1].lowest, less, c[0].lowest)
	VMOVDQA64(c[1].at, less, c[0].at)
	VMAXPD(c[0].highest, c[1].highest, c[0].highest)
	ends, positions := Load(Param("ends"), GP64()), Load(Param("at"), GP64())
	VMOVUPD(c[0].lowest, Mem{Base: ends})
	VMOVUPD(c[0].highest, Mem{Base: ends, Disp: 64})
	VMOVDQU64(c[0].at, Mem{Base: positions})
	VZEROUPPER()
	RET()
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

// second512 writes the selection of the second variable.
func second512(ones bool) {
	name := pick(ones, "secondOnesAVX512", "secondAVX512")
	if ones {
		TEXT(name, NOSPLIT, "func(f *float64, row *float32, n int, d, lowest float64, low *uint64) (j int, gain float64)")
		Doc(name + " is second where d is the sum of both elements of the diagonal; n > 0.")
	} else {
		TEXT(name, NOSPLIT, "func(f *float64, row *float32, diag *float64, n int, d, lowest float64, low *uint64) (j int, gain float64)")
		Doc(name + " is second; n > 0.")
	}
	f, row := Load(Param("f"), GP64()), Load(Param("row"), GP64())
	var diag Register
	if !ones {
		diag = Load(Param("diag"), GP64())
	}
	n, low := Load(Param("n"), GP64()), Load(Param("low"), GP64())
	d, lowest := ZMM(), ZMM()
	p, err := Param("d").Resolve()
	must(err)
	VBROADCASTSD(p.Addr, d)
	p, err = Param("lowest").Resolve()
	must(err)
	VBROADCASTSD(p.Addr, lowest)
	zero, small, minus := ZMM(), broadcast512(tau), broadcast512(math.Inf(-1))
	VPXORQ(zero, zero, zero)
	limit := broadcast512(-1)
	best := XMM()
	VMOVAPD(minus.AsX(), best)
	scale, dim, most := broadcast512(margin).AsX(), broadcast512(faint).AsX(), broadcast512(math.MaxFloat64).AsX()
	j, t, at := GP64(), GP64(), GP64()
	MOVQ(I32(-1), j)
	XORQ(t, t)

	// quotient compares num/a of the candidates with the best, and goes on at next
	quotient := func(num, a VecVirtual, candidates Register, disp int, next string) {
		q, half, m, rest := ZMM(), YMM(), XMM(), K()
		VDIVPD_Z(a, num, candidates, q)
		VCMPPD(U8(ordered), q, q, candidates, candidates) // no infinity by infinity
		KNOTB(candidates, rest)
		VMOVAPD(minus, rest, q)
		VEXTRACTF64X4(U8(1), q, half)
		VMAXPD(q.AsY(), half, half)
		VEXTRACTF128(U8(1), half, m)
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
		VMINSD(most, m, l)
		VMULSD(scale, l, l)
		VUCOMISD(dim, m)
		JCC(LabelRef(next + "bar")) // m >= faint
		VMOVSD(minusOne(), l)
		Label(next + "bar")
		VBROADCASTSD(l, limit)
	}
	eight := func(disp int, part Register, label string) (num, a VecVirtual, candidates Register) {
		k, v, c := K(), ZMM(), ZMM()
		a = ZMM()
		MOVQ(t, at)
		SHRQ(U8(3), at)
		KMOVB(Mem{Base: low, Index: at, Scale: 1, Disp: disp / 8}, k)
		if part != nil {
			KANDB(part, k, k)
		}
		// what is not in the set is not read
		VMOVUPD_Z(Mem{Base: f, Index: t, Scale: 8, Disp: 8 * disp}, k, v)
		VSUBPD(lowest, v, v) // gap
		VCMPPD(U8(greaterThan), zero, v, k, k)
		VMULPD(v, v, v)
		VCVTPS2PD_Z(Mem{Base: row, Index: t, Scale: 4, Disp: 4 * disp}, k, c)
		VADDPD(c, c, c)
		if ones {
			VSUBPD(c, d, a)
		} else {
			VADDPD_Z(Mem{Base: diag, Index: t, Scale: 8, Disp: 8 * disp}, d, k, a)
			VSUBPD(c, a, a)
		}
		flat := K()
		VCMPPD(U8(lessOrEqual), zero, a, flat)
		VMOVAPD(small, flat, a)
		VMULPD(limit, a, c)
		VCMPPD(U8(greaterOrEqual), c, v, k, k)
		return v, a, k
	}
	Label("eight")
	CMPQ(n, Imm(8))
	JLT(LabelRef("rest"))
	num, a, k := eight(0, nil, "eight")
	KORTESTB(k, k)
	JZ(LabelRef("next"))
	quotient(num, a, k, 0, "next")
	Label("next")
	ADDQ(Imm(8), t)
	SUBQ(Imm(8), n)
	JMP(LabelRef("eight"))
	Label("rest")
	TESTQ(n, n)
	JZ(LabelRef("done"))
	num, a, k = eight(0, tail512(n), "rest")
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

// add512 writes f += c row.
func add512() {
	TEXT("addAVX512", NOSPLIT, "func(f *float64, row *float32, n int, c float64)")
	Doc("addAVX512 is add; n > 0.")
	f, row, n := Load(Param("f"), GP64()), Load(Param("row"), GP64()), Load(Param("n"), GP64())
	c := ZMM()
	p, err := Param("c").Resolve()
	must(err)
	VBROADCASTSD(p.Addr, c)
	t := GP64()
	XORQ(t, t)
	Label("eight")
	CMPQ(n, Imm(8))
	JLT(LabelRef("rest"))
	v := ZMM()
	VCVTPS2PD(Mem{Base: row, Index: t, Scale: 4}, v)
	VMULPD(c, v, v)
	VADDPD(Mem{Base: f, Index: t, Scale: 8}, v, v)
	VMOVUPD(v, Mem{Base: f, Index: t, Scale: 8})
	ADDQ(Imm(8), t)
	SUBQ(Imm(8), n)
	JMP(LabelRef("eight"))
	Label("rest")
	TESTQ(n, n)
	JZ(LabelRef("done"))
	k := tail512(n)
	w, g := ZMM(), ZMM()
	VCVTPS2PD_Z(Mem{Base: row, Index: t, Scale: 4}, k, w)
	VMULPD(c, w, w)
	VMOVUPD_Z(Mem{Base: f, Index: t, Scale: 8}, k, g)
	VADDPD(g, w, w)
	VMOVUPD(w, k, Mem{Base: f, Index: t, Scale: 8})
	Label("done")
	VZEROUPPER()
	RET()
}
