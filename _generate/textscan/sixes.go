package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// Predicates of comparisons: ordered, quiet.
const (
	equal    = 0x00
	less     = 0x11
	notBelow = 0x1d
	greater  = 0x1e

	notEqualAny = 0x04 // true for NaN
)

// The tables, eight words each, in the order of textscan's sixTables.
const (
	powers = 64 * iota
	scale
	prefix
	keep
	shift
	extra
	whole
)

// toEven makes VRNDSCALEPD round to integers, ties to even.
const toEven = 8

// least has the least number of each class.
var least = [8]float64{1e-4, 1e-3, 1e-2, 1e-1, 1, 10, 100, 1000}

// classesOfTwos returns a table of the classes of 2^-14 to 2^13: words of 16 bits, by the last five
// bits of a float64's exponent.
func classesOfTwos() Mem {
	table := GLOBL("classesOfTwos", RODATA|NOPTR)
	var classes [32]uint16
	for e := -14; e <= 13; e++ {
		class := 0
		for class < 7 && least[class+1] <= math.Ldexp(1, e) {
			class++
		}
		classes[(e+1023)%32] = uint16(class)
	}
	for k, class := range classes {
		DATA(2*k, U16(class))
	}
	return table
}

// nextLeast returns a table that has for each class the least number of the next one.
func nextLeast() Mem {
	table := GLOBL("nextLeast", RODATA|NOPTR)
	for k := range least {
		next := math.Inf(1)
		if k < 7 {
			next = least[k+1]
		}
		DATA(8*k, U64(math.Float64bits(next)))
	}
	return table
}

