package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// A counting2 counts ones with a table of the counts of half bytes. The bytes that it counts in do
// not overflow with up to 31 words.
type counting2 struct {
	count
	arguments
	ones, low, zero VecVirtual
}

func counts2(c count, a arguments, size int) *counting2 {
	half := GLOBL(fmt.Sprintf("%sHalf%d", c.name, size), RODATA|NOPTR)
	for i := range 32 {
		DATA(i, U8(uint8(i&1+i>>1&1+i>>2&1+i>>3&1)))
	}
	f := &counting2{count: c, arguments: a, ones: YMM(), low: YMM(), zero: YMM()}
	VMOVDQU(half, f.ones)
	VPCMPEQB(f.low, f.low, f.low)
	VPSRLW(U8(12), f.low, f.low)
	VPACKUSWB(f.low, f.low, f.low) // 15 in each byte
	VPXOR(f.zero, f.zero, f.zero)
	return f
}

// column adds the counts of a column at p, eight registers of four rows, with the query's number at
// q.
func (f *counting2) column(p, q Register, sums []VecVirtual, first bool) {
	x := YMM()
	VPBROADCASTQ(Mem{Base: q}, x)
	for i := range sums {
		both, high := YMM(), YMM()
		if f.count == apart {
			VPXOR(Mem{Base: p, Disp: 32 * i}, x, both)
		} else {
			VPAND(Mem{Base: p, Disp: 32 * i}, x, both)
		}
		VPSRLW(U8(4), both, high)
		VPAND(f.low, both, both)
		VPAND(f.low, high, high)
		VPSHUFB(both, f.ones, both)
		VPSHUFB(high, f.ones, high)
		if first {
			VPADDB(both, high, sums[i])
			continue
		}
		VPADDB(both, high, both)
		VPADDB(both, sums[i], sums[i])
	}
}

// values2 writes the function for a table of up to 128 values. The counts of a panel become the
// bytes of one register, and tables of 16 bytes yield the values of these, each of their four bytes
// separately.
func values2(c count, size int) {
	name := fmt.Sprintf("%sValues%dAVX2", c.name, size)
	TEXT(name, NOSPLIT, "func(dst *float32, panel *uint64, panels int, query *uint64, columns int, table *byte)")
	Pragma("noescape")
	Doc(fmt.Sprintf("%s sets dst[i] = table[n] with n the number of ones in panel[32k+i] %s query[k], over all k, for i < 32, and so on for each panel. Byte b of the value of n, of %d, is at %d b + n of the table.", name, c.operator, size, size))
	a := arguments{
		dst:   Load(Param("dst"), GP64()),
		panel: Load(Param("panel"), GP64()), panels: Load(Param("panels"), GP64()),
		query: Load(Param("query"), GP64()), columns: Load(Param("columns"), GP64()),
	}
	table := Load(Param("table"), GP64())
	f := counts2(c, a, size)
	blocks := newBlocks2()

	Label("panel")
	sums := make([]VecVirtual, 8)
	for i := range sums {
		sums[i] = YMM()
	}
	q, k := GP64(), GP64()
	MOVQ(a.query, q)
	MOVQ(a.columns, k)
	f.column(a.panel, q, sums, true)
	JMP(LabelRef("next"))
	Label("column")
	f.column(a.panel, q, sums, false)
	Label("next")
	ADDQ(U32(256), a.panel)
	ADDQ(U8(8), q)
	DECQ(k)
	JNZ(LabelRef("column"))
	// narrow the counts to 32, 16 and 8 bits; then one half of the register has the first two rows
	// of each four, the other half the last two
	for i := range sums {
		VPSADBW(f.zero, sums[i], sums[i])
	}
	for i := 0; i < 8; i += 2 {
		VSHUFPS(U8(0x88), sums[i+1], sums[i], sums[i])
	}
	VPACKUSDW(sums[2], sums[0], sums[0])
	VPACKUSDW(sums[6], sums[4], sums[4])
	VPACKUSWB(sums[4], sums[0], sums[0])
	place := sums[0]
	for i, four := range blocks.valuesOf(place, table, size) {
		VPERMQ(U8(0xd8), four, four)
		VMOVDQU(four, Mem{Base: a.dst, Disp: 32 * i})
	}
	ADDQ(U32(128), a.dst)
	DECQ(a.panels)
	JNZ(LabelRef("panel"))
	VZEROUPPER()
	RET()
}

