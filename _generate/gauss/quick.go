package main

import (
	"fmt"
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// Constants of models/kernel/quick.go.
const (
	normal = 87   // an argument smaller than this in size gives a normal float32
	none   = -104 // an argument up to this gives 0 as float32
	whole  = 100  // an argument from this on gives infinity
	least  = 0x1p-126
	middle = 1 << 28
	low    = 1<<29 - 1

	slackMask = 32 // offset of the second half of a slack

	degree = 5
	powers = 16
)

// An argument says what is known of the arguments of exp.
type argument struct {
	name   string
	folded bool // norms and -2 are already multiplied by scale: an addition and a fused operation are left
	close  bool // all arguments are so near to 0 that results are normal
}

var arguments = []argument{{"quick", false, false}, {"quickFolded", true, false}, {"quickClose", true, true}}

// powersTable holds 2^(j/16) for quick512 and quickTanh.
var powersTable Mem

// text begins a function of powers of a base; n is the condition on n.
func (a argument) text(name, power, n string) {
	TEXT(name, NOSPLIT, "func(dst *float32, dots, norms *float64, n int, norm, scale float64, slack *[8]uint64) (odd int)")
	Pragma("noescape")
	of := "scale (norm + norms[i] - 2 dots[i])"
	if a.folded {
		of = "norm + norms[i] + scale dots[i]"
	}
	if a.close {
		n += ", all of which are normal numbers of float32"
	}
	Doc(fmt.Sprintf("%s sets dst[i] = float32(%s(%s)) for i < n, %s. It returns 0 if all those values hold", name, power, of, n),
		"provided that the numbers from which they are rounded are as near as slack says; otherwise some may be wrong.")
}

// quick512 writes the function with float32 results whose rounding is certified. Instead of the two
// parts of a large table it has 16 powers in registers, and it checks the rounding. Two registers
// are under way, the steps of one between those of the other: a processor searches some 64
// instructions for some that can begin, and most of these wait for the one before.
func quick512(how argument) {
	name := how.name + "AVX512"
	how.text(name, "exp", "n > 0")
	f := &form{wide: true}
	v := f.v
	dst, dots, norms := Load(Param("dst"), GP64()), Load(Param("dots"), GP64()), Load(Param("norms"), GP64())
	n := Load(Param("n"), GP64())
	norm, scale := broadcast("norm", v()), broadcast("scale", v())
	number := f.numbers(name)
	real := func(x float64) Op { return number(math.Float64bits(x)) }
	var c [degree]Op // 1/1!, ..., 1/degree!; the first, which is 1, is not used
	factorial := 1.0
	for k := 1; k < degree; k++ {
		factorial *= float64(k + 1)
		c[k] = real(1 / factorial)
	}
	inverse, step, shift := real(powers/math.Ln2), real(math.Ln2/powers), real(toInt)
	size, zero := real(normal), real(none)
	magnitude := number(math.MaxInt64)
	start, outside := v(), v()
	bits := Load(Param("slack"), GP64())
	VPBROADCASTQ(Mem{Base: bits}, start)
	VPBROADCASTQ(Mem{Base: bits, Disp: slackMask}, outside)
	if powersTable.Symbol.Name == "" {
		powersTable = GLOBL("powers", RODATA|NOPTR)
		for j := range powers {
			// less the bits of j, which k << 48 adds below the exponent
			DATA(8*j, U64(math.Float64bits(math.Exp2(float64(j)/powers))-uint64(j)<<48))
		}
	}
	power0, power1 := f.load(powersTable), f.load(powersTable.Offset(64))
	stored := f.stored(name + "Far")
	ends := [2]Op{stored(math.Float64bits(none)), stored(math.Float64bits(whole))}
	edge, shelf, shelf32 := stored(math.Float64bits(-126*math.Ln2)), stored(math.Float64bits(least)), stored(1<<23)
	bad, some := K(), K()
	KXORW(bad, bad, bad)

	// vector returns the steps for eight values; some is the mask of those that exist, nil for all.
	// With any they take arguments of any size; else apart becomes the mask of the results that are
	// neither 0 nor normal.
	vector := func(at int, some Register, any bool) (list []func(), apart Register) {
		do := func(step func()) { list = append(list, step) }
		x, d, k, shifted, rest, square, low, t := v(), v(), v(), v(), v(), v(), v(), v()
		s, u, unsure, live, tiny := v(), v(), K(), K(), K()
		apart = K()
		add := func(to VecVirtual) {
			if some == nil {
				VADDPD(Mem{Base: norms, Disp: 64 * at}, norm, to)
			} else {
				VADDPD_Z(Mem{Base: norms, Disp: 64 * at}, norm, some, to)
			}
		}
		if how.folded {
			do(func() { add(x) })
			do(func() {
				if some == nil {
					VFMADD231PD(Mem{Base: dots, Disp: 64 * at}, scale, x)
				} else {
					VFMADD231PD(Mem{Base: dots, Disp: 64 * at}, scale, some, x)
				}
			})
		} else {
			do(func() {
				if some == nil {
					VMOVUPD(Mem{Base: dots, Disp: 64 * at}, x)
				} else {
					VMOVUPD_Z(Mem{Base: dots, Disp: 64 * at}, some, x)
				}
			})
			do(func() { add(d) })
			do(func() { VADDPD(x, x, x) })
			do(func() { VSUBPD(x, d, x) }) // not fused: twice the dot product may overflow
			do(func() { VMULPD(scale, x, x) })
		}
		if any { // NaN stays
			do(func() { VBROADCASTSD(ends[0], u) })
			do(func() { VMAXPD(x, u, x) })
			do(func() { VBROADCASTSD(ends[1], u) })
			do(func() { VMINPD(x, u, x) })
			do(func() { VCMPPD_BCST(U8(1), edge, x, tiny) }) // x < edge
		}
		// x = k ln2/16 + rest
		do(func() { VMOVAPD(inverse.(VecVirtual), shifted) })
		do(func() { VFMADD213PD(shift, x, shifted) })
		looked := !any && !how.close // whether to find results that are neither normal nor 0
		if looked {
			do(func() { VCMPPD(U8(6), zero, x, live) }) // not x <= zero
		}
		do(func() { VSUBPD(shift, shifted, k) })
		do(func() { VMOVAPD(x, rest) })
		do(func() { VFNMADD231PD(step, k, rest) })
		do(func() { VMOVDQA64(shifted, s) })
		do(func() { VPERMI2PD(power1, power0, s) })
		if looked {
			do(func() { VPANDQ(magnitude, x, u) })
			do(func() { VCMPPD(U8(5), size, u, live, apart) }) // not |x| < size
		}
		do(func() { VPSLLQ(U8(48), shifted, shifted) })
		// r + r^2 ((c2 + c3 r) + r^2 (c4 + c5 r)): few of its steps depend on each other
		do(func() { VMULPD(rest, rest, square) })
		do(func() { VMOVAPD(c[4].(VecVirtual), t) })
		do(func() { VFMADD213PD(c[3], rest, t) })
		do(func() { VMOVAPD(c[2].(VecVirtual), low) })
		do(func() { VFMADD213PD(c[1], rest, low) })
		do(func() { VPADDQ(shifted, s, s) })
		do(func() { VFMADD213PD(low, square, t) })
		do(func() { VFMADD213PD(rest, square, t) })
		do(func() { VFMADD213PD(s, s, t) })
		if any { // add a number that makes the last place of the sum's float32 that of subnormal ones
			do(func() { VADDPD_BCST(shelf, t, tiny, t) })
		}
		// the rounding is certain unless the bits that float32 loses are near one half
		do(func() { VPADDQ(start, t, u) })
		do(func() { VPTESTNMQ(outside, u, unsure) })
		y := YMM()
		if any {
			do(func() { VCVTPD2PS(t, y) })
			do(func() { VPSUBD_BCST(shelf32, y, tiny, y) })
		} else if looked {
			do(func() { VCVTPD2PS_Z(t, live, y) })
		} else {
			do(func() { VCVTPD2PS(t, y) })
		}
		do(func() {
			if some == nil {
				VMOVUPS(y, Mem{Base: dst, Disp: 32 * at})
			} else {
				VMOVUPS(y, some, Mem{Base: dst, Disp: 32 * at})
			}
		})
		do(func() { KORW(unsure, bad, bad) })
		return list, apart
	}
	const together = 2
	CMPQ(n, U8(8*together))
	JL(LabelRef("rest"))
	Label("loop")
	first, apart := vector(0, nil, false)
	second, apart2 := vector(1, nil, false)
	for _, do := range weave(first, second) {
		do()
	}
	if !how.close {
		KORTESTB(apart2, apart)
		JNE(LabelRef("apart"))
	}
	Label("advance")
	ADDQ(U8(32*together), dst)
	ADDQ(U8(64*together), dots)
	ADDQ(U8(64*together), norms)
	SUBQ(U8(8*together), n)
	CMPQ(n, U8(8*together))
	JGE(LabelRef("loop"))
	Label("rest")
	last := GP32()
	MOVL(U32(0xff), last)
	KMOVW(last, some)
	Label("more")
	TESTQ(n, n)
	JLE(LabelRef("end"))
	CMPQ(n, U8(8))
	JGE(LabelRef("vector"))
	MOVQ(n, RCX)
	MOVL(U32(1), last)
	SHLL(CL, last)
	DECL(last)
	KMOVW(last, some)
	Label("vector")
	steps, _ := vector(0, some, true)
	for _, do := range steps {
		do()
	}
	ADDQ(U8(32), dst)
	ADDQ(U8(64), dots)
	ADDQ(U8(64), norms)
	SUBQ(U8(8), n)
	JMP(LabelRef("more"))
	Label("end")
	odd := GP32()
	KMOVW(bad, odd)
	Store(odd.As64(), ReturnIndex(0))
	VZEROUPPER()
	RET()
	if how.close {
		return
	}
	Label("apart")
	first, _ = vector(0, nil, true)
	second, _ = vector(1, nil, true)
	for _, do := range weave(first, second) {
		do()
	}
	JMP(LabelRef("advance"))
}
