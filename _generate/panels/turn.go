package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

const turnSignature = "func(panel *float64, rows *[8]*float64, columns int)"

// turn512 turns eight rows into eight lanes of a panel, eight columns at a time.
func turn512() {
	TEXT("turnAVX512", NOSPLIT, turnSignature)
	Pragma("noescape")
	Doc("turnAVX512 sets panel[32k+i] = rows[i][k] for i < 8 and k < columns, a positive multiple of 8.")
	panel, k, rows := turnLoads()
	Label("columns")
	var x, t [8]VecVirtual
	for i := range x {
		x[i] = ZMM()
		VMOVUPD(Mem{Base: rows[i]}, x[i])
		ADDQ(U8(64), rows[i])
	}
	for i := 0; i < 8; i += 2 { // lanes of 128 bits: even columns in t[i], odd ones in t[i+1]
		t[i], t[i+1] = ZMM(), ZMM()
		VUNPCKLPD(x[i+1], x[i], t[i])
		VUNPCKHPD(x[i+1], x[i], t[i+1])
	}
	for odd := range 2 {
		var u [4]VecVirtual
		for i := range u {
			u[i] = ZMM()
		}
		VSHUFF64X2(U8(0x44), t[2+odd], t[odd], u[0])
		VSHUFF64X2(U8(0xee), t[2+odd], t[odd], u[1])
		VSHUFF64X2(U8(0x44), t[6+odd], t[4+odd], u[2])
		VSHUFF64X2(U8(0xee), t[6+odd], t[4+odd], u[3])
		for c := range 4 {
			y := ZMM()
			VSHUFF64X2(U8([]uint8{0x88, 0xdd}[c%2]), u[2+c/2], u[c/2], y)
			VMOVUPD(y, Mem{Base: panel, Disp: 256 * (2*c + odd)})
		}
	}
	ADDQ(U32(256*8), panel)
	SUBQ(U8(8), k)
	JG(LabelRef("columns"))
	VZEROUPPER()
	RET()
}

func turnLoads() (panel, columns Register, rows [8]Register) {
	panel, columns = Load(Param("panel"), GP64()), GP64()
	of := Load(Param("rows"), GP64())
	Load(Param("columns"), columns)
	for i := range rows {
		rows[i] = GP64()
		MOVQ(Mem{Base: of, Disp: 8 * i}, rows[i])
	}
	return panel, columns, rows
}

// turn2 is turn512 for AVX2, four columns at a time.
func turn2() {
	TEXT("turnAVX2", NOSPLIT, turnSignature)
	Pragma("noescape")
	Doc("turnAVX2 sets panel[32k+i] = rows[i][k] for i < 8 and k < columns, a positive multiple of 8.")
	panel, k, rows := turnLoads()
	Label("columns")
	for half := 0; half < 8; half += 4 {
		var x, t [4]VecVirtual
		for i := range x {
			x[i] = YMM()
			VMOVUPD(Mem{Base: rows[half+i]}, x[i])
			ADDQ(U8(32), rows[half+i])
		}
		for i := 0; i < 4; i += 2 {
			t[i], t[i+1] = YMM(), YMM()
			VUNPCKLPD(x[i+1], x[i], t[i])
			VUNPCKHPD(x[i+1], x[i], t[i+1])
		}
		for c := range 4 {
			y := YMM()
			VPERM2F128(U8([]uint8{0x20, 0x31}[c/2]), t[2+c%2], t[c%2], y)
			VMOVUPD(y, Mem{Base: panel, Disp: 256*c + 8*half})
		}
	}
	ADDQ(U32(256*4), panel)
	SUBQ(U8(4), k)
	JG(LabelRef("columns"))
	VZEROUPPER()
	RET()
}
