package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// A table has a value for each count. It is kept in registers, or in memory if size is 0.
type table struct {
	size   int
	values []VecVirtual
	base   Register
	last   VecVirtual // the last index of a table in memory
}

const valuesSignature = "func(dst *float32, panel *uint64, panels int, query *uint64, columns int, table *float32"

// valuesText begins a function of one query row.
func valuesText(c count, size int, level string) (a arguments, t *table) {
	name, signature := fmt.Sprintf("%s%d%s", c.name+"Values", size, level), valuesSignature+")"
	if size == 0 {
		name, signature = c.name+"ValuesFar"+level, valuesSignature+", last int)"
	}
	TEXT(name, NOSPLIT, signature)
	Pragma("noescape")
	Doc(fmt.Sprintf("%s sets dst[i] = table[n] with n the number of ones in panel[32k+i] %s query[k], over all k, for i < 32, and so on for each panel.", name, c.operator))
	if size == 0 {
		Doc("Of an n above last it takes last.")
	} else {
		Doc(fmt.Sprintf("The table has %d values.", size))
	}
	a = arguments{
		dst:   Load(Param("dst"), GP64()),
		panel: Load(Param("panel"), GP64()), panels: Load(Param("panels"), GP64()),
		query: Load(Param("query"), GP64()), columns: Load(Param("columns"), GP64()),
	}
	return a, &table{size: size, base: Load(Param("table"), GP64())}
}

func (t *table) load(bytes int, vector func() VecVirtual) {
	if t.size == 0 {
		p, err := Param("last").Resolve()
		if err != nil {
			panic(err)
		}
		t.last = vector()
		VPBROADCASTD(p.Addr, t.last)
	}
	for at := 0; at < 4*t.size; at += bytes {
		v := vector()
		VMOVUPS(Mem{Base: t.base, Disp: at}, v)
		t.values = append(t.values, v)
	}
}

// find512 returns the values at 16 places.
func (t *table) find512(place VecVirtual) VecVirtual {
	if t.size == 0 {
		value, all := ZMM(), K()
		VPMINUD(t.last, place, place)
		KXNORW(all, all, all)
		VPXORD(value, value, value)
		VGATHERDPS(Mem{Base: t.base, Index: place, Scale: 4}, all, value)
		return value
	}
	var found []VecVirtual
	for i := 0; i < len(t.values); i += 2 {
		v := ZMM()
		VMOVDQA64(place, v)
		VPERMI2PS(t.values[i+1], t.values[i], v)
		found = append(found, v)
	}
	for bit := 5; len(found) > 1; bit++ { // choose by the next bit of the index
		k, high := K(), ZMM()
		VPSLLD(U8(uint8(31-bit)), place, high)
		VPMOVD2M(high, k)
		for i := range len(found) / 2 {
			VMOVAPS(found[2*i+1], k, found[2*i])
			found[i] = found[2*i]
		}
		found = found[:len(found)/2]
	}
	return found[0]
}

func values512(c count, size int) {
	a, t := valuesText(c, size, "AVX512")
	t.load(64, func() VecVirtual { return ZMM() })
	even := GLOBL(fmt.Sprintf("%sEven%d", c.name, size), RODATA|NOPTR)
	for i := range 16 {
		DATA(4*i, U32(2*uint32(i)))
	}
	halves := ZMM()
	VMOVDQU64(even, halves)

	Label("panel")
	var sums [4]VecVirtual
	for i := range sums {
		sums[i] = ZMM()
		VPXORQ(sums[i], sums[i], sums[i])
	}
	q, k := GP64(), GP64()
	MOVQ(a.query, q)
	MOVQ(a.columns, k)
	Label("column")
	x := ZMM()
	VPBROADCASTQ(Mem{Base: q}, x)
	for i := range sums {
		both := ZMM()
		if c == apart {
			VPXORQ(Mem{Base: a.panel, Disp: 64 * i}, x, both)
		} else {
			VPANDQ(Mem{Base: a.panel, Disp: 64 * i}, x, both)
		}
		VPOPCNTQ(both, both)
		VPADDQ(both, sums[i], sums[i])
	}
	ADDQ(U32(256), a.panel)
	ADDQ(U8(8), q)
	DECQ(k)
	JNZ(LabelRef("column"))
	for i := 0; i < len(sums); i += 2 {
		place := ZMM()
		VMOVDQA64(halves, place)
		VPERMI2D(sums[i+1], sums[i], place)
		VMOVUPS(t.find512(place), Mem{Base: a.dst, Disp: 32 * i})
	}
	ADDQ(U32(128), a.dst)
	DECQ(a.panels)
	JNZ(LabelRef("panel"))
	VZEROUPPER()
	RET()
}
