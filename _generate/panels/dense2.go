package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// nearColumns columns of a panel stay in the first-level cache while its parts are worked on.
const nearColumns = 32

// dense2 writes the function for several query rows with AVX2, whose registers do not hold all sums
// of a panel. It works on one part of a panel, a few registers wide, after the other: on
// nearColumns columns of all parts before the next columns, for which it loads the sums from dst
// again. Panels of more columns are prefetched, one line after the other, as evenly as they are
// worked on.
//
// The number of instructions is the bottleneck. A value that is loaded into a register once takes
// one instruction, and the register; the other values are loaded again by each product, and a
// processor can do two such loads at a time.
func dense2(s sum, rows int) {
	a := denseText(s, rows, "AVX2")
	vector := func() VecVirtual { return YMM() }
	registers := 4 // of a part
	if rows > 3 {
		registers = 2
	}
	keep := 2
	if s == distances && (rows == 3 || rows == 6) {
		keep = 1
	}
	one := denseOne(s, vector)
	ahead := GP64()
	LEAQ(Mem{Base: a.panel, Disp: fetchBytes}, ahead)

	Label("panel")
	left, query, begun := GP64(), GP64(), GP64() // columns left, the query's next numbers, whether sums are in dst
	Load(Param("columns"), left)
	Load(Param("query"), query)
	XORQ(begun, begun)
	Label("near")
	columns, part, to := GP64(), GP64(), GP64()
	MOVQ(U32(nearColumns), columns)
	CMPQ(left, columns)
	CMOVQLT(left, columns)
	SUBQ(columns, left)
	MOVQ(a.dst, to)
	MOVQ(U32(uint32(8/registers)), part)

	Label("part")
	sums := make([][]VecVirtual, rows)
	each := func(from Register, f func(x VecVirtual, m Mem)) {
		at := GP64()
		MOVQ(from, at)
		for r := range sums {
			for c, x := range sums[r] {
				f(x, Mem{Base: at, Disp: 32 * c})
			}
			if r < rows-1 {
				ADDQ(a.stride, at)
			}
		}
	}
	for r := range sums {
		for range registers {
			x := vector()
			VXORPD(x, x, x)
			sums[r] = append(sums[r], x)
		}
	}
	TESTQ(begun, begun)
	JZ(LabelRef("begin"))
	each(to, func(x VecVirtual, m Mem) { VMOVUPD(m, x) })
	Label("begin")
	p, q, k := GP64(), GP64(), GP64()
	MOVQ(a.panel, p)
	MOVQ(query, q)
	MOVQ(columns, k)
	loop := func(label string, fetch bool) {
		Label(label)
		values := make([]Op, registers)
		for c := range values {
			values[c] = Mem{Base: p, Disp: 32 * c}
			if c < keep {
				v := vector()
				VMOVUPD(values[c], v)
				values[c] = v
			}
		}
		if fetch {
			for line := 0; line < 32*registers; line += 64 {
				PREFETCHT0(Mem{Base: ahead, Disp: line})
			}
			ADDQ(U32(uint32(32*registers)), ahead)
		}
		for r := range rows {
			x := vector()
			VBROADCASTSD(Mem{Base: q, Disp: 8 * r}, x)
			denseTerms(s, values, x, one, sums[r], r*registers, vector)
		}
		ADDQ(U32(256), p)
		ADDQ(U32(uint32(8*rows)), q)
		DECQ(k)
		JNZ(LabelRef(label))
	}
	all := GP64()
	Load(Param("columns"), all)
	CMPQ(all, U8(nearColumns))
	JGT(LabelRef("far"))
	loop("column", false)
	JMP(LabelRef("store"))
	loop("far", true)
	Label("store")
	each(to, func(x VecVirtual, m Mem) { VMOVUPD(x, m) })
	ADDQ(U32(uint32(32*registers)), to)
	ADDQ(U32(uint32(32*registers)), a.panel)
	DECQ(part)
	JNZ(LabelRef("part"))

	LEAQ(Mem{Base: p, Disp: 32*registers - 256}, a.panel) // behind the last column of the last part
	MOVQ(q, query)
	INCQ(begun)
	TESTQ(left, left)
	JNZ(LabelRef("near"))
	ADDQ(U32(256), a.dst)
	DECQ(a.panels)
	JNZ(LabelRef("panel"))
	VZEROUPPER()
	RET()
}
