package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// Constants of quick.go of the package.
const (
	normal = 87   // below this size results are normal float32
	none   = -104 // up to this results are 0 as float32
	middle = 1 << 28
	low    = 1<<29 - 1
	slack  = 2048

	degree = 5
	steps  = 16
)

// quick512 writes the function to float32 whose rounding is certified: a table of
// 16 powers in registers in place of two parts of a large one, and the rounding
// looked at.
func quick512() {
	const name = "quickAVX512"
	TEXT(name, NOSPLIT, "func(dst *float32, dots, norms *float64, n int, norm, scale float64) (odd int)")
	Pragma("noescape")
	Doc(name + " sets dst[i] = float32(exp(scale (norm + norms[i] - 2 dots[i]))) for i < n, n > 0. It returns 0 if all those values hold; otherwise some may be wrong.")
	f := &form{wide: true}
	v := f.v
	dst, dots, norms := Load(Param("dst"), GP64()), Load(Param("dots"), GP64()), Load(Param("norms"), GP64())
	n := Load(Param("n"), GP64())
	norm, scale := broadcast("norm", v()), broadcast("scale", v())
	number := f.numbers(name)
	real := func(x float64) Op { return number(math.Float64bits(x)) }
	var c [degree]Op // 1/1!, ..., 1/degree!
	factorial := 1.0
	for k := range c {
		factorial *= float64(k + 1)
		c[k] = real(1 / factorial)
	}
	inverse, step, shift := real(steps/math.Ln2), real(math.Ln2/steps), real(toInt)
	size, least := real(normal), real(none)
	magnitude := number(math.MaxInt64)
	start, mask, window := number(middle-slack), number(low), number(2*slack)
	table := GLOBL("powers", RODATA|NOPTR)
	for j := range steps {
		// less the bits of j that k << 48 leaves below the exponent
		DATA(8*j, U64(math.Float64bits(math.Exp2(float64(j)/steps))-uint64(j)<<48))
	}
	power0, power1 := f.load(table), f.load(table.Offset(64))
	bad, some := K(), K()
	KXORW(bad, bad, bad)
	r := GP32()
	MOVL(U32(0xff), r)
	KMOVW(r, some)

	Label("loop")
	CMPQ(n, U8(8))
	JGE(LabelRef("vector"))
	MOVQ(n, RCX)
	last := GP32()
	MOVL(U32(1), last)
	SHLL(CL, last)
	DECL(last)
	KMOVW(last, some)
	Label("vector")
	x, d := v(), v()
	VMOVUPD_Z(Mem{Base: dots}, some, x)
	VMOVUPD_Z(Mem{Base: norms}, some, d)
	VADDPD(norm, d, d)
	VADDPD(x, x, x)
	VSUBPD(x, d, x) // not fused: twice the dot product may overflow
	VMULPD(scale, x, x)
	// x = k ln2/16 + rest
	k, shifted, rest, s := v(), f.load(inverse), f.load(x), v()
	VFMADD213PD(shift, x, shifted)
	VSUBPD(shift, shifted, k)
	VFNMADD231PD(step, k, rest)
	t := f.load(c[degree-1])
	for k := degree - 2; k >= 0; k-- {
		VFMADD213PD(c[k], rest, t)
	}
	VMULPD(rest, t, t)
	VMOVDQA64(shifted, s)
	VPERMI2PD(power1, power0, s)
	VPSLLQ(U8(48), shifted, shifted)
	VPADDQ(shifted, s, s)
	VFMADD213PD(s, s, t)
	// certain unless what float32 loses is near its middle, or the value not normal
	u, unsure, live, far := v(), K(), K(), K()
	VPSUBQ(start, t, u)
	VPANDQ(mask, u, u)
	VPCMPUQ(U8(1), window, u, some, unsure)
	VCMPPD(U8(6), least, x, some, live) // not x <= least
	VPANDQ(magnitude, x, u)
	VCMPPD(U8(5), size, u, live, far) // not |x| < size
	KORW(unsure, far, far)
	KORW(far, bad, bad)
	y := YMM()
	VCVTPD2PS_Z(t, live, y)
	VMOVUPS(y, some, Mem{Base: dst})
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
