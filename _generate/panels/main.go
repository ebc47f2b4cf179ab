// Command panels writes the assembly of format/vec. From this module:
//
//	go run ./panels -out ../format/vec/panels_amd64.s -stubs ../format/vec/panels_stubs_amd64.go -pkg vec
package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// maxRows is the largest number of query rows; a panel has 32 rows.
const maxRows = 6

func main() {
	ConstraintExpr("amd64,!purego")
	ones = GLOBL("one", RODATA|NOPTR)
	DATA(0, F64(1))
	for _, sum := range []sum{dots, distances} {
		for rows := 1; rows <= maxRows; rows++ {
			dense(sum, rows, "AVX512", 4, 4, func() VecVirtual { return ZMM() })
		}
		for rows, registers := range []int{8, 4, 4, 2, 2, 2} {
			dense(sum, rows+1, "AVX2", 8, registers, func() VecVirtual { return YMM() })
		}
	}
	for _, count := range []count{apart, common} {
		for rows := 1; rows <= maxRows; rows++ {
			bits512(count, rows)
		}
		bits2(count)
		for _, size := range []int{32, 64, 128, 0} {
			values512(count, size)
		}
		for _, size := range []int{32, 64, 128} {
			values2(count, size)
		}
		valuesFar2(count)
	}
	strip("AVX512", 4, func() VecVirtual { return ZMM() })
	strip("AVX2", 8, func() VecVirtual { return YMM() })
	turn512()
	turn2()
	Generate()
}

// A sum is what is computed of a row of a panel and a query.
type sum struct{ name, formula string }

var (
	dots      = sum{"dots", "sum over k of panel[32k+i] query[rows k+r]"}
	distances = sum{"distances", "sum over k of (panel[32k+i] - query[rows k+r])^2"}
)

// ones is the number 1.
var ones Mem

// arguments of all functions
type arguments struct{ dst, stride, panel, panels, query, columns Register }

func load() arguments {
	return arguments{
		Load(Param("dst"), GP64()), Load(Param("stride"), GP64()),
		Load(Param("panel"), GP64()), Load(Param("panels"), GP64()),
		Load(Param("query"), GP64()), Load(Param("columns"), GP64()),
	}
}

// dense writes the function for one number of query rows. A panel takes wide
// registers; of those, so many are worked on at once that the sums of all rows
// stay in registers.
func dense(s sum, rows int, level string, wide, registers int, vector func() VecVirtual) {
	name := fmt.Sprintf("%s%d%s", s.name, rows, level)
	bytes := 256 / wide
	TEXT(name, NOSPLIT, "func(dst *float64, stride int, panel *float64, panels int, query *float64, columns int)")
	Pragma("noescape")
	Doc(fmt.Sprintf("%s sets dst[stride r+i] = %s for r < %d and i < 32, and so on for each panel. stride is in bytes.", name, s.formula, rows))
	a := load()
	parts := wide / registers
	panelBytes := GP64()
	MOVQ(a.columns, panelBytes)
	SHLQ(U8(8), panelBytes)

	Label("panel")
	part := GP64()
	if parts > 1 {
		MOVQ(U32(uint32(parts)), part)
		Label("part")
	}
	var one VecVirtual // a difference is an addition, or a product with 1 and an addition
	if s == distances {
		one = vector()
		VBROADCASTSD(ones, one)
	}
	sums := make([][]VecVirtual, rows)
	for r := range sums {
		sums[r] = make([]VecVirtual, registers)
		for c := range sums[r] {
			sums[r][c] = vector()
			if wide == 4 {
				VPXORQ(sums[r][c], sums[r][c], sums[r][c])
			} else {
				VXORPD(sums[r][c], sums[r][c], sums[r][c])
			}
		}
	}
	p, q, k := GP64(), GP64(), GP64()
	MOVQ(a.panel, p)
	MOVQ(a.query, q)
	MOVQ(a.columns, k)
	TESTQ(k, k)
	JZ(LabelRef("store"))

	Label("column")
	// the panel's values stay in registers where there is room for them
	others := 2
	if s == distances {
		others++
	}
	keep := wide == 4 || rows*registers+registers+others <= 16
	values := make([]Op, registers)
	for c := range values {
		values[c] = Mem{Base: p, Disp: bytes * c}
		if keep {
			v := vector()
			VMOVUPD(values[c], v)
			values[c] = v
		}
	}
	for r := range rows {
		x := vector()
		if wide == 4 {
			VPBROADCASTQ(Mem{Base: q, Disp: 8 * r}, x) // which takes no unit of arithmetic on Zen 4, as VBROADCASTSD does there
		} else {
			VBROADCASTSD(Mem{Base: q, Disp: 8 * r}, x)
		}
		for c, v := range values {
			t := vector()
			if s == dots {
				VMULPD(v, x, t)
			} else {
				VSUBPD(v, x, t)
				VMULPD(t, t, t)
			}
			if s == distances && (r*registers+c)%3 == 0 {
				VFMADD231PD(t, one, sums[r][c])
				continue
			}
			VADDPD(t, sums[r][c], sums[r][c])
		}
	}
	ADDQ(U32(256), p)
	ADDQ(U32(uint32(8*rows)), q)
	DECQ(k)
	JNZ(LabelRef("column"))

	Label("store")
	to := GP64()
	MOVQ(a.dst, to)
	for r := range sums {
		for c, x := range sums[r] {
			VMOVUPD(x, Mem{Base: to, Disp: bytes * c})
		}
		if r < rows-1 {
			ADDQ(a.stride, to)
		}
	}
	ADDQ(U32(uint32(registers*bytes)), a.dst)
	if parts > 1 {
		ADDQ(U32(uint32(registers*bytes)), a.panel)
		DECQ(part)
		JNZ(LabelRef("part"))
		SUBQ(U32(256), a.panel)
	}
	ADDQ(panelBytes, a.panel)
	DECQ(a.panels)
	JNZ(LabelRef("panel"))
	VZEROUPPER()
	RET()
}
