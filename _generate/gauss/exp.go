package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// A form is the width of a function, with the registers and constants that the steps of exp need.
type form struct {
	wide               bool // AVX-512
	table              Register
	inv, shift, hi, lo Op
	c                  [4]Op
	size, inverse      Op
	offsets            Mem
	pairs              [4]VecVirtual // of table entries; always the same, as avo takes them for in use
}

func (f *form) v() VecVirtual {
	if f.wide {
		return ZMM()
	}
	return YMM()
}

// lanes returns the number of numbers in a register.
func (f *form) lanes() int {
	if f.wide {
		return 8
	}
	return 4
}

// numbers returns a function that makes constants: in registers if there are enough, else in
// memory.
func (f *form) numbers(name string) func(x uint64) Op {
	if !f.wide {
		return f.stored(name)
	}
	return func(x uint64) Op {
		r, z := GP64(), ZMM()
		MOVQ(U64(x), r)
		VPBROADCASTQ(r, z)
		return z
	}
}

// stored returns a function that makes constants in memory: a single number for instructions that
// broadcast it, or as many equal ones as fill a register.
func (f *form) stored(name string) func(x uint64) Op {
	length := 0
	var data Mem
	return func(x uint64) Op {
		if length == 0 {
			data = GLOBL(name, RODATA|NOPTR)
		}
		from := length
		for ; length == from || !f.wide && length < from+32; length += 8 {
			DATA(length, U64(x))
		}
		return data.Offset(from)
	}
}

// either returns the one of the two instructions that takes a stored constant.
func (f *form) either(plain, broadcast func(...Op)) func(...Op) {
	if f.wide {
		return broadcast
	}
	return plain
}

// constants makes the constants of exp, and returns a function that makes more constants.
func (f *form) constants(name string) (real func(x float64) Op) {
	number := f.numbers(name)
	real = func(x float64) Op { return number(math.Float64bits(x)) }
	f.inv, f.shift, f.hi, f.lo = real(invLn2N), real(toInt), real(ln2Hi), real(ln2Lo)
	f.c = [4]Op{real(c2), real(c3), real(c4), real(c5)}
	f.size, f.inverse = real(512), number(math.MaxInt64)
	for i := range f.pairs {
		f.pairs[i] = YMM()
	}
	f.offsets = AllocLocal(f.lanes() * 8 * f.ahead())
	return real
}

// load copies an operand into a register of its own.
func (f *form) load(x Op) VecVirtual {
	y := f.v()
	VMOVUPD(x, y)
	return y
}

// exp returns e^x where |x| < 512, by the steps of models/kernel/exp.go.
func (f *form) exp(x VecVirtual) VecVirtual {
	r, shifted := f.v(), f.v()
	f.split(x, r, shifted, f.offsets)
	return f.power(r, shifted, f.offsets)
}

// split sets r to the reduced argument of x and shifted to the number whose low bits are k, and
// stores twice shifted at offsets: its low byte is twice the place in the table.
func (f *form) split(x, r, shifted VecVirtual, offsets Mem) {
	k := f.v()
	shift := f.load(f.shift)
	VMOVUPD(f.inv, shifted)
	VFMADD213PD(shift, x, shifted)
	VSUBPD(shift, shifted, k)
	at := f.v()
	VPADDQ(shifted, shifted, at)
	if f.wide {
		VMOVDQU64(at, offsets)
	} else {
		VMOVDQU(at, offsets)
	}
	VMOVUPD(x, r)
	VFMADD231PD(f.hi, k, r)
	VFMADD231PD(f.lo, k, r)
}

// power returns e^x from the results of split. It overwrites shifted.
func (f *form) power(r, shifted VecVirtual, offsets Mem) VecVirtual {
	s, t := f.parts(r, shifted, offsets)
	VFMADD213PD(s, s, t)
	return t
}

