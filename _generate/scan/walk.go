package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// Offsets of the fields of walking.
const (
	atF = 8 * iota
	atDiag
	atB
	atLower
	atUpper
	atRows
	atUp        // the set of the first group; that of the second one follows
	atLow       = atUp + 16
	atSecond    = atLow + 16   // the set of the elements of the second group
	atOutUp     = atSecond + 8 // with AVX2, words of ones for elements that are not in a set
	atOutLow    = atOutUp + 16
	atSeconds   = atOutLow + 16 // with AVX2, words of ones for elements of the second group
	atGains     = atSeconds + 8
	atN         = atGains + 8 // a multiple of 8
	atStride    = atN + 8     // bytes from values to inverses
	atMost      = atStride + 8
	atTolerance = atMost + 8
	atI         = atTolerance + 8
	atJ         = atI + 8
	atNeed      = atJ + 8
	atMoves     = atNeed + 8   // of i and j; if j is not negative, the first step is to make them
	atFirst     = atMoves + 16 // i of each group
	atRow       = atFirst + 16
	atMoved     = atRow + 16
	atCount     = atMoved + 8
	atGuesses   = atCount + 8
	atGuess     = atGuesses + 8
	atBefore    = atGuess + 8
	atHistory   = atBefore + 8
	atGuessed   = atHistory + 8
	atLows      = atGuessed + 24 // for each group: the lowest f of each block
	atHighs     = atLows + 16    // the largest gain of each block
)

// A walk is the state that the code of an iteration shares. Loops over elements take eight at a
// time, in one vector or in two.
type walk struct {
	wide   bool // AVX-512
	groups int
	args   Register
	f, n   GPVirtual
	i, row GPVirtual     // with one group; with two they are in memory
	lowest [2]VecVirtual // for each group: the lowest of each lane, or in all lanes the lowest of all
	wrong  []func()      // code written behind the walk
	labels int
}

