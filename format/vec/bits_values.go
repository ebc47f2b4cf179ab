package vec

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/slimsvm/slimsvm/format/vec/simd"
)

// Problem: compute a function of the number of columns that a set shares with each of many other
// sets, or of the number of columns that exactly one of the two has.
//
// Method: a table indexed by that number. If it fits, it is kept in registers, so that counts are
// never stored. AVX2 looks up each of the four bytes of the values separately, for 32 values at
// once.

// MaxValuesWords is the largest number of words of sets whose values can be looked up in a [Table]:
// with more, counts of bytes would not fit into bytes.
const MaxValuesWords = 31

// A Table holds a value for each number of columns that two sets share, or do not share.
type Table struct {
	values []float32 // followed by zeros up to one of the sizes below
	bytes  []byte    // if values has such a size: byte b of value n is at b*size+n
	last   int       // index of the last value
}

// sizes of tables that can be kept in registers
const table32, table64, table128 = 32, 64, 128

// NewTable returns a table with values[n] for each number n. There must be at least one value.
func NewTable(values []float32) *Table {
	if len(values) == 0 {
		panic("vec: table without values")
	}
	t := &Table{last: len(values) - 1}
	size := len(values)
	for _, s := range []int{table128, table64, table32} {
		if len(values) <= s {
			size = s
		}
	}
	t.values = make([]float32, size)
	copy(t.values, values)
	if size <= table128 {
		t.bytes = make([]byte, 4*size)
		for n, v := range t.values {
			for b := range 4 {
				t.bytes[b*size+n] = byte(math.Float32bits(v) >> (8 * b))
			}
		}
	}
	return t
}

// CommonValuesTo sets dst[i] to the table's value for the number of columns that row from+i and a
// query of one row share. The table must have values for the numbers of columns of all rows and for
// 0. There may be up to [MaxValuesWords] words.
func (p *BitPanels) CommonValuesTo(dst []float32, query []uint64, table *Table, from int) {
	p.values(common, dst, query, table, from)
}

// HammingValuesTo is [BitPanels.CommonValuesTo] with the number of columns that exactly one of the
// two rows has.
func (p *BitPanels) HammingValuesTo(dst []float32, query []uint64, table *Table, from int) {
	p.values(apart, dst, query, table, from)
}

func (p *BitPanels) values(f count, dst []float32, query []uint64, table *Table, from int) {
	if len(query) != p.words || p.words > MaxValuesWords || from < 0 || len(dst) > p.rows-from {
		panic(fmt.Sprintf("vec: values of a query of %d words, rows %d to %d, of %d sets of %d words",
			len(query), from, from+len(dst)-1, p.rows, p.words))
	}
	if p.words == 0 {
		for i := range dst {
			dst[i] = table.values[0]
		}
		return
	}
	level, size := simd.Current(), p.words*PanelRows
	var aside [PanelRows]float32 // for panels whose values are only wanted in part
	for len(dst) > 0 {
		skip, panel := from%PanelRows, from/PanelRows
		n := len(dst) / PanelRows
		if skip > 0 || n == 0 {
			f.valuesTo(level, aside[:], p.data[panel*size:(panel+1)*size], 1, query, table)
			n = copy(dst, aside[skip:])
		} else {
			f.valuesTo(level, dst[:n*PanelRows], p.data[panel*size:(panel+n)*size], n, query, table)
			n *= PanelRows
		}
		dst, from = dst[n:], from+n
	}
}

// valuesPortable does in plain Go what the assembly does.
func (f count) valuesPortable(dst []float32, panels []uint64, count int, query []uint64, table *Table) {
	words, values := len(query), table.values
	for p := range count {
		to := (*[PanelRows]float32)(dst[p*PanelRows:])
		panel := panels[p*words*PanelRows : (p+1)*words*PanelRows]
		var counts [PanelRows]int
		for k, x := range query[:words-1] {
			z := (*[PanelRows]uint64)(panel[k*PanelRows:])
			if f == common {
				for i := range counts {
					counts[i] += bits.OnesCount64(x & z[i])
				}
			} else {
				for i := range counts {
					counts[i] += bits.OnesCount64(x ^ z[i])
				}
			}
		}
		x, z := query[words-1], (*[PanelRows]uint64)(panel[(words-1)*PanelRows:])
		if f == common {
			for i, n := range counts {
				to[i] = values[n+bits.OnesCount64(x&z[i])]
			}
		} else {
			for i, n := range counts {
				to[i] = values[n+bits.OnesCount64(x^z[i])]
			}
		}
	}
}
