// Command estimate writes the assembly of models/kernel that works in float32. From this module:
//
//	go run ./estimate -out ../models/kernel/estimate_amd64.s -stubs ../models/kernel/estimate_stubs_amd64.go -pkg kernel
package main

import (
	"fmt"
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// lanes is the number of rows side by side.
const lanes = 64

// A level is a set of instructions.
type level struct {
	name  string
	bytes int // of a register
}

var levels = []level{{"AVX512", 64}, {"AVX2", 32}}

func (l level) wide() bool { return l.bytes == 64 }

func (l level) vector() VecVirtual {
	if l.wide() {
		return ZMM()
	}
	return YMM()
}

func (l level) zero() VecVirtual {
	v := l.vector()
	if l.wide() {
		VPXORD(v, v, v)
	} else {
		VXORPS(v, v, v)
	}
	return v
}

func main() {
	ConstraintExpr("amd64,!purego")
	for _, l := range levels {
		for vectors := 1; vectors <= 6; vectors++ {
			dense(l, vectors, false)
		}
		for vectors := 1; vectors <= 6; vectors++ {
			dense(l, vectors, true)
		}
		sparse(l)
		exp2(l)
		nears(l)
		powers(l)
		tanhs(l)
	}
	Generate()
}

// dense writes the function of the dot products, or squared distances if apart, of some vectors
// with all lanes. It works on so many lanes at a time that the sums stay in registers.
func dense(l level, vectors int, apart bool) {
	registers := 4 // for the sums of each vector
	if !l.wide() && vectors > 2 {
		registers = 2
	}
	parts := 4 * lanes / l.bytes / registers
	form, term := "denseDots", fmt.Sprintf("panel[%d k+i] z[r stride+k]", lanes)
	if apart {
		form, term = "denseApart", fmt.Sprintf("(panel[%d k+i] - z[r stride+k])^2", lanes)
	}
	name := fmt.Sprintf("%s%d%s", form, vectors, l.name)
	TEXT(name, NOSPLIT, "func(dst, panel, z *float32, stride, columns int)")
	Pragma("noescape")
	Doc(fmt.Sprintf("%s sets dst[%d r+i] to the sum over k of %s for r < %d and i < %d. stride is in bytes, columns > 0.", name, lanes, term, vectors, lanes))
	dst, panel := Load(Param("dst"), GP64()), Load(Param("panel"), GP64())
	first, stride := Load(Param("z"), GP64()), Load(Param("stride"), GP64())
	columns := Load(Param("columns"), GP64())
	// the addresses of the vectors are those of the first and the fourth plus a multiple of stride
	fourth := GP64()
	LEAQ(Mem{Base: first, Index: stride, Scale: 2}, fourth)
	ADDQ(stride, fourth)
	part := GP64()
	MOVQ(U32(uint32(parts)), part)

	Label("part")
	sums := make([][]VecVirtual, vectors)
	for r := range sums {
		for range registers {
			sums[r] = append(sums[r], l.zero())
		}
	}
	p, k, q, q3 := GP64(), GP64(), GP64(), GP64()
	MOVQ(panel, p)
	MOVQ(columns, k)
	MOVQ(first, q)
	MOVQ(fourth, q3)

	Label("column")
	values := make([]VecVirtual, registers)
	for c := range values {
		values[c] = l.vector()
		VMOVUPS(Mem{Base: p, Disp: l.bytes * c}, values[c])
	}
	for r := range sums {
		from := Mem{Base: q}
		if r >= 3 {
			from.Base = q3
		}
		if r%3 > 0 {
			from.Index, from.Scale = stride, uint8(r%3)
		}
		z := l.vector()
		VBROADCASTSS(from, z)
		for c := range values {
			if !apart {
				VFMADD231PS(values[c], z, sums[r][c])
				continue
			}
			d := l.vector()
			VSUBPS(z, values[c], d)
			VFMADD231PS(d, d, sums[r][c])
		}
	}
	ADDQ(U32(4*lanes), p)
	ADDQ(U8(4), q)
	ADDQ(U8(4), q3)
	DECQ(k)
	JNZ(LabelRef("column"))

	for r := range sums {
		for c, x := range sums[r] {
			VMOVUPS(x, Mem{Base: dst, Disp: 4*lanes*r + l.bytes*c})
		}
	}
	ADDQ(U32(uint32(registers*l.bytes)), dst)
	ADDQ(U32(uint32(registers*l.bytes)), panel)
	DECQ(part)
	JNZ(LabelRef("part"))
	VZEROUPPER()
	RET()
}

// sparse writes the function of the dot products of one sparse vector with all lanes.
func sparse(l level) {
	name := "sparseDots" + l.name
	TEXT(name, NOSPLIT, "func(dst, panel *float32, slots *int32, index *int32, z *float32, n int)")
	Pragma("noescape")
	Doc(fmt.Sprintf("%s sets dst[i] to the sum over k < n of panel[%d slots[index[k]]+i] z[k] for i < %d.", name, lanes, lanes))
	dst, panel := Load(Param("dst"), GP64()), Load(Param("panel"), GP64())
	slots, index := Load(Param("slots"), GP64()), Load(Param("index"), GP64())
	z, n := Load(Param("z"), GP64()), Load(Param("n"), GP64())
	sums := make([]VecVirtual, 4*lanes/l.bytes)
	for c := range sums {
		sums[c] = l.zero()
	}
	k := GP64()
	XORQ(k, k)
	Label("entry")
	CMPQ(k, n)
	JGE(LabelRef("store"))
	at := GP64()
	MOVL(Mem{Base: index, Index: k, Scale: 4}, at.As32())
	MOVL(Mem{Base: slots, Index: at, Scale: 4}, at.As32())
	SHLQ(U8(8), at)
	v := l.vector()
	VBROADCASTSS(Mem{Base: z, Index: k, Scale: 4}, v)
	for c := range sums {
		VFMADD231PS(Mem{Base: panel, Index: at, Scale: 1, Disp: l.bytes * c}, v, sums[c])
	}
	INCQ(k)
	JMP(LabelRef("entry"))
	Label("store")
	for c := range sums {
		VMOVUPS(sums[c], Mem{Base: dst, Disp: l.bytes * c})
	}
	VZEROUPPER()
	RET()
}

// polynomial has the coefficients of exp2Portable in models/kernel.
var polynomial = []float32{0x1.000002p0, 0x1.62e430p-1, 0x1.ebf906p-3, 0x1.c6af6cp-5, 0x1.3d1070p-7, 0x1.5f0890p-10}

// The least exponent that exp2 takes, and the largest that tanhs takes.
const (
	least   = -125
	largest = 125
)

// constants returns registers of the polynomial's coefficients and of the other numbers.
func (l level) constants(name string, others ...float32) []VecVirtual {
	return l.numbers(name, append(append([]float32{}, polynomial...), others...))
}

// numbers returns one register for each of the values, with the value in every lane.
func (l level) numbers(name string, values []float32) (c []VecVirtual) {
	data := GLOBL(name+"Constants", RODATA|NOPTR)
	for i, v := range values {
		DATA(4*i, U32(math.Float32bits(v)))
	}
	for i := range values {
		c = append(c, l.vector())
		VBROADCASTSS(data.Offset(4*i), c[i])
	}
	return c
}

// power returns 2^x by the polynomial c, for |x| <= 126. It overwrites x.
func (l level) power(x VecVirtual, c []VecVirtual) VecVirtual {
	k, y := l.vector(), l.vector()
	if l.wide() {
		VRNDSCALEPS(U8(0), x, k)
	} else {
		VROUNDPS(U8(0), x, k)
	}
	VSUBPS(k, x, x)
	VMOVAPS(c[5], y)
	for i := 4; i >= 0; i-- {
		VFMADD213PS(c[i], x, y)
	}
	if l.wide() {
		VSCALEFPS(k, y, y)
	} else {
		VCVTPS2DQ(k, k)
		VPSLLD(U8(23), k, k)
		VPADDD(k, y, y)
	}
	return y
}

// exp2 writes the function of 2^x, with a factor, and offsets by vector and lane.
func exp2(l level) {
	name := "exp2" + l.name
	TEXT(name, NOSPLIT, "func(values, shifts, offsets *float32, vectors int, factor float32)")
	Pragma("noescape")
	Doc(fmt.Sprintf("%s replaces v = values[%d k+i] by 2^(v factor + shifts[k] + offsets[i]) for k < vectors, vectors > 0, and i < %d.", name, lanes, lanes))
	values, shifts := Load(Param("values"), GP64()), Load(Param("shifts"), GP64())
	offsets, n := Load(Param("offsets"), GP64()), Load(Param("vectors"), GP64())
	factor := l.parameter("factor")
	c := l.constants(name, least)
	low := c[len(polynomial)]
	Label("vector")
	shift := l.vector()
	VBROADCASTSS(Mem{Base: shifts}, shift)
	for at := 0; at < 4*lanes; at += l.bytes {
		x := l.vector()
		VMOVUPS(Mem{Base: values, Disp: at}, x)
		VFMADD213PS(shift, factor, x)
		VADDPS(Mem{Base: offsets, Disp: at}, x, x)
		VMAXPS(x, low, x) // NaN stays
		VMOVUPS(l.power(x, c), Mem{Base: values, Disp: at})
	}
	ADDQ(U32(4*lanes), values)
	ADDQ(U8(4), shifts)
	DECQ(n)
	JNZ(LabelRef("vector"))
	VZEROUPPER()
	RET()
}

// nearPolynomial has the coefficients of nearsPortable in models/kernel, the highest first.
var nearPolynomial = []float32{-0x1.430912p-13, -0x1.5d87fep-10, -0x1.3b2ab6p-7, -0x1.c6b08ep-5, -0x1.ebfbep-3, -0x1.62e43p-1}

// nears writes the function of 1 - 2^x for x near 0, with offsets by vector and lane.
func nears(l level) {
	name := "nears" + l.name
	TEXT(name, NOSPLIT, "func(values, shifts, offsets *float32, vectors int)")
	Pragma("noescape")
	Doc(fmt.Sprintf("%s replaces v = values[%d k+i] by 1 - 2^(v + shifts[k] + offsets[i]) for k < vectors, vectors > 0, and i < %d.", name, lanes, lanes))
	values, shifts := Load(Param("values"), GP64()), Load(Param("shifts"), GP64())
	offsets, n := Load(Param("offsets"), GP64()), Load(Param("vectors"), GP64())
	c := l.numbers(name, nearPolynomial)
	Label("vector")
	shift := l.vector()
	VBROADCASTSS(Mem{Base: shifts}, shift)
	for at := 0; at < 4*lanes; at += l.bytes {
		x, y := l.vector(), l.vector()
		VADDPS(Mem{Base: values, Disp: at}, shift, x)
		VADDPS(Mem{Base: offsets, Disp: at}, x, x)
		VMOVAPS(c[0], y)
		for _, c := range c[1:] {
			VFMADD213PS(c, x, y)
		}
		VMULPS(x, y, y)
		VMOVUPS(y, Mem{Base: values, Disp: at})
	}
	ADDQ(U32(4*lanes), values)
	ADDQ(U8(4), shifts)
	DECQ(n)
	JNZ(LabelRef("vector"))
	VZEROUPPER()
	RET()
}

// parameter returns a register with a parameter in every lane.
func (l level) parameter(name string) VecVirtual {
	from, err := Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	v := l.vector()
	VBROADCASTSS(from.Addr, v)
	return v
}

// powers writes the function of powers of linear functions of values.
func powers(l level) {
	name := "powers" + l.name
	ones := GLOBL(name+"One", RODATA|NOPTR)
	DATA(0, U32(math.Float32bits(1)))
	TEXT(name, NOSPLIT, "func(values *float32, vectors int, gamma, coef0 float32, degree int)")
	Pragma("noescape")
	Doc(fmt.Sprintf("%s replaces v = values[k] by (gamma v + coef0)^degree for k < %d vectors, vectors > 0.", name, lanes))
	values, n := Load(Param("values"), GP64()), Load(Param("vectors"), GP64())
	gamma, coef0 := l.parameter("gamma"), l.parameter("coef0")
	degree := Load(Param("degree"), GP64())
	one := l.vector()
	VBROADCASTSS(ones.Offset(0), one)
	const registers = 4
	if !l.wide() {
		ADDQ(n, n) // the lanes of a vector take twice as many registers
	}
	Label("part")
	var x, y [registers]VecVirtual
	for c := range x {
		x[c], y[c] = l.vector(), l.vector()
		VMOVUPS(Mem{Base: values, Disp: c * l.bytes}, x[c])
		VFMADD213PS(coef0, gamma, x[c])
		VMOVAPS(one, y[c])
	}
	left := GP64()
	MOVQ(degree, left)
	TESTQ(left, left)
	JZ(LabelRef("store"))
	Label("bit")
	SHRQ(U8(1), left)
	JCC(LabelRef("even"))
	for c := range x {
		VMULPS(x[c], y[c], y[c])
	}
	Label("even")
	TESTQ(left, left)
	JZ(LabelRef("store"))
	for c := range x {
		VMULPS(x[c], x[c], x[c])
	}
	JMP(LabelRef("bit"))
	Label("store")
	for c := range x {
		VMOVUPS(y[c], Mem{Base: values, Disp: c * l.bytes})
	}
	ADDQ(U32(uint32(registers*l.bytes)), values)
	DECQ(n)
	JNZ(LabelRef("part"))
	VZEROUPPER()
	RET()
}

// tanhs writes the function of hyperbolic tangents of linear functions of values.
func tanhs(l level) {
	name := "tanhs" + l.name
	TEXT(name, NOSPLIT, "func(values *float32, vectors int, of *[4]float32)")
	Pragma("noescape")
	Doc(fmt.Sprintf("%s replaces v = values[k] by of[2]/(2^(of[0] v + of[1]) + 1) + of[3] for k < %d vectors, vectors > 0.", name, lanes))
	values, n := Load(Param("values"), GP64()), Load(Param("vectors"), GP64())
	of := Load(Param("of"), GP64())
	var given [4]VecVirtual
	for i := range given {
		given[i] = l.vector()
		VBROADCASTSS(Mem{Base: of, Disp: 4 * i}, given[i])
	}
	c := l.constants(name, -largest, largest, 1)
	low, high, one := c[len(polynomial)], c[len(polynomial)+1], c[len(polynomial)+2]
	Label("vector")
	for at := 0; at < 4*lanes; at += l.bytes {
		x := l.vector()
		VMOVUPS(Mem{Base: values, Disp: at}, x)
		VFMADD213PS(given[1], given[0], x)
		VMAXPS(x, low, x)
		VMINPS(x, high, x)
		y := l.power(x, c)
		VADDPS(one, y, y)
		VDIVPS(y, given[2], y)
		VADDPS(given[3], y, y)
		VMOVUPS(y, Mem{Base: values, Disp: at})
	}
	ADDQ(U32(4*lanes), values)
	DECQ(n)
	JNZ(LabelRef("vector"))
	VZEROUPPER()
	RET()
}
