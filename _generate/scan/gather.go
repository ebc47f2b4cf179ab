package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// gatherLanes is the number of elements that gather writes at a time.
const gatherLanes = 16

// gather2 writes the function of dst[k] = row[of[k]], for multiples of sixteen elements. On current
// processors instructions that gather are no faster than single loads. They are much slower where
// the processor has to keep them from leaking what is in the cache.
func gather2() {
	TEXT("gatherAVX2", NOSPLIT, "func(dst, row *float32, of *int32, n int)")
	Pragma("noescape")
	Doc("gatherAVX2 is gather; n is a positive multiple of 16.")
	dst, row := Load(Param("dst"), GP64()), Load(Param("row"), GP64())
	of, n := Load(Param("of"), GP64()), Load(Param("n"), GP64())
	t := GP64()
	XORQ(t, t)
	Label("sixteen")
	for four := 0; four < gatherLanes; four += 4 {
		x := XMM()
		for k := 0; k < 4; k += 2 {
			both, first := GP64(), GP64()
			MOVQ(Mem{Base: of, Index: t, Scale: 4, Disp: 4 * (four + k)}, both) // two positions
			MOVL(both.As32(), first.As32())
			SHRQ(Imm(32), both)
			for i, at := range []Register{first, both} {
				from := Mem{Base: row, Index: at, Scale: 4}
				if k+i == 0 {
					VMOVSS(from, x)
				} else {
					VINSERTPS(Imm(uint64(k+i)<<4), from, x, x)
				}
			}
		}
		VMOVUPS(x, Mem{Base: dst, Index: t, Scale: 4, Disp: 4 * four})
	}
	ADDQ(Imm(gatherLanes), t)
	CMPQ(t, n)
	JLT(LabelRef("sixteen"))
	RET()
}