// iterations writes the function of the walk.
func iterations(groups int, wide bool) {
	name := pick(groups == 2, "walkNu", "walk") + pick(wide, "AVX512", "AVX2")
	TEXT(name, NOSPLIT, "func(w *byte) (done int)")
	Pragma("noescape")
	Doc(name + " is walk for " + pick(groups == 2, "two groups", "one group") + "; w is a walking.")
	w := &walk{groups: groups, wide: wide, args: Load(Param("w"), GP64()), f: GP64(), n: GP64()}
	w.load(atF, w.f)
	w.load(atN, w.n)
	done := result(0)
	j := GP64()
	w.i, w.row = GP64(), GP64()
	MOVQ(U32(0), done)
	for g := range groups {
		w.lowest[g] = w.vector()
	}
	x, y, row := GP64(), GP64(), GP64()
	moves := [2]VecVirtual{w.vector(), w.vector()}
	if !wide {
		for g := range groups {
			w.spread(atUp+8*g, atOutUp+8*g, false)
			w.spread(atLow+8*g, atOutLow+8*g, false)
		}
		if groups == 2 {
			w.spread(atSecond, atSeconds, true)
		}
	}
	w.load(atJ, j)
	TESTQ(j, j)
	JS(LabelRef("look"))
	for k, to := range []GPVirtual{x, y} {
		w.load(atI+8*k, row)
		w.load(atRows, to)
		MOVQ(Mem{Base: to, Index: row, Scale: 8}, to)
		VBROADCASTSD(w.arg(atMoves+8*k), moves[k])
	}
	JMP(LabelRef("step"))
	Label("look")
	w.lows(func(p part, v VecVirtual) { w.move(p.doubles(w.f), v) })

	Label("turn")
	r := GP64()
	MOVQ(I32(-1), r)
	w.store(atJ, r)
	w.store(atNeed, r)
	MOVQ(done, r)
	CMPQ(r, w.arg(atMost))
	JGE(LabelRef("done"))
	CMPQ(w.arg(atCount), U32(movedMost))
	JGE(LabelRef("done"))
	for g := range groups {
		w.across(w.lowest[g], VMINPD)
	}
	w.guess()
	for g := range groups {
		i := w.lowestOf(g)
		TESTQ(i, i)
		JS(LabelRef("done"))
		w.load(atGuessed+8*g, w.i)
		w.confirm(i, w.i)
		w.rowOf(w.i, w.row)
		if groups == 2 {
			w.store(atFirst+8*g, w.i)
			w.store(atRow+8*g, w.row)
		}
	}

	// estimates of gains
	gains, highs, second, sets, inverses := GP64(), GP64(), GP64(), [2]GPVirtual{GP64(), GP64()}, [2]GPVirtual{GP64(), GP64()}
	w.load(atGains, gains)
	w.load(atHighs, highs)
	for g := range groups {
		w.load(pick(wide, atLow, atOutLow)+8*g, sets[g])
		w.load(atStride, inverses[g])
		if groups == 2 {
			ADDQ(w.arg(atRow+8*g), inverses[g])
		} else {
			ADDQ(w.row, inverses[g])
		}
	}
	if groups == 2 {
		w.load(pick(wide, atSecond, atSeconds), second)
	}
	zero, best, here, gap := w.vector(), w.vector(), w.vector(), w.vector()
	w.clear(zero)
	w.clear(best)
	w.clear(gap)
	w.blocks(func() { w.clear(here) }, func(p part) {
		v, r := w.gaps(p, sets, second, inverses)
		VMAXPD(zero, v, v) // 0 if v is NaN
		VMAXPD(gap, v, gap)
		VMULPD(v, v, v)
		VMULPD(r, v, v)
		w.move(v, p.doubles(gains))
		VMAXPD(here, v, here) // what was there stays where v is NaN
	}, func(begin Register) {
		w.move(here, Mem{Base: highs, Index: begin, Scale: 1})
		VMAXPD(here, best, best)
	})
	tolerance, violated := w.broadcast(w.arg(atTolerance)), GP64()
	w.compare(greaterOrEqual, tolerance, gap, violated)
	TESTQ(violated, violated)
	JZ(LabelRef("done"))
	w.across(best, VMAXPD)
	VUCOMISD(constant("faint", faint), best.AsX())
	JCS(LabelRef("done"))
	VUCOMISD(constant("bright", 1/faint), best.AsX())
	JCC(LabelRef("done"))
	limit := w.broadcast(constant("near", near))
	VMULPD(best, limit, limit)
	right := w.only(limit, "several")
	Label("chosen")
	w.load(atGuessed+16, j)
	w.confirm(right, j)
	w.learn(j)
	of := w.partner(j, x)
	w.rowOf(j, y)
	w.store(atI, of)
	w.store(atJ, j)

	// the step
	diag := GP64()
	w.load(atDiag, diag)
	a := w.curve(of, j, x, diag)
	step := XMM()
	VMOVSD(Mem{Base: w.f, Index: j, Scale: 8}, step)
	VSUBSD(Mem{Base: w.f, Index: of, Scale: 8}, step, step)
	VDIVSD(a, step, step)
	v := GP64()
	w.load(atB, v)
	var before, after [2]VecVirtual
	for k, t := range []Register{of, j} {
		before[k], after[k] = XMM(), XMM()
		VMOVSD(Mem{Base: v, Index: t, Scale: 8}, before[k])
		if k == 0 {
			VADDSD(step, before[k], after[k])
		} else {
			VSUBSD(step, before[k], after[k])
		}
	}

	// nearly always both variables were free and still are
	for k, t := range []Register{of, j} {
		set, free, bound := []int{atLow, atUp}[k], w.label("free"), GP64()
		for g := range groups {
			w.has(set+8*g, t)
			JCS(LabelRef(free))
		}
		JMP(LabelRef("bound"))
		Label(free)
		upper := XMM()
		w.load(atUpper, bound)
		VMOVSD(Mem{Base: bound, Index: t, Scale: 8}, upper)
		VUCOMISD(after[k], upper)
		JLS(LabelRef("bound")) // not upper > b
		w.load(atLower, bound)
		VUCOMISD(Mem{Base: bound, Index: t, Scale: 8}, after[k])
		JLS(LabelRef("bound")) // not b > lower
	}
	Label("stepped")
	for k, t := range []Register{of, j} {
		VMOVSD(after[k], Mem{Base: v, Index: t, Scale: 8})
		VSUBSD(before[k], after[k], before[k])
		VBROADCASTSD(before[k], moves[k])
	}
	Label("step")
	w.lows(func(p part, v VecVirtual) {
		b := w.vector()
		VCVTPS2PD(p.values(x), v)
		VCVTPS2PD(p.values(y), b)
		VMULPD(moves[0], v, v)
		VMULPD(moves[1], b, b)
		VADDPD(b, v, v)
		VADDPD(p.doubles(w.f), v, v)
		w.move(v, p.doubles(w.f))
	})
	INCQ(done)
	JMP(LabelRef("turn"))

	Label("several")
	w.several(right, limit)
	JMP(LabelRef("chosen"))
	Label("bound")
	w.bound([2]Register{of, j}, before, after)
	w.load(atF, w.f) // reload: there are few registers
	w.load(atN, w.n)
	w.load(atB, v)
	JMP(LabelRef("stepped"))

	for _, write := range w.wrong {
		write()
	}
	Label("done")
	VZEROUPPER()
	RET()
}

