package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// halvesOfWholes writes the function that makes 16-bit numbers of 32-bit ones.
func halvesOfWholes() {
	TEXT("halvesOfWholesAVX2", NOSPLIT, "func(dst *uint16, src *int32, n int, base int32) (done int)")
	Pragma("noescape")
	Doc("halvesOfWholesAVX2 sets dst to src-base as long as that has 16 bits. n > 0 is a multiple of 16; it",
		"stops before 16 of which one has more, and returns how many it has done.")
	dst, src, n := Load(Param("dst"), GP64()), Load(Param("src"), GP64()), Load(Param("n"), GP64())
	base, at := broadcast(Load(Param("base"), GP32())), GP64()
	each(n, at, 16, func() {
		first, second, beyond := YMM(), YMM(), YMM()
		VMOVDQU(Mem{Base: src, Index: at, Scale: 4}, first)
		VMOVDQU(Mem{Base: src, Index: at, Scale: 4, Disp: 32}, second)
		VPSUBD(base, first, first)
		VPSUBD(base, second, second)
		VPOR(first, second, beyond)
		VPSRLD(U8(16), beyond, beyond)
		VPTEST(beyond, beyond)
		JNZ(LabelRef("return"))
		VPACKUSDW(second, first, first)
		VPERMQ(U8(0b11_01_10_00), first, first) // packing works on each half of the registers
		VMOVDQU(first, Mem{Base: dst, Index: at, Scale: 2})
	})
	Label("return")
	Store(at, ReturnIndex(0))
	VZEROUPPER()
	RET()
}

// widened writes a function that makes 32-bit numbers again of numbers of one or two bytes; load is
// the instruction that widens them.
func widened(name, kind string, bytes int, load func(...Op)) {
	TEXT(name, NOSPLIT, "func(dst *int32, src *"+kind+", n int, base int32)")
	Pragma("noescape")
	Doc(name + " sets dst to src+base. n > 0 is a multiple of 16.")
	dst, src, n := Load(Param("dst"), GP64()), Load(Param("src"), GP64()), Load(Param("n"), GP64())
	base, at := broadcast(Load(Param("base"), GP32())), GP64()
	each(n, at, 16, func() {
		for k := range 2 {
			v := YMM()
			load(Mem{Base: src, Index: at, Scale: uint8(bytes), Disp: 8 * bytes * k}, v)
			VPADDD(base, v, v)
			VMOVDQU(v, Mem{Base: dst, Index: at, Scale: 4, Disp: 32 * k})
		}
	})
	VZEROUPPER()
	RET()
}

// bytesOfWholes writes the function that makes bytes of 32-bit numbers.
func bytesOfWholes() {
	TEXT("bytesOfWholesAVX2", NOSPLIT, "func(dst *uint8, src *int32, n int, base int32) (done int)")
	Pragma("noescape")
	Doc("bytesOfWholesAVX2 sets dst to src-base as long as that has 8 bits. n > 0 is a multiple of 32; it",
		"stops before 32 of which one has more, and returns how many it has done.")
	dst, src, n := Load(Param("dst"), GP64()), Load(Param("src"), GP64()), Load(Param("n"), GP64())
	base, at := broadcast(Load(Param("base"), GP32())), GP64()
	order := YMM()
	VMOVDQU(bytesOrder(), order)
	each(n, at, 32, func() {
		var part [4]Register
		beyond := YMM()
		for k := range part {
			part[k] = YMM()
			VMOVDQU(Mem{Base: src, Index: at, Scale: 4, Disp: 32 * k}, part[k])
			VPSUBD(base, part[k], part[k])
		}
		VPOR(part[0], part[1], beyond)
		VPOR(part[2], beyond, beyond)
		VPOR(part[3], beyond, beyond)
		VPSRLD(U8(8), beyond, beyond)
		VPTEST(beyond, beyond)
		JNZ(LabelRef("return"))
		VPACKUSDW(part[1], part[0], part[0])
		VPACKUSDW(part[3], part[2], part[2])
		VPACKUSWB(part[2], part[0], part[0])
		VPERMD(part[0], order, part[0]) // packing works on each half of the registers
		VMOVDQU(part[0], Mem{Base: dst, Index: at, Scale: 1})
	})
	Label("return")
	Store(at, ReturnIndex(0))
	VZEROUPPER()
	RET()
}

// bytesOrder returns the positions of the four-byte groups that bytesOfWholes packed.
func bytesOrder() Mem {
	order := GLOBL("bytesOrder", RODATA|NOPTR)
	for i, from := range []uint32{0, 4, 1, 5, 2, 6, 3, 7} {
		DATA(4*i, U32(from))
	}
	return order
}

// tallsOfWholes writes the function that makes 16-bit numbers of 32-bit ones, and keeps the upper
// bits of those that have any.
func tallsOfWholes() {
	TEXT("tallsOfWholesAVX512", NOSPLIT, "func(dst, tall, upper *uint16, src *int32, n int, base int32) (count int)")
	Pragma("noescape")
	Doc("tallsOfWholesAVX512 sets dst to the lower bits of src-base, the bits of tall for those with upper bits, and upper to",
		"these, and returns how many they are. n > 0 is a multiple of 16. Up to sixteen more of upper are written.")
	dst, tall, upper := Load(Param("dst"), GP64()), Load(Param("tall"), GP64()), Load(Param("upper"), GP64())
	src, n := Load(Param("src"), GP64()), Load(Param("n"), GP64())
	first, base := YMM(), ZMM()
	VPBROADCASTD(Load(Param("base"), GP32()), base)
	at, count, word := GP64(), GP64(), GP64()
	XORQ(count, count)
	each(n, at, 16, func() {
		v, more, some := ZMM(), ZMM(), K()
		VMOVDQU32(Mem{Base: src, Index: at, Scale: 4}, v)
		VPSUBD(base, v, v)
		VPMOVDW(v, first)
		VMOVDQU(first, Mem{Base: dst, Index: at, Scale: 2})
		VPSRLD(U8(16), v, more)
		VPTESTMD(more, more, some)
		VPCOMPRESSD_Z(more, some, more)
		VPMOVDW(more, first)
		VMOVDQU(first, Mem{Base: upper, Index: count, Scale: 2})
		KMOVW(some, word.As32())
		MOVW(word.As16(), Mem{Base: tall})
		ADDQ(U8(2), tall)
		POPCNTQ(word, word)
		ADDQ(word, count)
	})
	Store(count, ReturnIndex(0))
	VZEROUPPER()
	RET()
}

