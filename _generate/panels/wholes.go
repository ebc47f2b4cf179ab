package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// A wholeForm is a way to store whole numbers.
type wholeForm struct {
	name, element string
	bytes         int // of a number
}

var wholeForms = []wholeForm{{"Bytes", "uint8", 1}, {"Words", "int16", 2}}

// together is the number of rows from which on products and additions are one instruction: its sum
// takes four cycles, in which others must be under way.
const together = 3

// wholes writes the function for one number of query rows. A lane of a sum is a row, and adds the
// products of two columns at a time. AVX2 has fewer registers for sums, so more than two rows take
// the halves of a panel in turn.
func wholes(f wholeForm, rows int, level string) {
	wide, lanes := 2, 16 // registers of a panel, rows of a register
	vector := func() VecVirtual { return ZMM() }
	if level == "AVX2" {
		wide, lanes = 4, 8
		vector = func() VecVirtual { return YMM() }
	}
	parts := 1
	if level == "AVX2" && rows > 2 {
		parts = 2
	}
	registers := wide / parts
	name := fmt.Sprintf("dotsOf%s%d%s", f.name, rows, level)
	TEXT(name, NOSPLIT, fmt.Sprintf("func(dst *float64, stride int, panel *%s, panels int, query *int16, pairs int, unit float64)", f.element))
	Pragma("noescape")
	Doc(fmt.Sprintf("%s adds to dst[stride r+i] unit times the sum over k and c < 2 of panel[64k+2i+c] query[2(rows k+r)+c]", name),
		fmt.Sprintf("for r < %d and i < 32, and so on for each panel. stride is in bytes.", rows))
	dst, stride := Load(Param("dst"), GP64()), Load(Param("stride"), GP64())
	panel, panels := Load(Param("panel"), GP64()), Load(Param("panels"), GP64())
	query, pairs := Load(Param("query"), GP64()), Load(Param("pairs"), GP64())
	step := 64 * f.bytes // bytes of two columns of a panel

	Label("panel")
	part := GP64()
	if parts > 1 {
		MOVQ(U32(uint32(parts)), part)
		Label("part")
	}
	sums := make([][]VecVirtual, rows)
	for r := range sums {
		for range registers {
			x := vector()
			if level == "AVX2" {
				VPXOR(x, x, x)
			} else {
				VPXORD(x, x, x)
			}
			sums[r] = append(sums[r], x)
		}
	}
	at, q, k := GP64(), GP64(), GP64()
	MOVQ(panel, at)
	MOVQ(query, q)
	MOVQ(pairs, k)
	Label("pair")
	values := make([]VecVirtual, registers)
	for c := range values {
		values[c] = vector()
		from := Mem{Base: at, Disp: 2 * lanes * f.bytes * c}
		switch {
		case f.bytes == 1:
			VPMOVZXBW(from, values[c])
		case level == "AVX2":
			VMOVDQU(from, values[c])
		default:
			VMOVDQU64(from, values[c])
		}
	}
	if rows >= fetchRows {
		for line := 0; line < step/parts; line += 64 {
			PREFETCHT0(Mem{Base: at, Disp: fetchBytes + line})
		}
	}
	for r := range sums {
		x := vector()
		VPBROADCASTD(Mem{Base: q, Disp: 4 * r}, x)
		for c, z := range values {
			if level == "AVX512" && rows >= together {
				VPDPWSSD(z, x, sums[r][c])
				continue
			}
			t := vector()
			VPMADDWD(z, x, t)
			VPADDD(t, sums[r][c], sums[r][c])
		}
	}
	ADDQ(U32(uint32(step)), at)
	ADDQ(U32(uint32(4*rows)), q)
	DECQ(k)
	JNZ(LabelRef("pair"))

	to, unit := GP64(), vector()
	MOVQ(dst, to)
	VBROADCASTSD(NewParamAddr("unit", 48), unit)
	for r := range sums {
		for c, x := range sums[r] {
			wholesTo(x, unit, Mem{Base: to, Disp: 8 * lanes * c}, level)
		}
		if r < rows-1 {
			ADDQ(stride, to)
		}
	}
	ADDQ(U32(uint32(256/parts)), dst)
	if parts > 1 {
		ADDQ(U32(uint32(step/parts)), panel)
		DECQ(part)
		JNZ(LabelRef("part"))
		LEAQ(Mem{Base: at, Disp: -step / parts}, panel)
	} else {
		MOVQ(at, panel)
	}
	DECQ(panels)
	JNZ(LabelRef("panel"))
	VZEROUPPER()
	RET()
}

// wholesTo adds the sums in a register, times unit, to float64 numbers.
func wholesTo(x, unit VecVirtual, to Mem, level string) {
	second := to
	if level == "AVX2" {
		low, high := YMM(), YMM()
		VCVTDQ2PD(x.AsX(), low)
		VFMADD213PD(to, unit, low)
		VMOVUPD(low, to)
		VEXTRACTI128(U8(1), x, high.AsX())
		VCVTDQ2PD(high.AsX(), high)
		second.Disp += 32
		VFMADD213PD(second, unit, high)
		VMOVUPD(high, second)
		return
	}
	low, high := ZMM(), ZMM()
	VCVTDQ2PD(x.AsY(), low)
	VFMADD213PD(to, unit, low)
	VMOVUPD(low, to)
	VEXTRACTI64X4(U8(1), x, high.AsY())
	VCVTDQ2PD(high.AsY(), high)
	second.Disp += 64
	VFMADD213PD(second, unit, high)
	VMOVUPD(high, second)
}
