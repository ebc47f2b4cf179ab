package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// lookup2 writes the function that looks values up in a table of this size. It takes eight values
// at a time from each eight entries of the table, and chooses among them by the higher bits of the
// index.
func lookup2(size int) {
	name := fmt.Sprintf("lookup%dAVX2", size)
	TEXT(name, NOSPLIT, "func(dst *float32, at *uint32, n int, table *float32)")
	Pragma("noescape")
	Doc(name + " sets dst[i] = table[at[i]] for i < n, n > 0 a multiple of 8.")
	dst, at := Load(Param("dst"), GP64()), Load(Param("at"), GP64())
	n := Load(Param("n"), GP64())
	table := Load(Param("table"), GP64())
	Label("loop")
	index := YMM()
	VMOVDQU(Mem{Base: at}, index)
	var masks []VecVirtual // by bit of the index, from bit 3 on
	for bit := 3; 1<<bit < size; bit++ {
		m := YMM()
		VPSLLD(U8(uint8(31-bit)), index, m)
		masks = append(masks, m)
	}
	var among func(from, count int) VecVirtual
	among = func(from, count int) VecVirtual {
		v := YMM()
		if count == 8 {
			VPERMPS(Mem{Base: table, Disp: 4 * from}, index, v)
			return v
		}
		half := count / 2
		low := among(from, half)
		high := among(from+half, half)
		bit := 0
		for 16<<bit < count {
			bit++
		}
		VBLENDVPS(masks[bit], high, low, v)
		return v
	}
	VMOVUPS(among(0, size), Mem{Base: dst})
	ADDQ(U8(32), at)
	ADDQ(U8(32), dst)
	SUBQ(U8(8), n)
	JG(LabelRef("loop"))
	VZEROUPPER()
	RET()
}
