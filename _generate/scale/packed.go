package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// each counts at from 0 to n in steps; body works on the elements from at on.
func each(n, at Register, step int, body func()) {
	XORQ(at, at)
	Label("each")
	body()
	ADDQ(U8(step), at)
	CMPQ(at, n)
	JLT(LabelRef("each"))
}

// broadcast returns a register with x in all lanes of 32 bits.
func broadcast(x Register) Register {
	one, all := XMM(), YMM()
	VMOVD(x, one)
	VPBROADCASTD(one, all)
	return all
}

// quotient sets v, 32-bit whole numbers, to v/scale, where scale is one of the first ten powers of
// ten and inverse is 1/scale. It avoids a division, which takes three times as long: the product
// with inverse is the quotient or a number next to it, and the remainder of v corrects it. For all
// such numbers the result was compared with the division.
func quotient(v, scale, inverse Register) {
	q := YMM()
	VMULPD(inverse, v, q)
	VFNMADD231PD(q, scale, v) // v - q*scale, exactly
	VFMADD213PD(q, inverse, v)
}

// scaleOf returns a scale and its inverse.
func scaleOf(scale Mem) (all, inverse Register) {
	all, inverse = YMM(), YMM()
	one, word := XMM(), GP64()
	MOVQ(U64(0x3ff<<52), word)
	VMOVQ(word, one)
	VDIVSD(scale, one, one)
	VBROADCASTSD(scale, all)
	VBROADCASTSD(one, inverse)
	return all, inverse
}

// wholesOfReals writes the function that makes whole numbers of decimal numbers.
func wholesOfReals() {
	TEXT("wholesOfRealsAVX2", NOSPLIT, "func(dst *int32, src *float64, n int, scale float64) (done int)")
	Pragma("noescape")
	Doc("wholesOfRealsAVX2 sets dst to src*scale as long as dst/scale is src again, to the bit. n > 0 is a",
		"multiple of 8; it stops before eight of which one is not, and returns how many it has done.")
	dst, src, n := Load(Param("dst"), GP64()), Load(Param("src"), GP64()), Load(Param("n"), GP64())
	scale, inverse := scaleOf(NewParamAddr("scale", 24))
	at, same := GP64(), GP64()
	each(n, at, 8, func() {
		var equal [2]Register
		for k := range equal {
			v, back, whole := YMM(), YMM(), XMM()
			VMOVUPD(Mem{Base: src, Index: at, Scale: 8, Disp: 32 * k}, v)
			VMULPD(scale, v, back)
			VCVTPD2DQY(back, whole)
			VMOVDQU(whole, Mem{Base: dst, Index: at, Scale: 4, Disp: 16 * k})
			VCVTDQ2PD(whole, back)
			quotient(back, scale, inverse)
			VPCMPEQQ(v, back, back)
			equal[k] = back
		}
		VPAND(equal[0], equal[1], equal[0])
		VMOVMSKPD(equal[0], same.As32())
		CMPQ(same, U8(15))
		JNE(LabelRef("return"))
	})
	Label("return")
	Store(at, ReturnIndex(0))
	VZEROUPPER()
	RET()
}

// realsOfWholes writes the function that makes the decimal numbers again.
func realsOfWholes() {
	TEXT("realsOfWholesAVX2", NOSPLIT, "func(dst *float64, src *int32, n int, scale float64)")
	Pragma("noescape")
	Doc("realsOfWholesAVX2 sets dst to src/scale. n > 0 is a multiple of 8.")
	dst, src, n := Load(Param("dst"), GP64()), Load(Param("src"), GP64()), Load(Param("n"), GP64())
	scale, inverse := scaleOf(NewParamAddr("scale", 24))
	at := GP64()
	each(n, at, 8, func() {
		for k := range 2 {
			v := YMM()
			VCVTDQ2PD(Mem{Base: src, Index: at, Scale: 4, Disp: 16 * k}, v)
			quotient(v, scale, inverse)
			VMOVUPD(v, Mem{Base: dst, Index: at, Scale: 8, Disp: 32 * k})
		}
	})
	VZEROUPPER()
	RET()
}

// The parts of a word that stands for a real: the exponent of ten is in the lowest bits.
const (
	wordBits     = 4
	wordExponent = 1<<wordBits - 1
	wordDigits   = 8
)

// Numbers as the bits of a float64.
var (
	wordLimit     = math.Float64bits(1 << (31 - wordBits)) // whole numbers are below this
	wordMost      = math.Float64bits(wordExponent)
	decimalsOfBit = math.Float64bits(math.Log10(2))
)

