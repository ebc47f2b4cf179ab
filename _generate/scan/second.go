package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// secondOperands loads the operands that all selections of the second variable have.
func secondOperands(ones bool) (f, row, diag, n, low Register) {
	f, row = Load(Param("f"), GP64()), Load(Param("row"), GP64())
	if !ones {
		diag = Load(Param("diag"), GP64())
	}
	n, low = Load(Param("n"), GP64()), Load(Param("low"), GP64())
	return f, row, diag, n, low
}

// secondText begins the function.
func secondText(what string, ones bool, level, n string) {
	name := what + pick(ones, "Ones", "") + level
	with := pick(what == "above", "lowest, least", "lowest") + " float64, low *uint64) (j int, gain float64)"
	if ones {
		TEXT(name, NOSPLIT, "func(f *float64, row *float32, n int, "+with)
	} else {
		TEXT(name, NOSPLIT, "func(f *float64, row *float32, diag *float64, n int, d, "+with)
	}
	doc := " is " + what
	if ones {
		doc += " where all elements of the diagonal are 1"
	}
	Doc(name + doc + "; " + n + ".")
	Pragma("noescape")
}

// second512 writes the function that selects the second variable. With ones it works with a/2,
// which is 1 less the row's element. Unless a/2 is 0 or less, it is too far from 0 for tau to
// matter.
//
// Each gain that is larger than all before it costs as much as dozens of others, as a processor
// cannot predict it; the functions of above avoid this.
func second512(ones bool) {
	secondText("second", ones, "AVX512", "n > 0")
	f, row, diag, n, low := secondOperands(ones)
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
	scale, dim, top := broadcast512(slack).AsX(), broadcast512(faint).AsX(), broadcast512(most).AsX()
	limit := broadcast512(-1) // the limit of num/a, or of num/(a/2)
	best := XMM()
	VMOVAPD(minus.AsX(), best)
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
		VCMPPD(U8(ordered), q, q, candidates, candidates) // not for infinity / infinity
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
		JZ(LabelRef(next)) // all quotients are NaN
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
		// elements outside the set are not read, and count as without a gap
		VSUBPD_Z(Mem{Base: f, Index: t, Scale: 8, Disp: 8 * disp}, lowest, k, v)
		VCVTPS2PD_Z(Mem{Base: row, Index: t, Scale: 4, Disp: 4 * disp}, k, c)
		if !ones {
			VADDPD_Z(Mem{Base: diag, Index: t, Scale: 8, Disp: 8 * disp}, d, k, a)
		}
		VCMPPD(U8(lessThan), zero, v, k) // lowest - f < 0
		VMULPD(v, v, v)
		if ones {
			VSUBPD(c, d, a)
			VMAXPD(a, small, a) // a if it is NaN
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
	VMOVSD(best, result(1))
	VZEROUPPER()
	RET()
}

// second2 writes the function that selects the second variable, for multiples of eight elements.
// With ones it looks for candidates by a/2, as second512 does. There are few of them: each is
// compared by itself.
func second2(ones bool) {
	secondText("second", ones, "AVX2", "n is a positive multiple of 8")
	f, row, diag, n, low := secondOperands(ones)
	d, lowest := YMM(), YMM()
	dAt := constant("two", 2)
	if !ones {
		p, err := Param("d").Resolve()
		must(err)
		dAt = p.Addr
	}
	p, err := Param("lowest").Resolve()
	must(err)
	VBROADCASTSD(p.Addr, lowest)
	zero, limit := YMM(), broadcast2(-1) // the limit of num/a, or of num/(a/2)
	VXORPD(zero, zero, zero)
	var small VecVirtual
	most, slack := constant("most", math.MaxFloat64), constant("margin", margin)
	if ones {
		d, small = broadcast2(1), broadcast2(tau/2)
		most, slack = constant("halfMost", math.MaxFloat64/2), constant("twiceMargin", 2*margin)
	} else {
		VBROADCASTSD(dAt, d)
		small = broadcast2(tau)
	}
	best := broadcast2(math.Inf(-1)).AsX()
	j, t := GP64(), GP64()
	MOVQ(I32(-1), j)
	XORQ(t, t)

	// some writes the code for some groups of four elements
	some := func(groups int, label string) {
		word := YMM()
		if groups == 2 {
			VPBROADCASTB(Mem{Base: low}, word)
		} else {
			VPBROADCASTW(Mem{Base: low}, word)
		}
		any, candidates := YMM(), make([]VecVirtual, groups)
		for i := range candidates {
			v, c, a := YMM(), YMM(), YMM()
			VSUBPD(Mem{Base: f, Index: t, Scale: 8, Disp: 32 * i}, lowest, v) // below 0 where there is a gap
			VCVTPS2PD(Mem{Base: row, Index: t, Scale: 4, Disp: 16 * i}, c)
			candidates[i] = inSet2(word, i)
			VANDPD(v, candidates[i], candidates[i])
			if ones {
				VSUBPD(c, d, a)
				VMAXPD(a, small, a) // a if it is NaN
			} else {
				VADDPD(c, c, c)
				VADDPD(Mem{Base: diag, Index: t, Scale: 8, Disp: 32 * i}, d, a)
				VSUBPD(c, a, a)
				VCMPPD(U8(lessOrEqual), zero, a, c)
				VBLENDVPD(c, small, a, a)
			}
			VMULPD(limit, a, a)
			VMULPD(v, v, v)
			VCMPPD(U8(greaterOrEqual), a, v, c)
			VANDPD(c, candidates[i], candidates[i])
			switch i {
			case 0:
			case 1:
				VORPD(candidates[0], candidates[1], any)
			default:
				VORPD(candidates[i], any, any)
			}
		}
		VTESTPD(any, any)
		JZ(LabelRef(label + "Next"))
		found := GP32()
		for i := groups - 1; i >= 0; i-- {
			four := GP32()
			VMOVMSKPD(candidates[i], four)
			if i == groups-1 {
				MOVL(four, found)
				continue
			}
			SHLL(U8(4), found)
			ORL(four, found)
		}
		Label(label + "Candidate")
		at := GP64()
		BSFL(found, at.As32())
		ADDQ(t, at)
		gap, a, q := XMM(), XMM(), XMM()
		VMOVSD(Mem{Base: f, Index: at, Scale: 8}, gap)
		VSUBSD(lowest.AsX(), gap, gap)
		VUCOMISD(zero.AsX(), gap)
		JLS(LabelRef(label + "Done")) // not gap > 0
		VMULSD(gap, gap, gap)
		VXORPS(q, q, q)
		VCVTSS2SD(Mem{Base: row, Index: at, Scale: 4}, q, q)
		VADDSD(q, q, q)
		VMOVSD(dAt, a)
		if !ones {
			VADDSD(Mem{Base: diag, Index: at, Scale: 8}, a, a)
		}
		VSUBSD(q, a, a)
		VUCOMISD(zero.AsX(), a)
		JHI(LabelRef(label + "Curved")) // a > 0
		VMOVSD(constant("tau", tau), a)
		Label(label + "Curved")
		VDIVSD(a, gap, q)
		VUCOMISD(best, q)
		JCS(LabelRef(label + "Done")) // q < best, or q is NaN
		VMOVAPD(q, best)
		MOVQ(at, j)
		VMINSD(most, q, q)
		VMULSD(slack, q, q)
		VUCOMISD(constant("faint", faint), best)
		JCC(LabelRef(label + "Bar")) // best >= faint
		VMOVSD(minusOne(), q)
		Label(label + "Bar")
		VBROADCASTSD(q, limit)
		Label(label + "Done")
		rest := GP32()
		LEAL(Mem{Base: found.As64(), Disp: -1}, rest)
		ANDL(rest, found)
		JNZ(LabelRef(label + "Candidate"))
		Label(label + "Next")
		ADDQ(Imm(uint64(4*groups)), t)
		ADDQ(Imm(uint64(groups/2)), low)
		SUBQ(Imm(uint64(4*groups)), n)
	}
	Label("sixteen")
	CMPQ(n, Imm(16))
	JLT(LabelRef("eight"))
	some(4, "sixteen")
	JMP(LabelRef("sixteen"))
	Label("eight")
	TESTQ(n, n)
	JZ(LabelRef("done"))
	some(2, "eight")
	Label("done")
	Store(j, ReturnIndex(0))
	VMOVSD(best, result(1))
	VZEROUPPER()
	RET()
}
