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
	for _, wide := range []bool{true, false} {
		for _, short := range []bool{true, false} {
			maps(wide, short)
		}
	}
	sums512(false)
	sums512(true)
	quick512()
	quick2()
	lookup512(64)
	lookup512(128)
	lookup2(64)
	lookup2(128)
	Generate()
}

func f64(x float64) uint64 { return math.Float64bits(x) }

// Constants of exp.go of the package.
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

func broadcast(name string, v VecVirtual) VecVirtual {
	p, err := Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	VBROADCASTSD(p.Addr, v)
	return v
}

// maps writes a function of many values: short from dot products to float32, or
// not.
func maps(wide, short bool) {
	name, lanes, condition := "expAVX2", 4, "n > 0 a multiple of 4"
	if wide {
		name, lanes, condition = "expAVX512", 8, "n > 0"
	}
	if short {
		name = "gauss" + name[3:]
		TEXT(name, NOSPLIT, "func(dst *float32, dots, norms *float64, n int, norm, scale float64, table *[128][2]float64) (odd int)")
		Pragma("noescape")
		Doc(name + " sets dst[i] = float32(exp(scale (norm + norms[i] - 2 dots[i]))) for i < n, " + condition + ". It returns 0 unless an argument of exp is 512 or more, or not a number; for those the values are wrong.")
	} else {
		TEXT(name, NOSPLIT, "func(dst, src *float64, n int, scale float64, table *[128][2]float64) (odd int)")
		Pragma("noescape")
		Doc(name + " sets dst[i] = exp(scale src[i]) for i < n, " + condition + ". It returns 0 unless the size of an argument of exp is not less than 512; for those the values are wrong.")
	}
	f := &form{wide: wide}
	v := f.v
	dst := Load(Param("dst"), GP64())
	var sources []Register
	if short {
		sources = []Register{Load(Param("dots"), GP64()), Load(Param("norms"), GP64())}
	} else {
		sources = []Register{Load(Param("src"), GP64())}
	}
	n := Load(Param("n"), GP64())
	f.table = Load(Param("table"), GP64())
	f.constants(name + "Constants")
	scale := broadcast("scale", v())
	var norm VecVirtual
	if short {
		norm = broadcast("norm", v())
	}
	// whether an argument is too large is found out by the largest, or, where less is
	// known of them, by a mask of those that are
	var most VecVirtual
	var bad Register
	switch {
	case wide && short:
		bad = K()
		KXORW(bad, bad, bad)
	case short:
		bad = v()
		VPXOR(bad, bad, bad)
	default:
		most = v()
		VXORPD(most, most, most)
	}
	width := 8 // of a result
	if short {
		width = 4
	}

	// vector works on the numbers of one register, of which some are there
	vector := func(some Register) {
		loaded := make([]VecVirtual, len(sources))
		for i, from := range sources {
			loaded[i] = v()
			if some != nil {
				VMOVUPD_Z(Mem{Base: from}, some, loaded[i])
			} else {
				VMOVUPD(Mem{Base: from}, loaded[i])
			}
		}
		x := loaded[0]
		if short {
			VADDPD(x, x, x)
			VADDPD(loaded[1], norm, loaded[1])
			VSUBPD(x, loaded[1], x) // not fused: twice the dot product may overflow
		}
		VMULPD(scale, x, x)
		if short { // so that the result is 0 as a float32; what is no number stays
			VMAXPD(x, f.load(f.least), x)
		}
		switch {
		case wide && short:
			far := K()
			VCMPPD(U8(5), f.size, x, far) // not x < 512
			if some != nil {
				KANDW(some, far, far)
			}
			KORW(far, bad, bad)
		case short:
			far := v()
			VCMPPD(U8(5), f.size, x, far)
			VPOR(far, bad.(VecVirtual), bad.(VecVirtual))
		default:
			f.note(x, most)
		}
		y := f.exp(x)
		switch {
		case wide && short:
			z := YMM()
			VCVTPD2PS(y, z)
			if some != nil {
				VMOVUPS(z, some, Mem{Base: dst})
			} else {
				VMOVUPS(z, Mem{Base: dst})
			}
		case some != nil:
			VMOVUPD(y, some, Mem{Base: dst})
		case short:
			VCVTPD2PSY(y, y.AsX())
			VMOVUPS(y.AsX(), Mem{Base: dst})
		default:
			VMOVUPD(y, Mem{Base: dst})
		}
		ADDQ(U8(uint8(width*lanes)), dst)
		for _, from := range sources {
			ADDQ(U8(uint8(8*lanes)), from)
		}
	}

	if !short {
		f.pipeline(sources[0], dst, n, scale, most)
	}
	CMPQ(n, U8(uint8(lanes)))
	JL(LabelRef("rest"))
	Label("loop")
	vector(nil)
	SUBQ(U8(uint8(lanes)), n)
	CMPQ(n, U8(uint8(lanes)))
	JGE(LabelRef("loop"))
	Label("rest")
	if wide {
		TESTQ(n, n)
		JZ(LabelRef("end"))
		MOVQ(n, RCX)
		last, some := GP32(), K()
		MOVL(U32(1), last)
		SHLL(CL, last)
		DECL(last)
		KMOVW(last, some)
		vector(some)
		Label("end")
	}
	switch {
	case wide && !short:
		bad = K()
		VCMPPD(U8(5), f.size, most, bad) // not size < 512
	case !short:
		bad = most
		VCMPPD(U8(5), f.size, most, most)
	}
	odd := GP32()
	if wide {
		KMOVW(bad, odd)
	} else {
		VMOVMSKPD(bad, odd)
	}
	Store(odd.As64(), ReturnIndex(0))
	VZEROUPPER()
	RET()
}
