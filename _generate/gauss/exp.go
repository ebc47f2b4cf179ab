package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

const expSignature = "func(dst, src *float64, n int, scale float64, table *[128][2]float64) (odd int)"

func expDoc(name, condition string) {
	Doc(name + " sets dst[i] = exp(scale src[i]) for i < n, " + condition + ". It returns 0 unless one of the products is not less than 512 in size; of those the values are wrong.")
}

// polynomial returns t of exp.go of the package, with e^x = H 2^e (1 + t).
func polynomial(r, tail VecVirtual, c [4]VecVirtual, v func() VecVirtual) VecVirtual {
	r2, r4, high, low := v(), v(), v(), v()
	VMULPD(r, r, r2)
	VMULPD(r2, r2, r4)
	VMOVAPD(c[3], high)
	VFMADD213PD(c[2], r, high) // c5 r + c4
	VMOVAPD(c[1], low)
	VFMADD213PD(c[0], r, low) // c3 r + c2
	VADDPD(r, tail, tail)
	VFMADD213PD(tail, r2, low)
	VFMADD213PD(low, r4, high)
	return high
}

func exp512() {
	v := func() VecVirtual { return ZMM() }
	const name = "expAVX512"
	TEXT(name, NOSPLIT, expSignature)
	expDoc(name, "n > 0")
	dst, src := Load(Param("dst"), GP64()), Load(Param("src"), GP64())
	n := Load(Param("n"), GP64())
	scale := broadcast("scale", v())
	table := Load(Param("table"), GP64())
	inv, shift, hi, lo := constant(v(), invLn2N), constant(v(), toInt), constant(v(), ln2Hi), constant(v(), ln2Lo)
	c := [4]VecVirtual{constant(v(), c2), constant(v(), c3), constant(v(), c4), constant(v(), c5)}
	entry, size, positive := word(v(), 127), constant(v(), 512), word(v(), math.MaxInt64)
	bad, lanes := K(), K()
	KXORW(bad, bad, bad)
	r := GP32()
	MOVL(U32(0xff), r)
	KMOVW(r, lanes)

	Label("loop")
	CMPQ(n, U8(8))
	JGE(LabelRef("vector"))
	MOVQ(n, RCX)
	last := GP32()
	MOVL(U32(1), last)
	SHLL(CL, last)
	DECL(last)
	KMOVW(last, lanes)
	Label("vector")
	x := v()
	VMOVUPD_Z(Mem{Base: src}, lanes, x)
	VMULPD(scale, x, x)
	shifted, k, rest, u := v(), v(), v(), v()
	VMOVAPD(x, shifted)
	VFMADD213PD(shift, inv, shifted)
	VSUBPD(shift, shifted, k)
	VMOVAPD(x, rest)
	VFMADD231PD(hi, k, rest)
	VFMADD231PD(lo, k, rest)
	far := K()
	VPANDQ(positive, x, u)
	VCMPPD(U8(5), size, u, far)
	KANDW(lanes, far, far)
	KORW(far, bad, bad)
	head, tail, at := v(), v(), v()
	VPANDQ(entry, shifted, at)
	VPSLLQ(U8(1), at, at)
	k1, k2 := K(), K()
	KXNORW(k1, k1, k1)
	KXNORW(k2, k2, k2)
	VPXORQ(head, head, head)
	VPXORQ(tail, tail, tail)
	VGATHERQPD(Mem{Base: table, Index: at, Scale: 8}, k1, head)
	VGATHERQPD(Mem{Base: table, Index: at, Scale: 8, Disp: 8}, k2, tail)
	t := polynomial(rest, tail, c, v)
	VPSRLQ(U8(7), shifted, shifted)
	VPSLLQ(U8(52), shifted, shifted)
	VPADDQ(shifted, head, head)
	VFMADD213PD(head, head, t)
	VMOVUPD(t, lanes, Mem{Base: dst})
	ADDQ(U8(64), src)
	ADDQ(U8(64), dst)
	SUBQ(U8(8), n)
	JG(LabelRef("loop"))
	odd := GP32()
	KMOVW(bad, odd)
	Store(odd.As64(), ReturnIndex(0))
	VZEROUPPER()
	RET()
}

