package vec

import (
	"fmt"
	"math"
	"slices"
	"unsafe"
)

// A Matrix is a list of sparse rows. The zero Matrix is empty and ready.
//
// Rows live in blocks that never move, so a row stays valid while the matrix
// grows and a matrix costs no copying. Rows with the index list of the row
// before them share it: a dense matrix costs 8 bytes an entry. So do rows whose values
// are those that an earlier row begins with: one of ones costs 4 bytes an entry.
type Matrix struct {
	rows  []header
	norms []float64 // norms[i] = SquaredNorm(rows[i])
	max   int32     // largest index of any row ever appended
	some  bool      // max holds a value
	nnz   int       // number of entries; of a slice, that of the whole

	fraction bool // some row is not integral

	index []int32   // free end of the current index block
	value []float64 // free end of the current value block

	common []float64 // values of a long row, for others to share
	supply *supply   // of blocks; nil: they are allocated
}

// A header is a row: where its entries are, and their number. A Vector takes twice the memory.
type header struct {
	index *int32
	value *float64
	n     int
}

func headerOf(v Vector) header {
	return header{unsafe.SliceData(v.Index), unsafe.SliceData(v.Value), len(v.Index)}
}

func (h *header) indices() []int32  { return unsafe.Slice(h.index, h.n) }
func (h *header) values() []float64 { return unsafe.Slice(h.value, h.n) }

func (h *header) vector() Vector { return Vector{h.indices(), h.values()} }

// lists reports whether h and g are known to have the same indices.
func (h *header) lists(g *header) bool { return h.n == g.n && h.index == g.index }

// String lists the rows.
func (m Matrix) String() string {
	rows := make([]Vector, len(m.rows))
	for i, r := range m.rows {
		rows[i] = r.vector()
	}
	return fmt.Sprint(rows)
}

// Reserve makes room for n more rows, whose entries it does not know.
func (m *Matrix) Reserve(n int) {
	m.rows, m.norms = slices.Grow(m.rows, n), slices.Grow(m.norms, n)
}

// blockEntries is the number of entries in a block: large against a row, small
// against a data set, so that the unused end of the last block costs little.
const blockEntries = 8 << 10

// Append adds a copy of v as the last row.
func (m *Matrix) Append(v Vector) {
	n := len(v.Index)
	if n != len(v.Value) {
		panic("vec: index and value differ in length")
	}
	var row Vector
	if n <= len(m.common) && sameBits(m.common[:n], v.Value) {
		row.Value = m.common[:n:n]
	} else {
		if cap(m.value)-len(m.value) < n {
			m.value = m.supply.values(n)
		}
		at := len(m.value)
		m.value = append(m.value, v.Value...)
		row.Value = m.value[at : at+n : at+n]
		if n >= len(m.common) || m.common[0] != v.Value[0] {
			m.common = row.Value
		}
	}
	if last := m.last(); last != nil && slices.Equal(last, v.Index) {
		row.Index = last
	} else {
		if cap(m.index)-len(m.index) < n {
			m.index = m.supply.indices(n)
		}
		at := len(m.index)
		m.index = append(m.index, v.Index...)
		row.Index = m.index[at : at+n : at+n]
	}
	if n > 0 {
		m.max = max(m.max, v.Index[n-1])
		m.some = true
	}
	m.nnz += n
	m.rows = append(m.rows, headerOf(row))
	norm := SquaredNorm(row)
	m.norms = append(m.norms, norm)
	m.fraction = m.fraction || !integral(row, norm)
}

// last returns the indices of the last row, nil if there is none.
func (m *Matrix) last() []int32 {
	if len(m.rows) == 0 {
		return nil
	}
	return m.rows[len(m.rows)-1].indices()
}

// sameBits reports whether a and b are equal to the bit, -0 and NaN included.
func sameBits(a, b []float64) bool {
	for k, x := range a {
		if math.Float64bits(x) != math.Float64bits(b[k]) {
			return false
		}
	}
	return true
}

// Len returns the number of rows.
func (m *Matrix) Len() int { return len(m.rows) }

// NNZ returns the number of stored entries.
func (m *Matrix) NNZ() int {
	n := 0
	for _, r := range m.rows {
		n += r.n
	}
	return n
}

// MaxIndex returns the largest index of any row, -1 when no row has an entry.
func (m *Matrix) MaxIndex() int {
	if !m.some {
		return -1
	}
	return int(m.max)
}

// first returns the first n rows, one for each of n results.
func (m *Matrix) first(n int) []header {
	if n > len(m.rows) { // which slicing would allow up to the capacity
		panic(fmt.Sprintf("vec: %d results of %d rows", n, len(m.rows)))
	}
	return m.rows[:n]
}

// Row returns row i. It shares memory with the matrix and must not be changed.
func (m *Matrix) Row(i int) Vector { return m.rows[i].vector() }

// SquaredNorm returns the dot product of row i with itself.
func (m *Matrix) SquaredNorm(i int) float64 { return m.norms[i] }

// Select returns a matrix of the given rows in the given order. The rows share
// memory with m; their order is the new matrix's own.
func (m *Matrix) Select(rows []int) Matrix {
	var s Matrix
	m.SelectTo(&s, rows)
	return s
}

// SelectTo makes s what Select returns, in the memory of the rows that s has, which must
// come from Select or SelectTo.
func (m *Matrix) SelectTo(s *Matrix, rows []int) {
	*s = Matrix{
		rows:  slices.Grow(s.rows[:0], len(rows))[:len(rows)],
		norms: slices.Grow(s.norms[:0], len(rows))[:len(rows)],
		max:   m.max,
		some:  m.some,

		fraction: m.fraction,
	}
	for k, i := range rows {
		s.rows[k] = m.rows[i]
		s.norms[k] = m.norms[i]
		s.nnz += s.rows[k].n
	}
}

// Swap exchanges rows i and j.
func (m *Matrix) Swap(i, j int) {
	m.rows[i], m.rows[j] = m.rows[j], m.rows[i]
	m.norms[i], m.norms[j] = m.norms[j], m.norms[i]
}
