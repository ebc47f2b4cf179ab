// Command panels writes the assembly of format/vec. From this module:
//
//	go run ./panels -out ../format/vec/panels_amd64.s -stubs ../format/vec/panels_stubs_amd64.go -pkg vec
//	go run ./panels -wholes -out ../format/vec/wholes_amd64.s -stubs ../format/vec/wholes_stubs_amd64.go -pkg vec
package main

import (
	"flag"
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// maxRows is the largest number of query rows; a panel has 32 rows.
const maxRows = 6

func main() {
	wholes := flag.Bool("wholes", false, "write the functions of whole numbers")
	flag.Parse()
	ConstraintExpr("amd64,!purego")
	if *wholes {
		ofWholes()
	} else {
		ofFloats()
	}
	Generate()
}

func ofFloats() {
	ones = GLOBL("one", RODATA|NOPTR)
	DATA(0, F64(1))
	for _, sum := range []sum{dots, distances, nears} {
		for rows := 1; rows <= maxRows; rows++ {
			dense(sum, rows, "AVX512", 4, func() VecVirtual { return ZMM() })
		}
		dense(sum, 1, "AVX2", 8, func() VecVirtual { return YMM() })
		for rows := 2; rows <= maxRows; rows++ {
			dense2(sum, rows)
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
	for _, size := range []int{32, 64, 128} {
		codes2(size)
	}
	for _, form := range []stripForm{strip512, strip512.twice(), strip2} {
		stripDots(form)
		stripDistances(form)
	}
	turn512()
	turn2()
}

func ofWholes() {
	for _, level := range []string{"AVX512", "AVX2"} {
		for rows := 1; rows <= maxRows; rows++ {
			for _, form := range wholeForms {
				wholes(form, rows, level)
			}
			decimals(rows, level)
		}
		areWhole(level)
		turnDecimals(level)
		for _, form := range wholeForms {
			turnWholes(form, level)
		}
	}
	queryDecimals()
}

// A sum is the function of a row of a panel and a query that is computed.
type sum struct{ name, formula string }

var (
	dots      = sum{"dots", "sum over k of panel[32k+i] query[rows k+r]"}
	distances = sum{"distances", "sum over k of (panel[32k+i] - query[rows k+r])^2"}
	nears     = sum{"nears", "sum over k of panel[32k+i] query[rows k+r], products unrounded,"}
)

// ones is the number 1.
var ones Mem

// arguments are the arguments that all functions have.
type arguments struct{ dst, stride, panel, panels, query, columns Register }

func load() arguments {
	return arguments{
		Load(Param("dst"), GP64()), Load(Param("stride"), GP64()),
		Load(Param("panel"), GP64()), Load(Param("panels"), GP64()),
		Load(Param("query"), GP64()), Load(Param("columns"), GP64()),
	}
}

// dense writes the function for one number of query rows whose sums with a panel, in wide registers
// for each row, all stay in registers.
func dense(s sum, rows int, level string, wide int, vector func() VecVirtual) {
	bytes := 256 / wide
	a := denseText(s, rows, level)
	Label("panel")
	one := denseOne(s, vector)
	sums := make([][]VecVirtual, rows)
	for r := range sums {
		sums[r] = make([]VecVirtual, wide)
		for c := range sums[r] {
			sums[r][c] = vector()
			if wide == 4 {
				VPXORQ(sums[r][c], sums[r][c], sums[r][c])
			} else {
				VXORPD(sums[r][c], sums[r][c], sums[r][c])
			}
		}
	}
	q, k := GP64(), GP64()
	MOVQ(a.query, q)
	MOVQ(a.columns, k)
	TESTQ(k, k)
	JZ(LabelRef("store"))

	Label("column")
	values := make([]Op, wide)
	for c := range values {
		values[c] = Mem{Base: a.panel, Disp: bytes * c}
		if wide == 4 { // AVX2 has no room for the values beside the sums
			v := vector()
			VMOVUPD(values[c], v)
			values[c] = v
		}
		if rows >= fetchRows {
			PREFETCHT0(Mem{Base: a.panel, Disp: fetchBytes + bytes*c})
		}
	}
	for r := range rows {
		x := vector()
		if wide == 4 {
			VPBROADCASTQ(Mem{Base: q, Disp: 8 * r}, x) // on Zen 4 this takes no arithmetic unit, while VBROADCASTSD does
		} else {
			VBROADCASTSD(Mem{Base: q, Disp: 8 * r}, x)
		}
		denseTerms(s, values, x, one, sums[r], r*wide, vector)
	}
	ADDQ(U32(256), a.panel)
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
	ADDQ(U32(256), a.dst)
	DECQ(a.panels)
	JNZ(LabelRef("panel"))
	VZEROUPPER()
	RET()
}

// From fetchRows query rows on, whose sums take long enough, panels are prefetched fetchBytes
// ahead. With fewer rows the limit is the memory, which other programs use too.
const fetchRows, fetchBytes = 4, 8 << 10

// denseText begins a function of this number of query rows.
func denseText(s sum, rows int, level string) arguments {
	name := fmt.Sprintf("%s%d%s", s.name, rows, level)
	TEXT(name, NOSPLIT, "func(dst *float64, stride int, panel *float64, panels int, query *float64, columns int)")
	Pragma("noescape")
	Doc(fmt.Sprintf("%s sets dst[stride r+i] = %s for r < %d and i < 32, and so on for each panel. stride is in bytes.", name, s.formula, rows))
	return load()
}

// denseOne returns the number 1 in all lanes for distances, whose differences are in part
// additions, in part products with 1 and an addition in one; else nil.
func denseOne(s sum, vector func() VecVirtual) VecVirtual {
	if s != distances {
		return nil
	}
	one := vector()
	VBROADCASTSD(ones, one)
	return one
}

// denseTerms adds the terms of values and a query's x to sums; the first of these is number from of
// all sums that are under way.
func denseTerms(s sum, values []Op, x, one VecVirtual, sums []VecVirtual, from int, vector func() VecVirtual) {
	for c, v := range values {
		if s == nears {
			VFMADD231PD(v, x, sums[c])
			continue
		}
		t := vector()
		if s == dots {
			VMULPD(v, x, t)
		} else {
			VSUBPD(v, x, t)
			VMULPD(t, t, t)
		}
		if s == distances && (from+c)%3 == 0 {
			VFMADD231PD(t, one, sums[c])
			continue
		}
		VADDPD(t, sums[c], sums[c])
	}
}
