package main

import (
	"math/rand/v2"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

const (
	golden     = 0x9e3779b1
	longShared = 256 // the most indices of a list that may be shared

	// Size of a listRanges of format/scale, and offsets of its list, rows, max and min.
	rangesSize = 88
	listAt     = 0
	rowsAt     = 8
	maxAt      = 40
	minAt      = 64
)

// shareLists writes the function that finds rows with the same indices by a hash of these.
func shareLists() {
	TEXT("shareAVX512", NOSPLIT, "func(table *uint64, index *int32, at, to int, starts, lists *int32, rows int) (done, end, hits int)")
	Pragma("noescape")
	Doc("shareAVX512 sets lists to where rows' indices begin. They stand in index from at on, row by row,",
		"and are moved down to to on, where the end of index is, but for those that another row has. The",
		"table has 256 entries. It stops at a row with more than 256 indices, and returns how many rows",
		"it has done, the end of index, and how many have another's list.")
	odd := GLOBL("shareOdd", RODATA|NOPTR)
	random := rand.New(rand.NewPCG(1, 2))
	for k := range 16 {
		DATA(4*k, U32(random.Uint32()|1))
	}
	index := Load(Param("index"), GP64())
	at, to := Load(Param("at"), GP64()), Load(Param("to"), GP64())
	starts := Load(Param("starts"), GP64())
	row, hits := GP64(), GP64()
	XORQ(row, row)
	XORQ(hits, hits)
	LEAQ(Mem{Base: index, Index: at, Scale: 4}, at) // where the indices of the row begin
	odds, every, word := ZMM(), ZMM(), GP64()
	VMOVDQU32(odd, odds)
	MOVL(U32(golden), word.As32())
	VPBROADCASTD(word.As32(), every)

	Label("row")
	CMPQ(row, NewParamAddr("rows", 48))
	JGE(LabelRef("done"))
	n := GP64()
	MOVL(Mem{Base: starts, Index: row, Scale: 4, Disp: 4}, n.As32())
	SUBL(Mem{Base: starts, Index: row, Scale: 4}, n.As32())
	CMPQ(n, U32(longShared))
	JG(LabelRef("done"))
	lists := Load(Param("lists"), GP64())
	MOVL(to.(GPVirtual).As32(), Mem{Base: lists, Index: row, Scale: 4})
	TESTQ(n, n)
	JZ(LabelRef("next"))

	// the hash
	left, hash, place, entry, start := GP64(), GP64(), GP64(), GP64(), GP64()
	sum, some, t := ZMM(), ZMM(), ZMM()
	VPXORD(sum, sum, sum)
	MOVQ(at, place)
	MOVQ(n, left)
	Label("hash")
	k := lanes(16, left, word)
	VMOVDQU32_Z(Mem{Base: place}, k, some)
	VPMULLD(odds, some, some)
	VPMULLD(every, sum, sum)
	VPADDD(some, sum, sum)
	ADDQ(U8(64), place)
	SUBQ(U8(16), left)
	JG(LabelRef("hash"))
	VEXTRACTI64X4(U8(1), sum, t.AsY())
	VPADDD(t.AsY(), sum.AsY(), sum.AsY())
	VEXTRACTI64X2(U8(1), sum.AsY(), t.AsX())
	VPADDD(t.AsX(), sum.AsX(), sum.AsX())
	VPSHUFD(U8(0x4e), sum.AsX(), t.AsX())
	VPADDD(t.AsX(), sum.AsX(), sum.AsX())
	VPSHUFD(U8(0xb1), sum.AsX(), t.AsX())
	VPADDD(t.AsX(), sum.AsX(), sum.AsX())
	VMOVD(sum.AsX(), hash.As32())
	IMUL3L(I32(0x45d9f3b), hash.As32(), hash.As32())
	SHRL(U8(24), hash.As32())

	// is it the same list as the last one with this hash?
	table := Load(Param("table"), GP64())
	LEAQ(Mem{Base: table, Index: hash, Scale: 8}, hash)
	MOVQ(Mem{Base: hash}, entry)
	MOVL(entry.As32(), start.As32())
	SHRQ(U8(32), entry)
	CMPQ(entry, n)
	JNE(LabelRef("miss"))
	LEAQ(Mem{Base: index, Index: start, Scale: 4}, entry)
	MOVQ(at, place)
	MOVQ(n, left)
	Label("compare")
	k, differ := lanes(16, left, word), K()
	VMOVDQU32_Z(Mem{Base: place}, k, some)
	VPCMPD(U8(4), Mem{Base: entry}, some, k, differ)
	KORTESTW(differ, differ)
	JNZ(LabelRef("miss"))
	ADDQ(U8(64), place)
	ADDQ(U8(64), entry)
	SUBQ(U8(16), left)
	JG(LabelRef("compare"))
	lists = Load(Param("lists"), GP64())
	MOVL(start.As32(), Mem{Base: lists, Index: row, Scale: 4})
	INCQ(hits)
	LEAQ(Mem{Base: at, Index: n, Scale: 4}, at)
	JMP(LabelRef("next"))

	Label("miss")
	MOVQ(n, entry)
	SHLQ(U8(32), entry)
	ORQ(to, entry)
	MOVQ(entry, Mem{Base: hash})
	LEAQ(Mem{Base: index, Index: to, Scale: 4}, entry)
	ADDQ(n, to)
	Label("copy")
	k = lanes(16, n, word)
	VMOVDQU32_Z(Mem{Base: at}, k, some)
	VMOVDQU32(some, k, Mem{Base: entry})
	KMOVW(k, word.As32())
	POPCNTQ(word, word)
	LEAQ(Mem{Base: at, Index: word, Scale: 4}, at)
	ADDQ(U8(64), entry)
	SUBQ(U8(16), n)
	JG(LabelRef("copy"))

	Label("next")
	INCQ(row)
	JMP(LabelRef("row"))

	Label("done")
	VZEROUPPER()
	Store(row, ReturnIndex(0))
	Store(to, ReturnIndex(1))
	Store(hits, ReturnIndex(2))
	RET()
}

// includeRows writes the function that is include for many rows.
func includeRows() {
	TEXT("includeRowsAVX512", NOSPLIT, "func(ranges, starts, lists *int32, value *float64, from, rows int) (stop int)")
	Pragma("noescape")
	Doc("includeRowsAVX512 includes the values of rows in the ranges of their lists, of which there is a table,",
		"and counts them. It stops at a row whose list is not there and returns which it is. Up to seven ranges",
		"behind those of a list are written.")
	ranges, starts, lists := Load(Param("ranges"), GP64()), Load(Param("starts"), GP64()), Load(Param("lists"), GP64())
	value, row := Load(Param("value"), GP64()), Load(Param("from"), GP64())
	word := GP64()
	Label("row")
	CMPQ(row, NewParamAddr("rows", 40))
	JGE(LabelRef("done"))
	at, n, list, end, entry := GP64(), GP64(), GP64(), GP64(), GP64()
	MOVL(Mem{Base: starts, Index: row, Scale: 4}, at.As32())
	MOVL(Mem{Base: starts, Index: row, Scale: 4, Disp: 4}, n.As32())
	SUBL(at.As32(), n.As32())
	MOVL(Mem{Base: lists, Index: row, Scale: 4}, list.As32())
	IMUL3L(I32(-0x61c8864f), list.As32(), entry.As32()) // golden, as a signed number
	SHRL(U8(32-6), entry.As32())
	IMUL3Q(U8(rangesSize), entry, entry)
	ADDQ(ranges, entry)
	LEAQ(Mem{Base: list, Index: n, Scale: 1}, end)
	SHLQ(U8(32), end)
	ORQ(list, end)
	CMPQ(end, Mem{Base: entry, Disp: listAt})
	JNE(LabelRef("done"))
	TESTQ(n, n)
	JZ(LabelRef("counted"))
	most, least := GP64(), GP64()
	MOVQ(Mem{Base: entry, Disp: maxAt}, most)
	MOVQ(Mem{Base: entry, Disp: minAt}, least)
	LEAQ(Mem{Base: value, Index: at, Scale: 8}, at)
	Label("eight")
	v, r := ZMM(), ZMM()
	VMOVUPD_Z(Mem{Base: at}, lanes(8, n, word), v)
	// all lanes are stored: the next row would wait until a masked store is in the cache
	VMOVUPD(Mem{Base: most}, r)
	VMAXPD(v, r, r)
	VMOVUPD(r, Mem{Base: most})
	VMOVUPD(Mem{Base: least}, r)
	VMINPD(v, r, r)
	VMOVUPD(r, Mem{Base: least})
	for _, p := range []Register{most, least, at} {
		ADDQ(U8(64), p)
	}
	SUBQ(U8(8), n)
	JG(LabelRef("eight"))
	Label("counted")
	INCQ(Mem{Base: entry, Disp: rowsAt})
	INCQ(row)
	JMP(LabelRef("row"))
	Label("done")
	VZEROUPPER()
	Store(row, ReturnIndex(0))
	RET()
}
