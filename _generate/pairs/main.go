// Command pairs writes the assembly of predict/internal/pairs. From this module:
//
//	go run ./pairs -out ../predict/internal/pairs/pairs_amd64.s -stubs ../predict/internal/pairs/stubs_amd64.go -pkg pairs
package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

func main() {
	ConstraintExpr("amd64,!purego")
	one = constants("one", math.Float64bits(1))
	rounding = constants("rounding", math.Float64bits(1e-15))
	minus = constants("minus", 1<<63)
	magnitude = constants("magnitude", 1<<63-1)
	more = constants("more", math.Float64bits(1.05))
	for _, f := range []form{{name: "AVX512", width: 64, vector: zmm}, {name: "AVX2", width: 32, vector: ymm}} {
		f.dividend, f.divisor = f.scope("Dividend", 700, true), f.scope("Divisor", 50, false)
		f.signs()
		f.certain(false)
		f.certain(true)
		f.arguments()
		f.logistic()
		f.three()
		f.four()
		f.products()
		f.sweep()
		f.product()
		f.turn()
	}
	Generate()
}

// form is a level of vector instructions.
type form struct {
	name   string
	width  int // bytes of a register
	vector func() VecVirtual

	dividend, divisor scope // ranges of the operands of quotients
}

func ymm() VecVirtual { return YMM() }

func zmm() VecVirtual { return ZMM() }

// Each of these is a register's worth of equal words.
var one, rounding, minus, magnitude, more Mem

func constants(name string, word uint64) Mem {
	m := GLOBL(name, RODATA|NOPTR)
	for k := range 8 {
		DATA(8*k, U64(word))
	}
	return m
}

func (f form) text(name, signature, doc string) {
	TEXT(name+f.name, NOSPLIT, signature)
	Pragma("noescape")
	Doc(name + f.name + " " + doc)
}

// loop runs body with at = 0, width, ..., below 8n bytes. The parameter n is a positive multiple of
// the number of lanes of a register.
func (f form) loop(body func(at GPVirtual)) {
	n := Load(Param("n"), GP64())
	SHLQ(U8(3), n)
	at := GP64()
	XORQ(at, at)
	Label("block")
	body(at)
	ADDQ(U8(f.width), at)
	CMPQ(at, n)
	JLT(LabelRef("block"))
	VZEROUPPER()
	RET()
}

// everywhere returns a register with a parameter in all lanes.
func (f form) everywhere(name string) VecVirtual {
	p, err := Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	v := f.vector()
	VBROADCASTSD(p.Addr, v)
	return v
}

func (f form) zero() VecVirtual {
	v := f.vector()
	if f.width == 64 {
		VPXORQ(v, v, v)
	} else {
		VXORPD(v, v, v)
	}
	return v
}

const below = 0x11 // the first operand is less; false for NaN

func (f form) signs() {
	f.text("signs", "func(dst *uint64, values *float64, rho float64, n int)",
		"is Signs for n values; n is a positive multiple of 8.")
	dst := Load(Param("dst"), GP64())
	values := Load(Param("values"), GP64())
	n := Load(Param("n"), GP64())
	rho, zero := f.everywhere("rho"), f.zero()
	bits := GP32()
	Label("byte")
	if f.width == 64 {
		v, above := ZMM(), K()
		VMOVUPD(Mem{Base: values}, v)
		VSUBPD(rho, v, v)
		VMOVUPD(v, Mem{Base: values})
		VCMPPD(U8(below), v, zero, above)
		KMOVW(above, bits)
	} else {
		rest := GP32()
		for k, half := range []GPVirtual{bits, rest} {
			v := YMM()
			VMOVUPD(Mem{Base: values, Disp: 32 * k}, v)
			VSUBPD(rho, v, v)
			VMOVUPD(v, Mem{Base: values, Disp: 32 * k})
			VCMPPD(U8(below), v, zero, v)
			VMOVMSKPD(v, half)
		}
		SHLL(U8(4), rest)
		ORL(rest, bits)
	}
	MOVB(bits.As8(), Mem{Base: dst})
	INCQ(dst)
	ADDQ(U8(64), values)
	SUBQ(U8(8), n)
	JG(LabelRef("byte"))
	VZEROUPPER()
	RET()
}

const above = 0x1e // the first operand is greater; false for NaN