func exp2() {
	v := func() VecVirtual { return YMM() }
	const name = "expAVX2"
	TEXT(name, NOSPLIT, expSignature)
	expDoc(name, "n > 0 a multiple of 4")
	dst, src := Load(Param("dst"), GP64()), Load(Param("src"), GP64())
	n := Load(Param("n"), GP64())
	table := Load(Param("table"), GP64())
	data := GLOBL("expConstants", RODATA|NOPTR)
	at := 0
	memory := func(x uint64) Mem {
		for lane := range 4 {
			DATA(at+8*lane, U64(x))
		}
		at += 32
		return data.Offset(at - 32)
	}
	number := func(x float64) Mem { return memory(math.Float64bits(x)) }
	inv, hi, lo := number(invLn2N), number(ln2Hi), number(ln2Lo)
	entry, size, positive := memory(127), number(512), memory(math.MaxInt64)
	scale, shift := broadcast("scale", v()), constant(v(), toInt)
	var m [4]Mem
	for i, x := range []float64{c2, c3, c4, c5} {
		m[i] = number(x)
	}
	bad := v()
	VPXOR(bad, bad, bad)
	Label("loop")
	x := v()
	VMULPD(Mem{Base: src}, scale, x)
	shifted, k, rest, u := v(), v(), v(), v()
	VMOVUPD(inv, shifted)
	VFMADD213PD(shift, x, shifted)
	VSUBPD(shift, shifted, k)
	VMOVAPD(x, rest)
	VFMADD231PD(hi, k, rest)
	VFMADD231PD(lo, k, rest)
	VPAND(positive, x, u)
	VCMPPD(U8(5), size, u, u)
	VPOR(u, bad, bad)
	head, tail, index, mask := v(), v(), v(), v()
	VPAND(entry, shifted, index)
	VPSLLQ(U8(1), index, index)
	VPCMPEQQ(mask, mask, mask)
	VPXOR(head, head, head)
	VGATHERQPD(mask, Mem{Base: table, Index: index, Scale: 8}, head)
	VPCMPEQQ(mask, mask, mask)
	VPXOR(tail, tail, tail)
	VGATHERQPD(mask, Mem{Base: table, Index: index, Scale: 8, Disp: 8}, tail)
	r2, high, low := v(), v(), v()
	VMULPD(rest, rest, r2)
	VMOVUPD(m[3], high)
	VFMADD213PD(m[2], rest, high)
	VMOVUPD(m[1], low)
	VFMADD213PD(m[0], rest, low)
	VADDPD(rest, tail, tail)
	VFMADD213PD(tail, r2, low)
	VMULPD(r2, r2, r2)
	VFMADD213PD(low, r2, high)
	VPSRLQ(U8(7), shifted, shifted)
	VPSLLQ(U8(52), shifted, shifted)
	VPADDQ(shifted, head, head)
	VFMADD213PD(head, head, high)
	VMOVUPD(high, Mem{Base: dst})
	ADDQ(U8(32), src)
	ADDQ(U8(32), dst)
	SUBQ(U8(4), n)
	JG(LabelRef("loop"))
	odd := GP32()
	VMOVMSKPD(bad, odd)
	Store(odd.As64(), ReturnIndex(0))
	VZEROUPPER()
	RET()
}

// lookup512 keeps a table of so many values in registers.
func lookup512(size int) {
	name := map[int]string{64: "lookup64AVX512", 128: "lookup128AVX512"}[size]
	TEXT(name, NOSPLIT, "func(dst *float32, at *uint32, n int, table *float32)")
	Doc(name + " sets dst[i] = table[at[i]] for i < n, n > 0.")
	dst, at := Load(Param("dst"), GP64()), Load(Param("at"), GP64())
	n := Load(Param("n"), GP64())
	table := Load(Param("table"), GP64())
	values := make([]VecVirtual, size/16)
	for i := range values {
		values[i] = ZMM()
		VMOVUPS(Mem{Base: table, Disp: 64 * i}, values[i])
	}
	lanes := K()
	KXNORW(lanes, lanes, lanes)
	Label("loop")
	CMPQ(n, U8(16))
	JGE(LabelRef("vector"))
	MOVQ(n, RCX)
	last := GP32()
	MOVL(U32(1), last)
	SHLL(CL, last)
	DECL(last)
	KMOVW(last, lanes)
	Label("vector")
	index := ZMM()
	VMOVDQU32_Z(Mem{Base: at}, lanes, index)
	found := make([]VecVirtual, size/32)
	for i := range found {
		found[i] = ZMM()
		VMOVDQA64(index, found[i])
		VPERMI2PS(values[2*i+1], values[2*i], found[i])
	}
	for bit := 5; len(found) > 1; bit++ { // choose by the next bit of the index
		k, t := K(), ZMM()
		VPSLLD(U8(uint8(31-bit)), index, t)
		VPMOVD2M(t, k)
		for i := range len(found) / 2 {
			VMOVAPS(found[2*i+1], k, found[2*i])
			found[i] = found[2*i]
		}
		found = found[:len(found)/2]
	}
	VMOVUPS(found[0], lanes, Mem{Base: dst})
	ADDQ(U8(64), at)
	ADDQ(U8(64), dst)
	SUBQ(U8(16), n)
	JG(LabelRef("loop"))
	VZEROUPPER()
	RET()
}
