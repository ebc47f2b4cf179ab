package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// summing2 is the state that the parts of the function with AVX2 share.
type summing2 struct {
	form
	pairing
	work, table Register
	scale, one  Op
	kept        bool // the function keeps the values instead of summing them
}

// Slots of the scratch memory, a register each: distances of the pair before, reduced arguments,
// twice the numbers that hold k, sums, the scale, and two coefficients 0.
const (
	slot2Distance = 0
	slot2Rest     = 8
	slot2Place    = 16
	slot2Sums     = 24
	slot2Scale    = 28
	slot2Zero     = 29 // the last one
)

// lag2 is the number of steps from the computation of places in the table to the use of the entries
// there.
const lag2 = 3

func (f *summing2) slot(i int) Mem { return Mem{Base: f.work, Disp: 32 * i} }

// sums256 writes the function that sums Gaussian kernel values times coefficients, or the one that
// keeps the values, as sums512 does, for half as many rows. A load brings half as many values as
// there, so loads are the bottleneck: each load of the panel serves two vectors. To leave
// registers for constants, a column and exp use the others in turn.
func sums256(tabled, kept bool) {
	name, signature, columns := "sums", "func(sums, coef, panel, query *float64, pairs, columns int, scale float64, table *[128][2]float64, work *float64)", ""
	if kept {
		name, signature = "values", "func(dst *float64, stride int, panel, query *float64, pairs, columns int, scale float64, table *[128][2]float64, work *float64)"
	}
	does := " does what " + name + "AVX512 does"
	if tabled {
		name, signature, columns = name+"Tabled", withTables(signature), tabledDoc("", 16)
	}
	name += "AVX2"
	TEXT(name, NOSPLIT, signature)
	Pragma("noescape")
	Doc(name + does + " for i < 16, with constants of its own; work has 120 numbers." + columns)
	f := &summing2{kept: kept}
	number := f.numbers(name + "Constants")
	real := func(x float64) Op { return number(f64(x)) }
	f.inv, f.shift, f.hi, f.lo = real(invLn2N), f.load(real(toInt)), f.load(real(ln2Hi)), f.load(real(ln2Lo))
	f.c = [4]Op{real(c2), real(c3), real(c4), real(c5)}
	f.one = real(1)
	var to, pairs Register // coefficients or destinations of the pairs' values
	if kept {
		pairs, f.stride = Load(Param("dst"), GP64()), Load(Param("stride"), GP64())
	} else {
		pairs = Load(Param("coef"), GP64())
	}
	query := Load(Param("query"), GP64())
	f.table = Load(Param("table"), GP64())
	f.work = Load(Param("work"), GP64())
	f.scale = f.slot(slot2Scale)
	VMOVUPD(broadcast("scale", f.v()), f.slot(slot2Scale))
	zero := f.v()
	VXORPD(zero, zero, zero)
	for i := range slot2Sums {
		VMOVUPD(zero, f.slot(i))
	}
	VMOVUPD(zero, f.slot(slot2Zero))
	if !kept {
		to = Load(Param("sums"), GP64())
		for g := range woven / 2 {
			s := f.v()
			VMOVUPD(Mem{Base: to, Disp: 32 * g}, s)
			VMOVUPD(s, f.slot(slot2Sums+g))
		}
	}
	for i := range f.distances {
		f.distances[i] = YMM()
	}
	f.lag, f.zeros, f.bytes = lag2, f.slot(slot2Zero), 32
	f.waiting = func(i int) Mem { return f.slot(slot2Distance + i) }
	tabledColumn := func(at int, first bool) {
		for _, do := range f.tabledColumn(at, first, 1, 32) {
			do()
		}
	}
	f.step = func(i, of int, into Mem, tabled bool) {
		if tabled {
			tabledColumn(i, i == 0)
		} else {
			f.column(i, i == 0, nil)
		}
		f.power2(of, into)
		f.split2(i)
	}
	var one Op
	f.alone = func() { one = f.load(f.one) }
	f.single = func(tabled bool) {
		if tabled {
			tabledColumn(0, false)
		} else {
			f.column(0, false, one)
		}
	}
	if tabled {
		f.withTables()
	}
	f.loop(pairs, query)

	if !kept {
		to = Load(Param("sums"), GP64())
		for g := range woven / 2 {
			s := f.v()
			VMOVUPD(f.slot(slot2Sums+g), s)
			VMOVUPD(s, Mem{Base: to, Disp: 32 * g})
		}
	}
	VZEROUPPER()
	RET()
}

