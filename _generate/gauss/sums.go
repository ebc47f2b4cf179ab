package main

import (
	"fmt"
	"strconv"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// woven is the number of columns whose work is woven into that of exp: one for each register that
// holds distances of two vectors from a panel.
const woven = 8

// copyLag is the number of steps from the computation of places in the table to the copying of the
// entries there, and lag that to the use of the entries. A load of a register whose parts were
// stored one by one waits until all of them are in the cache, so it must come that much later.
const copyLag, lag = 3, 7

// weave returns all the lists as one, evenly mixed; each keeps its order.
func weave(lists ...[]func()) (all []func()) {
	taken := make([]int, len(lists))
	for {
		next, least := -1, 1.0
		for i, l := range lists {
			if done := (float64(taken[i]) + 0.5) / float64(len(l)); done < least {
				next, least = i, done
			}
		}
		if next < 0 {
			return all
		}
		all = append(all, lists[next][taken[next]])
		taken[next]++
	}
}

// summing is the state that the parts of the function share.
type summing struct {
	form
	pairing
	folded             bool
	work               Register
	sums               [4]VecVirtual
	scale              VecVirtual
	inv, shift, hi, lo Op
	c                  [4]Op
	one                Mem
	entry              VecVirtual
	kept               bool // the function keeps the values instead of summing them
}

// Slots of the scratch memory, a register each: distances of the pair before, reduced arguments,
// twice the numbers that hold k, table entries of even values and of odd ones, and zeros. The table
// of exp is behind them.
const (
	slotDistance = 0
	slotRest     = 8
	slotPlace    = 16
	slotEntries  = 24
	slotOdd      = 32
	slotZeros    = 40
	slotTable    = 41
)

func (f *summing) slot(i int) Mem { return Mem{Base: f.work, Disp: 64 * i} }

// found returns the table entry at the given place.
func (f *summing) found(at Register) Mem {
	entry := f.slot(slotTable)
	entry.Index, entry.Scale = at, 8
	return entry
}

// sums512 writes the function that sums Gaussian kernel values times coefficients, or the one that
// keeps the values.
//
// Additions and multiplications have execution units of their own. exp needs more multiplications,
// the sum of squared differences more additions. So the distances of a pair of vectors are computed
// together with exp of those of the pair before, a column and a register of values at a time. Loads
// are left to the entries of exp's table as far as possible: constants stay in registers, and an
// integer instruction, which takes none of the units in demand, broadcasts numbers.
//
// A scale that is a power of two needs no product: the distances serve as arguments, and the
// constants that r is multiplied by are adapted to r/scale.
func sums512(folded, tabled, kept bool) {
	name, numbers := "sums", "toInt, 128/ln 2, the two parts of -ln 2/128, c2 to c5"
	signature := "func(sums, coef, panel, query *float64, pairs, columns int, scale float64, numbers *[9]float64, work *float64)"
	if kept {
		name, signature = "values", "func(dst *float64, stride int, panel, query *float64, pairs, columns int, scale float64, numbers *[9]float64, work *float64)"
	}
	if folded {
		name, numbers = name+"Folded", "toInt, scale 128/ln 2, the two parts of -ln 2/128/scale, c2 scale^2 to c5 scale^5"
	}
	if tabled {
		name += "Tabled"
		signature = withTables(signature)
	}
	name += "AVX512"
	TEXT(name, NOSPLIT, signature)
	Pragma("noescape")
	columns := ""
	if tabled {
		columns = tabledDoc("twice ", 32)
	}
	does := "adds coef[2p+v] %s to sums[i] for i < 32, in the order of 2p+v,"
	if kept {
		does = "sets dst[32(2p+v)+i], where stride bytes take the place of 32 numbers, to %s for i < 32,"
	}
	does = fmt.Sprintf(does, "exp(scale sum over k of (panel[32k+i] - query[2 columns p + 2k+v])^2)")
	Doc(name + " " + does + " for p < pairs, pairs > 0 and v < 2. The size of no argument of exp is 512 or more; columns are at least 8; numbers are " + numbers + " and 1; work has 328 numbers, and the table behind them." + columns)
	f := &summing{form: form{wide: true}, folded: folded, kept: kept}
	v := f.v
	var to, pairs Register // coefficients or destinations of the pairs' values
	if kept {
		pairs, f.stride = Load(Param("dst"), GP64()), Load(Param("stride"), GP64())
	} else {
		pairs = Load(Param("coef"), GP64())
	}
	query := Load(Param("query"), GP64())
	f.work = Load(Param("work"), GP64())
	f.scale = broadcast("scale", v())
	numbersAt := Load(Param("numbers"), GP64())
	number := func(i int) Mem { return Mem{Base: numbersAt, Disp: 8 * i} }
	real := func(i int) Op {
		z := v()
		VPBROADCASTQ(number(i), z)
		return z
	}
	f.shift, f.inv, f.hi, f.lo = real(0), real(1), real(2), real(3)
	f.c = [4]Op{number(4), real(5), number(6), real(7)} // there are no registers for the other two
	f.one = number(8)
	zero := v()
	VPXORQ(zero, zero, zero)
	for i := range slotZeros + 1 {
		VMOVUPD(zero, f.slot(i))
	}
	if !kept {
		to = Load(Param("sums"), GP64())
		for g := range f.sums {
			f.sums[g] = v()
			VMOVUPD(Mem{Base: to, Disp: 64 * g}, f.sums[g])
		}
	}
	for i := range f.distances {
		f.distances[i] = v()
	}
	f.entry = XMM()
	f.lag, f.zeros, f.bytes = lag, f.slot(slotZeros), 64
	f.waiting = func(i int) Mem { return f.slot(slotDistance + i) }
	f.step = func(i, of int, into Mem, tabled bool) {
		column := f.column(i, i == 0, false)
		if tabled {
			column = f.tabledColumn(i, i == 0, 2, 64)
		}
		copied := (i + woven - copyLag) % woven
		for _, do := range weave(column, f.copy(copied), f.power(of, into), f.split(i)) {
			do()
		}
	}
	f.alone = func() {}
	f.single = func(tabled bool) {
		column := f.column(0, false, true)
		if tabled {
			column = f.tabledColumn(0, false, 2, 64)
		}
		for _, do := range column {
			do()
		}
	}
	if tabled {
		f.withTables()
	}
	f.loop(pairs, query)

	if !kept {
		to = Load(Param("sums"), GP64())
		for g, s := range f.sums {
			VMOVUPD(s, Mem{Base: to, Disp: 64 * g})
		}
	}
	VZEROUPPER()
	RET()
}

// pairing is a loop over pairs of vectors, in which the distances of a pair are summed while exp of
// those of the pair before is under way.
type pairing struct {
	panel, query, at Register          // of the next columns; scratch
	distances        [woven]VecVirtual // of the first vector, then of the second
	lag              int               // steps from the beginning of a pair to the end of the one before
	zeros            Mem               // two coefficients 0
	bytes            int               // of a register
	stride           Register          // bytes from a vector's values to the next one's; nil if they are summed
	waiting          func(i int) Mem   // where distances wait for exp
	alone            func()            // comes before the columns with which no exp is under way
	// step adds column i, while exp of distances i begins and that of distances of ends; single
	// adds one of the columns with which no exp is under way
	step           func(i, of int, into Mem, tabled bool)
	single         func(tabled bool)
	tables, tabled Register // where tables begin, and the bits of the next columns that have one; nil if none has
}

// into returns the coefficient for distances i of a pair whose coefficients are at base, or where
// their values go to.
func (p *pairing) into(base Register, i int) Mem {
	if p.stride == nil {
		return Mem{Base: base, Disp: 8 * (i / 4)}
	}
	m := Mem{Base: base, Disp: p.bytes * (i % 4)}
	if i >= 4 {
		m.Index, m.Scale = p.stride, 1
	}
	return m
}

// loop writes the loop; pairs points to the first pair's coefficients, or to where its values go.
func (p *pairing) loop(pairs, query Register) {
	// Pointers like pairs, for the pair whose exp is under way and for the one before. In the first
	// rounds there is none: the sums then use coefficients 0, and values that are stored at the
	// first pair's places are overwritten by its own.
	now, before := GP64(), GP64()
	if p.stride == nil {
		LEAQ(p.zeros, now)
	} else {
		MOVQ(pairs, now)
	}
	MOVQ(now, before)
	round, k := GP64(), GP64()
	XORQ(round, round)
	p.panel, p.query, p.at = GP64(), GP64(), GP64()
	Label("pair")
	Load(Param("panel"), p.panel)
	MOVQ(query, p.query)
	p.beginColumns()
	for i := range woven {
		of := (i + woven - p.lag) % woven
		into := p.into(now, of)
		if i < p.lag {
			into = p.into(before, of)
		}
		p.either(strconv.Itoa(i), func(tabled bool) { p.step(i, of, into, tabled) })
		if i == p.lag-1 { // the last values of the last pair are done
			all := Load(Param("pairs"), GP64())
			CMPQ(round, all)
			JG(LabelRef("end"))
		}
	}
	ADDQ(U32(256*woven), p.panel)
	ADDQ(U32(16*woven), p.query)
	Load(Param("columns"), k)
	SUBQ(U8(woven), k)
	JZ(LabelRef("whole"))
	p.alone()
	Label("column")
	p.either("", p.single)
	ADDQ(U32(256), p.panel)
	ADDQ(U8(16), p.query)
	DECQ(k)
	JNZ(LabelRef("column"))
	Label("whole")
	for i, d := range p.distances {
		VMOVUPD(d, p.waiting(i))
	}
	MOVQ(now, before)
	MOVQ(pairs, now)
	if p.stride == nil {
		ADDQ(U8(16), pairs)
	} else {
		LEAQ(Mem{Base: pairs, Index: p.stride, Scale: 2}, pairs)
	}
	INCQ(round)
	all := Load(Param("pairs"), GP64())
	CMPQ(round, all)
	JGE(LabelRef("pair")) // a last round, whose distances are not used
	MOVQ(p.query, query)
	JMP(LabelRef("pair"))
	Label("end")
}

// column returns the steps that add a column to the distances. With balance, for columns with which
// no exp is under way, half of the sums are additions, the others a product with 1 and an addition
// in one.
func (f *summing) column(at int, first, balance bool) (list []func()) {
	var z [2]VecVirtual
	var x, t VecVirtual
	do := func(step func()) { list = append(list, step) }
	for v := range z {
		do(func() {
			z[v] = f.v()
			VPBROADCASTQ(Mem{Base: f.query, Disp: 16*at + 8*v}, z[v])
		})
	}
	for g := range 4 {
		do(func() { x = f.v(); VMOVUPD(Mem{Base: f.panel, Disp: 256*at + 64*g}, x) })
		for v := range z {
			d := f.distances[4*v+g]
			do(func() {
				t = x
				if v == 0 { // x is used again
					t = f.v()
				}
				VSUBPD(x, z[v], t)
			})
			if first {
				do(func() { VMULPD(t, t, d) })
				continue
			}
			do(func() { VMULPD(t, t, t) })
			if balance && (g+v)%2 == 0 {
				do(func() { VFMADD231PD_BCST(f.one, t, d) })
			} else {
				do(func() { VADDPD(t, d, d) })
			}
		}
	}
	return list
}

// split returns the steps from distances to the reduced argument and k.
func (f *summing) split(i int) []func() {
	x, shifted, k := f.v(), f.v(), f.v()
	return []func(){
		func() {
			if f.folded {
				VMOVUPD(f.slot(slotDistance+i), x)
			} else {
				VMULPD(f.slot(slotDistance+i), f.scale, x)
			}
		},
		func() { VMOVAPD(x, shifted) },
		func() { VFMADD132PD(f.inv, f.shift, shifted) },
		func() { VSUBPD(f.shift, shifted, k) },
		func() { VPADDQ(shifted, shifted, shifted) }, // the low byte is twice the place in the table
		func() { VMOVDQU64(shifted, f.slot(slotPlace+i)) },
		func() { VFMADD231PD(f.hi, k, x) },
		func() { VFMADD231PD(f.lo, k, x) },
		func() { VMOVUPD(x, f.slot(slotRest+i)) },
	}
}

// copy returns the steps that copy table entries, those of even values side by side, and those of
// odd ones. This takes the units of memory, which are less in demand than those of arithmetic.
func (f *summing) copy(i int) (list []func()) {
	for j := range 8 {
		to := f.slot(slotEntries + i)
		if j%2 == 1 {
			to = f.slot(slotOdd + i)
		}
		list = append(list,
			func() { MOVBQZX(f.slot(slotPlace+i).Offset(8*j), f.at) },
			func() { VMOVUPD(f.found(f.at), f.entry) },
			func() { VMOVUPD(f.entry, to.Offset(8*(j&^1))) },
		)
	}
	return list
}

// power returns the steps from the entries to e^x, and on to the sums or to the places of the
// values.
func (f *summing) power(i int, into Mem) []func() {
	even, odd, r, head, tail, t, low, exponent := f.v(), f.v(), f.v(), f.v(), f.v(), f.v(), f.v(), f.v()
	sum := f.sums[i%4]
	list := []func(){
		func() { VMOVUPD(f.slot(slotEntries+i), even) },
		func() { VMOVUPD(f.slot(slotOdd+i), odd) },
		func() { VUNPCKHPD(odd, even, tail) },
		func() { VUNPCKLPD(odd, even, head) },
		func() { VMOVUPD(f.slot(slotRest+i), r) },
		func() { VPBROADCASTQ(f.c[0], low) },
		func() { VFMADD231PD(f.c[1], r, low) }, // c3 r + c2
		func() {
			if f.folded {
				VFMADD231PD(r, f.scale, tail)
			} else {
				VADDPD(r, tail, tail)
			}
		},
		func() { VPBROADCASTQ(f.c[2], t) },
		func() { VFMADD231PD(f.c[3], r, t) }, // c5 r + c4
		func() { VMULPD(r, r, r) },
		func() { VFMADD213PD(tail, r, low) },
		func() { VPSLLQ(U8(44), f.slot(slotPlace+i), exponent) },
		func() { VMULPD(r, r, r) },
		func() { VPADDQ(exponent, head, head) },
		func() { VFMADD213PD(low, r, t) },
		func() { VFMADD213PD(head, head, t) },
	}
	if f.kept {
		return append(list, func() { VMOVUPD(t, into) })
	}
	return append(list,
		func() { VMULPD_BCST(into, t, t) },
		func() { VADDPD(t, sum, sum) },
	)
}
