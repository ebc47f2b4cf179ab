package main

import (
	"fmt"
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// decimals writes the function for one number of query rows. AVX2 has fewer registers for sums, so
// parts of a panel are worked on in turn.
func decimals(rows int, level string) {
	wide, lanes, parts := 4, 8, 1 // registers of a panel, rows of a register
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
	if rows < registers { // the fewer of both kinds of numbers stay in registers
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
		LEAQ(Mem{Base: at, Disp: step/parts - step}, panel) // behind the last column of the last part
	} else {
		MOVQ(at, panel)
	}
	DECQ(panels)
	JNZ(LabelRef("panel"))
	VZEROUPPER()
	RET()
}

// queryDecimals writes the function that collects rows side by side as a query. There is none for
// AVX2, whose masked loads and stores are not fast everywhere.
func queryDecimals() {
	const name = "queryDecimalsAVX512"
	TEXT(name, NOSPLIT, "func(dst *float64, stride int, panel *int32, unit *float64, columns, rows int)")
	Pragma("noescape")
	Doc(name + " sets dst[stride k+r] to panel[32k+r] unit[k] for k < columns, columns > 0, and r < rows, from 1 to 8.")
	dst, stride := Load(Param("dst"), GP64()), Load(Param("stride"), GP64())
	panel, unit, columns := Load(Param("panel"), GP64()), Load(Param("unit"), GP64()), Load(Param("columns"), GP64())
	rows, bits, mask := Load(Param("rows"), GP64()), GP32(), K()
	MOVL(U32(255), bits)
	BZHIL(rows.(GPVirtual).As32(), bits, bits)
	KMOVB(bits, mask)
	SHLQ(U8(3), stride)
	Label("column")
	v := ZMM()
	VCVTDQ2PD_Z(Mem{Base: panel}, mask, v)
	VMULPD_BCST(Mem{Base: unit}, v, v)
	VMOVUPD(v, mask, Mem{Base: dst})
	ADDQ(U8(128), panel)
	ADDQ(stride, dst)
	ADDQ(U8(8), unit)
	DECQ(columns)
	JNZ(LabelRef("column"))
	VZEROUPPER()
	RET()
}

// areWhole writes the function that tests whether products are whole numbers, and finds the least
// and the largest factor.
func areWhole(level string) {
	lanes, vector := 4, func() VecVirtual { return YMM() }
	if level == "AVX512" {
		lanes, vector = 8, func() VecVirtual { return ZMM() }
	}
	name := "areWhole" + level
	TEXT(name, NOSPLIT, "func(values, scale, low, high *float64, n int) (odd int)")
	Pragma("noescape")
	Doc(name+" lowers low[k] and raises high[k] to values[k] for k < n, a positive multiple of "+fmt.Sprint(lanes)+". It returns 0 if all values[k] scale[k],",
		"which are below 2^51, are at most 2^-52 of themselves away from a whole number.")
	values, scale := Load(Param("values"), GP64()), Load(Param("scale"), GP64())
	low, high, n := Load(Param("low"), GP64()), Load(Param("high"), GP64()), Load(Param("n"), GP64())
	constant := func(x uint64) VecVirtual {
		r, y := GP64(), vector()
		MOVQ(U64(x), r)
		VMOVQ(r, y.AsX())
		VBROADCASTSD(y.AsX(), y)
		return y
	}
	const nearest = 3 << 51
	shift, share, size := constant(math.Float64bits(nearest)), constant(math.Float64bits(0x1p-52)), constant(math.MaxInt64)
	odd := GP32()
	mask, all := K(), vector()
	if level == "AVX512" {
		KXORW(mask, mask, mask)
	} else {
		VXORPD(all, all, all)
	}
	at := GP64()
	XORQ(at, at)
	Label("columns")
	place := func(from Register) Mem { return Mem{Base: from, Index: at, Scale: 8} }
	v, p, q := vector(), vector(), vector()
	VMOVUPD(place(values), v)
	VMULPD(place(scale), v, p)
	VADDPD(shift, p, q)
	VSUBPD(shift, q, q)
	VSUBPD(q, p, q)
	VANDPD(size, q, q)
	VANDPD(size, p, p)
	VMULPD(share, p, p)
	const notLessOrEqual = 0x16
	if level == "AVX512" {
		bad := K()
		VCMPPD(U8(notLessOrEqual), p, q, bad)
		KORW(bad, mask, mask)
	} else {
		VCMPPD(U8(notLessOrEqual), p, q, q)
		VORPD(q, all, all)
	}
	least, most := vector(), vector()
	VMINPD(place(low), v, least)
	VMAXPD(place(high), v, most)
	VMOVUPD(least, place(low))
	VMOVUPD(most, place(high))
	ADDQ(U8(uint8(lanes)), at)
	CMPQ(at, n)
	JL(LabelRef("columns"))
	if level == "AVX512" {
		KMOVW(mask, odd)
	} else {
		VMOVMSKPD(all, odd)
	}
	Store(odd.As64(), ReturnIndex(0))
	VZEROUPPER()
	RET()
}
