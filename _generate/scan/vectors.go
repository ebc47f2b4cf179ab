package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// What a walk is written with: vectors of AVX-512 or AVX2, fields, loops, searches.

// result returns where a result is.
func result(i int) Mem {
	p, err := ReturnIndex(i).Resolve()
	must(err)
	return p.Addr
}

// arg returns where a field is.
func (w *walk) arg(disp int) Mem { return Mem{Base: w.args, Disp: disp} }

func (w *walk) load(disp int, r Register)  { MOVQ(w.arg(disp), r) }
func (w *walk) store(disp int, r Register) { MOVQ(r, w.arg(disp)) }

// label returns a label of its own.
func (w *walk) label(name string) string {
	w.labels++
	return name + string(rune('A'+w.labels/26)) + string(rune('A'+w.labels%26))
}

// vector returns a register.
func (w *walk) vector() VecVirtual {
	if w.wide {
		return ZMM()
	}
	return YMM()
}

// broadcast returns a number in all lanes.
func (w *walk) broadcast(x Mem) VecVirtual {
	v := w.vector()
	VBROADCASTSD(x, v)
	return v
}

func (w *walk) move(from, to Op) { VMOVUPD(from, to) }

func (w *walk) clear(v VecVirtual) { VXORPD(v.AsX(), v.AsX(), v.AsX()) }

func (w *walk) or(m Mem, v VecVirtual)   { VORPD(m, v, v) }
func (w *walk) and(m Mem, v VecVirtual)  { VANDPD(m, v, v) }
func (w *walk) orVector(m, v VecVirtual) { VORPD(m, v, v) }

// lanes is the number of lanes of a vector.
func (w *walk) lanes() int {
	if w.wide {
		return 8
	}
	return 4
}

// doubles returns where half h, or all, of eight numbers from place t on are.
func (w *walk) doubles(from, t Register, h int) Mem {
	return Mem{Base: from, Index: t, Scale: 8, Disp: 32 * h}
}

// values is doubles for a row's values.
func (w *walk) values(from, t Register, h int) Mem {
	return Mem{Base: from, Index: t, Scale: 4, Disp: 16 * h}
}

// each writes what is done with all elements.
func (w *walk) each(body func(t Register, h int)) {
	t, eight := GP64(), w.label("eight")
	XORQ(t, t)
	Label(eight)
	for h := 0; h < 8/w.lanes(); h++ {
		body(t, h)
	}
	ADDQ(Imm(8), t)
	CMPQ(t, w.n)
	JLT(LabelRef(eight))
}

// ofGroup returns a or b, by which group a variable is of.
func (w *walk) ofGroup(t Register, h int, a, b VecVirtual) VecVirtual {
	second, m := GP64(), w.vector()
	w.load(atSecond, second)
	w.move(w.doubles(second, t, h), m)
	if w.wide {
		VPTERNLOGQ(U8(0xca), a, b, m) // m ? b : a
	} else {
		VBLENDVPD(m, b, a, m)
	}
	return m
}

// infinity returns it in memory.
func infinity() Mem {
	if infinities.Symbol.Name == "" {
		infinities = GLOBL("infinity", RODATA|NOPTR)
		DATA(0, bits(math.Inf(1)))
	}
	return infinities
}

var infinities Mem

// begin makes the lowest values those of nothing.
func (w *walk) begin() {
	for g := range w.groups {
		VBROADCASTSD(infinity(), w.lowest[g])
	}
}

// include takes elements into the lowest values: what is out of a set is no number then, which
// leaves them as they are.
func (w *walk) include(v VecVirtual, t Register, h int) {
	for g := range w.groups {
		out, u := GP64(), w.vector()
		w.load(atOutUp+8*g, out)
		VORPD(w.doubles(out, t, h), v, u)
		VMINPD(w.lowest[g], u, w.lowest[g])
	}
}

