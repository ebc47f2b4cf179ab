package vec

import (
	"fmt"
	"math/bits"

	"github.com/slimsvm/slimsvm/format/vec/pages"
	"github.com/slimsvm/slimsvm/format/vec/simd"
)

// BitPanels hold sets of columns, one for each row, in the layout of [Panels]: word k of all rows
// of a panel is together in memory. The zero BitPanels is empty.
type BitPanels struct {
	rows, words int
	data        []uint64
}

// Words returns the number of 64-bit words that hold a set of this many columns.
func Words(columns int) int { return (columns + 63) / 64 }

// Reset makes p hold the given number of empty sets of up to this many columns.
func (p *BitPanels) Reset(rows, columns int) { p.ResetWithin(rows, rows, columns) }

// ResetWithin is Reset, but memory that must be allocated is enough for most rows.
func (p *BitPanels) ResetWithin(rows, most, columns int) {
	if rows < 0 || columns < 0 {
		panic(fmt.Sprintf("vec: %d sets of %d columns", rows, columns))
	}
	p.rows, p.words = rows, Words(columns)
	p.data = zeroed(p.data, panelsOf(rows)*p.words*PanelRows, panelsOf(most)*p.words*PanelRows)
	pages.Touch(p.data) // Set reads each word before it writes
}

// Len returns the number of rows.
func (p *BitPanels) Len() int { return p.rows }

// Bytes returns the memory in use.
func (p *BitPanels) Bytes() int { return 8 * cap(p.data) }

func (p *BitPanels) start(i int) int {
	if uint(i) >= uint(p.rows) {
		panic(fmt.Sprintf("vec: row %d of %d", i, p.rows))
	}
	if p.words == 0 {
		return 0 // nothing is read or written there
	}
	return i/PanelRows*PanelRows*p.words + i%PanelRows
}

// Set adds column[v.Index[k]] to row i for each entry of v that is not zero. Entries whose column
// is negative, or whose index is beyond column, are left out; Set returns how many.
func (p *BitPanels) Set(i int, v Vector, column []int32) (out int) {
	return setBits(p.data[p.start(i):], PanelRows, v, column)
}

// SetBits adds column[v.Index[k]] to a set for each entry of v that is not zero. Entries whose
// column is negative, or whose index is beyond column, are left out; SetBits returns how many.
func SetBits(set []uint64, v Vector, column []int32) (out int) { return setBits(set, 1, v, column) }

// setBits is SetBits for a set whose words are stride apart. Columns mostly come in order, so it
// collects the bits of a word before it writes the word.
func setBits(set []uint64, stride int, v Vector, column []int32) (out int) {
	var word uint64
	at := 0 // place of word
	for k, index := range v.Index {
		switch {
		case v.Value[k] == 0:
		case int(index) < len(column) && column[index] >= 0:
			c := column[index]
			if to := int(c/64) * stride; to != at {
				set[at] |= word
				at, word = to, 0
			}
			word |= 1 << (c % 64)
		default:
			out++
		}
	}
	if word != 0 {
		set[at] |= word
	}
	return out
}

// SetWords sets row i to the set with the given words.
func (p *BitPanels) SetWords(i int, words []uint64) {
	at := p.start(i)
	for _, w := range words[:p.words] {
		p.data[at] = w
		at += PanelRows
	}
}

// Count returns the number of columns of row i.
func (p *BitPanels) Count(i int) int {
	at := p.start(i)
	n := 0
	for range p.words {
		n += bits.OnesCount64(p.data[at])
		at += PanelRows
	}
	return n
}

// Swap exchanges rows i and j.
func (p *BitPanels) Swap(i, j int) {
	a, b := p.start(i), p.start(j)
	for range p.words {
		p.data[a], p.data[b] = p.data[b], p.data[a]
		a += PanelRows
		b += PanelRows
	}
}

// QueryTo appends the given rows to dst as a query: word k of all of them together.
func (p *BitPanels) QueryTo(dst []uint64, rows []int) []uint64 {
	at := len(dst)
	n := len(rows)
	for range n * p.words {
		dst = append(dst, 0)
	}
	for r, i := range rows {
		from := p.start(i)
		for k := at + r; k < len(dst); k += n {
			dst[k] = p.data[from]
			from += PanelRows
		}
	}
	return dst
}

// CommonTo sets dst[r*stride+i] to the number of columns that query row r and row PanelRows*panel+i
// share, for each row of the given number of panels and each of the query's rows.
func (p *BitPanels) CommonTo(dst []uint32, stride int, query []uint64, rows, panel, panels int) {
	p.count(common, dst, stride, query, rows, panel, panels)
}

// HammingTo is [BitPanels.CommonTo] with the number of columns that exactly one of the two rows
// has.
func (p *BitPanels) HammingTo(dst []uint32, stride int, query []uint64, rows, panel, panels int) {
	p.count(apart, dst, stride, query, rows, panel, panels)
}

func (p *BitPanels) count(f count, dst []uint32, stride int, query []uint64, rows, panel, panels int) {
	checkQuery(len(dst), stride, len(query), rows, p.words)
	if panel < 0 || panels < 0 || panels > panelsOf(p.rows)-panel || stride < panels*PanelRows {
		panic(fmt.Sprintf("vec: panels %d to %d of %d rows at a distance of %d", panel, panel+panels-1, p.rows, stride))
	}
	if rows == 0 || panels == 0 {
		return
	}
	size := p.words * PanelRows
	f.to(simd.Current(), dst, stride, p.data[panel*size:(panel+panels)*size], panels, query, p.words, rows)
}

// A count says what is counted of two sets.
type count int

const (
	common count = iota // x & z
	apart               // x ^ z
)

// portable does in plain Go what the assembly does.
func (f count) portable(dst []uint32, stride int, panels []uint64, count int, query []uint64, words, rows int) {
	for p := range count {
		panel := panels[p*words*PanelRows : (p+1)*words*PanelRows]
		for r := range rows {
			to := (*[PanelRows]uint32)(dst[r*stride+p*PanelRows:])
			*to = [PanelRows]uint32{}
			for k := range words {
				x := query[k*rows+r]
				z := (*[PanelRows]uint64)(panel[k*PanelRows:])
				if f == common {
					for i := range to {
						to[i] += uint32(bits.OnesCount64(x & z[i]))
					}
				} else {
					for i := range to {
						to[i] += uint32(bits.OnesCount64(x ^ z[i]))
					}
				}
			}
		}
	}
}
