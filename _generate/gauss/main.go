// Command gauss writes the assembly of models/kernel. From this module:
//
//	go run ./gauss -out ../models/kernel/gauss_amd64.s -stubs ../models/kernel/gauss_stubs_amd64.go -pkg kernel
package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

func main() {
	ConstraintExpr("amd64,!purego")
	gauss512()
	gauss2()
	exp512()
	exp2()
	lookup512(64)
	lookup512(128)
	Generate()
}

// Constants of the exact form, see exp.go of the package.
const (
	invLn2N = 0x1.71547652b82fep0 * 128
	ln2Hi   = -0x1.62e42fefa0000p-8
	ln2Lo   = -0x1.cf79abc9e3b39p-47
	toInt   = 0x1.8p52

	c2 = 0x1.ffffffffffdbdp-2
	c3 = 0x1.555555555543cp-3
	c4 = 0x1.55555cf172b91p-5
	c5 = 0x1.1111167a4d017p-7
)

// Constants of the certified form, see gauss.go of the package.
const (
	plain = 87   // below this size results are normal float32
	zero  = -104 // up to this results are 0
	half  = 1 << 28
	low   = 1<<29 - 1
)

func bits(x float64) Op { return U64(math.Float64bits(x)) }

func word(v VecVirtual, x uint64) VecVirtual {
	r := GP64()
	MOVQ(U64(x), r)
	if v.Size() == 64 {
		VPBROADCASTQ(r, v)
	} else {
		MOVQ(r, v.AsX())
		VPBROADCASTQ(v.AsX(), v)
	}
	return v
}

func constant(v VecVirtual, x float64) VecVirtual { return word(v, math.Float64bits(x)) }

func broadcast(name string, v VecVirtual) VecVirtual {
	p, err := Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	VBROADCASTSD(p.Addr, v)
	return v
}

const gaussSignature = "func(dst *float32, dots, norms *float64, n int, norm, scale float64) (odd int)"

func gaussDoc(name, condition string) {
	Doc(name + " sets dst[i] = float32(exp(scale (norm + norms[i] - 2 dots[i]))) for i < n, " + condition + ". It returns 0 if all those values hold; otherwise some may be wrong.")
}

// taylor returns e^r - 1 by a polynomial of the given degree.
func taylor(r VecVirtual, c []VecVirtual, v func() VecVirtual) VecVirtual {
	t := v()
	VMOVAPD(c[len(c)-1], t)
	for k := len(c) - 2; k >= 0; k-- {
		VFMADD213PD(c[k], r, t)
	}
	VMULPD(r, t, t)
	return t
}

// coefficients returns 1/1!, ..., 1/degree!.
func coefficients(degree int, v func() VecVirtual) []VecVirtual {
	c := make([]VecVirtual, degree)
	f := 1.0
	for k := range c {
		f *= float64(k + 1)
		c[k] = constant(v(), 1/f)
	}
	return c
}

func gauss512() {
	v := func() VecVirtual { return ZMM() }
	const name, slack = "gaussAVX512", 2048
	TEXT(name, NOSPLIT, gaussSignature)
	gaussDoc(name, "n > 0")
	dst, dots, norms := Load(Param("dst"), GP64()), Load(Param("dots"), GP64()), Load(Param("norms"), GP64())
	n := Load(Param("n"), GP64())
	norm, scale := broadcast("norm", v()), broadcast("scale", v())
	data := GLOBL("powers", RODATA|NOPTR)
	for j := range 16 {
		// less the bits of j that k << 48 leaves below the exponent
		DATA(8*j, U64(math.Float64bits(math.Exp2(float64(j)/16))-uint64(j)<<48))
	}
	power0, power1 := v(), v()
	VMOVDQU64(data, power0)
	VMOVDQU64(data.Offset(64), power1)
	inv, step, shift := constant(v(), 16/math.Ln2), constant(v(), math.Ln2/16), constant(v(), toInt)
	c := coefficients(5, v)
	size, least := constant(v(), plain), constant(v(), zero)
	positive := word(v(), math.MaxInt64)
	start, mask, window := word(v(), half-slack), word(v(), low), word(v(), 2*slack)
	bad, lanes := K(), K()
	KXORW(bad, bad, bad)
	r := GP32()
	MOVL(U32(0xff), r)
	KMOVW(r, lanes)

	Label("loop")
	CMPQ(n, U8(8))
	JGE(LabelRef("vector"))
	MOVQ(n, RCX)
	last := GP32()
	MOVL(U32(1), last)
	SHLL(CL, last)
	DECL(last)
	KMOVW(last, lanes)
	Label("vector")
	x, d := v(), v()
	VMOVUPD_Z(Mem{Base: norms}, lanes, d)
	VADDPD(norm, d, d)
	VMOVUPD_Z(Mem{Base: dots}, lanes, x)
	VADDPD(x, x, x) // not fused: the product may overflow
	VSUBPD(x, d, x)
	VMULPD(scale, x, x)
	// x = k ln2/16 + rest
	k, shifted, rest := v(), v(), v()
	VMOVAPD(x, shifted)
	VFMADD213PD(shift, inv, shifted)
	VSUBPD(shift, shifted, k)
	VMOVAPD(x, rest)
	VFNMADD231PD(step, k, rest)
	t := taylor(rest, c, v)
	s, exponent := v(), v()
	VMOVDQA64(shifted, s)
	VPERMI2PD(power1, power0, s)
	VPSLLQ(U8(48), shifted, exponent)
	VPADDQ(exponent, s, s)
	VFMADD213PD(s, s, t)
	// is the rounding to float32 certain?
	nil1, unsure, far := K(), K(), K()
	u := v()
	VPSUBQ(start, t, u)
	VPANDQ(mask, u, u)
	VPCMPUQ(U8(1), window, u, unsure) // u < window
	VPANDQ(positive, x, u)
	VCMPPD(U8(5), size, u, far) // not |x| < size
	KORW(far, unsure, unsure)
	VCMPPD(U8(2), least, x, nil1) // x <= least
	KANDNW(unsure, nil1, unsure)
	KANDW(lanes, unsure, unsure)
	KORW(unsure, bad, bad)
	KNOTW(nil1, nil1)
	y := YMM()
	VMOVAPD_Z(t, nil1, t)
	VCVTPD2PS(t, y)
	VMOVUPS(y, lanes, Mem{Base: dst})
	ADDQ(U8(32), dst)
	ADDQ(U8(64), dots)
	ADDQ(U8(64), norms)
	SUBQ(U8(8), n)
	JG(LabelRef("loop"))
	odd := GP32()
	KMOVW(bad, odd)
	Store(odd.As64(), ReturnIndex(0))
	VZEROUPPER()
	RET()
}

