package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// Problem: choose the second variable of a pair, given a lower bound of the largest gain.
//
// Method: few elements reach the bound. A processor can predict neither which ones do nor which of
// these are better than those before them. So there are no branches: the elements that may reach
// the bound are noted in a set, and the gains of the set's elements are compared without a branch.
// The best gain so far is a better bound for the elements behind: in data with many equal rows, a
// quarter of all elements reach the first one.

// keptWords is the number of words of the set; more elements are worked on in parts, one after the
// other.
const keptWords = 8

// above writes the function for AVX-512 or AVX2. With AVX2, n is a multiple of 8.
func above(ones, wide bool) {
	secondText("above", ones, pick(wide, "AVX512", "AVX2"), pick(wide, "n > 0", "n is a positive multiple of 8"))
	f, row, diag, n, low := secondOperands(ones)
	w := &walk{wide: wide}
	number := func(name string) Mem {
		p, err := Param(name).Resolve()
		must(err)
		return p.Addr
	}
	lowest, limit, two := w.broadcast(number("lowest")), w.vector(), w.broadcast(constant("two", 2))
	// the limit of num/a, or of num/(a/2)
	VMOVSD(number("least"), limit.AsX())
	scale, top := constant(pick(ones, "twiceMargin", "margin"), pick(ones, 2*margin, margin)), constant("bright", 1/faint)
	VMULSD(scale, limit.AsX(), limit.AsX())
	VBROADCASTSD(limit.AsX(), limit)
	d, zero, best, tauAt := two, w.vector(), XMM(), constant("tau", tau)
	if !ones {
		d = w.broadcast(number("d"))
	}
	w.clear(zero)
	begin, j := GP64(), GP64()
	MOVQ(bits(math.Inf(-1)), j)
	VMOVQ(j, best)
	XORQ(begin, begin)
	MOVQ(I32(-1), j)
	kept := AllocLocal(8 * keptWords)

	// some returns which elements of p may reach the bound: as signs of lanes, with AVX-512 as a
	// set. Elements with NaN may be among them.
	some := func(p part, there Register) (signs VecVirtual, set Register) {
		v, c := w.vector(), w.vector()
		if there == nil {
			VSUBPD(p.doubles(f), lowest, v) // below 0 where there is a gap
			VCVTPS2PD(p.values(row), c)
		} else { // elements outside the mask are not read
			VSUBPD_Z(p.doubles(f), lowest, there, v)
			VCVTPS2PD_Z(p.values(row), there, c)
		}
		if ones {
			// limit a/2 - num. margin makes up for errors of its sign: limit a/2 is rounded once
			// and num, in the fused operation, not at all. Nor is limit a/2 so small that it is
			// rounded coarsely: where a > 0, it is at least 2^-23.
			VFNMADD213PD(limit, limit, c)
			VFNMADD231PD(v, v, c)
			VANDPD(v, c, c)
			if wide {
				set = K()
				VPMOVQ2M(c, set)
			}
			return c, set
		}
		a, num := w.vector(), w.vector()
		if there == nil {
			VADDPD(p.doubles(diag), d, a)
		} else {
			VADDPD_Z(p.doubles(diag), d, there, a)
		}
		VFNMADD231PD(two, c, a)
		VMULPD(v, v, num)
		VMULPD(limit, a, a)
		if wide {
			set = K()
			VCMPPD(U8(lessThan), zero, v, set)
			VCMPPD(U8(greaterOrEqual), a, num, set, set)
		} else {
			VCMPPD(U8(greaterOrEqual), a, num, a)
			VANDPD(v, a, a)
		}
		return a, set
	}
	// eight notes which of eight elements may reach the bound.
	eight := func(i int, at, to, there Register) {
		if wide {
			_, set := some(part{at, nil, i}, there)
			KMOVB(set, Mem{Base: to, Disp: i / 8})
			return
		}
		four := [2]GPVirtual{GP32(), GP32()}
		for h := range four {
			signs, _ := some(part{at, nil, i + 4*h}, nil)
			VMOVMSKPD(signs, four[h])
		}
		SHLL(U8(4), four[1])
		ORL(four[1], four[0])
		MOVB(four[0].As8(), Mem{Base: to, Disp: i / 8})
	}

	Label("some")
	words, t, to, word := GP64(), GP64(), GP64(), GP64()
	MOVQ(begin, t)
	LEAQ(kept, to)
	MOVQ(U32(keptWords), words)
	Label("word")
	MOVQ(n, word)
	SUBQ(t, word)
	JLE(LabelRef("noted"))
	CMPQ(word, Imm(64))
	JLT(LabelRef("rest"))
	set := GP64()
	MOVQ(Mem{Base: low}, set)
	TESTQ(set, set)
	JZ(LabelRef("empty")) // as where a class has not moved
	for i := 0; i < 64; i += 8 {
		eight(i, t, to, nil)
	}
	ANDQ(Mem{Base: to}, set)
	Label("empty")
	MOVQ(set, Mem{Base: to})
	ADDQ(Imm(8), low)
	ADDQ(Imm(8), to)
	ADDQ(Imm(64), t)
	DECQ(words)
	JNZ(LabelRef("word"))
	JMP(LabelRef("noted"))

	Label("rest")
	MOVQ(U32(0), Mem{Base: to})
	at, into := GP64(), GP64()
	MOVQ(t, at)
	MOVQ(to, into)
	Label("eight")
	CMPQ(word, Imm(8))
	JLT(LabelRef("part"))
	eight(0, at, into, nil)
	ADDQ(Imm(8), at)
	INCQ(into)
	SUBQ(Imm(8), word)
	JMP(LabelRef("eight"))
	Label("part")
	TESTQ(word, word)
	JZ(LabelRef("ended"))
	if wide {
		eight(0, at, into, tail512(word))
	}
	Label("ended")
	MOVQ(Mem{Base: low}, set)
	ANDQ(set, Mem{Base: to})
	ADDQ(Imm(8), to)
	MOVQ(n, t)

	// the gains of the set
	Label("noted")
	from := GP64()
	LEAQ(kept, from)
	Label("gains")
	MOVQ(Mem{Base: from}, word)
	TESTQ(word, word)
	JZ(LabelRef("none"))
	Label("gain")
	u := GP64()
	TZCNTQ(word, u)
	BLSRQ(word, word)
	ADDQ(begin, u)
	gap, a, c := XMM(), XMM(), XMM()
	VMOVSD(Mem{Base: f, Index: u, Scale: 8}, gap)
	VSUBSD(lowest.AsX(), gap, gap)
	VMULSD(gap, gap, gap)
	VXORPS(c, c, c)
	VCVTSS2SD(Mem{Base: row, Index: u, Scale: 4}, c, c)
	VADDSD(c, c, c)
	if ones {
		VSUBSD(c, d.AsX(), a)
		tiny := XMM()
		VMOVSD(tauAt, tiny)
		VMAXSD(a, tiny, a) // a if it is NaN; if a is above 0, it is at least 2^-23
	} else {
		VADDSD(Mem{Base: diag, Index: u, Scale: 8}, d.AsX(), a) // not NaN: else u were not in the set
		VSUBSD(c, a, a)
		VUCOMISD(zero.AsX(), a)
		JHI(LabelRef("curved")) // a > 0
		VMOVSD(tauAt, a)
		Label("curved")
	}
	VDIVSD(a, gap, gap)
	VUCOMISD(best, gap)
	CMOVQCC(u, j)           // the gap is as good, and not NaN
	VMAXSD(best, gap, best) // best if the other is NaN
	TESTQ(word, word)
	JNZ(LabelRef("gain"))
	Label("none")
	ADDQ(Imm(8), from)
	ADDQ(Imm(64), begin)
	CMPQ(from, to)
	JLT(LabelRef("gains"))
	CMPQ(t, n)
	JGE(LabelRef("end"))
	// the elements to come must reach the best gain
	bar := XMM()
	VMULSD(scale, best, bar)
	VMINSD(top, bar, bar)
	VMAXSD(limit.AsX(), bar, bar)
	VBROADCASTSD(bar, limit)
	JMP(LabelRef("some"))
	Label("end")
	Store(j, ReturnIndex(0))
	VMOVSD(best, result(1))
	VZEROUPPER()
	RET()
}