// gaps returns by how much f of each of a part's elements is above the lowest of its group, and the
// inverses of the second derivatives. Where an element cannot go down, the gap is 0 or NaN.
func (w *walk) gaps(p part, sets [2]GPVirtual, second Register, inverses [2]GPVirtual) (gap, inverse VecVirtual) {
	gap, inverse = w.vector(), w.vector()
	VCVTPS2PD(p.values(inverses[0]), inverse)
	if w.wide {
		in, lowest := p.in(sets[0]), w.lowest[0]
		if w.groups == 2 {
			of, both := p.in(second), K()
			KORB(p.in(sets[1]), in, both)
			in, lowest = both, w.vector()
			VMOVAPD(w.lowest[0], lowest)
			VMOVAPD(w.lowest[1], of, lowest)
			VCVTPS2PD(p.values(inverses[1]), of, inverse)
		}
		VMOVUPD_Z(p.doubles(w.f), in, gap)
		VSUBPD_Z(lowest, gap, in, gap)
		return gap, inverse
	}
	out := w.vector()
	w.move(p.doubles(w.f), gap)
	w.move(p.doubles(sets[0]), out)
	if w.groups == 1 {
		VSUBPD(w.lowest[0], gap, gap)
	} else {
		w.and(p.doubles(sets[1]), out)
		other, lowest, of := w.vector(), w.vector(), w.vector()
		w.move(p.doubles(second), of)
		VBLENDVPD(of, w.lowest[1], w.lowest[0], lowest)
		VSUBPD(lowest, gap, gap)
		VCVTPS2PD(p.values(inverses[1]), other)
		VBLENDVPD(of, other, inverse, inverse)
	}
	w.orVector(out, gap)
	return gap, inverse
}

// spread writes words of ones for elements that are in a set, or for those that are not.
func (w *walk) spread(set, out int, in bool) {
	from, to := GP64(), GP64()
	w.load(set, from)
	w.load(out, to)
	ones, zero := YMM(), YMM()
	VPCMPEQQ(ones, ones, ones)
	VPXOR(zero, zero, zero)
	w.each(func(p part) {
		v, at := YMM(), GP64()
		MOVQ(p.at, at)
		SHRQ(U8(3), at)
		VPBROADCASTB(Mem{Base: from, Index: at, Scale: 1}, v)
		v = inSet2(v, p.behind/4)
		if in {
			VPCMPGTQ(v, zero, v)
		} else {
			VPCMPGTQ(ones, v, v) // not negative
		}
		w.move(v, p.doubles(to))
	})
}

