package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// The polynomial of degree 8 that agrees with 2^r for |r| <= 1/2 at the zeros of the
// Chebyshev polynomial of degree 9.
var power2 = []float64{1, 0x1.62e42fef84cf0p-1, 0x1.ebfbdff823cedp-3, 0x1.c6b08dd6fd234p-5, 0x1.3b2ab7181b755p-7,
	0x1.5d8745a728441p-10, 0x1.4308ac85aa947p-13, 0x1.00dc4a532fb8ep-16, 0x1.63d136366db24p-20}

// Constants of quick.go of the package, in powers of two.
const (
	normal2 = 125.5
	none2   = -151
	slack2  = 1 << 14
)

// quick2 writes the function to float32 whose rounding is certified without a table,
// which AVX2 has no room for in registers.
func quick2() {
	const name = "quickAVX2"
	TEXT(name, NOSPLIT, "func(dst *float32, dots, norms *float64, n int, norm, scale float64) (odd int)")
	Pragma("noescape")
	Doc(name + " sets dst[i] = float32(2^(scale (norm + norms[i] - 2 dots[i]))) for i < n, n > 0 a multiple of 4. It returns 0 if all those values hold; otherwise some may be wrong.")
	f := &form{}
	v := f.v
	dst, dots, norms := Load(Param("dst"), GP64()), Load(Param("dots"), GP64()), Load(Param("norms"), GP64())
	n := Load(Param("n"), GP64())
	norm, scale := broadcast("norm", v()), broadcast("scale", v())
	number := f.numbers(name + "Constants")
	real := func(x float64) Op { return number(math.Float64bits(x)) }
	var c []Op
	for _, x := range power2 {
		c = append(c, real(x))
	}
	shift := f.load(real(toInt))
	size, least, magnitude := real(normal2), real(none2), number(math.MaxInt64)
	start, mask, window := number(middle-slack2), number(low), number(2*slack2)
	bad := v()
	VPXOR(bad, bad, bad)

	Label("loop")
	x, d := v(), v()
	VMOVUPD(Mem{Base: dots}, x)
	VADDPD(Mem{Base: norms}, norm, d)
	VADDPD(x, x, x)
	VSUBPD(x, d, x) // not fused: twice the dot product may overflow
	VMULPD(scale, x, x)
	shifted, k, r, t := v(), v(), v(), v()
	VADDPD(shift, x, shifted)
	VSUBPD(shift, shifted, k)
	VSUBPD(k, x, r)
	// pairs of terms, then pairs of pairs, by Estrin: the way to the sum is short
	r2, r4 := v(), v()
	VMULPD(r, r, r2)
	var pairs [4]VecVirtual
	for i := range pairs {
		pairs[i] = f.load(c[2*i+1])
		VFMADD213PD(c[2*i], r, pairs[i])
	}
	VFMADD231PD(c[8], r2, pairs[3])
	VMULPD(r2, r2, r4)
	VFMADD231PD(pairs[1], r2, pairs[0])
	VFMADD231PD(pairs[3], r2, pairs[2])
	VMOVAPD(pairs[0], t)
	VFMADD231PD(pairs[2], r4, t)
	VPSLLQ(U8(52), shifted, shifted)
	VPADDQ(shifted, t, t)
	// certain unless what float32 loses is near its middle, or the value not normal
	u, unsure, live, far := v(), v(), v(), v()
	VPSUBQ(f.load(start), t, u)
	VPAND(mask, u, u)
	VMOVDQU(window, unsure)
	VPCMPGTQ(u, unsure, unsure)
	VCMPPD(U8(6), least, x, live) // not x <= least
	VPAND(magnitude, x, u)
	VCMPPD(U8(5), size, u, far) // not |x| < size
	VPAND(live, far, far)
	VPOR(unsure, far, far)
	VPOR(far, bad, bad)
	VPAND(live, t, t)
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