// sixes writes the function that is textscan's put for eight numbers at a time. Each of three loops
// goes over all numbers, and leaves its results in lo, hi and n. In a single loop each operation
// would wait for the one before, and a processor would not have enough of the next numbers in
// sight.
func sixes(words constants) {
	TEXT("sixesAVX512", NOSPLIT, "func(lo, hi *uint64, n *int64, x *float64, blocks int, tables *float64, near float64) (odd int)")
	Pragma("noescape")
	Doc("sixesAVX512 is put for 8*blocks numbers, blocks > 0. Odd is 0 if it leaves none that is not 0.")
	lo, hi := Load(Param("lo"), GP64()), Load(Param("hi"), GP64())
	n, x := Load(Param("n"), GP64()), Load(Param("x"), GP64())
	blocks, tables := Load(Param("blocks"), GP64()), Load(Param("tables"), GP64())
	zero := ZMM()
	VPXORQ(zero, zero, zero)
	unsigned := words.of64(1<<63 - 1)
	one := words.of64(1)
	minus := words.of64('-')
	zeros := words.of64(0x303030303030)
	width, roundUp := words.of64(64), words.of64(64+7)
	low, middle := words.of64(0xffffff), words.of64(0xffffff000000)
	half, minusHalf := words.of64(math.Float64bits(0.5)), words.of64(math.Float64bits(-0.5))
	unit := words.of64(math.Float64bits(1))
	limit := words.of64(math.Float64bits(1e6))
	near := ZMM()
	VPBROADCASTQ(NewParamAddr("near", 6*8), near)
	thousandth, thousand := words.of64(4294968), words.of64(1000)
	// x/100 = 41x/4096 for x < 1000, x/10 = 103x/1024 for x < 100, all in 16 bits
	by41, by100, by103, by10 := words.of32(41), words.of32(100), words.of32(103), words.of32(10)

	classes, next := ZMM(), ZMM()
	VMOVDQU64(classesOfTwos(), classes)
	VMOVUPD(nextLeast(), next)
	odd := K()
	KXORB(odd, odd, odd)
	lanes, low16 := GP32(), K()
	MOVL(U32(0x11111111), lanes)
	KMOVD(lanes, low16)

	end, at := blocks, GP64()
	SHLQ(U8(6), end)
	XORQ(at, at)
	each := func(base Register) Mem { return Mem{Base: base, Index: at, Scale: 1} }
	again := func(label string) {
		ADDQ(U8(64), at)
		CMPQ(at, end)
		JNE(LabelRef(label))
	}

	Label("block")
	v, a, class := ZMM(), ZMM(), ZMM()
	VMOVUPD(each(x), v)
	VPANDQ(unsigned, v, a)
	// the class of the power of two below, or the next
	reached, power := K(), ZMM()
	VPSRLQ(U8(52), a, class)
	VPERMW_Z(classes, class, low16, class)
	VPERMPD(next, class, power)
	VCMPPD(U8(notBelow), power, a, reached)
	VPADDQ(one, class, reached, class)
	plain := K()
	VCMPPD_BCST(U8(notBelow), Mem{Base: tables, Disp: powers}, a, plain)

	// digits: the product is p + error, exactly
	p, digits, rounded, off, err, size := ZMM(), ZMM(), ZMM(), ZMM(), ZMM(), ZMM()
	VPERMPD(Mem{Base: tables, Disp: scale}, class, err)
	VMULPD(a, err, p)
	VRNDSCALEPD(U8(toEven), p, rounded)
	VSUBPD(rounded, p, off)
	up, down := K(), K()
	VPANDQ(unsigned, off, size)
	VCMPPD(U8(less), near, size, plain, plain)
	VCMPPD(U8(equal), half, size, up)
	KORTESTB(up, up)
	JNZ(LabelRef("middle"))
	Label("rounded")
	VCVTTPD2QQ(rounded, digits)
	VCMPPD(U8(less), limit, rounded, plain, plain)
	left := K()
	VPTESTMQ(a, a, left)
	KANDNB(left, plain, left)
	KORB(left, odd, odd)
	t := ZMM()
	VMOVDQU64(digits, each(lo))
	VMOVDQU64(class, each(hi))
	VPTERNLOGQ_Z(U8(0xff), t, t, plain, t)
	VMOVDQU64(t, each(n))
	again("block")

	XORQ(at, at)
	Label("digits")
	digits = ZMM()
	VMOVDQU64(each(lo), digits)
	// high = digits/1000 and the rest in the halves of a word
	high, rest := ZMM(), ZMM()
	VPMULUDQ(thousandth, digits, high)
	VPSRLQ(U8(32), high, high)
	VPMULUDQ(thousand, high, rest)
	VPSUBQ(rest, digits, rest)
	VPSLLQ(U8(32), rest, rest)
	VPORQ(high, rest, rest)
	// x/100 = 41x/4096 for x < 1000, x/10 = 103x/1024 for x < 100, all in 16 bits
	hundreds, tens := ZMM(), ZMM()
	VPMULLW(by41, rest, hundreds)
	VPSRLW(U8(12), hundreds, hundreds)
	t = ZMM()
	VPMULLW(by100, hundreds, t)
	VPSUBW(t, rest, rest)
	VPMULLW(by103, rest, tens)
	VPSRLW(U8(10), tens, tens)
	VPMULLW(by10, tens, t)
	VPSUBW(t, rest, rest)
	VPSLLD(U8(8), tens, tens)
	VPSLLD(U8(16), rest, rest)
	w := ZMM()
	VPORQ(hundreds, tens, w)
	VPORQ(rest, w, w)
	VPSRLQ(U8(8), w, t)
	VPANDQ(low, w, w)
	VPANDQ(middle, t, t)
	VPORQ(t, w, w)
	VMOVDQU64(w, each(lo))
	again("digits")

	XORQ(at, at)
	Label("texts")
	v, class, w, t = ZMM(), ZMM(), ZMM(), ZMM()
	VMOVUPD(each(x), v)
	VMOVDQU64(each(lo), w)
	VMOVDQU64(each(hi), class)
	// significant = 8 - (zero bytes behind the last digit)
	significant := ZMM()
	VPLZCNTQ(w, significant)
	VPSUBQ(significant, roundUp, significant)
	VPSRLQ(U8(3), significant, significant)
	VPORQ(zeros, w, w)

	// text
	pick := func(at int) VecVirtual {
		z := ZMM()
		VPERMQ(Mem{Base: tables, Disp: at}, class, z)
		return z
	}
	first, behind, by, kept := ZMM(), ZMM(), pick(shift), pick(keep)
	VPANDQ(kept, w, first)
	VPANDNQ(w, kept, behind)
	VPSLLVQ(by, behind, behind)
	VPORQ(behind, first, first)
	VPORQ(pick(prefix), first, first)
	second := ZMM()
	VPSUBQ(by, width, by)
	VPSRLVQ(by, w, second)
	length, before := ZMM(), pick(whole)
	VPADDQ(pick(extra), significant, length)
	short := K()
	VPCMPQ(U8(notAbove), before, significant, short)
	VMOVDQA64(before, short, length)

	// a minus in front
	negative := K()
	VPMOVQ2M(v, negative)
	sign := ZMM()
	VPSRLQ(U8(63), v, sign)
	VPADDQ(sign, length, length)
	VPSLLQ(U8(3), sign, sign)
	VPSUBQ(sign, width, t)
	VPSRLVQ(t, first, t)
	VPSLLVQ(sign, second, second)
	VPORQ(t, second, second)
	VPSLLVQ(sign, first, first)
	VPORQ(minus, first, negative, first)
	VMOVDQU64(first, each(lo))
	VMOVDQU64(second, each(hi))
	VPANDQ(each(n), length, length)
	VMOVDQU64(length, each(n))
	again("texts")
	any := GP64()
	KMOVB(odd, any.As32())
	Store(any, ReturnIndex(0))
	VZEROUPPER()
	RET()

	Label("middle") // a product that, as it is rounded, lies half-way between two integers
	VFMSUB213PD(p, a, err)
	VCMPPD(U8(equal), half, off, up)
	VCMPPD(U8(greater), zero, err, up, up)
	VADDPD(unit, rounded, up, rounded)
	VCMPPD(U8(equal), minusHalf, off, down)
	VCMPPD(U8(less), zero, err, down, down)
	VSUBPD(unit, rounded, down, rounded)
	JMP(LabelRef("rounded"))
}
