package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// A count is an operation on two sets, of whose result the ones are counted.
type count struct{ name, operator string }

var (
	apart  = count{"apart", "^"}
	common = count{"common", "&"}
)

const bitsSignature = "func(dst *uint32, stride int, panel *uint64, panels int, query *uint64, columns int"

func bitsDoc(name string, c count, rows string) {
	Doc(fmt.Sprintf("%s sets dst[stride r+i] to the number of ones in panel[32k+i] %s query[rows k+r], over all k, for r < %s and i < 32, and so on for each panel. stride is in bytes.", name, c.operator, rows))
}

func bits512(c count, rows int) {
	name := fmt.Sprintf("%s%dAVX512", c.name, rows)
	TEXT(name, NOSPLIT, bitsSignature+")")
	Pragma("noescape")
	bitsDoc(name, c, fmt.Sprint(rows))
	a := load()
	Label("panel")
	sums := make([][4]VecVirtual, rows)
	for r := range sums {
		for i := range sums[r] {
			sums[r][i] = ZMM()
			VPXORQ(sums[r][i], sums[r][i], sums[r][i])
		}
	}
	q, k := GP64(), GP64()
	MOVQ(a.query, q)
	MOVQ(a.columns, k)
	TESTQ(k, k)
	JZ(LabelRef("store"))
	Label("column")
	var values [4]VecVirtual
	for i := range values {
		values[i] = ZMM()
		VMOVDQU64(Mem{Base: a.panel, Disp: 64 * i}, values[i])
	}
	for r := range rows {
		x := ZMM()
		VPBROADCASTQ(Mem{Base: q, Disp: 8 * r}, x)
		for i, v := range values {
			t := ZMM()
			if c == apart {
				VPXORQ(v, x, t)
			} else {
				VPANDQ(v, x, t)
			}
			VPOPCNTQ(t, t)
			VPADDQ(t, sums[r][i], sums[r][i])
		}
	}
	ADDQ(U32(256), a.panel)
	ADDQ(U32(uint32(8*rows)), q)
	DECQ(k)
	JNZ(LabelRef("column"))
	Label("store")
	to := GP64()
	MOVQ(a.dst, to)
	for r := range sums {
		for i, x := range sums[r] {
			VPMOVQD(x, Mem{Base: to, Disp: 32 * i})
		}
		if r < rows-1 {
			ADDQ(a.stride, to)
		}
	}
	ADDQ(U32(128), a.dst)
	DECQ(a.panels)
	JNZ(LabelRef("panel"))
	VZEROUPPER()
	RET()
}

// bits2 counts ones with a table of the counts of half bytes, eight rows of a panel at a time, one
// query after the other.
func bits2(c count) {
	name := c.name + "AVX2"
	TEXT(name, NOSPLIT, bitsSignature+", rows int)")
	Pragma("noescape")
	bitsDoc(name, c, "rows")
	a := load()
	rows := Load(Param("rows"), GP64())
	half := GLOBL(c.name+"Half", RODATA|NOPTR)
	for i := range 32 {
		ones := i&1 + i>>1&1 + i>>2&1 + i>>3&1
		DATA(i, U8(uint8(ones)))
	}
	table, low, zero := YMM(), YMM(), YMM()
	VMOVDQU(half, table)
	VPCMPEQB(low, low, low)
	VPSRLW(U8(12), low, low)
	VPACKUSWB(low, low, low) // 15 in each byte
	VPXOR(zero, zero, zero)
	queryStep := GP64()
	MOVQ(rows, queryStep)
	SHLQ(U8(3), queryStep)

	Label("panel")
	part := GP64()
	MOVQ(U32(4), part)
	Label("part")
	q0, r, to := GP64(), GP64(), GP64()
	MOVQ(a.query, q0)
	MOVQ(rows, r)
	MOVQ(a.dst, to)
	Label("row")
	var sums [2]VecVirtual
	for i := range sums {
		sums[i] = YMM()
		VPXOR(sums[i], sums[i], sums[i])
	}
	p, q, k := GP64(), GP64(), GP64()
	MOVQ(a.panel, p)
	MOVQ(q0, q)
	MOVQ(a.columns, k)
	TESTQ(k, k)
	JZ(LabelRef("store"))
	Label("column")
	x := YMM()
	VPBROADCASTQ(Mem{Base: q}, x)
	for i := range sums {
		t, high := YMM(), YMM()
		if c == apart {
			VPXOR(Mem{Base: p, Disp: 32 * i}, x, t)
		} else {
			VPAND(Mem{Base: p, Disp: 32 * i}, x, t)
		}
		VPSRLW(U8(4), t, high)
		VPAND(low, t, t)
		VPAND(low, high, high)
		VPSHUFB(t, table, t)
		VPSHUFB(high, table, high)
		VPADDB(t, high, t)
		VPSADBW(zero, t, t)
		VPADDQ(t, sums[i], sums[i])
	}
	ADDQ(U32(256), p)
	ADDQ(queryStep, q)
	DECQ(k)
	JNZ(LabelRef("column"))
	Label("store")
	VSHUFPS(U8(0x88), sums[1], sums[0], sums[0])
	VPERMQ(U8(0xd8), sums[0], sums[0])
	VMOVDQU(sums[0], Mem{Base: to})
	ADDQ(a.stride, to)
	ADDQ(U32(8), q0)
	DECQ(r)
	JNZ(LabelRef("row"))
	ADDQ(U32(32), a.dst)
	ADDQ(U32(64), a.panel)
	DECQ(part)
	JNZ(LabelRef("part"))
	SUBQ(U32(256), a.panel)
	panelBytes := GP64()
	MOVQ(a.columns, panelBytes)
	SHLQ(U8(8), panelBytes)
	ADDQ(panelBytes, a.panel)
	DECQ(a.panels)
	JNZ(LabelRef("panel"))
	VZEROUPPER()
	RET()
}
