// Command combine writes the assembly of predict/internal/combine. From this module:
//
//	go run ./combine -out ../predict/internal/combine/combine_amd64.s -stubs ../predict/internal/combine/stubs_amd64.go -pkg combine
package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

func main() {
	ConstraintExpr("amd64,!purego")
	for machines := 1; machines <= 6; machines++ {
		add(form{name: fmt.Sprintf("add%dAVX512", machines), machines: machines, registers: 4, width: 64, vector: zmm})
	}
	for machines := 1; machines <= 4; machines++ {
		add(form{name: fmt.Sprintf("add%dAVX2", machines), machines: machines, registers: 2, width: 32, vector: ymm})
	}
	for machines := 1; machines <= 6; machines++ {
		estimate(form{name: fmt.Sprintf("estimate%dAVX512", machines), machines: machines, registers: 4, width: 64, vector: zmm})
	}
	for machines := 1; machines <= 3; machines++ {
		estimate(form{name: fmt.Sprintf("estimate%dAVX2", machines), machines: machines, registers: 4, width: 32, vector: ymm})
	}
	for registers := 1; registers <= 6; registers++ {
		rows(form{name: fmt.Sprintf("rows%dAVX512", registers), registers: registers, width: 64, vector: zmm}, true)
		rows(form{name: fmt.Sprintf("rows%dAVX2", registers), registers: 2 * registers, width: 32, vector: ymm}, true)
	}
	for registers := 1; registers <= 6; registers++ {
		rows(form{name: fmt.Sprintf("ordered%dAVX512", registers), registers: registers, width: 64, vector: zmm}, false)
		rows(form{name: fmt.Sprintf("ordered%dAVX2", registers), registers: 2 * registers, width: 32, vector: ymm}, false)
	}
	join(form{name: "joinAVX512", width: 64, vector: zmm})
	join(form{name: "joinAVX2", width: 32, vector: ymm})
	Generate()
}

// A form is one function: it computes the sums of some machines, each in some registers.
type form struct {
	name      string
	machines  int
	registers int
	width     int // bytes of a register
	vector    func() VecVirtual
}

func ymm() VecVirtual { return YMM() }

func zmm() VecVirtual { return ZMM() }

// add loads the sums of a block of lanes, adds coefficient times value to them for each vector in
// order, and stores them. Products and sums are rounded separately.
func add(f form) {
	TEXT(f.name, NOSPLIT, "func(sums, coef *[6]*float64, values *float64, stride, n int)")
	Pragma("noescape")
	Doc(fmt.Sprintf("%s adds for %d machines, %d lanes; stride is the distance of values in bytes, n > 0.",
		f.name, f.machines, f.registers*f.width/8))
	sums := Load(Param("sums"), GP64())
	coefs := Load(Param("coef"), GP64())
	values := Load(Param("values"), GP64())
	stride := Load(Param("stride"), GP64())
	n := Load(Param("n"), GP64())

	acc := make([][]VecVirtual, f.machines)
	coef := make([]GPVirtual, f.machines)
	at := GP64()
	for m := range acc {
		coef[m] = GP64()
		MOVQ(Mem{Base: coefs, Disp: 8 * m}, coef[m])
		MOVQ(Mem{Base: sums, Disp: 8 * m}, at)
		for k := range f.registers {
			acc[m] = append(acc[m], f.vector())
			VMOVUPD(Mem{Base: at, Disp: k * f.width}, acc[m][k])
		}
	}
	value := make([]VecVirtual, f.registers)
	for k := range value {
		value[k] = f.vector()
	}
	product := f.vector()
	scale := f.vector()
	i := GP64()
	XORQ(i, i)

	Label("vector")
	for k := range value {
		VMOVUPD(Mem{Base: values, Disp: k * f.width}, value[k])
	}
	for m := range acc {
		VBROADCASTSD(Mem{Base: coef[m], Index: i, Scale: 8}, scale)
		for k := range value {
			VMULPD(scale, value[k], product)
			VADDPD(product, acc[m][k], acc[m][k])
		}
	}
	ADDQ(stride, values)
	INCQ(i)
	CMPQ(i, n)
	JLT(LabelRef("vector"))

	for m := range acc {
		MOVQ(Mem{Base: sums, Disp: 8 * m}, at)
		for k := range f.registers {
			VMOVUPD(acc[m][k], Mem{Base: at, Disp: k * f.width})
		}
	}
	VZEROUPPER()
	RET()
}

// estimateLanes is the number of float32 lanes of a vector's block.
const estimateLanes = 64

