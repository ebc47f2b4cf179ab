package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// codes2 writes the function of values of sums that codes select. A query has 16 bytes for each
// group of columns; the codes of 32 sets, one register, choose among these at once.
func codes2(size int) {
	TEXT(fmt.Sprintf("codeValues%dAVX2", size), NOSPLIT, "func(dst *float32, panel *uint8, panels int, query *uint8, groups int, table *byte)")
	Pragma("noescape")
	Doc(fmt.Sprintf("codeValues%dAVX2 sets dst[i] = table[n] with n the sum of query[16k+panel[32k+placeOf(i)]], over all k, for i < 32, and so on for each panel. Byte b of the value of n, of %d, is at %d b + n of the table.", size, size, size))
	dst, panel, panels := Load(Param("dst"), GP64()), Load(Param("panel"), GP64()), Load(Param("panels"), GP64())
	query, groups := Load(Param("query"), GP64()), Load(Param("groups"), GP64())
	table := Load(Param("table"), GP64())
	panelBytes := GP64()
	MOVQ(groups, panelBytes)
	SHLQ(U8(5), panelBytes)
	blocks := newBlocks2()

	// each load of a query serves two panels
	some := func(n int) {
		sums := make([]VecVirtual, n)
		for i := range sums {
			sums[i] = YMM()
			VPXOR(sums[i], sums[i], sums[i])
		}
		q, k := GP64(), GP64()
		MOVQ(query, q)
		MOVQ(groups, k)
		label := fmt.Sprintf("group%d", n)
		Label(label)
		of := YMM()
		VBROADCASTI128(Mem{Base: q}, of)
		for i, sum := range sums {
			found := YMM()
			if i == 0 {
				VPSHUFB(Mem{Base: panel}, of, found)
			} else {
				VPSHUFB(Mem{Base: panel, Index: panelBytes, Scale: 1}, of, found)
			}
			VPADDB(found, sum, sum)
		}
		ADDQ(U8(32), panel)
		ADDQ(U8(16), q)
		DECQ(k)
		JNZ(LabelRef(label))
		for i, sum := range sums {
			for j, four := range blocks.valuesOf(sum, table, size) {
				VMOVDQU(four, Mem{Base: dst, Disp: 128*i + 32*j})
			}
		}
	}
	SUBQ(U8(2), panels)
	JL(LabelRef("last"))
	Label("two")
	some(2)
	ADDQ(panelBytes, panel)
	ADDQ(U32(256), dst)
	SUBQ(U8(2), panels)
	JGE(LabelRef("two"))
	Label("last")
	ADDQ(U8(2), panels)
	JZ(LabelRef("end"))
	some(1)
	Label("end")
	VZEROUPPER()
	RET()
}
