// Command scale writes the assembly of format/scale. From this module:
//
//	go run ./scale -out ../format/scale/scale_amd64.s -stubs ../format/scale/stubs_amd64.go -pkg scale
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// Predicates of comparisons: ordered, that is false for NaN, and quiet.
const (
	lessEqual = 0x12
	notEqual  = 0x0c
)

func main() {
	ConstraintExpr("amd64,!purego")
	include()
	include2()
	scaleValues()
	scaleValues2()
	widenRows()
	lookUp()
	shareLists()
	includeRows()
	copyOnes()
	noneIs()
	allOne()
	copyTexts()
	formulaOfMarks()
	placeNumbers()
	rowsOfNumbers("numberRowsAVX2", ".", true)
	rowsOfNumbers("numberRowsOnlyAVX2", ", where no zeros are written.", false)
	runsOfNumbers()
	scaleRun()
	fillRows()
	rowsOfTexts("textRowsAVX2", ".", true)
	rowsOfTexts("textRowsOnlyAVX2", ", where no zeros are written.", false)
	rowsOfPairs("pairRowsAVX2", ".", true)
	rowsOfPairs("pairRowsOnlyAVX2", ", where no zeros are written.", false)
	wholesOfReals()
	realsOfWholes()
	wordsOfReals()
	realsOfWords()
	halvesOfWholes()
	widened("wholesOfHalvesAVX2", "uint16", 2, VPMOVZXWD)
	bytesOfWholes()
	widened("wholesOfBytesAVX2", "uint8", 1, VPMOVZXBD)
	tallsOfWholes()
	wholesOfTalls()
	threesOfWholes()
	wholesOfThrees()
	Generate()
}

// lanes returns a mask of all = 8 or 16 lanes, or of n if that is less.
func lanes(all int, n, word Register) Register {
	k, count := K(), GP64()
	MOVQ(U32(all), count)
	CMPQ(n, count)
	CMOVQLT(n, count)
	MOVQ(U32(1<<all-1), word)
	BZHIQ(count, word, word)
	if all == 8 {
		KMOVB(word.(GPVirtual).As32(), k)
	} else {
		KMOVW(word.(GPVirtual).As32(), k)
	}
	return k
}

// include writes the function that widens ranges. Of two zeros both instructions take the value, as
// Range.include does.
func include() {
	TEXT("includeAVX512", NOSPLIT, "func(max, min, value *float64, n int)")
	Pragma("noescape")
	Doc("includeAVX512 includes n > 0 values in as many ranges.")
	most, least, value := Load(Param("max"), GP64()), Load(Param("min"), GP64()), Load(Param("value"), GP64())
	n, word := Load(Param("n"), GP64()), GP64()
	Label("eight")
	k := lanes(8, n, word)
	v, r := ZMM(), ZMM()
	VMOVUPD_Z(Mem{Base: value}, k, v)
	VMOVUPD_Z(Mem{Base: most}, k, r)
	VMAXPD(v, r, r)
	VMOVUPD(r, k, Mem{Base: most})
	VMOVUPD_Z(Mem{Base: least}, k, r)
	VMINPD(v, r, r)
	VMOVUPD(r, k, Mem{Base: least})
	for _, p := range []Register{most, least, value} {
		ADDQ(U8(64), p)
	}
	SUBQ(U8(8), n)
	JG(LabelRef("eight"))
	VZEROUPPER()
	RET()
}

// scaleValues writes the function that scales values by the formula and drops those that become 0.
func scaleValues() {
	TEXT("formulaAVX512", NOSPLIT, "func(y *float64, slots *int32, names *uint64, value, min, span *float64, slot *int32, name *uint64, n int, lower, width, biggest float64, all int) (kept int)")
	Pragma("noescape")
	Doc("formulaAVX512 sets y to lower + width*(value-min)/span of n > 0 values, and slots and names to",
		"theirs, for those that are not 0, or all if all is 255, and returns how many they are. It",
		"returns -1 if one is beyond biggest. Up to seven elements more are written.")
	y, slots, names := Load(Param("y"), GP64()), Load(Param("slots"), GP64()), Load(Param("names"), GP64())
	value, low, span := Load(Param("value"), GP64()), Load(Param("min"), GP64()), Load(Param("span"), GP64())
	slot, name := Load(Param("slot"), GP64()), Load(Param("name"), GP64())
	n, kept := Load(Param("n"), GP64()), GP64()
	lower, width, biggest, zero := ZMM(), ZMM(), ZMM(), ZMM()
	VBROADCASTSD(NewParamAddr("lower", 72), lower)
	VBROADCASTSD(NewParamAddr("width", 80), width)
	VBROADCASTSD(NewParamAddr("biggest", 88), biggest)
	VPXORQ(zero, zero, zero)
	word, unsigned := GP64(), ZMM()
	MOVQ(U64(1<<63-1), word)
	VPBROADCASTQ(word, unsigned)
	all := K()
	every := Load(Param("all"), GP64())
	KMOVB(every.(GPVirtual).As32(), all)
	XORQ(kept, kept)
	Label("eight")
	k := lanes(8, n, word)
	v, t := ZMM(), ZMM()
	VMOVUPD_Z(Mem{Base: value}, k, v)
	VMOVUPD_Z(Mem{Base: low}, k, t)
	VSUBPD(t, v, v)
	VMULPD(width, v, v)
	VMOVUPD_Z(Mem{Base: span}, k, t)
	VDIVPD(t, v, v)
	VADDPD(lower, v, v)
	VPANDQ(unsigned, v, t)
	finite, some, rest := K(), K(), K()
	VCMPPD(U8(lessEqual), biggest, t, k, finite)
	KXORB(k, finite, finite)
	KORTESTB(finite, finite)
	JNZ(LabelRef("beyond"))
	VCMPPD(U8(notEqual), zero, v, k, some)
	KANDB(all, k, rest)
	KORB(rest, some, some)
	VCOMPRESSPD_Z(v, some, v)
	VMOVUPD(v, Mem{Base: y, Index: kept, Scale: 8})
	s := YMM()
	VMOVDQU32_Z(Mem{Base: slot}, k, s)
	VPCOMPRESSD_Z(s, some, s)
	VMOVDQU32(s, Mem{Base: slots, Index: kept, Scale: 4})
	VMOVDQU64_Z(Mem{Base: name}, k, t)
	VPCOMPRESSQ_Z(t, some, t)
	VMOVDQU64(t, Mem{Base: names, Index: kept, Scale: 8})
	KMOVB(some, word.As32())
	POPCNTQ(word, word)
	ADDQ(word, kept)
	for _, p := range []Register{value, low, span, name} {
		ADDQ(U8(64), p)
	}
	ADDQ(U8(32), slot)
	SUBQ(U8(8), n)
	JG(LabelRef("eight"))
	JMP(LabelRef("return"))
	Label("beyond")
	MOVQ(I32(-1), kept)
	Label("return")
	VZEROUPPER()
	Store(kept, ReturnIndex(0))
	RET()
}
