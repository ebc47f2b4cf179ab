package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// ahead is the number of vectors that are under way in pipeline.
const ahead = 4

// pipeline works on most of many numbers, and leaves less than 6 vectors of them. The way
// from an argument to its place in the table, through memory, is long; so the entries of two
// vectors are loaded when the places of the next two are already being found.
func (f *form) pipeline(src, dst, n Register, scale, most VecVirtual) {
	const lanes, pair = 8, ahead / 2
	var r, shifted [ahead]VecVirtual
	for i := range ahead {
		r[i], shifted[i] = f.v(), f.v()
	}
	slot := func(i int) Mem { return f.offsets.Offset(64 * i) }
	// split takes the vectors from the given one on, counted from the source, to a side
	split := func(side, from int) {
		for i := range pair {
			x := f.v()
			VMULPD(Mem{Base: src, Disp: 8 * lanes * (from + i)}, scale, x)
			VRANGEPD(U8(0xb), x, most, most)
			f.split(x, r[side*pair+i], shifted[side*pair+i], slot(side*pair+i))
		}
	}
	power := func(side, to int) {
		for i := range pair {
			k := side*pair + i
			VMOVUPD(f.power(r[k], shifted[k], slot(k)), Mem{Base: dst, Disp: 8 * lanes * (to + i)})
		}
	}
	CMPQ(n, U8(3*pair*lanes))
	JL(LabelRef("short"))
	split(0, 0)
	Label("pipeline")
	split(1, pair)
	power(0, 0)
	split(0, 2*pair)
	power(1, pair)
	ADDQ(U32(2*pair*8*lanes), src)
	ADDQ(U32(2*pair*8*lanes), dst)
	SUBQ(U8(2*pair*lanes), n)
	CMPQ(n, U8(3*pair*lanes))
	JGE(LabelRef("pipeline"))
	power(0, 0)
	ADDQ(U32(pair*8*lanes), src)
	ADDQ(U32(pair*8*lanes), dst)
	SUBQ(U8(pair*lanes), n)
	Label("short")
}
