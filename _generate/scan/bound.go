package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// movedMost is the largest number of pairs that are noted because a variable was or is at a bound.
const movedMost = 64

// bound writes the code for a pair with a variable that was at a bound, or that the step would take
// beyond one; before and after are b before and after the step. The code clips as Pair of package
// scan does, and updates the sets. Where that is left to the caller, it leaves the walk before it
// changes anything.
func (w *walk) bound(pair [2]Register, before, after [2]VecVirtual) {
	var lower, upper [2]VecVirtual
	from, sum, zero := GP64(), XMM(), XMM()
	VUCOMISD(after[0], after[1])
	JPS(LabelRef("done"))
	for k, t := range pair {
		lower[k], upper[k] = XMM(), XMM()
		w.load(atLower, from)
		VMOVSD(Mem{Base: from, Index: t, Scale: 8}, lower[k])
		w.load(atUpper, from)
		VMOVSD(Mem{Base: from, Index: t, Scale: 8}, upper[k])
	}
	VADDSD(before[1], before[0], sum)
	VXORPD(zero, zero, zero)

	// positive jumps if the box of variable k is [0, C]
	positive := func(k int, to string) {
		VUCOMISD(zero, upper[k])
		JHI(LabelRef(to))
	}
	// clip brings the first variable back from beyond the bound first, or the second one from
	// beyond second
	clip := func(first, second VecVirtual, other int, beyond func(bound VecVirtual, k int, to string), earlier func(edge VecVirtual, first, second string)) {
		one, two, end := w.label("one"), w.label("two"), w.label("end")
		clipOne, clipTwo := w.label("clip"), w.label("clip")
		edge := XMM()
		VADDSD(second, first, edge)
		earlier(edge, one, two)
		Label(one)
		beyond(first, 0, clipOne)
		JMP(LabelRef(end))
		Label(clipOne)
		VMOVAPD(first, after[0])
		VSUBSD(first, sum, after[1])
		if other >= 0 {
			// a zero that may be -0 is left to the caller
			VUCOMISD(zero, sum)
			JNE(LabelRef(end))
			positive(0, end)
			positive(1, "done")
		}
		JMP(LabelRef(end))
		Label(two)
		beyond(second, 1, clipTwo)
		JMP(LabelRef(end))
		Label(clipTwo)
		VMOVAPD(second, after[1])
		VSUBSD(second, sum, after[0])
		Label(end)
	}
	forward := func() {
		clip(upper[0], lower[1], 1, func(bound VecVirtual, k int, to string) {
			if k == 0 {
				VUCOMISD(bound, after[0])
			} else {
				VUCOMISD(after[1], bound)
			}
			JHI(LabelRef(to))
		}, func(edge VecVirtual, first, second string) {
			VUCOMISD(edge, sum)
			JHI(LabelRef(first))
			JNE(LabelRef(second))
			positive(0, second)
		})
	}
	backward := func() {
		clip(lower[0], upper[1], -1, func(bound VecVirtual, k int, to string) {
			if k == 0 {
				VUCOMISD(after[0], bound)
			} else {
				VUCOMISD(bound, after[1])
			}
			JHI(LabelRef(to))
		}, func(edge VecVirtual, first, second string) {
			VUCOMISD(sum, edge)
			JHI(LabelRef(first))
			JNE(LabelRef(second))
			positive(0, first)
			JMP(LabelRef(second))
		})
	}
	positive(1, "forward")
	backward()
	forward()
	JMP(LabelRef("clipped"))
	Label("forward")
	forward()
	backward()
	Label("clipped")

	// at which bounds the variables are now
	var at [2]GPVirtual
	for k := range pair {
		at[k] = GP64()
		above := GP64()
		XORQ(at[k], at[k])
		XORQ(above, above)
		VUCOMISD(after[k], lower[k])
		SETCC(at[k].As8()) // lower >= b
		VUCOMISD(upper[k], after[k])
		SETCC(above.As8()) // b >= upper
		LEAQ(Mem{Base: at[k], Index: above, Scale: 2}, at[k])
		CMPQ(at[k], Imm(3))
		JEQ(LabelRef("done"))
	}
	moved, count := GP64(), GP64()
	w.load(atCount, count)
	w.load(atMoved, moved)
	INCQ(w.arg(atCount))
	SHLQ(U8(4), count)
	ADDQ(count, moved)
	for k, t := range pair {
		MOVL(t.(GP).As32(), Mem{Base: moved, Disp: 4 * k})
		MOVL(at[k].As32(), Mem{Base: moved, Disp: 8 + 4*k})
	}
	for k, t := range pair {
		w.put(t, at[k])
	}
}

// put notes in the sets at which bounds variable t is: bit 0 of at is set at the lower, bit 1 at
// the upper one.
func (w *walk) put(t Register, at GPVirtual) {
	group := GP64()
	if w.groups == 1 {
		XORQ(group, group)
	} else {
		w.has(atSecond, t)
		SBBQ(group, group)
		NEGQ(group)
	}
	for k, set := range []int{atUp, atLow} {
		in, to, word, place := GP64(), GP64(), GP64(), GP64()
		XORQ(in, in)
		CMPQ(at, Imm(uint64([]int{2, 1}[k]))) // at the upper bound, at the lower bound
		SETNE(in.As8())
		MOVQ(Mem{Base: w.args, Index: group, Scale: 8, Disp: set}, to)
		MOVQ(t, place)
		SHRQ(U8(6), place)
		MOVQ(Mem{Base: to, Index: place, Scale: 8}, word)
		BTRQ(t, word) // by the last six bits of t
		bit := GP64()
		SHLXQ(t, in, bit)
		ORQ(bit, word)
		MOVQ(word, Mem{Base: to, Index: place, Scale: 8})
		if !w.wide {
			DECQ(in) // ones if it is not in the set
			MOVQ(Mem{Base: w.args, Index: group, Scale: 8, Disp: []int{atOutUp, atOutLow}[k]}, to)
			MOVQ(in, Mem{Base: to, Index: t, Scale: 8})
		}
	}
}