// column adds a column to the distances, with balance as in sums512 if one is not nil.
func (f *summing2) column(at int, first bool, one Op) {
	z := [2]VecVirtual{f.v(), f.v()}
	for v := range z {
		VBROADCASTSD(Mem{Base: f.query, Disp: 16*at + 8*v}, z[v])
	}
	for g := range 4 {
		x, t := f.v(), f.v()
		VMOVUPD(Mem{Base: f.panel, Disp: 256*at + 32*g}, x)
		VSUBPD(x, z[0], t)
		VSUBPD(x, z[1], x)
		for v, t := range [2]VecVirtual{t, x} {
			d := f.distances[4*v+g]
			if first {
				VMULPD(t, t, d)
				continue
			}
			VMULPD(t, t, t)
			if one != nil && (g+v)%2 == 0 {
				VFMADD231PD(one, t, d)
			} else {
				VADDPD(t, d, d)
			}
		}
	}
}

// split2 goes from distances to the reduced argument and k.
func (f *summing2) split2(i int) {
	x, shifted, k := f.v(), f.v(), f.v()
	VMOVUPD(f.scale, x)
	VMULPD(f.slot(slot2Distance+i), x, x)
	VMOVUPD(f.inv, shifted)
	VFMADD213PD(f.shift, x, shifted)
	VSUBPD(f.shift, shifted, k)
	VPADDQ(shifted, shifted, shifted) // the low byte is twice the place in the table
	VMOVDQU(shifted, f.slot(slot2Place+i))
	VFMADD231PD(f.hi, k, x)
	VFMADD231PD(f.lo, k, x)
	VMOVUPD(x, f.slot(slot2Rest+i))
}

// power2 goes from the places in the table to e^x, and on to the sums or to the places of the
// values.
func (f *summing2) power2(i int, into Mem) {
	even, odd, tail, r, low := f.v(), f.v(), f.v(), f.v(), f.v()
	head, t := even, odd
	for j := range 4 {
		to := [2]VecVirtual{even, odd}[j%2]
		MOVBQZX(f.slot(slot2Place+i).Offset(8*j), f.at)
		if from := (Mem{Base: f.table, Index: f.at, Scale: 8}); j < 2 {
			VBROADCASTF128(from, to) // it writes the whole register, whose other half avo else takes as in use
		} else {
			VINSERTF128(U8(1), from, to, to)
		}
	}
	VUNPCKHPD(odd, even, tail)
	VUNPCKLPD(odd, even, head)
	VMOVUPD(f.slot(slot2Rest+i), r)
	VMOVUPD(f.c[1], low)
	VFMADD213PD(f.c[0], r, low) // c3 r + c2
	VADDPD(r, tail, tail)
	VMOVUPD(f.c[3], t)
	VFMADD213PD(f.c[2], r, t) // c5 r + c4
	VMULPD(r, r, r)
	VFMADD213PD(tail, r, low)
	VMOVDQU(f.slot(slot2Place+i), tail)
	VPSLLQ(U8(44), tail, tail)
	VMULPD(r, r, r)
	VPADDQ(tail, head, head)
	VFMADD213PD(low, r, t)
	VFMADD213PD(head, head, t)
	if f.kept {
		VMOVUPD(t, into)
		return
	}
	VBROADCASTSD(into, low)
	VMULPD(low, t, t)
	sum := f.slot(slot2Sums + i%4)
	VADDPD(sum, t, t)
	VMOVUPD(t, sum)
}
