package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// eightNumbers multiplies eight numbers of a row by scale, rounds the products to whole numbers,
// and sets low and high to four of them each.
func eightNumbers(row, scale Register, low, high VecVirtual) {
	p := YMM()
	VMOVUPD(Mem{Base: scale}, p)
	VMULPD(Mem{Base: row}, p, p)
	VCVTPD2DQY(p, low)
	VMOVUPD(Mem{Base: scale, Disp: 32}, p)
	VMULPD(Mem{Base: row, Disp: 32}, p, p)
	VCVTPD2DQY(p, high)
	ADDQ(U8(64), row)
}

// eightNumbers512 is eightNumbers with all eight numbers in one register.
func eightNumbers512(row, scale Register, all VecVirtual) {
	p := ZMM()
	VMOVUPD(Mem{Base: scale}, p)
	VMULPD(Mem{Base: row}, p, p)
	VCVTPD2DQ(p, all)
	ADDQ(U8(64), row)
}

// turn32 transposes four rows of four 32-bit numbers, in each half of the registers. It needs few
// registers.
func turn32(x [4]VecVirtual) [4]VecVirtual {
	pair := func(low, high func(a, b, to Op), a, b VecVirtual) (VecVirtual, VecVirtual) {
		first := YMM()
		low(b, a, first)
		high(b, a, a)
		return first, a
	}
	low32, high32 := func(a, b, to Op) { VPUNPCKLDQ(a, b, to) }, func(a, b, to Op) { VPUNPCKHDQ(a, b, to) }
	low64, high64 := func(a, b, to Op) { VPUNPCKLQDQ(a, b, to) }, func(a, b, to Op) { VPUNPCKHQDQ(a, b, to) }
	var y [4]VecVirtual
	t0, t1 := pair(low32, high32, x[0], x[1])
	t2, t3 := pair(low32, high32, x[2], x[3])
	y[0], y[1] = pair(low64, high64, t0, t2)
	y[2], y[3] = pair(low64, high64, t1, t3)
	return y
}

// turnDecimals turns eight rows into eight lanes of a panel of whole numbers, eight columns at a
// time.
func turnDecimals(level string) {
	name := "turnDecimals" + level
	TEXT(name, NOSPLIT, "func(panel *int32, rows *[8]*float64, scale *float64, columns int)")
	Pragma("noescape")
	Doc(name + " sets panel[32k+i] to the whole number next to rows[i][k] scale[k] for i < 8 and k < columns, a positive multiple of 8.")
	panel, k, rows := turnLoads()
	scale := Load(Param("scale"), GP64())
	Label("columns")
	var y [2][4]VecVirtual // column c of four rows, and in the upper half column c+4
	for h := range y {
		var x [4]VecVirtual
		for i := range x {
			x[i] = YMM()
			if level == "AVX512" {
				eightNumbers512(rows[4*h+i], scale, x[i])
				continue
			}
			high := XMM()
			eightNumbers(rows[4*h+i], scale, x[i].AsX().(VecVirtual), high)
			VINSERTI128(U8(1), high, x[i], x[i])
		}
		y[h] = turn32(x)
	}
	for c := range 8 {
		z := YMM()
		VPERM2I128(U8([]uint8{0x20, 0x31}[c/4]), y[1][c%4], y[0][c%4], z)
		VMOVDQU(z, Mem{Base: panel, Disp: 128 * c})
	}
	ADDQ(U8(64), scale)
	ADDQ(U32(128*8), panel)
	SUBQ(U8(8), k)
	JG(LabelRef("columns"))
	VZEROUPPER()
	RET()
}

// turnWholes turns eight rows into eight lanes of a panel of small whole numbers, whose columns
// stand in twos, eight columns at a time.
func turnWholes(f wholeForm, level string) {
	name := fmt.Sprintf("turn%s%s", f.name, level)
	TEXT(name, NOSPLIT, fmt.Sprintf("func(panel *%s, rows *[8]*float64, scale *float64, columns int)", f.element))
	Pragma("noescape")
	Doc(fmt.Sprintf("%s sets panel[64k+2i+c] to the whole number next to rows[i][2k+c] scale[c] for i < 8, c < 2 and 2k+c < columns, a positive", name),
		"multiple of 8. scale has the same number eight times.")
	panel, k, rows := turnLoads()
	scale := Load(Param("scale"), GP64())
	Label("columns")
	var x [4]VecVirtual // columns of row i, and in the upper half those of row i+4
	for i := range x {
		x[i] = YMM()
		var half [2]VecVirtual
		for h := range half {
			half[h] = XMM()
			if level == "AVX512" {
				all := YMM()
				eightNumbers512(rows[4*h+i], scale, all)
				VPMOVDW(all, half[h])
				continue
			}
			high := XMM()
			eightNumbers(rows[4*h+i], scale, half[h], high)
			VPACKSSDW(high, half[h], half[h])
		}
		VINSERTI128(U8(1), half[1], half[0].AsY(), x[i])
	}
	for c, y := range turn32(x) {
		to := Mem{Base: panel, Disp: 64 * f.bytes * c}
		if f.bytes > 1 {
			VMOVDQU(y, to)
			continue
		}
		high := XMM()
		VEXTRACTI128(U8(1), y, high)
		VPACKUSWB(high, y.AsX(), high)
		VMOVDQU(high, to)
	}
	ADDQ(U32(uint32(64*f.bytes*4)), panel)
	SUBQ(U8(8), k)
	JG(LabelRef("columns"))
	VZEROUPPER()
	RET()
}
