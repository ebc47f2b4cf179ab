package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// The passes of a walk with AVX2, four elements at a time. There are registers enough because
// constants and masks stay in memory.

// table returns 64-bit words in memory.
func table(name string, words ...int64) Mem {
	if _, ok := tables[name]; !ok {
		m := GLOBL(name, RODATA|NOPTR)
		for i, w := range words {
			DATA(8*i, U64(uint64(w)))
		}
		tables[name] = m
	}
	return tables[name]
}

var tables = map[string]Mem{}

// fourTimes returns x in all lanes.
func fourTimes(name string, x float64) Mem {
	w := int64(math.Float64bits(x))
	return table(name, w, w, w, w)
}

// A four is the half of eight elements that code is written for.
type four struct {
	i    int       // which half
	t    GPVirtual // where the eight begin
	tail GPVirtual // nil: all are there; else where the masks of those that are begin
}

// each2 is each, four at a time.
func (w *walk) each2(body func(four)) {
	eight, rest, end := w.label("eight"), w.label("rest"), w.label("end")
	q := four{t: GP64()}
	left := GP64()
	XORQ(q.t, q.t)
	MOVQ(param("n"), left)
	SUBQ(Imm(8), left)
	JLT(LabelRef(rest))
	Label(eight)
	for q.i = range 2 {
		body(q)
	}
	ADDQ(Imm(8), q.t)
	SUBQ(Imm(8), left)
	JGE(LabelRef(eight))
	Label(rest)
	ADDQ(Imm(8), left)
	JZ(LabelRef(end))
	q.tail = GP64() // so many words of ones, and then zeros
	LEAQ(table("tails", -1, -1, -1, -1, -1, -1, -1, -1, 0, 0, 0, 0, 0, 0, 0, 0).Offset(64), q.tail)
	SHLQ(U8(3), left)
	SUBQ(left, q.tail)
	SHRQ(U8(3), left)
	for q.i = range 2 {
		body(q)
		if q.i == 0 {
			CMPQ(left, Imm(4))
			JLE(LabelRef(end))
		}
	}
	Label(end)
}

func (q four) mask() Mem { return Mem{Base: q.tail, Disp: 32 * q.i} }

// doubles loads four elements.
func (q four) doubles(from Register, to VecVirtual) {
	at := Mem{Base: from, Index: q.t, Scale: 8, Disp: 32 * q.i}
	if q.tail != nil {
		VMOVUPD(q.mask(), to)
		VMASKMOVPD(at, to, to)
	} else {
		VMOVUPD(at, to)
	}
}

// store stores four elements.
func (q four) store(v VecVirtual, to Register) {
	at := Mem{Base: to, Index: q.t, Scale: 8, Disp: 32 * q.i}
	if q.tail != nil {
		mask := YMM()
		VMOVUPD(q.mask(), mask)
		VMASKMOVPD(v, mask, at)
	} else {
		VMOVUPD(v, at)
	}
}

// values loads four values of a row.
func (q four) values(from Register, to VecVirtual) {
	at := Mem{Base: from, Index: q.t, Scale: 4, Disp: 16 * q.i}
	if q.tail != nil {
		VMOVUPS(q.mask(), to.AsX())
		VSHUFPS(U8(0x88), q.mask().Offset(16), to.AsX(), to.AsX()) // of each word a half
		VMASKMOVPS(at, to.AsX(), to.AsX())
		VCVTPS2PD(to.AsX(), to)
	} else {
		VCVTPS2PD(at, to)
	}
}

// only takes the lanes that are not there, or not in a set, from a mask.
func (q four) only(set Register, mask VecVirtual) {
	word, at := YMM(), GP64()
	MOVQ(q.t, at)
	SHRQ(U8(3), at)
	VPBROADCASTB(Mem{Base: set, Index: at, Scale: 1}, word)
	VANDPD(inSet2(word, q.i), mask, mask) // of which the signs count
	if q.tail != nil {
		VANDPD(q.mask(), mask, mask)
	}
}

// nowhere returns -1 in all lanes.
func nowhere() VecVirtual {
	v := YMM()
	VPCMPEQQ(v, v, v)
	return v
}

