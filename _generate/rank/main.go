// Command rank writes the assembly of train/internal/rank. From this module:
//
//	go run ./rank -out ../train/internal/rank/rank_amd64.s -stubs ../train/internal/rank/stubs_amd64.go -pkg rank
package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

func main() {
	ConstraintExpr("amd64,!purego")
	for lines := 1; lines <= 6; lines++ {
		add(fmt.Sprintf("add%dAVX512", lines), lines, 4, 64, func() VecVirtual { return ZMM() })
	}
	for lines := 1; lines <= 4; lines++ {
		add(fmt.Sprintf("add%dAVX2", lines), lines, 2, 32, func() VecVirtual { return YMM() })
	}
	Generate()
}

// add loads a block of lines times registers, adds the products of each row in order, and stores
// it. Products and sums are rounded separately.
func add(name string, lines, registers, width int, vector func() VecVirtual) {
	TEXT(name, NOSPLIT, "func(h *float64, hstride int, left, right *float64, stride, rows int)")
	Pragma("noescape")
	Doc(fmt.Sprintf("%s adds to %d lines of %d numbers, hstride bytes apart, the products of left and right, stride bytes apart; rows > 0.",
		name, lines, registers*width/8))
	h := Load(Param("h"), GP64())
	hstride := Load(Param("hstride"), GP64())
	left := Load(Param("left"), GP64())
	right := Load(Param("right"), GP64())
	stride := Load(Param("stride"), GP64())
	rows := Load(Param("rows"), GP64())

	acc := make([][]VecVirtual, lines)
	at := GP64()
	MOVQ(h, at)
	for m := range acc {
		for k := range registers {
			acc[m] = append(acc[m], vector())
			VMOVUPD(Mem{Base: at, Disp: k * width}, acc[m][k])
		}
		ADDQ(hstride, at)
	}
	value := make([]VecVirtual, registers)
	for k := range value {
		value[k] = vector()
	}
	product, scale := vector(), vector()

	Label("row")
	for k := range value {
		VMOVUPD(Mem{Base: right, Disp: k * width}, value[k])
	}
	for m := range acc {
		VBROADCASTSD(Mem{Base: left, Disp: 8 * m}, scale)
		for k := range value {
			VMULPD(scale, value[k], product)
			VADDPD(product, acc[m][k], acc[m][k])
		}
	}
	ADDQ(stride, left)
	ADDQ(stride, right)
	DECQ(rows)
	JNE(LabelRef("row"))

	MOVQ(h, at)
	for m := range acc {
		for k := range registers {
			VMOVUPD(acc[m][k], Mem{Base: at, Disp: k * width})
		}
		ADDQ(hstride, at)
	}
	VZEROUPPER()
	RET()
}
