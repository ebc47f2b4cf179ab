package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// long writes the function of exp of many arguments whose size is below 512.
func long(wide bool) {
	level, condition := suffix(wide)
	name := "exp" + level
	TEXT(name, NOSPLIT, "func(dst, src *float64, n int, scale float64, table *[128][2]float64) (odd int)")
	Pragma("noescape")
	Doc(name + " sets dst[i] = exp(scale src[i]) for i < n, " + condition + ". It returns 0 unless the size of an argument of exp is not less than 512; for those the values are wrong.")
	f := &form{wide: wide}
	v := f.v
	dst, src := Load(Param("dst"), GP64()), Load(Param("src"), GP64())
	n := Load(Param("n"), GP64())
	f.table = Load(Param("table"), GP64())
	f.constants(name + "Constants")
	scale := broadcast("scale", v())
	most := v()
	VXORPD(most, most, most)
	f.pipeline(src, dst, n, scale, most)
	f.each(n, func(some Register) {
		x := f.scaled(src, scale, some)
		f.note(x, most)
		f.store(f.exp(x), dst, some)
		ADDQ(U8(uint8(8*f.lanes())), src)
		ADDQ(U8(uint8(8*f.lanes())), dst)
	})
	f.found(most)
	VZEROUPPER()
	RET()
}

// scaled returns the arguments, with 0 in the lanes that some leaves out.
func (f *form) scaled(src Register, scale VecVirtual, some Register) VecVirtual {
	x := f.v()
	if some != nil {
		VMOVUPD_Z(Mem{Base: src}, some, x)
		VMULPD(scale, x, x)
	} else {
		VMULPD(Mem{Base: src}, scale, x)
	}
	return x
}

func (f *form) store(y VecVirtual, dst, some Register) {
	if some != nil {
		VMOVUPD(y, some, Mem{Base: dst})
	} else {
		VMOVUPD(y, Mem{Base: dst})
	}
}

// found stores as the function's result whether the largest size is 512 or more.
func (f *form) found(most VecVirtual) {
	odd := GP32()
	if f.wide {
		bad := K()
		VCMPPD(U8(5), f.size, most, bad)
		KMOVW(bad, odd)
	} else {
		VCMPPD(U8(5), f.size, most, most)
		VMOVMSKPD(most, odd)
	}
	Store(odd.As64(), ReturnIndex(0))
}

// far writes the function of exp of many values with any arguments below 512. For arguments up to
// -512 it takes the steps of expFar in models/kernel. Where the result is subnormal, it makes the
// result's bits from those of 1 plus the result times 2^1022, since no operation may have a
// subnormal result.
func far(wide bool) {
	level, condition := suffix(wide)
	name := "far" + level
	TEXT(name, NOSPLIT, "func(dst, src *float64, n int, scale float64, table *[128][2]float64) (odd int)")
	Pragma("noescape")
	Doc(name + " sets dst[i] = exp(scale src[i]) for i < n, " + condition + ". It returns 0 unless an argument of exp is 512 or more; for those the values are wrong.")
	f := &form{wide: wide}
	v := f.v
	dst, src := Load(Param("dst"), GP64()), Load(Param("src"), GP64())
	n := Load(Param("n"), GP64())
	f.table = Load(Param("table"), GP64())
	real := f.constants(name + "Constants")
	bits := func(x int64) Op { return real(math.Float64frombits(uint64(x))) }
	one, below, least := real(1), real(-512), real(-746) // least: the result is 0 from here down
	normal, subnormal := bits(1022<<52), bits(1023<<52)
	scale := broadcast("scale", v())
	most, zero := v(), v()
	VXORPD(most, most, most)
	VXORPD(zero, zero, zero)
	f.each(n, func(some Register) {
		x := f.scaled(src, scale, some)
		VMAXPD(most, x, most) // NaN does not count
		if some == nil {      // all results may be 0, as often happens
			if wide {
				live := K()
				VCMPPD(U8(6), least, x, live) // not x <= least
				KORTESTB(live, live)
			} else {
				live := v()
				VCMPPD(U8(6), least, x, live)
				VPTEST(live, live)
			}
			JNE(LabelRef("live"))
			f.store(zero, dst, some)
			JMP(LabelRef("next"))
			Label("live")
		}
		VMAXPD(x, f.load(least), x)
		r, shifted := v(), v()
		f.split(x, r, shifted, f.offsets)
		s, t := f.parts(r, shifted, f.offsets)
		y, part, tiny, lost, sum, rest := v(), v(), v(), v(), v(), v()
		var low, less Register
		if f.wide {
			low, less = K(), K()
			VCMPPD(U8(2), below, x, low) // x <= -512
			VPADDQ(normal, s, low, s)
		} else {
			low, less = x, v()
			VCMPPD(U8(2), below, x, x)
			VPAND(normal, x, part)
			VPADDQ(part, s, s)
		}
		VMOVAPD(t, y)
		VFMADD213PD(s, s, y)
		VMULPD(s, t, part)
		VADDPD(part, s, tiny)
		VSUBPD(tiny, s, lost)
		VADDPD(part, lost, lost)
		VADDPD(one, tiny, sum)
		VSUBPD(sum, f.load(one), rest)
		VADDPD(tiny, rest, rest)
		VADDPD(lost, rest, rest)
		VADDPD(rest, sum, sum)
		if f.wide {
			VCMPPD(U8(1), one, tiny, low, less)
			VPSUBQ(normal, tiny, low, y)
			VPSUBQ(subnormal, sum, less, y)
		} else {
			VCMPPD(U8(1), one, tiny, less)
			VPSUBQ(normal, tiny, tiny)
			VPSUBQ(subnormal, sum, sum)
			VBLENDVPD(less, sum, tiny, tiny)
			VBLENDVPD(low, tiny, y, y)
		}
		f.store(y, dst, some)
		if some == nil {
			Label("next")
		}
		ADDQ(U8(uint8(8*f.lanes())), src)
		ADDQ(U8(uint8(8*f.lanes())), dst)
	})
	f.found(most)
	VZEROUPPER()
	RET()
}