// last2 is last.
func last2(lanes, value, noted VecVirtual, at Register) {
	all, none, half, odd := YMM(), nowhere(), XMM(), XMM()
	VBROADCASTSD(value.AsX(), all)
	VCMPPD(U8(equal), all, lanes, all)
	VBLENDVPD(all, noted, none, all)
	VEXTRACTI128(U8(1), all, half)
	VPMAXSD(half, all.AsX(), half) // by 32 bits: the upper half of a place is 0, of -1 it is -1
	VPSHUFD(U8(0x4e), half, odd)
	VPMAXSD(odd, half, odd)
	VMOVQ(odd, at)
}

// second2 is second.
func (w *walk) second2(g int, i, x Register, j Register, gain VecVirtual) {
	low, f, diag := w.set(2*g+1), Load(Param("f"), GP64()), Load(Param("diag"), GP64())
	d, lowest, best, place := YMM(), YMM(), YMM(), YMM()
	VBROADCASTSD(Mem{Base: diag, Index: i, Scale: 8}, d)
	VBROADCASTSD(w.ends[g][0], lowest)
	VMOVUPD(fourTimes("fourMinus", math.Inf(-1)), best)
	VMOVDQU(table("fourPlaces", 0, 1, 2, 3), place)
	noted := nowhere()
	w.each2(func(q four) {
		v, c, a, k := YMM(), YMM(), YMM(), YMM()
		q.doubles(f, v)
		VSUBPD(lowest, v, v)
		q.doubles(diag, a)
		VADDPD(d, a, a)
		q.values(x, c)
		VADDPD(c, c, c)
		VSUBPD(c, a, a)
		VXORPD(k, k, k)
		VCMPPD(U8(lessOrEqual), k, a, c)
		VBLENDVPD(c, fourTimes("fourTau", tau), a, a)
		VCMPPD(U8(greaterThan), k, v, k) // f - lowest > 0
		q.only(low, k)
		VMULPD(v, v, v)
		VDIVPD(a, v, v)
		VCMPPD(U8(greaterOrEqual), best, v, c)
		VANDPD(c, k, k)
		VBLENDVPD(k, v, best, best)
		VBLENDVPD(k, place, noted, noted)
		VPADDQ(table("fourFours", 4, 4, 4, 4), place, place)
	})
	top := across2(best, VMAXPD)
	VMOVAPD(top, gain)
	last2(best, top, noted, j)
}

// step2 is step.
func (w *walk) step2(x, y Register, moves [2]VecVirtual) {
	f := Load(Param("f"), GP64())
	place := YMM()
	VMOVDQU(table("fourPlaces", 0, 1, 2, 3), place)
	var up, low [2]GPVirtual
	var lowest, highest, noted [2]VecVirtual
	for g := range w.groups {
		up[g], low[g] = w.set(2*g), w.set(2*g+1)
		lowest[g], highest[g], noted[g] = YMM(), YMM(), nowhere()
		VMOVUPD(fourTimes("fourPlus", math.Inf(1)), lowest[g])
		VMOVUPD(fourTimes("fourMinus", math.Inf(-1)), highest[g])
	}
	w.each2(func(q four) {
		v, b := YMM(), YMM()
		q.values(x, v)
		VMULPD(moves[0], v, v)
		q.values(y, b)
		VMULPD(moves[1], b, b)
		VADDPD(b, v, v)
		q.doubles(f, b)
		VADDPD(b, v, v)
		q.store(v, f)
		for g := range w.groups {
			k := YMM()
			VCMPPD(U8(lessOrEqual), lowest[g], v, k)
			q.only(up[g], k)
			VBLENDVPD(k, v, lowest[g], lowest[g])
			VBLENDVPD(k, place, noted[g], noted[g])
			VCMPPD(U8(greaterThan), highest[g], v, k)
			q.only(low[g], k)
			VBLENDVPD(k, v, highest[g], highest[g])
		}
		VPADDQ(table("fourFours", 4, 4, 4, 4), place, place)
	})
	for g := range w.groups {
		zero := XMM()
		VXORPD(zero, zero, zero)
		bottom := across2(lowest[g], VMINPD)
		VADDSD(zero, bottom, w.ends[g][0])
		last2(lowest[g], bottom, noted[g], w.first[g])
		VADDSD(zero, across2(highest[g], VMAXPD), w.ends[g][1])
	}
}
