package vec

import (
	"fmt"
	"math/bits"

	"github.com/slimsvm/slimsvm/format/vec/simd"
)

// Problem: that of bits_values.go, on processors without an instruction that counts the ones in a
// vector register (AVX2).
//
// Method: neighbouring columns form a group, as long as the sets have at most 16 different patterns
// in it: four columns, or all columns of a nominal attribute with up to 16 values. In each group, a
// set has a number below 16, its code. So a table of 16 times 16 entries gives the number of
// columns that two sets share (or do not share) in the group. The code of one set selects 16
// entries, and the code of the other set selects one of these; one instruction does the latter for
// 32 sets. The numbers are added as bytes. If all entries of all groups are multiples of some
// number (2, for nominal attributes), they are divided by it.

// Codes represent sets of columns by groups of columns: in each group a set has one of at most 16
// codes. The zero Codes is invalid.
type Codes struct {
	rows, groups int
	codes        []uint8    // code of row i in group g at g*rows+i
	entries      [2][]uint8 // for each kind of count: entry for codes c and d in group g at (g*16+c)*16+d
	unit         [2]int     // for each kind of count: the number by which entries were divided
}

const codesOfGroup = 16

// NewCodes returns the codes of sets of this many columns. words has the words of each row after
// those of the row before.
func NewCodes(words []uint64, rows, columns int) *Codes {
	w := Words(columns)
	if len(words) != rows*w {
		panic(fmt.Sprintf("vec: %d words of %d sets of %d columns", len(words), rows, columns))
	}
	c := &Codes{rows: rows}
	for word := range w {
		for k := 0; k < min(64, columns-64*word) && rows > 0; {
			k = c.group(words[word:], w, k, min(64, columns-64*word))
		}
	}
	for f := range c.unit {
		unit := 0
		for _, n := range c.entries[f] {
			unit = divisor(unit, int(n))
		}
		c.unit[f] = max(unit, 1)
		for k := range c.entries[f] {
			c.entries[f][k] /= uint8(c.unit[f])
		}
	}
	return c
}