// A blocks2 tells the indices of one block of 16 from those of other blocks.
type blocks2 struct{ sixteen, above VecVirtual }

func newBlocks2() *blocks2 {
	b := &blocks2{YMM(), YMM()}
	VPCMPEQB(b.above, b.above, b.above)
	VPABSB(b.above, b.above) // 1 in each byte
	VPSLLW(U8(4), b.above, b.sixteen)
	VPSLLW(U8(7), b.above, b.above)
	VPSUBB(b.sixteen, b.above, b.above) // 128 less 16 in each byte
	return b
}

// valuesOf returns the values at the indices in place, which it overwrites. The table has size
// values, whose first, second, third and fourth bytes are stored separately. Each register of
// values has those of four indices of each half of place.
func (f *blocks2) valuesOf(place VecVirtual, table Register, size int) (values [4]VecVirtual) {
	var bytes [4]VecVirtual
	for block := 0; 16*block < size; block++ {
		// indices of other blocks get their highest bit set, for which a shuffle returns 0
		within := YMM()
		VPADDUSB(f.above, place, within)
		for b := range bytes {
			v := YMM()
			VBROADCASTI128(Mem{Base: table, Disp: size*b + 16*block}, v)
			VPSHUFB(within, v, v)
			if block == 0 {
				bytes[b] = v
			} else {
				VPOR(v, bytes[b], bytes[b])
			}
		}
		if 16*block+16 < size {
			VPSUBB(f.sixteen, place, place)
		}
	}
	var pairs [4]VecVirtual // the low two bytes of the first values and of the last, then the high two
	for i := range pairs {
		pairs[i] = YMM()
	}
	VPUNPCKLBW(bytes[1], bytes[0], pairs[0])
	VPUNPCKHBW(bytes[1], bytes[0], pairs[1])
	VPUNPCKLBW(bytes[3], bytes[2], pairs[2])
	VPUNPCKHBW(bytes[3], bytes[2], pairs[3])
	for i := range values {
		values[i] = YMM()
	}
	for i := range 2 {
		VPUNPCKLWD(pairs[2+i], pairs[i], values[2*i])
		VPUNPCKHWD(pairs[2+i], pairs[i], values[2*i+1])
	}
	return values
}

// valuesFar2 writes the function for a table in memory, eight rows at a time.
func valuesFar2(c count) {
	a, t := valuesText(c, 0, "AVX2")
	t.load(32, func() VecVirtual { return YMM() })
	f := counts2(c, a, 0)
	panelBytes := GP64()
	MOVQ(a.columns, panelBytes)
	SHLQ(U8(8), panelBytes)

	Label("panel")
	part := GP64()
	MOVQ(U32(4), part)
	Label("part")
	sums := []VecVirtual{YMM(), YMM()}
	for _, s := range sums {
		VPXOR(s, s, s)
	}
	p, q, k := GP64(), GP64(), GP64()
	MOVQ(a.panel, p)
	MOVQ(a.query, q)
	MOVQ(a.columns, k)
	Label("column")
	f.column(p, q, sums, false)
	ADDQ(U32(256), p)
	ADDQ(U8(8), q)
	DECQ(k)
	JNZ(LabelRef("column"))
	for i := range sums {
		VPSADBW(f.zero, sums[i], sums[i])
	}
	VSHUFPS(U8(0x88), sums[1], sums[0], sums[0])
	VPERMQ(U8(0xd8), sums[0], sums[0])
	place, value, all := sums[0], YMM(), YMM()
	VPMINUD(t.last, place, place)
	VPCMPEQD(all, all, all)
	VPXOR(value, value, value)
	VGATHERDPS(all, Mem{Base: t.base, Index: place, Scale: 4}, value)
	VMOVUPS(value, Mem{Base: a.dst})
	ADDQ(U8(32), a.dst)
	ADDQ(U8(64), a.panel)
	DECQ(part)
	JNZ(LabelRef("part"))
	SUBQ(U32(256), a.panel)
	ADDQ(panelBytes, a.panel)
	DECQ(a.panels)
	JNZ(LabelRef("panel"))
	VZEROUPPER()
	RET()
}