// wholesOfTalls writes the function that makes the 32-bit numbers again.
func wholesOfTalls() {
	TEXT("wholesOfTallsAVX512", NOSPLIT, "func(dst *int32, src, tall, upper *uint16, n int, base int32) (used int)")
	Pragma("noescape")
	Doc("wholesOfTallsAVX512 sets dst to src and, where tall has bits, upper bits, and base, and returns how many of upper",
		"it used. n > 0 is a multiple of 16. Up to sixteen more of upper are read.")
	dst, src := Load(Param("dst"), GP64()), Load(Param("src"), GP64())
	tall, upper, n := Load(Param("tall"), GP64()), Load(Param("upper"), GP64()), Load(Param("n"), GP64())
	base := ZMM()
	VPBROADCASTD(Load(Param("base"), GP32()), base)
	at, used, word := GP64(), GP64(), GP64()
	XORQ(used, used)
	each(n, at, 16, func() {
		v, more, some := ZMM(), ZMM(), K()
		MOVWQZX(Mem{Base: tall}, word)
		KMOVW(word.As32(), some)
		VPMOVZXWD(Mem{Base: upper, Index: used, Scale: 2}, more)
		VPEXPANDD_Z(more, some, more)
		VPSLLD(U8(16), more, more)
		VPMOVZXWD(Mem{Base: src, Index: at, Scale: 2}, v)
		VPADDD(base, v, v)
		VPADDD(more, v, v)
		VMOVDQU32(v, Mem{Base: dst, Index: at, Scale: 4})
		ADDQ(U8(2), tall)
		POPCNTQ(word, word)
		ADDQ(word, used)
	})
	Store(used, ReturnIndex(0))
	VZEROUPPER()
	RET()
}

// threesOfWholes writes the function that makes 16-bit numbers, and bytes of the upper bits, of
// 32-bit ones.
func threesOfWholes() {
	TEXT("threesOfWholesAVX512", NOSPLIT, "func(dst *uint16, third *uint8, src *int32, n int, base int32) (done int)")
	Pragma("noescape")
	Doc("threesOfWholesAVX512 sets dst to the lower bits of src-base, and third to the upper ones as long as these are a byte.",
		"n > 0 is a multiple of 16; it stops before sixteen of which one has more, and returns how many it has done.")
	dst, third := Load(Param("dst"), GP64()), Load(Param("third"), GP64())
	src, n := Load(Param("src"), GP64()), Load(Param("n"), GP64())
	base, most, lower, upper := ZMM(), ZMM(), YMM(), XMM()
	VPBROADCASTD(Load(Param("base"), GP32()), base)
	at, word := GP64(), GP64()
	MOVQ(U32(1<<24-1), word)
	VPBROADCASTD(word.As32(), most)
	each(n, at, 16, func() {
		v, beyond := ZMM(), K()
		VMOVDQU32(Mem{Base: src, Index: at, Scale: 4}, v)
		VPSUBD(base, v, v)
		VPCMPUD(U8(6), most, v, beyond) // greater
		KORTESTW(beyond, beyond)
		JNZ(LabelRef("return"))
		VPMOVDW(v, lower)
		VMOVDQU(lower, Mem{Base: dst, Index: at, Scale: 2})
		VPSRLD(U8(16), v, v)
		VPMOVDB(v, upper)
		VMOVDQU(upper, Mem{Base: third, Index: at, Scale: 1})
	})
	Label("return")
	Store(at, ReturnIndex(0))
	VZEROUPPER()
	RET()
}

// wholesOfThrees writes the function that makes the 32-bit numbers again.
func wholesOfThrees() {
	TEXT("wholesOfThreesAVX512", NOSPLIT, "func(dst *int32, src *uint16, third *uint8, n int, base int32)")
	Pragma("noescape")
	Doc("wholesOfThreesAVX512 sets dst to src and the upper bits third, and base. n > 0 is a multiple of 16.")
	dst, src := Load(Param("dst"), GP64()), Load(Param("src"), GP64())
	third, n := Load(Param("third"), GP64()), Load(Param("n"), GP64())
	base := ZMM()
	VPBROADCASTD(Load(Param("base"), GP32()), base)
	at := GP64()
	each(n, at, 16, func() {
		v, more := ZMM(), ZMM()
		VPMOVZXBD(Mem{Base: third, Index: at, Scale: 1}, more)
		VPSLLD(U8(16), more, more)
		VPMOVZXWD(Mem{Base: src, Index: at, Scale: 2}, v)
		VPADDD(base, v, v)
		VPADDD(more, v, v)
		VMOVDQU32(v, Mem{Base: dst, Index: at, Scale: 4})
	})
	VZEROUPPER()
	RET()
}