// estimate sums coefficient times value in float32 for a block of lanes, product and sum fused, and
// adds the results to sums in float64.
func estimate(f form) {
	TEXT(f.name, NOSPLIT, "func(sums *[6]*float64, coef *[6]*float32, values *float32, n int)")
	Pragma("noescape")
	Doc(fmt.Sprintf("%s adds for %d machines, %d of %d lanes; n > 0.", f.name, f.machines, f.registers*f.width/4, estimateLanes))
	sums := Load(Param("sums"), GP64())
	coefs := Load(Param("coef"), GP64())
	values := Load(Param("values"), GP64())
	n := Load(Param("n"), GP64())
	acc := make([][]VecVirtual, f.machines)
	coef := make([]GPVirtual, f.machines)
	for m := range acc {
		coef[m] = GP64()
		MOVQ(Mem{Base: coefs, Disp: 8 * m}, coef[m])
		for k := range f.registers {
			acc[m] = append(acc[m], f.vector())
			if f.width == 64 {
				VPXORD(acc[m][k], acc[m][k], acc[m][k])
			} else {
				VXORPS(acc[m][k], acc[m][k], acc[m][k])
			}
		}
	}
	scale := f.vector()
	i := GP64()
	XORQ(i, i)

	Label("vector")
	value := make([]Op, f.registers)
	for k := range value {
		value[k] = Mem{Base: values, Disp: k * f.width}
		if f.width == 64 && f.machines > 1 {
			v := f.vector()
			VMOVUPS(value[k], v)
			value[k] = v
		}
	}
	for m := range acc {
		VBROADCASTSS(Mem{Base: coef[m], Index: i, Scale: 4}, scale)
		for k, v := range value {
			VFMADD231PS(v, scale, acc[m][k])
		}
	}
	ADDQ(U32(4*estimateLanes), values)
	INCQ(i)
	CMPQ(i, n)
	JLT(LabelRef("vector"))

	at := GP64()
	for m := range acc {
		MOVQ(Mem{Base: sums, Disp: 8 * m}, at)
		for k, a := range acc[m] {
			half, low, high := YMM(), f.vector(), f.vector()
			if f.width == 64 {
				VEXTRACTF64X4(U8(1), a, half)
				VCVTPS2PD(a.AsY(), low)
				VCVTPS2PD(half, high)
			} else {
				VEXTRACTF128(U8(1), a, half.AsX())
				VCVTPS2PD(a.AsX(), low)
				VCVTPS2PD(half.AsX(), high)
			}
			for h, v := range []VecVirtual{low, high} {
				to := Mem{Base: at, Disp: (2*k + h) * f.width}
				VADDPD(to, v, v)
				VMOVUPD(v, to)
			}
		}
	}
	VZEROUPPER()
	RET()
}

// rows adds coefficient times row, for some lanes, over the rows listed in index; product and sum
// are either fused or rounded separately.
func rows(f form, fused bool) {
	TEXT(f.name, NOSPLIT, "func(sums, rows *float64, stride int, index *int32, coef *float64, n int)")
	Pragma("noescape")
	Doc(fmt.Sprintf("%s adds coef[k] times the row at index[k] to %d sums, for k < n, n > 0, products and sums %s; stride is the distance of rows in bytes.", f.name, f.registers*f.width/8, map[bool]string{true: "fused", false: "rounded each"}[fused]))
	sums, from := Load(Param("sums"), GP64()), Load(Param("rows"), GP64())
	stride, index := Load(Param("stride"), GP64()), Load(Param("index"), GP64())
	coef, n := Load(Param("coef"), GP64()), Load(Param("n"), GP64())
	acc := make([]VecVirtual, f.registers)
	for c := range acc {
		acc[c] = f.vector()
		VMOVUPD(Mem{Base: sums, Disp: c * f.width}, acc[c])
	}
	scale, product := f.vector(), f.vector()
	at, k := GP64(), GP64()
	XORQ(k, k)

	Label("entry")
	MOVLQSX(Mem{Base: index, Index: k, Scale: 4}, at)
	IMULQ(stride, at)
	VBROADCASTSD(Mem{Base: coef, Index: k, Scale: 8}, scale)
	for c := range acc {
		value := Mem{Base: from, Index: at, Scale: 1, Disp: c * f.width}
		if fused {
			VFMADD231PD(value, scale, acc[c])
		} else {
			VMULPD(value, scale, product)
			VADDPD(product, acc[c], acc[c])
		}
	}
	INCQ(k)
	CMPQ(k, n)
	JLT(LabelRef("entry"))

	for c := range acc {
		VMOVUPD(acc[c], Mem{Base: sums, Disp: c * f.width})
	}
	VZEROUPPER()
	RET()
}

// join replaces two vectors by their sum and the sum of their absolute values.
func join(f form) {
	magnitude := GLOBL(f.name+"Magnitude", RODATA|NOPTR)
	for k := range f.width / 8 {
		DATA(8*k, U64(1<<63-1))
	}
	TEXT(f.name, NOSPLIT, "func(a, b *float64)")
	Pragma("noescape")
	Doc(fmt.Sprintf("%s replaces %d numbers each by their sum and by that of their absolute values.", f.name, estimateLanes))
	a := Load(Param("a"), GP64())
	b := Load(Param("b"), GP64())
	mask := f.vector()
	VMOVUPD(magnitude, mask)
	for at := 0; at < 8*estimateLanes; at += f.width {
		x, y, sum := f.vector(), f.vector(), f.vector()
		VMOVUPD(Mem{Base: a, Disp: at}, x)
		VMOVUPD(Mem{Base: b, Disp: at}, y)
		VADDPD(x, y, sum)
		VMOVUPD(sum, Mem{Base: a, Disp: at})
		for _, v := range []VecVirtual{x, y} {
			if f.width == 64 {
				VPANDQ(mask, v, v)
			} else {
				VANDPD(mask, v, v)
			}
		}
		VADDPD(x, y, y)
		VMOVUPD(y, Mem{Base: b, Disp: at})
	}
	VZEROUPPER()
	RET()
}