// constant returns a register with the bits in all lanes of 64.
func constant(bits uint64) Register {
	word, all := GP64(), ZMM()
	MOVQ(U64(bits), word)
	VPBROADCASTQ(word, all)
	return all
}

// powersOfWords has the powers of ten that words use, in registers.
type powersOfWords struct{ low, high Register }

func loadPowers(powers Register) powersOfWords {
	w := powersOfWords{ZMM(), ZMM()}
	VMOVUPD(Mem{Base: powers}, w.low)
	VMOVUPD(Mem{Base: powers, Disp: 64}, w.high)
	return w
}

// power returns ten to the power of the lowest bits of e.
func (w powersOfWords) power(e Register) Register {
	p := ZMM()
	VMOVDQA64(e, p)
	VPERMI2PD(w.high, w.low, p)
	return p
}

// wordsOfReals writes the function that makes words of decimal numbers with a few digits, wherever
// their points are.
func wordsOfReals() {
	TEXT("wordsOfRealsAVX512", NOSPLIT, "func(dst *int32, src *float64, n int, powers *float64) (done int)")
	Pragma("noescape")
	Doc("wordsOfRealsAVX512 sets dst to the words of src, of which realsOfWordsAVX512 makes it again to the bit. n > 0 is a",
		"multiple of 8; it stops before eight of which one has no word, and returns how many it has done. Powers are 16.")
	dst, src, n := Load(Param("dst"), GP64()), Load(Param("src"), GP64()), Load(Param("n"), GP64())
	w := loadPowers(Load(Param("powers"), GP64()))
	unsigned, exponents, limit, one := constant(1<<63-1), constant(wordExponent), constant(wordLimit), constant(1)
	decimals, digits, most := constant(decimalsOfBit), constant(math.Float64bits(wordDigits-1)), constant(wordMost)
	at, same := GP64(), GP64()
	each(n, at, 8, func() {
		v, a, e := ZMM(), ZMM(), ZMM()
		VMOVUPD(Mem{Base: src, Index: at, Scale: 8}, v)
		VPANDQ(unsigned, v, a)
		// the exponent with which wordDigits digits are before the point, or one more, as the
		// logarithm may be one too small
		VGETEXPPD(a, e)
		VMULPD(decimals, e, e)
		VRNDSCALEPD(U8(9), e, e)
		VSUBPD(e, digits, e)
		VMINPD(most, e, e)
		VCVTPD2QQ(e, e)
		VMULPD(w.power(e), a, a)
		large := K()
		VCMPPD(U8(13), limit, a, large) // a is at least limit
		VPSUBQ(one, e, large, e)
		power := w.power(e)
		VMULPD(power, v, a)
		whole, exponent, back := YMM(), YMM(), ZMM()
		VCVTPD2DQ(a, whole)
		VPSLLD(U8(wordBits), whole, whole)
		VPANDQ(exponents, e, e)
		VPMOVQD(e, exponent)
		VPOR(whole, exponent, exponent)
		VMOVDQU(exponent, Mem{Base: dst, Index: at, Scale: 4})
		VPSRAD(U8(wordBits), whole, whole)
		VCVTDQ2PD(whole, back)
		VDIVPD(power, back, back)
		equal := K()
		VPCMPEQQ(v, back, equal)
		KMOVB(equal, same.As32())
		CMPQ(same, U8(255))
		JNE(LabelRef("return"))
	})
	Label("return")
	Store(at, ReturnIndex(0))
	VZEROUPPER()
	RET()
}

// realsOfWords writes the function that makes the decimal numbers again.
func realsOfWords() {
	TEXT("realsOfWordsAVX512", NOSPLIT, "func(dst *float64, src *int32, n int, powers *float64)")
	Pragma("noescape")
	Doc("realsOfWordsAVX512 sets dst to what words stand for. n > 0 is a multiple of 8. Powers are 16.")
	dst, src, n := Load(Param("dst"), GP64()), Load(Param("src"), GP64()), Load(Param("n"), GP64())
	w := loadPowers(Load(Param("powers"), GP64()))
	at := GP64()
	each(n, at, 8, func() {
		word, e, v := YMM(), ZMM(), ZMM()
		VMOVDQU(Mem{Base: src, Index: at, Scale: 4}, word)
		VPMOVZXDQ(word, e)
		VPSRAD(U8(wordBits), word, word)
		VCVTDQ2PD(word, v)
		VDIVPD(w.power(e), v, v)
		VMOVUPD(v, Mem{Base: dst, Index: at, Scale: 8})
	})
	VZEROUPPER()
	RET()
}