// across sets all lanes to their extreme.
func (w *walk) across(v VecVirtual, extreme func(...Op)) {
	u := w.vector()
	if w.wide {
		VSHUFF64X2(U8(0x4e), v, v, u)
		extreme(u, v, v)
		VSHUFF64X2(U8(0xb1), v, v, u)
		extreme(u, v, v)
	} else {
		VPERM2F128(U8(1), v, v, u)
		extreme(u, v, v)
	}
	VPERMILPD(U8(0x55), v, u)
	extreme(u, v, v)
}

// compare sets to to the lanes of v that compare with a value. What v is then is open.
func (w *walk) compare(predicate uint8, value, v VecVirtual, to GPVirtual) {
	if w.wide {
		k := K()
		VCMPPD(U8(predicate), value, v, k)
		KMOVB(k, to.As32())
		return
	}
	VCMPPD(U8(predicate), value, v, v)
	VMOVMSKPD(v, to.As32())
}

// blocks goes through blocks of 64 elements: word is the set of those of the block, which begins
// at begin, that compare with a value.
func (w *walk) blocks(of func(t Register, h int) VecVirtual, predicate uint8, value VecVirtual, body func(word, begin Register)) {
	t, end, word := GP64(), GP64(), GP64()
	block, eight := w.label("block"), w.label("eight")
	XORQ(t, t)
	Label(block)
	LEAQ(Mem{Base: t, Disp: 64}, end)
	CMPQ(end, w.n)
	CMOVQGT(w.n, end)
	XORQ(word, word)
	Label(eight)
	for h := 0; h < 8/w.lanes(); h++ {
		part := GP64()
		w.compare(predicate, value, of(t, h), part)
		if h > 0 {
			SHLQ(U8(4), part)
		}
		SHLXQ(t, part, part) // of t the last six bits
		ORQ(part, word)
	}
	ADDQ(Imm(8), t)
	CMPQ(t, end)
	JLT(LabelRef(eight))
	begin := GP64()
	LEAQ(Mem{Base: t, Disp: -1}, begin)
	ANDQ(I8(-64), begin)
	body(word, begin)
	CMPQ(t, w.n)
	JLT(LabelRef(block))
}

// last sets at to the last place, of a set if that is not 0, that compares with a value, -1 if there is none, and number, if
// it is not nil, to how many there are.
func (w *walk) last(of func(t Register, h int) VecVirtual, predicate uint8, value VecVirtual, set int, at, number Register) {
	MOVQ(I32(-1), at)
	if number != nil {
		XORQ(number, number)
	}
	w.blocks(of, predicate, value, func(word, begin Register) {
		if set != 0 {
			in, place := GP64(), GP64()
			w.load(set, in)
			MOVQ(begin, place)
			SHRQ(U8(3), place)
			ANDQ(Mem{Base: in, Index: place, Scale: 1}, word)
		}
		if number != nil {
			count := GP64()
			POPCNTQ(word, count)
			ADDQ(count, number)
		}
		place := GP64()
		BSRQ(word, place)
		LEAQ(Mem{Base: begin, Index: place, Scale: 1}, place)
		CMOVQNE(place, at) // by BSRQ
	})
}

// rowOf sets row to where a variable's row begins in all rows. It leaves when there is none.
func (w *walk) rowOf(i, row Register) {
	there := w.label("there")
	w.load(atHave, row)
	word := GP64()
	MOVQ(i, word)
	SHRQ(U8(6), word)
	MOVQ(Mem{Base: row, Index: word, Scale: 8}, word)
	BTQ(i, word) // of i the last six bits
	JCS(LabelRef(there))
	w.store(atNeed, i)
	JMP(LabelRef("done"))
	Label(there)
	MOVQ(i, row)
	IMULQ(w.arg(atStride), row)
}

// where puts other into the lanes of to for which v compares with a value.
func (w *walk) where(predicate uint8, value, v, other, to VecVirtual) {
	if w.wide {
		k := K()
		VCMPPD(U8(predicate), value, v, k)
		VMOVAPD(other, k, to)
		return
	}
	k := YMM()
	VCMPPD(U8(predicate), value, v, k)
	VBLENDVPD(k, other, to, to)
}