// several chooses j among the variables whose estimates are at least limit.
func (w *walk) several(j Register, limit VecVirtual) {
	best, begin := XMM(), GP64()
	VMOVSD(constant("minusOne", -1), best)
	XORQ(begin, begin)
	block, next, none := w.label("block"), w.label("candidate"), w.label("none")
	Label(block)
	word := w.word(begin, atGains, greaterOrEqual, limit)
	t, diag, gap := GP64(), GP64(), XMM()
	Label(next)
	TZCNTQ(word, t)
	JCS(LabelRef(none))
	ADDQ(begin, t)
	BLSRQ(word, word)
	w.load(atDiag, diag)
	VMOVSD(Mem{Base: w.f, Index: t, Scale: 8}, gap)
	x := GP64()
	of := w.partner(t, x)
	VSUBSD(Mem{Base: w.f, Index: of, Scale: 8}, gap, gap)
	a := w.curve(of, t, x, diag)
	VMULSD(gap, gap, gap)
	VDIVSD(a, gap, gap)
	VUCOMISD(best, gap)
	JCS(LabelRef(next)) // gap < best
	VMOVAPD(gap, best)
	MOVQ(t, j)
	JMP(LabelRef(next))
	Label(none)
	ADDQ(Imm(64), begin)
	CMPQ(begin, w.n)
	JLT(LabelRef(block))
}

// partner returns i of t's group and sets row to the address of its row.
func (w *walk) partner(t, row Register) (i GPVirtual) {
	if w.groups == 1 {
		MOVQ(w.row, row)
		return w.i
	}
	i = GP64()
	group := GP64()
	w.has(atSecond, t)
	SBBQ(group, group)
	NEGQ(group)
	MOVQ(Mem{Base: w.args, Index: group, Scale: 8, Disp: atRow}, row)
	MOVQ(Mem{Base: w.args, Index: group, Scale: 8, Disp: atFirst}, i)
	return i
}

// curve returns K_ii + K_tt - 2 K_it, or tau if that is not above 0.
func (w *walk) curve(i, t, x, diag Register) VecVirtual {
	a, twice, zero := XMM(), XMM(), XMM()
	VMOVSD(Mem{Base: diag, Index: i, Scale: 8}, a)
	VADDSD(Mem{Base: diag, Index: t, Scale: 8}, a, a)
	VXORPD(twice, twice, twice)
	VCVTSS2SD(Mem{Base: x, Index: t, Scale: 4}, twice, twice)
	VADDSD(twice, twice, twice)
	VSUBSD(twice, a, a)
	VXORPD(zero, zero, zero)
	curved := w.label("curved")
	VUCOMISD(a, zero)
	JCS(LabelRef(curved)) // 0 < a, or a is NaN
	VMOVSD(constant("tau", tau), a)
	Label(curved)
	return a
}

// inverses writes the function of the inverses of second derivatives.
func inverses(wide bool) {
	TEXT(pick(wide, "inversesAVX512", "inversesAVX2"), NOSPLIT, "func(to, row *float32, diag *float64, d float64, n int)")
	Pragma("noescape")
	Doc(pick(wide, "inversesAVX512", "inversesAVX2") + " is inverses; n is a positive multiple of 8.")
	w := &walk{wide: wide, n: GP64()}
	to, row, diag := Load(Param("to"), GP64()), Load(Param("row"), GP64()), Load(Param("diag"), GP64())
	Load(Param("n"), w.n)
	p, err := Param("d").Resolve()
	must(err)
	d, zero := w.broadcast(p.Addr), w.vector()
	w.clear(zero)
	one, small, most, infinite := w.broadcast(constant("one", 1)), w.broadcast(constant("tau", tau)), w.broadcast(constant("steep", steep)), w.broadcast(infinity())
	w.each(func(p part) {
		a, c := w.vector(), w.vector()
		VCVTPS2PD(p.values(row), c)
		VADDPD(p.doubles(diag), d, a)
		VADDPD(c, c, c)
		VSUBPD(c, a, a)
		w.where(lessOrEqual, zero, a, small, a)
		VDIVPD(a, one, c)
		w.where(greaterThan, most, a, infinite, c)
		if wide {
			VCVTPD2PS(c, c.AsY())
			w.move(c.AsY(), p.values(to))
		} else {
			VCVTPD2PSY(c, c.AsX())
			w.move(c.AsX(), p.values(to))
		}
	})
	VZEROUPPER()
	RET()
}
