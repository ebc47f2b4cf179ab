package main

import (
	"fmt"
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// The tables of AVX2 are eight words of 32 bits each, behind the tables of eight-byte words.
const (
	factor2 = 7*64 + 32*iota
	keep2
	front2
	small2
)

// wide has words in memory, four times side by side.
type wide map[uint64]Mem

// of64 returns the address of four equal words of eight bytes.
func (c wide) of64(x uint64) Mem {
	m, ok := c[x]
	if !ok {
		m = GLOBL(fmt.Sprintf("wide%x", x), RODATA|NOPTR)
		for lane := range 4 {
			DATA(8*lane, U64(x))
		}
		c[x] = m
	}
	return m
}

// of32 returns the address of eight equal words of four bytes.
func (c wide) of32(x uint32) Mem { return c.of64(uint64(x)<<32 | uint64(x)) }

// of returns the address of four equal float64.
func (c wide) of(x float64) Mem { return c.of64(math.Float64bits(x)) }

// toEven2 makes VROUNDPD round to integers, ties to even.
const toEven2 = 8

// sixes2 is sixes with AVX2, for four numbers at a time, in three loops too.
func sixes2(c wide) {
	var tenths [8]Mem // 10^-4 to 10^3
	for k, x := range least {
		tenths[k] = c.of(x)
	}
	TEXT("sixesAVX2", NOSPLIT, "func(lo, hi *uint64, n *int64, x *float64, blocks int, tables *float64, near float64) (odd int)")
	Pragma("noescape")
	Doc("sixesAVX2 is put for 4*blocks numbers, blocks > 0. Odd is 0 if it leaves none that is not 0.")
	lo, hi := Load(Param("lo"), GP64()), Load(Param("hi"), GP64())
	n, x := Load(Param("n"), GP64()), Load(Param("x"), GP64())
	blocks, tables := Load(Param("blocks"), GP64()), Load(Param("tables"), GP64())

	end, at := blocks, GP64()
	SHLQ(U8(5), end)
	XORQ(at, at)
	odd := YMM()
	VPXOR(odd, odd, odd)
	each := func(base Register) Mem { return Mem{Base: base, Index: at, Scale: 1} }
	next := func(label string) {
		ADDQ(U8(32), at)
		CMPQ(at, end)
		JNE(LabelRef(label))
	}

	Label("block")
	v, a, class := YMM(), YMM(), YMM()
	VMOVUPD(each(x), v)
	VANDPD(c.of64(1<<63-1), v, a)
	VPXOR(class, class, class)
	for k := 1; k < 8; k++ {
		reached := YMM()
		VCMPPD(U8(notBelow), tenths[k], a, reached)
		VPSUBQ(reached, class, class)
	}
	plain := YMM()
	VCMPPD(U8(notBelow), tenths[0], a, plain)

	// digits: the product is p + error, exactly
	p, digits, rounded, off, err := YMM(), YMM(), YMM(), YMM(), YMM()
	VPERMD(Mem{Base: tables, Disp: factor2}, class, err)
	VPSLLQ(U8(32), err, err)
	VMULPD(a, err, p)
	VFMSUB213PD(p, a, err)
	VROUNDPD(U8(toEven2), p, rounded)
	VSUBPD(rounded, p, off)
	zero, halves, signs, near := YMM(), YMM(), YMM(), YMM()
	VANDPD(c.of64(1<<63-1), off, signs)
	VBROADCASTSD(NewParamAddr("near", 6*8), near)
	VCMPPD(U8(less), near, signs, signs)
	VANDPD(signs, plain, plain)
	VXORPD(zero, zero, zero)
	VCMPPD(U8(equal), c.of(0.5), off, halves)
	VCMPPD(U8(greater), zero, err, signs)
	VANDPD(halves, signs, signs)
	VANDPD(c.of(1), signs, signs)
	VADDPD(signs, rounded, rounded)
	VCMPPD(U8(equal), c.of(-0.5), off, halves)
	VCMPPD(U8(less), zero, err, signs)
	VANDPD(halves, signs, signs)
	VANDPD(c.of(1), signs, signs)
	VSUBPD(signs, rounded, rounded)
	VCMPPD(U8(less), c.of(1e6), rounded, signs)
	VANDPD(signs, plain, plain)
	// an integer is in the lower bits of its sum with 2^52
	VADDPD(c.of(1<<52), rounded, digits)
	VPXOR(c.of(1<<52), digits, digits)
	VMOVDQU(digits, each(lo))
	VMOVDQU(class, each(hi))
	VMOVDQU(plain, each(n))
	VXORPD(zero, zero, zero)
	VCMPPD(U8(notEqualAny), zero, a, signs)
	VPANDN(signs, plain, signs)
	VPOR(signs, odd, odd)
	next("block")

	XORQ(at, at)
	Label("digits")
	digits = YMM()
	VMOVDQU(each(lo), digits)
	// high = digits/1000 and the rest in the halves of a word
	high, rest := YMM(), YMM()
	VPMULUDQ(c.of64(4294968), digits, high)
	VPSRLQ(U8(32), high, high)
	VPMULUDQ(c.of64(1000), high, rest)
	VPSUBQ(rest, digits, rest)
	VPSLLQ(U8(32), rest, rest)
	VPOR(high, rest, rest)
	// x/100 = 41x/4096 for x < 1000, x/10 = 103x/1024 for x < 100, all in 16 bits
	hundreds, tens, t, w := YMM(), YMM(), YMM(), YMM()
	VPMULLW(c.of32(41), rest, hundreds)
	VPSRLW(U8(12), hundreds, hundreds)
	VPMULLW(c.of32(100), hundreds, t)
	VPSUBW(t, rest, rest)
	VPMULLW(c.of32(103), rest, tens)
	VPSRLW(U8(10), tens, tens)
	VPMULLW(c.of32(10), tens, t)
	VPSUBW(t, rest, rest)
	VPSLLD(U8(8), tens, tens)
	VPSLLD(U8(16), rest, rest)
	VPOR(hundreds, tens, w)
	VPOR(rest, w, w)
	VPSRLQ(U8(8), w, t)
	VPAND(c.of64(0xffffff), w, w)
	VPAND(c.of64(0xffffff000000), t, t)
	VPOR(t, w, w)
	VMOVDQU(w, each(lo))
	next("digits")

	XORQ(at, at)
	Label("texts")
	v, w, class, zero, t = YMM(), YMM(), YMM(), YMM(), YMM()
	VMOVDQU(each(lo), w)
	VMOVDQU(each(hi), class)
	// the exponent of the digits as a float64 tells which is the last that is not 0
	significant := YMM()
	VPOR(c.of(1<<52), w, significant)
	VSUBPD(c.of(1<<52), significant, significant)
	VPSRLQ(U8(52), significant, significant)
	VPSUBQ(c.of64(1023-8), significant, significant)
	VPSRLQ(U8(3), significant, significant)
	VPOR(c.of64(0x303030303030), w, w)

	// text
	low := c.of64(1<<32 - 1)
	pick := func(table int) Op {
		y := YMM()
		VPERMD(Mem{Base: tables, Disp: table}, class, y)
		VPAND(low, y, y)
		return y
	}
	first, behind, by, kept := YMM(), YMM(), YMM(), pick(keep2)
	small := pick(small2)
	VPAND(c.of64(0xff), small, by)
	VPAND(kept, w, first)
	VPANDN(w, kept, behind)
	VPSLLVQ(by, behind, behind)
	VPOR(behind, first, first)
	VPOR(pick(front2), first, first)
	VPSLLQ(U8(8), small, t)
	VPAND(c.of64(0xff<<32), t, t)
	VPOR(t, first, first)
	second := YMM()
	VMOVDQU(c.of64(64), t)
	VPSUBQ(by, t, by)
	VPSRLVQ(by, w, second)
	length, before := YMM(), YMM()
	VPSRLQ(U8(8), small, length)
	VPAND(c.of64(0xff), length, length)
	VPADDQ(length, significant, length)
	VPSRLQ(U8(16), small, before)
	VPAND(c.of64(0xff), before, before)
	VPCMPGTQ(before, significant, significant)
	VBLENDVPD(significant, length, before, length)

	// a minus in front
	sign := YMM()
	VMOVDQU(each(x), v)
	VPSRLQ(U8(63), v, sign)
	VPADDQ(sign, length, length)
	VPAND(each(n), length, length)
	VPXOR(zero, zero, zero)
	VPSUBQ(sign, zero, zero)
	VPAND(c.of64('-'), zero, zero)
	VPSLLQ(U8(3), sign, sign)
	VMOVDQU(c.of64(64), t)
	VPSUBQ(sign, t, t)
	VPSRLVQ(t, first, t)
	VPSLLVQ(sign, second, second)
	VPOR(t, second, second)
	VPSLLVQ(sign, first, first)
	VPOR(zero, first, first)
	VMOVDQU(first, each(lo))
	VMOVDQU(second, each(hi))
	VMOVDQU(length, each(n))
	next("texts")
	any := GP64()
	VMOVMSKPD(odd, any.As32())
	Store(any, ReturnIndex(0))
	VZEROUPPER()
	RET()
}
