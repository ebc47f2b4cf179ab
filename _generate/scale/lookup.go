package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// log2Entry is the logarithm of the bytes of a feature's entry.
const log2Entry = 5

// slotOf sets entry to the slot of an index, counted from 0. It jumps to beyond if the index is
// beyond the table, and to none if it has no slot: the table counts slots from 1, and 0 is none.
func slotOf(index, at, direct, room Register, entry GPVirtual, beyond, none string) {
	MOVL(Mem{Base: index, Index: at, Scale: 4}, entry.As32())
	CMPQ(entry, room)
	JAE(LabelRef(beyond))
	MOVL(Mem{Base: direct, Index: entry, Scale: 4}, entry.As32())
	SUBQ(U8(1), entry)
	JB(LabelRef(none))
}

// widenRows writes the function that widens the ranges of the features of rows, whatever features
// these have. Beside its values, a row costs a mispredicted jump where it ends.
func widenRows() {
	TEXT("widenRowsAVX2", NOSPLIT, "func(features *float64, direct *int32, room int, index, lists, starts *int32, value *float64, from, to int) (row, done int)")
	Pragma("noescape")
	Doc("widenRowsAVX2 counts the values of rows from one on to before another in for features and widens their",
		"ranges, until one is of a feature without a slot in direct. It returns of which row that is, and how",
		"many of its values it has done. No value may be -0, nor an end of a range.")
	features, direct, room := Load(Param("features"), GP64()), Load(Param("direct"), GP64()), Load(Param("room"), GP64())
	row := Load(Param("from"), GP64())
	const low, rows = 0, 16 // offsets in an entry; high is behind low
	n, index, value := GP64(), GP64(), GP64()
	XORQ(n, n)
	CMPQ(row, NewParamAddr("to", 64))
	JGE(LabelRef("return"))
	Label("row")
	starts, at := Load(Param("starts"), GP64()), GP64()
	MOVLQSX(Mem{Base: starts, Index: row, Scale: 4, Disp: 4}, at)
	MOVLQSX(Mem{Base: starts, Index: row, Scale: 4}, n)
	Load(Param("value"), value)
	LEAQ(Mem{Base: value, Index: at, Scale: 8}, value) // behind the values of the row
	SUBQ(at, n)
	Load(Param("lists"), index)
	MOVLQSX(Mem{Base: index, Index: row, Scale: 4}, at)
	SUBQ(n, at)
	Load(Param("index"), index)
	LEAQ(Mem{Base: index, Index: at, Scale: 4}, index)
	TESTQ(n, n)
	JZ(LabelRef("next"))
	Label("one")
	f := GP64()
	slotOf(index, n, direct, room, f, "stop", "stop")
	SHLQ(U8(log2Entry), f)
	ADDQ(features, f)
	v, ends, highest := XMM(), XMM(), XMM()
	VMOVDDUP(Mem{Base: value, Index: n, Scale: 8}, v)
	INCQ(Mem{Base: f, Disp: rows})
	VMOVUPD(Mem{Base: f, Disp: low}, ends)
	VMAXPD(ends, v, highest)
	VMINPD(ends, v, ends)
	VBLENDPD(U8(2), highest, ends, ends)
	VMOVUPD(ends, Mem{Base: f, Disp: low})
	INCQ(n)
	JNZ(LabelRef("one"))
	Label("next")
	INCQ(row)
	CMPQ(row, NewParamAddr("to", 64))
	JLT(LabelRef("row"))
	JMP(LabelRef("return"))
	Label("stop") // n values are left
	starts = Load(Param("starts"), GP64())
	MOVL(Mem{Base: starts, Index: row, Scale: 4, Disp: 4}, at.As32())
	SUBL(Mem{Base: starts, Index: row, Scale: 4}, at.As32())
	ADDQ(at, n)
	Label("return")
	Store(row, ReturnIndex(0))
	Store(n, ReturnIndex(1))
	RET()
}

// lookUp writes the function that puts the terms side by side by which the values of a row are
// scaled.
func lookUp() {
	TEXT("lookUpAVX2", NOSPLIT, "func(slots, places *int32, min, span *float64, names *uint64, terms *float64, direct *int32, room int, index *int32, at, n, kept int) (stop, more int)")
	Pragma("noescape")
	Doc("lookUpAVX2 writes the terms of the indices from at on to before n, at < n, behind those that are",
		"kept already, but for those that are dropped or have no slot. It stops at an index beyond",
		"direct and returns where, and how many are kept then.")
	slots, places, names := Load(Param("slots"), GP64()), Load(Param("places"), GP64()), Load(Param("names"), GP64())
	low, span := Load(Param("min"), GP64()), Load(Param("span"), GP64())
	terms, direct, room := Load(Param("terms"), GP64()), Load(Param("direct"), GP64()), Load(Param("room"), GP64())
	index, at, n, kept := Load(Param("index"), GP64()), Load(Param("at"), GP64()), Load(Param("n"), GP64()), Load(Param("kept"), GP64())
	Label("one")
	slot, word := GP64(), GP64()
	slotOf(index, at, direct, room, slot, "return", "next")
	MOVL(slot.As32(), Mem{Base: slots, Index: kept, Scale: 4})
	MOVL(at.(GPVirtual).As32(), Mem{Base: places, Index: kept, Scale: 4})
	SHLQ(U8(log2Entry), slot)
	ADDQ(terms, slot)
	MOVQ(Mem{Base: slot}, word)
	MOVQ(word, Mem{Base: low, Index: kept, Scale: 8})
	MOVQ(Mem{Base: slot, Disp: 8}, word)
	MOVQ(word, Mem{Base: span, Index: kept, Scale: 8})
	MOVQ(Mem{Base: slot, Disp: 16}, word)
	MOVQ(word, Mem{Base: names, Index: kept, Scale: 8})
	ADDQ(Mem{Base: slot, Disp: 24}, kept)
	Label("next")
	INCQ(at)
	CMPQ(at, n)
	JNE(LabelRef("one"))
	Label("return")
	Store(at, ReturnIndex(0))
	Store(kept, ReturnIndex(1))
	RET()
}
