package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// The parts that a walk is written with: vectors of AVX-512 or AVX2, fields, loops, searches.

// result returns the address of a result.
func result(i int) Mem {
	p, err := ReturnIndex(i).Resolve()
	must(err)
	return p.Addr
}

// arg returns the address of a field.
func (w *walk) arg(disp int) Mem { return Mem{Base: w.args, Disp: disp} }

func (w *walk) load(disp int, r Register)  { MOVQ(w.arg(disp), r) }
func (w *walk) store(disp int, r Register) { MOVQ(r, w.arg(disp)) }

// label returns a label that no other code has.
func (w *walk) label(name string) string {
	w.labels++
	return name + string(rune('A'+w.labels/26)) + string(rune('A'+w.labels%26))
}

// vector returns a new register.
func (w *walk) vector() VecVirtual {
	if w.wide {
		return ZMM()
	}
	return YMM()
}

// broadcast returns a register with a number in all lanes.
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

// A part is a register's worth of elements: those from place at + behind on.
type part struct {
	at, eighth Register // a place, and an eighth of it
	behind     int
}

// doubles returns the address of a part of float64 numbers.
func (p part) doubles(from Register) Mem {
	return Mem{Base: from, Index: p.at, Scale: 8, Disp: 8 * p.behind}
}

// values returns the address of a part of a row's float32 values.
func (p part) values(from Register) Mem {
	return Mem{Base: from, Index: p.at, Scale: 4, Disp: 4 * p.behind}
}

// in returns the mask of those of a part's eight elements that are in a set.
func (p part) in(set Register) Register {
	k := K()
	KMOVB(Mem{Base: set, Index: p.eighth, Scale: 1, Disp: p.behind / 8}, k)
	return k
}

// eight writes body for the part, or the two parts, of eight elements.
func (w *walk) eight(t, eighth Register, behind int, body func(part)) {
	for h := 0; h < 8; h += w.lanes() {
		body(part{t, eighth, behind + h})
	}
}

// each writes a loop of body over all elements.
func (w *walk) each(body func(part)) {
	t, eight := GP64(), w.label("eight")
	XORQ(t, t)
	Label(eight)
	w.eight(t, nil, 0, body)
	ADDQ(Imm(8), t)
	CMPQ(t, w.n)
	JLT(LabelRef(eight))
}

// blocks writes a loop of body over all elements, with before and after around each block of 64
// elements; begin is the first place of the block.
func (w *walk) blocks(before func(), body func(part), after func(begin Register)) {
	t, begin, eighth := GP64(), GP64(), GP64()
	block, rest, eight, end := w.label("block"), w.label("rest"), w.label("eight"), w.label("end")
	XORQ(t, t)
	if w.wide {
		XORQ(eighth, eighth)
	}
	on := func(by int) {
		ADDQ(Imm(uint64(by)), t)
		if w.wide {
			ADDQ(Imm(uint64(by/8)), eighth)
		}
	}
	Label(block)
	LEAQ(Mem{Base: t, Disp: 64}, begin)
	CMPQ(begin, w.n)
	JGT(LabelRef(rest))
	before()
	for k := 0; k < 64; k += 8 {
		w.eight(t, eighth, k, body)
	}
	after(t)
	on(64)
	JMP(LabelRef(block))
	Label(rest)
	CMPQ(t, w.n)
	JGE(LabelRef(end))
	MOVQ(t, begin)
	before()
	Label(eight)
	w.eight(t, eighth, 0, body)
	on(8)
	CMPQ(t, w.n)
	JLT(LabelRef(eight))
	after(begin)
	Label(end)
}

// has sets the carry to whether a variable is in a set.
func (w *walk) has(set int, t Register) {
	sets, word := GP64(), GP64()
	w.load(set, sets)
	MOVQ(t, word)
	SHRQ(U8(6), word)
	MOVQ(Mem{Base: sets, Index: word, Scale: 8}, word)
	BTQ(t, word) // by the last six bits of t
}

// infinity returns the address of +Inf.
func infinity() Mem {
	if infinities.Symbol.Name == "" {
		infinities = GLOBL("infinity", RODATA|NOPTR)
		DATA(0, bits(math.Inf(1)))
	}
	return infinities
}