// divisor returns the greatest common divisor.
func divisor(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// sampleSets is the number of sets that are examined to see how large a group may be.
const sampleSets = 256

// group adds a group of columns of a word, beginning with column first. words has the word of each
// row, stride apart. It returns the column after the group, which is at most end.
func (c *Codes) group(words []uint64, stride, first, end int) (next int) {
	codes := make([]uint8, c.rows)
	next = min(first+4, end)
	for far := stride * max(1, c.rows/sampleSets); next < end; next++ {
		if _, ok := encode(codes, words, far, first, next+1); !ok {
			break
		}
	}
	parts, ok := encode(codes, words, stride, first, next)
	for !ok { // the sample was wrong; four columns always fit
		next--
		parts, ok = encode(codes, words, stride, first, next)
	}
	c.groups++
	c.codes = append(c.codes, codes...)
	for f := range c.entries {
		entries := make([]uint8, codesOfGroup*codesOfGroup)
		for x, a := range parts {
			for z, b := range parts {
				entries[x*codesOfGroup+z] = uint8(count(f).of(a, b))
			}
		}
		c.entries[f] = append(c.entries[f], entries...)
	}
	return next
}

// encode sets codes for the patterns that words, stride apart, have in bits first to end-1. It
// returns the pattern of each code, or false if there are too many patterns.
func encode(codes []uint8, words []uint64, stride, first, end int) (parts []uint64, ok bool) {
	const slots = 64
	var known [slots]struct {
		part uint64
		code uint8 // code + 1, or 0 for none
	}
	mask := uint64(1)<<(end-first) - 1
	for i, at := 0, 0; at < len(words); i, at = i+1, at+stride {
		part := words[at] >> first & mask
		s := part * 0x9e3779b97f4a7c15 >> 58 % slots
		for known[s].code > 0 && known[s].part != part {
			s = (s + 1) % slots
		}
		if known[s].code == 0 {
			if len(parts) == codesOfGroup {
				return nil, false
			}
			parts = append(parts, part)
			known[s].part, known[s].code = part, uint8(len(parts))
		}
		codes[i] = known[s].code - 1
	}
	return parts, true
}

// of returns the count for two words.
func (f count) of(a, b uint64) int {
	if f == common {
		return bits.OnesCount64(a & b)
	}
	return bits.OnesCount64(a ^ b)
}

// Groups returns the number of groups.
func (c *Codes) Groups() int { return c.groups }

// CommonTable returns a table for CommonValuesTo, with values[n] for each number n of columns.
func (c *Codes) CommonTable(values []float32) *Table { return c.tableOf(common, values) }

// HammingTable returns a table for HammingValuesTo, with values[n] for each number n of columns.
func (c *Codes) HammingTable(values []float32) *Table { return c.tableOf(apart, values) }

func (c *Codes) tableOf(f count, values []float32) *Table {
	if c.unit[f] <= 0 {
		panic("vec: a table of zero Codes: NewCodes returns some")
	}
	var some []float32
	for n := 0; n < len(values); n += c.unit[f] {
		some = append(some, values[n])
	}
	return NewTable(some)
}

// Small reports whether t can be used with [CodePanels].
func (t *Table) Small() bool { return t.last < table128 }

// CodePanels hold the codes of some sets. The codes of a panel's sets in a group are together in
// memory. The zero CodePanels is empty.
type CodePanels struct {
	of   *Codes
	rows int
	data []uint8
}

// placeOf returns the place of row i of a panel among the panel's codes of a group. It is the order
// in which instructions widen bytes: four from each half of a register in turn.
func placeOf(i int) int { return i/4%2*16 + i/8*4 + i%4 }

// Reset makes p hold the given rows of c, or all if rows is nil. Memory that must be allocated is
// enough for most rows.
func (p *CodePanels) Reset(c *Codes, rows []int, most int) {
	n := c.rows
	if rows != nil {
		n = len(rows)
	}
	p.of, p.rows = c, n
	size := c.groups * PanelRows
	p.data = zeroed(p.data, panelsOf(n)*size, panelsOf(max(n, most))*size)
	for g := range c.groups {
		codes := c.codes[g*c.rows : (g+1)*c.rows]
		for i := range n {
			row := i
			if rows != nil {
				row = rows[i]
			}
			p.data[i/PanelRows*size+g*PanelRows+placeOf(i%PanelRows)] = codes[row]
		}
	}
}

// Len returns the number of rows.
func (p *CodePanels) Len() int { return p.rows }

// Bytes returns the memory in use.
func (p *CodePanels) Bytes() int { return cap(p.data) }

// at returns the place of row i's first code. Its other codes follow at distances of PanelRows.
func (p *CodePanels) at(i int) int {
	if uint(i) >= uint(p.rows) {
		panic(fmt.Sprintf("vec: row %d of %d", i, p.rows))
	}
	return i/PanelRows*PanelRows*p.of.groups + placeOf(i%PanelRows)
}

// Swap exchanges rows i and j.
func (p *CodePanels) Swap(i, j int) {
	a, b := p.at(i), p.at(j)
	for range p.of.groups {
		p.data[a], p.data[b] = p.data[b], p.data[a]
		a += PanelRows
		b += PanelRows
	}
}

// CommonValuesTo sets dst[k] to the table's value for the number of columns that rows from+k and i
// share. The table comes from [Codes.CommonTable], must be Small, and must have values for the
// numbers of columns of all rows. query is memory that calls for the same row i reuse.
func (p *CodePanels) CommonValuesTo(dst []float32, query *[]uint8, i int, table *Table, from int) {
	p.values(common, dst, query, i, table, from)
}

// HammingValuesTo is [CodePanels.CommonValuesTo] with the number of columns that exactly one of the
// two rows has. The table comes from [Codes.HammingTable].
func (p *CodePanels) HammingValuesTo(dst []float32, query *[]uint8, i int, table *Table, from int) {
	p.values(apart, dst, query, i, table, from)
}

func (p *CodePanels) values(f count, dst []float32, query *[]uint8, row int, table *Table, from int) {
	if from < 0 || len(dst) > p.rows-from || !table.Small() {
		panic(fmt.Sprintf("vec: values of rows %d to %d of %d, a table of %d", from, from+len(dst)-1, p.rows, table.last+1))
	}
	q := (*query)[:0]
	at := p.at(row)
	for g := range p.of.groups {
		first := (g*codesOfGroup + int(p.data[at+g*PanelRows])) * codesOfGroup
		q = append(q, p.of.entries[f][first:first+codesOfGroup]...)
	}
	*query = q
	level, size := simd.Current(), p.of.groups*PanelRows
	var aside [PanelRows]float32 // for panels whose values are only wanted in part
	for len(dst) > 0 {
		skip, panel := from%PanelRows, from/PanelRows
		n := len(dst) / PanelRows
		if skip > 0 || n == 0 {
			codeValues(level, aside[:], p.data[panel*size:(panel+1)*size], 1, q, table)
			n = copy(dst, aside[skip:])
		} else {
			codeValues(level, dst[:n*PanelRows], p.data[panel*size:(panel+n)*size], n, q, table)
			n *= PanelRows
		}
		dst, from = dst[n:], from+n
	}
}

// codeValuesPortable does in plain Go what the assembly does.
func codeValuesPortable(dst []float32, panels []uint8, count int, query []uint8, table *Table) {
	groups := len(query) / codesOfGroup
	for p := range count {
		panel, to := panels[p*groups*PanelRows:(p+1)*groups*PanelRows], dst[p*PanelRows:][:PanelRows]
		for i := range to {
			n := 0
			for g := range groups {
				n += int(query[g*codesOfGroup+int(panel[g*PanelRows+placeOf(i)])])
			}
			to[i] = table.values[min(n, table.last)] // n is larger only for places without a row
		}
	}
}
