package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// decimals writes the function for one number of query rows. With AVX2, whose registers hold fewer
// sums, parts of a panel are worked on in turn.
func decimals(rows int, level string) {
	wide, lanes, parts := 4, 8, 1 // registers of a panel, rows of one
	vector := func() VecVirtual { return ZMM() }
	if level == "AVX2" {
		wide, lanes = 8, 4
		parts = []int{1, 2, 2, 4, 4, 4}[rows-1]
		vector = func() VecVirtual { return YMM() }
	}
	registers := wide / parts
	name := fmt.Sprintf("dotsOfDecimals%d%s", rows, level)
	TEXT(name, NOSPLIT, "func(dst *float64, stride int, panel *int32, panels int, query *float64, columns, add int)")
	Pragma("noescape")
	Doc(fmt.Sprintf("%s adds to dst[stride r+i], or to 0 if add is 0, panel[32k+i] query[rows k+r], unrounded, for k = 0, 1, ...,", name),
		fmt.Sprintf("for r < %d and i < 32, and so on for each panel. stride is in bytes.", rows))
	dst, stride := Load(Param("dst"), GP64()), Load(Param("stride"), GP64())
	panel, panels := Load(Param("panel"), GP64()), Load(Param("panels"), GP64())
	query, columns, add := Load(Param("query"), GP64()), Load(Param("columns"), GP64()), Load(Param("add"), GP64())

	Label("panel")
	part := GP64()
	if parts > 1 {
		MOVQ(U32(uint32(parts)), part)
		Label("part")
	}
	sums := make([][]VecVirtual, rows)
	each := func(f func(x VecVirtual, m Mem)) {
		at := GP64()
		MOVQ(dst, at)
		for r := range sums {
			for c, x := range sums[r] {
				f(x, Mem{Base: at, Disp: 8 * lanes * c})
			}
			if r < rows-1 {
				ADDQ(stride, at)
			}
		}
	}
	for r := range sums {
		for range registers {
			x := vector()
			if level == "AVX2" {
				VXORPD(x, x, x)
			} else {
				VPXORQ(x, x, x)
			}
			sums[r] = append(sums[r], x)
		}
	}
	TESTQ(add, add)
	JZ(LabelRef("begin"))
	each(func(x VecVirtual, m Mem) { VMOVUPD(m, x) })
	Label("begin")
	at, q, k := GP64(), GP64(), GP64()
	MOVQ(panel, at)
	MOVQ(query, q)
	MOVQ(columns, k)
	Label("column")
	const step = 4 * 32
	if rows >= fetchRows {
		for line := 0; line < step/parts; line += 64 {
			PREFETCHT0(Mem{Base: at, Disp: fetchBytes/2 + line})
		}
	}
	numbers := func(c int) VecVirtual {
		z := vector()
		VCVTDQ2PD(Mem{Base: at, Disp: 4 * lanes * c}, z)
		return z
	}
	element := func(r int) VecVirtual {
		x := vector()
		if level == "AVX2" {
			VBROADCASTSD(Mem{Base: q, Disp: 8 * r}, x)
		} else {
			VPBROADCASTQ(Mem{Base: q, Disp: 8 * r}, x)
		}
		return x
	}
	if rows < registers { // the fewer ones stay in registers beside the sums
		xs := make([]VecVirtual, rows)
		for r := range xs {
			xs[r] = element(r)
		}
		for c := range registers {
			z := numbers(c)
			for r, x := range xs {
				VFMADD231PD(z, x, sums[r][c])
			}
		}
	} else {
		zs := make([]VecVirtual, registers)
		for c := range zs {
			zs[c] = numbers(c)
		}
		for r := range sums {
			x := element(r)
			for c, z := range zs {
				VFMADD231PD(z, x, sums[r][c])
			}
		}
	}
	ADDQ(U32(step), at)
	ADDQ(U32(uint32(8*rows)), q)
	DECQ(k)
	JNZ(LabelRef("column"))
	each(func(x VecVirtual, m Mem) { VMOVUPD(x, m) })
	ADDQ(U32(uint32(256/parts)), dst)
	if parts > 1 {
		ADDQ(U32(uint32(step/parts)), panel)
		DECQ(part)
		JNZ(LabelRef("part"))
		LEAQ(Mem{Base: at, Disp: step/parts - step}, panel) // behind the last part's last column
	} else {
		MOVQ(at, panel)
	}
	DECQ(panels)
	JNZ(LabelRef("panel"))
	VZEROUPPER()
	RET()
}