// certain writes the function that compares the distance of a value from rho, and its negative,
// with the error bound. The value is the number in sums. With two it is the sum of those in sums
// and in sizes, whose sizes make up the bound.
func (f form) certain(two bool) {
	const signature = "errors *float64, rho, relative, absolute float64) (above, below uint64)"
	if two {
		f.text("certainOfTwo", "func(sums, sizes, "+signature, "is CertainOfTwo, with sums a and sizes b.")
	} else {
		f.text("certain", "func(sums, sizes, "+signature, "is Certain.")
	}
	sums := Load(Param("sums"), GP64())
	sizes := Load(Param("sizes"), GP64())
	errors := Load(Param("errors"), GP64())
	rho, relative, absolute := f.everywhere("rho"), f.everywhere("relative"), f.everywhere("absolute")
	slack, sign := f.copyOf(more), f.copyOf(minus)
	var size VecVirtual
	if two {
		size = f.copyOf(magnitude)
	}
	count, at := f.width/8, GP64()
	yes, no := GP64(), GP64()
	XORQ(at, at)
	XORQ(yes, yes)
	XORQ(no, no)
	Label("rows")
	// earlier results move down, so that after all rows the first row is at bit 0
	SHRQ(U8(count), yes)
	SHRQ(U8(count), no)
	v, bound := f.vector(), f.vector()
	VMOVUPD(Mem{Base: sums, Index: at, Scale: 1}, v)
	VADDPD(Mem{Base: errors, Index: at, Scale: 1}, relative, bound)
	VMULPD(slack, bound, bound)
	if two {
		other, a, b := f.vector(), f.vector(), f.vector()
		VMOVUPD(Mem{Base: sizes, Index: at, Scale: 1}, other)
		if f.width == 64 {
			VPANDQ(size, v, a)
			VPANDQ(size, other, b)
		} else {
			VANDPD(size, v, a)
			VANDPD(size, other, b)
		}
		VADDPD(other, v, v)
		VADDPD(b, a, a)
		VMULPD(a, bound, bound)
	} else {
		VMULPD(Mem{Base: sizes, Index: at, Scale: 1}, bound, bound)
	}
	VSUBPD(rho, v, v)
	VADDPD(absolute, bound, bound)
	for _, found := range []GPVirtual{yes, no} {
		bits := GP64()
		if f.width == 64 {
			mask := K()
			VCMPPD(U8(above), bound, v, mask)
			KMOVW(mask, bits.As32())
		} else {
			mask := YMM()
			VCMPPD(U8(above), bound, v, mask)
			VMOVMSKPD(mask, bits.As32())
		}
		SHLQ(U8(64-count), bits)
		ORQ(bits, found)
		if found == yes {
			if f.width == 64 {
				VPXORQ(sign, v, v)
			} else {
				VXORPD(sign, v, v)
			}
		}
	}
	ADDQ(U8(f.width), at)
	CMPQ(at, U32(512))
	JLT(LabelRef("rows"))
	Store(yes, ReturnIndex(0))
	Store(no, ReturnIndex(1))
	VZEROUPPER()
	RET()
}

func (f form) arguments() {
	f.text("arguments", "func(z, size, values *float64, rows *int32, a, b float64, n int)",
		"is Arguments for n rows, a positive multiple of 8.")
	z := Load(Param("z"), GP64())
	size := Load(Param("size"), GP64())
	values := Load(Param("values"), GP64())
	rows := Load(Param("rows"), GP64())
	a, b := f.everywhere("a"), f.everywhere("b")
	sign := f.vector()
	VMOVUPD(minus, sign)
	f.loop(func(at GPVirtual) {
		v := f.zero()
		if f.width == 64 {
			index, all := YMM(), K()
			VMOVDQU32(Mem{Base: rows}, index)
			KXNORW(all, all, all)
			VGATHERDPD(Mem{Base: values, Index: index, Scale: 8}, all, v)
		} else {
			index, all := XMM(), YMM()
			VMOVDQU(Mem{Base: rows}, index)
			VPCMPEQD(all, all, all)
			VGATHERDPD(all, Mem{Base: values, Index: index, Scale: 8}, v)
		}
		VMULPD(a, v, v)
		VADDPD(b, v, v)
		VMOVUPD(v, Mem{Base: z, Index: at, Scale: 1})
		if f.width == 64 {
			VPORQ(sign, v, v)
		} else {
			VORPD(sign, v, v)
		}
		VMOVUPD(v, Mem{Base: size, Index: at, Scale: 1})
		ADDQ(U8(f.width/2), rows)
	})
}

func (f form) logistic() {
	f.text("logistic", "func(dst, z, exps *float64, least, most float64, n int)",
		"is Logistic for n values, a positive multiple of 8.")
	dst := Load(Param("dst"), GP64())
	z := Load(Param("z"), GP64())
	exps := Load(Param("exps"), GP64())
	least, most := f.everywhere("least"), f.everywhere("most")
	whole := f.vector()
	VMOVUPD(one, whole)
	f.loop(func(at GPVirtual) {
		e, p, sum := f.vector(), f.vector(), f.vector()
		VMOVUPD(Mem{Base: exps, Index: at, Scale: 1}, e)
		VMOVUPD(Mem{Base: z, Index: at, Scale: 1}, p)
		VADDPD(whole, e, sum)
		if f.width == 64 {
			negative := K()
			VPMOVQ2M(p, negative)
			VMOVAPD(e, p)
			VMOVAPD(whole, negative, p)
		} else {
			VBLENDVPD(p, whole, e, p)
		}
		VDIVPD(sum, p, p)
		VMAXPD(p, least, p) // p if it is NaN
		VMINPD(p, most, p)
		VMOVUPD(p, Mem{Base: dst, Index: at, Scale: 1})
	})
}