func gauss2() {
	v := func() VecVirtual { return YMM() }
	const name, slack = "gaussAVX2", 4096
	TEXT(name, NOSPLIT, gaussSignature)
	gaussDoc(name, "n > 0 a multiple of 4")
	dst, dots, norms := Load(Param("dst"), GP64()), Load(Param("dots"), GP64()), Load(Param("norms"), GP64())
	n := Load(Param("n"), GP64())
	const degree = 10
	// registers do not hold all constants
	table := GLOBL("gaussConstants", RODATA|NOPTR)
	at := 0
	memory := func(x uint64) Mem {
		for lane := range 4 {
			DATA(at+8*lane, U64(x))
		}
		at += 32
		return table.Offset(at - 32)
	}
	number := func(x float64) Mem { return memory(math.Float64bits(x)) }
	var c [degree]Mem
	f := 1.0
	for k := range c {
		f *= float64(k + 1)
		c[k] = number(1 / f)
	}
	inv, step := number(1/math.Ln2), number(math.Ln2)
	size, least := number(plain), number(zero)
	positive, start, mask, window := memory(math.MaxInt64), memory(half-slack), memory(low), memory(2*slack)
	norm, scale := broadcast("norm", v()), broadcast("scale", v())
	shift := constant(v(), toInt)
	bad := v()
	VPXOR(bad, bad, bad)

	Label("loop")
	x, d := v(), v()
	VADDPD(Mem{Base: norms}, norm, d)
	VMOVUPD(Mem{Base: dots}, x)
	m := v()
	VADDPD(x, x, x) // not fused: the product may overflow
	VSUBPD(x, d, x)
	VMULPD(scale, x, x)
	k, shifted, rest := v(), v(), v()
	VMOVUPD(inv, shifted)
	VFMADD213PD(shift, x, shifted)
	VSUBPD(shift, shifted, k)
	VMOVAPD(x, rest)
	VFNMADD231PD(step, k, rest)
	t := v()
	VMOVUPD(c[degree-1], t)
	for k := degree - 2; k >= 0; k-- {
		VFMADD213PD(c[k], rest, t)
	}
	VMULPD(rest, t, t)
	one := v()
	VMOVUPD(c[0], one)
	VADDPD(one, t, t)
	VPSLLQ(U8(52), shifted, shifted)
	VPADDQ(shifted, t, t)
	u, far, nil1 := v(), v(), v()
	VPSUBQ(start, t, u)
	VPAND(mask, u, u)
	VMOVDQU(window, m)
	VPCMPGTQ(u, m, u) // window > u
	VPAND(positive, x, far)
	VCMPPD(U8(5), size, far, far)
	VPOR(far, u, u)
	VCMPPD(U8(2), least, x, nil1)
	VPANDN(u, nil1, u)
	VPOR(u, bad, bad)
	VPANDN(t, nil1, t)
	VCVTPD2PSY(t, t.AsX())
	VMOVUPS(t.AsX(), Mem{Base: dst})
	ADDQ(U8(16), dst)
	ADDQ(U8(32), dots)
	ADDQ(U8(32), norms)
	SUBQ(U8(4), n)
	JG(LabelRef("loop"))
	odd := GP32()
	VMOVMSKPD(bad, odd)
	Store(odd.As64(), ReturnIndex(0))
	VZEROUPPER()
	RET()
}
