package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// ahead returns the number of vectors that pipeline has under way.
func (f *form) ahead() int {
	if f.wide {
		return 4
	}
	return 2 // there are no registers for more
}

// note replaces most by the size of x if that is larger. NaN is not noted: exp makes NaN of it.
func (f *form) note(x, most VecVirtual) {
	if f.wide {
		VRANGEPD(U8(0xb), x, most, most)
		return
	}
	size := f.v()
	f.and(f.inverse, x, size)
	VMAXPD(most, size, most) // the second operand if one is NaN
}

// pipeline takes most of many numbers, and leaves less than three pairs of vectors, or three
// vectors, undone. It takes long to go from an argument through memory to its place in the table;
// so the entries of one or two vectors are loaded while the places of the next are already being
// computed.
func (f *form) pipeline(src, dst, n Register, scale, most VecVirtual) {
	lanes, ahead := f.lanes(), f.ahead()
	pair := ahead / 2
	r, shifted := make([]VecVirtual, ahead), make([]VecVirtual, ahead)
	for i := range ahead {
		r[i], shifted[i] = f.v(), f.v()
	}
	slot := func(i int) Mem { return f.offsets.Offset(8 * lanes * i) }
	// split splits half of the vectors under way, beginning with vector from of the source, into r
	// and shifted of the given side
	split := func(side, from int) {
		for i := range pair {
			x := f.v()
			VMULPD(Mem{Base: src, Disp: 8 * lanes * (from + i)}, scale, x)
			f.note(x, most)
			f.split(x, r[side*pair+i], shifted[side*pair+i], slot(side*pair+i))
		}
	}
	power := func(side, to int) {
		for i := range pair {
			k := side*pair + i
			VMOVUPD(f.power(r[k], shifted[k], slot(k)), Mem{Base: dst, Disp: 8 * lanes * (to + i)})
		}
	}
	advance := func(vectors int) {
		ADDQ(U32(uint32(vectors*8*lanes)), src)
		ADDQ(U32(uint32(vectors*8*lanes)), dst)
		SUBQ(U8(uint8(vectors*lanes)), n)
	}
	CMPQ(n, U8(uint8(3*pair*lanes)))
	JL(LabelRef("short"))
	split(0, 0)
	Label("pipeline")
	split(1, pair)
	power(0, 0)
	split(0, 2*pair)
	power(1, pair)
	advance(2 * pair)
	CMPQ(n, U8(uint8(3*pair*lanes)))
	JGE(LabelRef("pipeline"))
	power(0, 0)
	advance(pair)
	Label("short")
}
