package main

import (
	"fmt"
	"strings"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// Sums of Gaussian kernel values where some columns hold few different numbers. The squared
// differences of the rows from these numbers are in tables, so that the addition to the sum is all
// that is left to do of a difference, a square and an addition. The columns with tables are the
// same for all vectors, so a processor predicts the jumps.

// tabledDoc returns a sentence on tables for the documentation: an entry has rows numbers, and is
// at the query's number of bytes, multiplied by times.
func tabledDoc(times string, rows int) string {
	return fmt.Sprintf(" Where bit k of tabled is set, the squared differences of column k are the %d numbers at tables, from %sthe bytes on that the query has there as a whole number.", rows, times)
}

// withTables returns the signature with parameters for tables.
func withTables(signature string) string {
	return strings.Replace(signature, ", work *float64", ", work, tables *float64, tabled uint64", 1)
}

// withTables gives a pairing tables.
func (p *pairing) withTables() { p.tables, p.tabled = Load(Param("tables"), GP64()), GP64() }

// beginColumns comes before the columns of a pair of vectors.
func (p *pairing) beginColumns() {
	if p.tabled != nil {
		Load(Param("tabled"), p.tabled)
	}
}

// either writes the steps of a column, those for a column with a table and those for one without.
func (p *pairing) either(name string, step func(tabled bool)) {
	if p.tabled == nil {
		step(false)
		return
	}
	SHRQ(U8(1), p.tabled)
	JCS(LabelRef("tabled" + name))
	step(false)
	JMP(LabelRef("added" + name))
	Label("tabled" + name)
	step(true)
	Label("added" + name)
}

// tabledColumn returns the steps that add a column with a table. Its entries are at times what the
// query says; registers have the given number of bytes.
func (p *pairing) tabledColumn(at int, first bool, times uint8, bytes int) (list []func()) {
	do := func(step func()) { list = append(list, step) }
	for v := range 2 {
		entry := GP64()
		do(func() { MOVQ(Mem{Base: p.query, Disp: 16*at + 8*v}, entry) })
		do(func() { LEAQ(Mem{Base: p.tables, Index: entry, Scale: times}, entry) }) // once, as loads with an index take longer
		for g := range 4 {
			square, d := Mem{Base: entry, Disp: bytes * g}, p.distances[4*v+g]
			if first {
				do(func() { VMOVUPD(square, d) })
			} else {
				do(func() { VADDPD(square, d, d) })
			}
		}
	}
	return list
}

// squares writes the function that makes tables.
func squares(wide bool) {
	f := &form{wide: wide}
	level, _ := suffix(wide)
	rows, bytes := 16, 32
	if wide {
		rows, bytes = 32, 64
	}
	name := "squares" + level
	TEXT(name, NOSPLIT, "func(dst, column, values *float64, n int)")
	Pragma("noescape")
	Doc(fmt.Sprintf("%s sets dst[%dv+i] = (column[i] - values[v])^2 for i < %d and v < n, n > 0.", name, rows, rows))
	dst, column, values, n := Load(Param("dst"), GP64()), Load(Param("column"), GP64()), Load(Param("values"), GP64()), Load(Param("n"), GP64())
	var x [4]VecVirtual
	for g := range x {
		x[g] = f.v()
		VMOVUPD(Mem{Base: column, Disp: bytes * g}, x[g])
	}
	Label("value")
	value := f.v()
	VBROADCASTSD(Mem{Base: values}, value)
	for g := range x {
		t := f.v()
		VSUBPD(value, x[g], t)
		VMULPD(t, t, t)
		VMOVUPD(t, Mem{Base: dst, Disp: bytes * g})
	}
	ADDQ(U8(8), values)
	ADDQ(U32(4*bytes), dst)
	DECQ(n)
	JNZ(LabelRef("value"))
	VZEROUPPER()
	RET()
}