var infinities Mem

// lows writes a loop over the elements of f, which body puts into a register, that finds the lowest
// values. It also stores those of each block. With AVX2, elements outside a set become NaN for
// this, which does not change a minimum.
func (w *walk) lows(body func(p part, v VecVirtual)) {
	var outs, kept [2]GPVirtual
	var here [2]VecVirtual
	for g := range w.groups {
		outs[g], kept[g], here[g] = GP64(), GP64(), w.vector()
		w.load(pick(w.wide, atUp, atOutUp)+8*g, outs[g])
		w.load(atLows+8*g, kept[g])
		VBROADCASTSD(infinity(), w.lowest[g])
	}
	w.blocks(func() {
		for g := range w.groups {
			VBROADCASTSD(infinity(), here[g])
		}
	}, func(p part) {
		v := w.vector()
		body(p, v)
		for g := range w.groups {
			if w.wide {
				VMINPD(here[g], v, p.in(outs[g]), here[g])
				continue
			}
			u := w.vector()
			VORPD(p.doubles(outs[g]), v, u)
			VMINPD(here[g], u, here[g])
		}
	}, func(begin Register) {
		for g := range w.groups {
			w.move(here[g], Mem{Base: kept[g], Index: begin, Scale: 1})
			VMINPD(here[g], w.lowest[g], w.lowest[g])
		}
	})
}

// across sets all lanes of v to their extreme.
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

// compare stores in to the set of the lanes of v for which the comparison with value holds. It may
// overwrite v.
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

// word returns the set of those elements of the block at begin for which the comparison with value
// holds.
func (w *walk) word(begin Register, from int, predicate uint8, value VecVirtual) (word GPVirtual) {
	t, end, elements, eight := GP64(), GP64(), GP64(), w.label("eight")
	word = GP64()
	w.load(from, elements)
	MOVQ(begin, t)
	LEAQ(Mem{Base: t, Disp: 64}, end)
	CMPQ(end, w.n)
	CMOVQGT(w.n, end)
	XORQ(word, word)
	Label(eight)
	w.eight(t, nil, 0, func(p part) {
		v, found := w.vector(), GP64()
		w.move(p.doubles(elements), v)
		w.compare(predicate, value, v, found)
		if p.behind > 0 {
			SHLQ(U8(uint8(p.behind)), found)
		}
		SHLXQ(t, found, found) // by the last six bits of t
		ORQ(found, word)
	})
	ADDQ(Imm(8), t)
	CMPQ(t, end)
	JLT(LabelRef(eight))
	return word
}

// among returns the set of the blocks with an element for which the comparison with value holds, by
// the number kept for each block.
func (w *walk) among(kept int, predicate uint8, value VecVirtual) (blocks GPVirtual) {
	t, number, from := GP64(), GP64(), GP64()
	next, single := w.label("next"), w.label("single")
	blocks = GP64()
	MOVQ(U32(1), blocks)
	CMPQ(w.n, Imm(64))
	JLE(LabelRef(single))
	XORQ(t, t)
	XORQ(blocks, blocks)
	XORQ(number, number)
	w.load(kept, from)
	Label(next)
	v, found, some := w.vector(), GP64(), GP64()
	w.move(Mem{Base: from, Index: t, Scale: 1}, v)
	w.compare(predicate, value, v, found)
	XORQ(some, some)
	TESTQ(found, found)
	SETNE(some.As8())
	SHLXQ(number, some, some)
	ORQ(some, blocks)
	INCQ(number)
	ADDQ(Imm(64), t)
	CMPQ(t, w.n)
	JLT(LabelRef(next))
	Label(single)
	return blocks
}

// lowestOf returns the last place in a group where f is lowest, -1 if there is none.
func (w *walk) lowestOf(g int) (i GPVirtual) {
	i = GP64()
	nobody := w.label("nobody")
	blocks, set, eighth := w.among(atLows+8*g, equal, w.lowest[g]), GP64(), GP64()
	MOVQ(I32(-1), i)
	BSRQ(blocks, blocks)
	JEQ(LabelRef(nobody))
	MOVQ(blocks, eighth)
	SHLQ(U8(6), blocks)
	word := w.word(blocks, atF, equal, w.lowest[g])
	w.load(atUp+8*g, set)
	ANDQ(Mem{Base: set, Index: eighth, Scale: 8}, word)
	BSRQ(word, word)
	JEQ(LabelRef(nobody))
	LEAQ(Mem{Base: blocks, Index: word, Scale: 1}, i)
	Label(nobody)
	return i
}

