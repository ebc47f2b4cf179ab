package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// Predicate of comparisons: unordered or not equal, quiet.
const notEqualAny = 0x04

// named is textscan's portable appendNamed, eight numbers at a time.
//
// Two names and texts at a time lie in a register, and what is not of them is left out.
func named(words constants) {
	TEXT("namedAVX512", 0, "func(dst *byte, lo, hi *uint64, n *int64, x *float64, slots *int32, names *uint64, count int, places *uint64) (size, done, written int)")
	Pragma("noescape")
	Doc("namedAVX512 writes count > 0 numbers to dst, each behind its name and with a blank behind,",
		"but for those that are 0, until one has no text or no name. It returns how many bytes and",
		"numbers it wrote, and how many it is done with. Up to 63 bytes more are written, and seven",
		"elements more are read.")
	dst, lo, hi := Load(Param("dst"), GP64()), Load(Param("lo"), GP64()), Load(Param("hi"), GP64())
	n, x := Load(Param("n"), GP64()), Load(Param("x"), GP64())
	slots, names := Load(Param("slots"), GP64()), Load(Param("names"), GP64())
	count, tables := Load(Param("count"), GP64()), Load(Param("places"), GP64())
	masks := GP64()
	LEAQ(AllocLocal(64), masks)
	done, written, start := GP64(), GP64(), GP64()
	XORQ(done, done)
	XORQ(written, written)
	MOVQ(dst, start)
	zero, one, two, eight := ZMM(), words.of64(1), words.of64(2), words.of64(8)
	VPXORQ(zero, zero, zero)
	above := words.of64(1 << 8)
	blank, low := words.of64(' '*everyByte), words.of64(1<<56-1)
	var places [4]VecVirtual
	for i := range places {
		places[i] = ZMM()
		VMOVDQU64(Mem{Base: tables, Disp: 64 * i}, places[i])
	}
	seconds := GP64()
	MOVQ(U32(1<<2|1<<6), seconds)
	second := K()
	KMOVB(seconds.As32(), second)

	Label("eight")
	lanes, left := GP64(), GP64()
	MOVQ(U32(0xff), lanes)
	MOVQ(count, left)
	SUBQ(done, left)
	CMPQ(left, U8(8))
	JGE(LabelRef("all"))
	BZHIQ(left, lanes, lanes)
	Label("all")
	k := K()
	KMOVB(lanes.As32(), k)
	// names, their sizes in the highest bytes
	index, name, gather := YMM(), ZMM(), K()
	VMOVDQU32_Z(Mem{Base: slots, Index: done, Scale: 4}, k, index)
	KMOVB(lanes.As32(), gather)
	VPXORQ(name, name, name)
	VPGATHERDQ(Mem{Base: names, Index: index, Scale: 8}, gather, name)
	length, value := ZMM(), ZMM()
	VMOVDQU64_Z(Mem{Base: n, Index: done, Scale: 8}, k, length)
	VMOVUPD_Z(Mem{Base: x, Index: done, Scale: 8}, k, value)
	// which lanes are written, and which end it all
	some, named, text := K(), K(), K()
	VCMPPD(U8(notEqualAny), zero, value, k, some)
	VPTESTMQ(name, name, some, named)
	VPTESTMQ(length, length, named, text)
	odd := GP64()
	KXORB(some, text, some)
	KMOVB(some, odd.As32())
	TESTQ(odd, odd)
	JNZ(LabelRef("odd"))
	Label("write")
	KANDB(text, k, text)
	// which bytes are theirs
	size, bytes, blanks := ZMM(), ZMM(), ZMM()
	VPSRLQ(U8(56), name, size)
	VPANDQ(low, name, name)
	VPSLLVQ(size, one, bytes)
	VPSUBQ(one, bytes, bytes)
	VPADDQ(eight, length, length)
	VPSLLVQ(length, two, size)
	VPSLLVQ(length, one, blanks)
	VPSUBQ(above, size, size) // all bits from the eighth to that of the blank
	VPORQ(size, bytes, bytes)
	VMOVDQA64_Z(bytes, text, bytes)
	packed := YMM()
	VPMOVQD(bytes, packed)
	VMOVDQU(packed, Mem{Base: masks})
	VPMOVQD(blanks, packed)
	VMOVDQU(packed, Mem{Base: masks, Disp: 32})
	first, behind := ZMM(), ZMM()
	VMOVDQU64_Z(Mem{Base: lo, Index: done, Scale: 8}, k, first)
	VMOVDQU64_Z(Mem{Base: hi, Index: done, Scale: 8}, k, behind)
	for i, place := range places {
		pair, mask, add := ZMM(), K(), GP64()
		VMOVDQA64(place, pair)
		VPERMI2Q(first, name, pair)
		VPERMQ(behind, place, second, pair)
		KMOVQ(Mem{Base: masks, Disp: 32 + 8*i}, mask)
		VMOVDQU8(blank, mask, pair)
		mask = K()
		KMOVQ(Mem{Base: masks, Disp: 8 * i}, mask)
		VPCOMPRESSB_Z(pair, mask, pair)
		VMOVDQU64(pair, Mem{Base: dst})
		POPCNTQ(Mem{Base: masks, Disp: 8 * i}, add)
		ADDQ(add, dst)
	}
	bits := GP64()
	KMOVB(text, bits.As32())
	POPCNTQ(bits, bits)
	ADDQ(bits, written)
	ADDQ(U8(8), done) // whatever it was, so that eight do not wait for those before
	CMPQ(done, count)
	JLT(LabelRef("eight"))
	JMP(LabelRef("end"))

	Label("odd")
	TZCNTQ(odd, odd)
	BZHIQ(odd, lanes, lanes)
	KMOVB(lanes.As32(), k)
	LEAQ(Mem{Base: done, Index: odd, Scale: 1}, count)
	JMP(LabelRef("write"))

	Label("end")
	SUBQ(start, dst)
	VZEROUPPER()
	Store(dst, ReturnIndex(0))
	Store(count, ReturnIndex(1))
	Store(written, ReturnIndex(2))
	RET()
}
