package main

import (
	"fmt"
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// A walk holds what its iterations share.
type walk struct {
	wide          bool // AVX-512
	groups        int
	first         [2]GPVirtual     // of each group
	ends          [2][2]VecVirtual // lowest and highest
	places, eight VecVirtual       // 0 to 7, and 8 in all lanes
	labels        int
}

// iterations writes iterations that go on as long as nothing but the vectors changes. Where
// these are is read each time: there are not registers enough for all.
func iterations(groups int, wide bool) {
	name := pick(groups == 2, "walkNu", "walk") + pick(wide, "AVX512", "AVX2")
	TEXT(name, NOSPLIT, "func(f, diag, b, lower, upper *float64, rows *float32, stride, n int, sets *[4]*uint64, have *uint64, tolerance float64, most int, first *[2]int, lowest, highest *[2]float64) (done int)")
	Pragma("noescape")
	Doc(name + " is walk for " + pick(groups == 2, "two groups", "one group") + "; n > 0. A row begins stride elements behind the one before it.")
	w := &walk{groups: groups, wide: wide}
	r := GP64()
	if wide {
		w.places, w.eight = ZMM(), ZMM()
		MOVQ(U32(8), r)
		VPBROADCASTQ(r, w.eight)
		VMOVDQU64(table("places512", 0, 1, 2, 3, 4, 5, 6, 7), w.places)
	}
	for g := range groups {
		Load(Param("first"), r)
		w.first[g] = GP64()
		MOVQ(Mem{Base: r, Disp: 8 * g}, w.first[g])
		for k, param := range []string{"lowest", "highest"} {
			Load(Param(param), r)
			w.ends[g][k] = XMM()
			VMOVSD(Mem{Base: r, Disp: 8 * g}, w.ends[g][k])
		}
	}
	done := result(0)
	MOVQ(U32(0), done)

	Label("turn")
	MOVQ(done, r)
	CMPQ(r, param("most"))
	JGE(LabelRef("done"))
	for g := range groups {
		gap := XMM()
		VSUBSD(w.ends[g][0], w.ends[g][1], gap)
		VUCOMISD(param("tolerance"), gap)
		if g < groups-1 {
			JCC(LabelRef("violated"))
		} else {
			JCS(LabelRef("done")) // gap < tolerance, or gap is no number
		}
	}
	Label("violated")

	i, j, sets := GP64(), GP64(), GP64()
	x := GP64()
	if groups == 1 {
		XORQ(sets, sets)
		MOVQ(w.first[0], i)
		TESTQ(i, i)
		JS(LabelRef("done"))
		w.rowOf(i, x)
		w.second(0, i, x, j, XMM())
	} else {
		w.best(i, x, j, sets)
	}
	TESTQ(j, j)
	JS(LabelRef("done"))
	y := GP64()
	w.rowOf(j, y)

	// both are free
	set := GP64()
	ADDQ(param("sets"), sets)
	MOVQ(Mem{Base: sets}, set)
	mustHave(set, j)
	MOVQ(Mem{Base: sets, Disp: 8}, set)
	mustHave(set, i)

	// the step, if it ends within both boxes
	v, a, step := GP64(), XMM(), XMM()
	Load(Param("diag"), v)
	VMOVSD(Mem{Base: v, Index: i, Scale: 8}, a)
	VADDSD(Mem{Base: v, Index: j, Scale: 8}, a, a)
	twice := XMM()
	VXORPD(twice, twice, twice)
	VCVTSS2SD(Mem{Base: x, Index: j, Scale: 4}, twice, twice)
	VADDSD(twice, twice, twice)
	VSUBSD(twice, a, a)
	zero := XMM()
	VXORPD(zero, zero, zero)
	VUCOMISD(a, zero)
	JCS(LabelRef("curved")) // 0 < a, or a is no number
	VMOVSD(constant("tau", tau), a)
	Label("curved")
	Load(Param("f"), v)
	VMOVSD(Mem{Base: v, Index: j, Scale: 8}, step)
	VSUBSD(Mem{Base: v, Index: i, Scale: 8}, step, step)
	VDIVSD(a, step, step)
	Load(Param("b"), v)
	var moves [2]VecVirtual
	var after [2]VecVirtual
	for k, t := range []Register{i, j} {
		before := XMM()
		after[k] = XMM()
		VMOVSD(Mem{Base: v, Index: t, Scale: 8}, before)
		if k == 0 {
			VADDSD(step, before, after[k])
		} else {
			VSUBSD(step, before, after[k])
		}
		VSUBSD(before, after[k], before)
		if moves[k] = YMM(); wide {
			moves[k] = ZMM()
		}
		VBROADCASTSD(before, moves[k])
		bound := GP64()
		Load(Param("upper"), bound)
		VMOVSD(Mem{Base: bound, Index: t, Scale: 8}, before)
		VUCOMISD(after[k], before)
		JLS(LabelRef("done")) // not upper > b
		Load(Param("lower"), bound)
		VUCOMISD(Mem{Base: bound, Index: t, Scale: 8}, after[k])
		JLS(LabelRef("done")) // not b > lower
	}
	VMOVSD(after[0], Mem{Base: v, Index: i, Scale: 8})
	VMOVSD(after[1], Mem{Base: v, Index: j, Scale: 8})
	w.step(x, y, moves)
	INCQ(done)
	JMP(LabelRef("turn"))

	Label("done")
	for g := range groups {
		Load(Param("first"), r)
		MOVQ(w.first[g], Mem{Base: r, Disp: 8 * g})
		for k, param := range []string{"lowest", "highest"} {
			Load(Param(param), r)
			VMOVSD(w.ends[g][k], Mem{Base: r, Disp: 8 * g})
		}
	}
	VZEROUPPER()
	RET()
}

// result returns where a result is.
func result(i int) Mem {
	p, err := ReturnIndex(i).Resolve()
	must(err)
	return p.Addr
}

// param returns where a parameter is.
func param(name string) Mem {
	p, err := Param(name).Resolve()
	must(err)
	return p.Addr
}

// rowOf sets row to where a variable's row is. It leaves when there is none.
func (w *walk) rowOf(i, row Register) {
	Load(Param("have"), row)
	mustHave(row, i)
	MOVQ(i, row)
	IMULQ(param("stride"), row)
	SHLQ(U8(2), row)
	ADDQ(param("rows"), row)
}

// mustHave leaves when a place is not in a set.
func mustHave(set, i Register) {
	word := GP64()
	MOVQ(i, word)
	SHRQ(U8(6), word)
	MOVQ(Mem{Base: set, Index: word, Scale: 8}, word)
	BTQ(i, word) // of i the last six bits
	JCC(LabelRef("done"))
}

// label returns a label of its own.
func (w *walk) label(name string) string {
	w.labels++
	return fmt.Sprint(name, w.labels)
}

// each writes what is done with all elements, eight at a time: t is the first one's place, part
// is nil or the set of lanes that are there.
func (w *walk) each(body func(t GPVirtual, part Register)) {
	eight, rest, end := w.label("eight"), w.label("rest"), w.label("end")
	t, left := GP64(), GP64()
	XORQ(t, t)
	MOVQ(param("n"), left)
	SUBQ(Imm(8), left)
	JLT(LabelRef(rest))
	Label(eight)
	body(t, nil)
	ADDQ(Imm(8), t)
	SUBQ(Imm(8), left)
	JGE(LabelRef(eight))
	Label(rest)
	ADDQ(Imm(8), left)
	JZ(LabelRef(end))
	body(t, tail512(left))
	Label(end)
}

// members returns the lanes of eight places from t on that are in a set.
func members(set, t, part Register) Register {
	k, at := K(), GP64()
	MOVQ(t, at)
	SHRQ(U8(3), at)
	KMOVB(Mem{Base: set, Index: at, Scale: 1}, k)
	if part != nil {
		KANDB(part, k, k)
	}
	return k
}

// set loads where set k is: up and low of the first group, and then of the second.
func (w *walk) set(k int) GPVirtual {
	r := GP64()
	Load(Param("sets"), r)
	MOVQ(Mem{Base: r, Disp: 8 * k}, r)
	return r
}

// last sets at to the last place that is noted in a lane which has a value, -1 if none is.
func last(lanes, value, noted VecVirtual, at Register) {
	all, k, found := ZMM(), K(), ZMM()
	VBROADCASTSD(value.AsX(), all)
	VCMPPD(U8(equal), all, lanes, k)
	VPTERNLOGD(U8(0xff), found, found, found) // -1
	VMOVDQA64(noted, k, found)
	half, quarter, odd := YMM(), XMM(), XMM()
	VEXTRACTI64X4(U8(1), found, half)
	VPMAXSQ(half, found.AsY(), half)
	VEXTRACTI64X2(U8(1), half, quarter)
	VPMAXSQ(quarter, half.AsX(), quarter)
	VPSHUFD(U8(0x4e), quarter, odd)
	VPMAXSQ(quarter, odd, odd)
	VMOVQ(odd, at)
}

// second chooses j for i of a group, whose row is x, and sets gain.
func (w *walk) second(g int, i, x Register, j Register, gain VecVirtual) {
	if !w.wide {
		w.second2(g, i, x, j, gain)
		return
	}
	low, f, diag := w.set(2*g+1), Load(Param("f"), GP64()), Load(Param("diag"), GP64())
	d, lowest := ZMM(), ZMM()
	VBROADCASTSD(Mem{Base: diag, Index: i, Scale: 8}, d)
	VBROADCASTSD(w.ends[g][0], lowest)
	best, noted, place := broadcast512(math.Inf(-1)), ZMM(), ZMM()
	VPTERNLOGD(U8(0xff), noted, noted, noted) // -1
	VMOVDQA64(w.places, place)
	zero, small := ZMM(), broadcast512(tau)
	VPXORQ(zero, zero, zero)
	w.each(func(t GPVirtual, part Register) {
		k, v, c, a, flat := members(low, t, part), ZMM(), ZMM(), ZMM(), K()
		VSUBPD_Z(Mem{Base: f, Index: t, Scale: 8}, lowest, k, v)
		VCVTPS2PD_Z(Mem{Base: x, Index: t, Scale: 4}, k, c)
		VADDPD_Z(Mem{Base: diag, Index: t, Scale: 8}, d, k, a)
		VCMPPD(U8(lessThan), zero, v, k, k) // lowest - f < 0
		VMULPD(v, v, v)
		VADDPD(c, c, c)
		VSUBPD(c, a, a)
		VCMPPD(U8(lessOrEqual), zero, a, flat)
		VMOVAPD(small, flat, a)
		VDIVPD(a, v, v)
		VCMPPD(U8(greaterOrEqual), best, v, k, k)
		VMOVAPD(v, k, best)
		VMOVDQA64(place, k, noted)
		VPADDQ(w.eight, place, place)
	})
	top := across512(best, VMAXPD)
	VMOVAPD(top, gain)
	last(best, top, noted, j)
}

// best chooses the pair of two groups, with the row of i and where the sets of its group are.
func (w *walk) best(i, x, j, sets Register) {
	gain := XMM()
	VMOVUPD(fourTimes("fourMinus", math.Inf(-1)), gain)
	MOVQ(I32(-1), j)
	for g := range 2 {
		next := fmt.Sprintf("next%d", g)
		row, partner, better := GP64(), GP64(), XMM()
		TESTQ(w.first[g], w.first[g])
		JS(LabelRef(next))
		w.rowOf(w.first[g], row)
		w.second(g, w.first[g], row, partner, better)
		TESTQ(partner, partner)
		JS(LabelRef(next))
		if g > 0 {
			VUCOMISD(gain, better)
			JCS(LabelRef(next)) // better < gain
			JNE(LabelRef("better"))
			CMPQ(partner, j)
			JLT(LabelRef(next))
			Label("better")
		}
		VMOVAPD(better, gain)
		MOVQ(w.first[g], i)
		MOVQ(row, x)
		MOVQ(partner, j)
		MOVQ(U32(uint32(16*g)), sets)
		Label(next)
	}
}

// step moves the gradient and finds its ends.
func (w *walk) step(x, y Register, moves [2]VecVirtual) {
	if !w.wide {
		w.step2(x, y, moves)
		return
	}
	f := Load(Param("f"), GP64())
	place := ZMM()
	VMOVDQA64(w.places, place)
	var up, low [2]GPVirtual
	var lowest, highest, noted [2]VecVirtual
	for g := range w.groups {
		up[g], low[g] = w.set(2*g), w.set(2*g+1)
		lowest[g], highest[g], noted[g] = broadcast512(math.Inf(1)), broadcast512(math.Inf(-1)), ZMM()
		VPTERNLOGD(U8(0xff), noted[g], noted[g], noted[g])
	}
	w.each(func(t GPVirtual, part Register) {
		v, b := ZMM(), ZMM()
		to := Mem{Base: f, Index: t, Scale: 8}
		if part != nil {
			old := ZMM()
			VCVTPS2PD_Z(Mem{Base: x, Index: t, Scale: 4}, part, v)
			VCVTPS2PD_Z(Mem{Base: y, Index: t, Scale: 4}, part, b)
			VMOVUPD_Z(to, part, old)
			VMULPD(moves[0], v, v)
			VMULPD(moves[1], b, b)
			VADDPD(b, v, v)
			VADDPD(old, v, v)
			VMOVUPD(v, part, to)
		} else {
			VCVTPS2PD(Mem{Base: x, Index: t, Scale: 4}, v)
			VCVTPS2PD(Mem{Base: y, Index: t, Scale: 4}, b)
			VMULPD(moves[0], v, v)
			VMULPD(moves[1], b, b)
			VADDPD(b, v, v)
			VADDPD(to, v, v)
			VMOVUPD(v, to)
		}
		for g := range w.groups {
			k := members(up[g], t, part)
			VCMPPD(U8(lessOrEqual), lowest[g], v, k, k)
			VMOVAPD(v, k, lowest[g])
			VMOVDQA64(place, k, noted[g])
			k = members(low[g], t, part)
			VMAXPD(highest[g], v, k, highest[g]) // what was there if v is no number
		}
		VPADDQ(w.eight, place, place)
	})
	zero := XMM()
	VXORPD(zero, zero, zero)
	for g := range w.groups {
		bottom := across512(lowest[g], VMINPD)
		VADDSD(zero, bottom, w.ends[g][0])
		last(lowest[g], bottom, noted[g], w.first[g])
		VADDSD(zero, across512(highest[g], VMAXPD), w.ends[g][1])
	}
}