// parts returns s and t with e^x = s (1 + t), from the results of split. It overwrites shifted.
func (f *form) parts(r, shifted VecVirtual, offsets Mem) (s, t VecVirtual) {
	v := f.v
	even, odds := f.entries(offsets)
	head, tail := v(), v()
	VUNPCKLPD(odds, even, head)
	VUNPCKHPD(odds, even, tail)
	r2 := v()
	VMULPD(r, r, r2)
	t = f.load(f.c[3])
	VFMADD213PD(f.c[2], r, t) // c5 r + c4
	low := f.load(f.c[1])
	VFMADD213PD(f.c[0], r, low) // c3 r + c2
	VADDPD(r, tail, tail)
	VFMADD213PD(tail, r2, low)
	VMULPD(r2, r2, r2)
	VFMADD213PD(low, r2, t)
	VPSLLQ(U8(45), shifted, shifted)
	VPADDQ(shifted, head, head)
	return head, t
}

func (f *form) and(x, y Op, to VecVirtual) {
	if f.wide {
		VPANDQ(x, y, to)
	} else {
		VPAND(x, y, to)
	}
}

// entries loads the table's entries at half the low bytes of the offsets, a pair of numbers in each
// lane of 128 bits: in even those of the values with even numbers, in odd the others. On some
// processors gathers are slower than this, on a few very much so.
func (f *form) entries(offsets Mem) (even, odd VecVirtual) {
	var of [2]VecVirtual
	pair := func(side, first int) VecVirtual {
		v := f.pairs[side+first]
		for i := range 2 {
			at := GP64()
			MOVBQZX(offsets.Offset(8*(2*(first+i)+side)), at)
			from := Mem{Base: f.table, Index: at, Scale: 8}
			switch {
			case i == 0:
				VMOVUPD(from, v.AsX())
			case f.wide: // this instruction can use all 32 registers
				VINSERTF64X2(U8(1), from, v, v)
			default:
				VINSERTF128(U8(1), from, v, v)
			}
		}
		return v
	}
	for side := range of {
		v := pair(side, 0)
		if f.wide {
			z := ZMM()
			VINSERTF64X4(U8(1), pair(side, 2), v.AsZ(), z)
			v = z
		}
		of[side] = v
	}
	return of[0], of[1]
}

// lookup512 writes the function that looks values up in a table of this size, kept in registers.
func lookup512(size int) {
	name := map[int]string{64: "lookup64AVX512", 128: "lookup128AVX512"}[size]
	TEXT(name, NOSPLIT, "func(dst *float32, at *uint32, n int, table *float32)")
	Pragma("noescape")
	Doc(name + " sets dst[i] = table[at[i]] for i < n, n > 0.")
	dst, at := Load(Param("dst"), GP64()), Load(Param("at"), GP64())
	n := Load(Param("n"), GP64())
	table := Load(Param("table"), GP64())
	values := make([]VecVirtual, size/16)
	for i := range values {
		values[i] = ZMM()
		VMOVUPS(Mem{Base: table, Disp: 64 * i}, values[i])
	}
	lanes := K()
	KXNORW(lanes, lanes, lanes)
	Label("loop")
	CMPQ(n, U8(16))
	JGE(LabelRef("vector"))
	MOVQ(n, RCX)
	last := GP32()
	MOVL(U32(1), last)
	SHLL(CL, last)
	DECL(last)
	KMOVW(last, lanes)
	Label("vector")
	index := ZMM()
	VMOVDQU32_Z(Mem{Base: at}, lanes, index)
	found := make([]VecVirtual, size/32)
	for i := range found {
		found[i] = ZMM()
		VMOVDQA64(index, found[i])
		VPERMI2PS(values[2*i+1], values[2*i], found[i])
	}
	for bit := 5; len(found) > 1; bit++ { // choose by the next bit of the index
		k, t := K(), ZMM()
		VPSLLD(U8(uint8(31-bit)), index, t)
		VPMOVD2M(t, k)
		for i := range len(found) / 2 {
			VMOVAPS(found[2*i+1], k, found[2*i])
			found[i] = found[2*i]
		}
		found = found[:len(found)/2]
	}
	VMOVUPS(found[0], lanes, Mem{Base: dst})
	ADDQ(U8(64), at)
	ADDQ(U8(64), dst)
	SUBQ(U8(16), n)
	JG(LabelRef("loop"))
	VZEROUPPER()
	RET()
}