// only returns the one place where the estimate of the gain is at least limit. It jumps to several
// if there may be others.
func (w *walk) only(limit VecVirtual, several string) (j GPVirtual) {
	count := GP64()
	j = w.among(atHighs, greaterOrEqual, limit)
	POPCNTQ(j, count)
	CMPQ(count, Imm(1))
	JNE(LabelRef(several))
	BSRQ(j, j)
	SHLQ(U8(6), j)
	word := w.word(j, atGains, greaterOrEqual, limit)
	POPCNTQ(word, count)
	CMPQ(count, Imm(1))
	JNE(LabelRef(several))
	BSRQ(word, word)
	ADDQ(word, j)
	return j
}

// rowOf sets row to the address of a variable's row. It leaves the walk if there is none.
func (w *walk) rowOf(i, row Register) {
	there := w.label("there")
	w.load(atRows, row)
	MOVQ(Mem{Base: row, Index: i, Scale: 8}, row)
	TESTQ(row, row)
	JNE(LabelRef(there))
	w.store(atNeed, i)
	JMP(LabelRef("done"))
	Label(there)
}

// where puts other into those lanes of to for which the comparison of v with value holds.
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

// What an iteration chooses depends on all elements of f, and these on the choice before: each
// iteration would have to wait for all of the one before it. So the choice is guessed: it is the
// one that followed the same two choices the last time. The code computes with the guess, and
// replaces it if it turns out to be wrong. A processor does not wait for that: it predicts the
// comparison of guess and choice to be equal, if it mostly was.

// A guess has placeBits bits for each of i, i of the second group and j. There are 1<<guessBits
// guesses. Walks over more than guessMost elements do not use them.
const (
	placeBits   = 10
	guessBits   = 11
	historyBits = 8
	guessMost   = 256
)

// guess loads the guess, and notes its parts and its address.
func (w *walk) guess() {
	guess, part, at, table := GP64(), GP64(), GP64(), GP64()
	w.load(atHistory, at)
	SHRL(U8(32-guessBits), at.As32())
	w.load(atGuesses, table)
	LEAQ(Mem{Base: table, Index: at, Scale: 4}, at)
	w.store(atGuess, at)
	MOVL(Mem{Base: at}, guess.As32())
	for k := range 3 {
		MOVL(guess.As32(), part.As32())
		ANDL(U32(1<<placeBits-1), part.As32())
		SHRL(U8(placeBits), guess.As32())
		w.store(atGuessed+8*k, part)
	}
}

// confirm replaces guess by right, if it is wrong.
func (w *walk) confirm(right, guess GPVirtual) {
	wrong, on := w.label("wrong"), w.label("right")
	CMPQ(w.n, I32(guessMost))
	JG(LabelRef(wrong))
	CMPQ(right, guess)
	JNE(LabelRef(wrong))
	Label(on)
	w.wrong = append(w.wrong, func() {
		Label(wrong)
		MOVQ(right, guess)
		JMP(LabelRef(on))
	})
}

// learn notes the choice as the next guess, and in the history.
func (w *walk) learn(j GPVirtual) {
	chosen, second, at := GP64(), GP64(), GP64()
	MOVQ(j, chosen)
	SHLQ(U8(2*placeBits), chosen)
	if w.groups == 1 {
		ORQ(w.i, chosen)
	} else {
		w.load(atFirst+8, second)
		SHLQ(U8(placeBits), second)
		ORQ(second, chosen)
		ORQ(w.arg(atFirst), chosen)
	}
	w.load(atGuess, at)
	MOVL(chosen.As32(), Mem{Base: at})
	history := GP64()
	w.load(atHistory, history)
	SHLQ(U8(historyBits), history)
	IMUL3L(I32(-1640531535), chosen.As32(), chosen.As32())
	ADDQ(chosen, history)
	w.store(atHistory, history)
}
