package vec

import (
	"fmt"
	"math"
	"slices"
	"unsafe"
)

// A Matrix is a list of sparse rows. The zero Matrix is empty and ready.
//
// Rows are in blocks of memory that never move, so a row stays valid while the matrix grows. A row
// with the same index list as the row before it shares that list: a dense matrix takes 8 bytes an
// entry. Rows whose values equal the first values of an earlier row share those: a matrix of ones
// takes 4 bytes an entry.
//
// Pass a Matrix by its address. If a Matrix value was copied by assignment, append to or swap rows
// of one of the two only: they share the memory into which they grow. Clone and Select return
// independent matrices. Several goroutines may use a matrix at once while none changes it.
type Matrix struct {
	rows  []header
	norms []float64 // norms[i] = SquaredNorm(rows[i])
	max   int32     // largest index of any row ever appended
	some  bool      // max holds a value
	nnz   int       // number of entries; in a slice, that of the whole matrix

	fraction bool // some row is not integral, or not short enough for exact sums
	doubtful bool // some row may fail Vector.Check; false: no row does

	index []int32   // free end of the current index block
	value []float64 // free end of the current value block

	common beginning   // values of a long row that others may share
	joined []int32     // in a part: the indices, in its memory, of the last row that was joined to the matrix
	alike  [2]*int32   // in a part: the start of one of its lists and of an equal list of the matrix
	arena  *entryArena // gives the blocks; nil: they are allocated
}

// A header describes a row: where its entries are, and their number. A Vector would take twice the
// memory.
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

// lists reports whether h and g share one list of indices.
func (h *header) lists(g *header) bool { return h.n == g.n && h.index == g.index }

// share makes v, whose header is h, use r's list of indices if it is equal: later comparisons then
// see at once that it is the same.
func (h *header) share(v *Vector, r *header) {
	if r.n == h.n && r.index != h.index && slices.Equal(v.Index, r.indices()) {
		v.Index, h.index = r.indices(), r.index
	}
}

// String lists the rows.
func (m Matrix) String() string {
	rows := make([]Vector, len(m.rows))
	for i, r := range m.rows {
		rows[i] = r.vector()
	}
	return fmt.Sprint(rows)
}

// Reserve makes room for n more rows. It does not reserve memory for their entries.
func (m *Matrix) Reserve(n int) {
	m.rows, m.norms = slices.Grow(m.rows, n), slices.Grow(m.norms, n)
}

// blockEntries is the number of entries in a block. It is large compared with a row, and small
// compared with a data set, so that the unused end of the last block costs little.
const blockEntries = 8 << 10

// Append adds a copy of v as the last row. It panics if v has not as many indices as values. Other
// faults of v are reported by [Matrix.Fault].
func (m *Matrix) Append(v Vector) {
	n := len(v.Index)
	if n != len(v.Value) {
		panic("vec: index and value differ in length")
	}
	if m.common.begins(v.Value) {
		m.add(v.Index, m.common.values, m.common.norm(n))
		return
	}
	value, norm := m.keep(v)
	m.add(v.Index, value, norm)
}

// AppendRows adds copies of many rows: row i is index and value from starts[i] up to but not
// including starts[i+1]. It gives the rows that Append would give, and panics if starts refers
// beyond index or value. If all values are equal (ones, for instance), value is only examined once.
func (m *Matrix) AppendRows(starts, index []int32, value []float64) {
	rows := starts[:max(0, len(starts)-1)]
	var longest Vector
	for i, lo := range rows {
		if hi := starts[i+1]; int(hi-lo) > len(longest.Value) {
			longest = Vector{index[lo:hi], value[lo:hi]}
		}
	}
	if n := len(longest.Value); n > 0 && constant(value[rows[0]:starts[len(rows)]]) {
		if !m.common.begins(longest.Value) {
			m.keep(longest)
		}
		if m.common.begins(longest.Value) { // then all rows begin with common
			m.common.norm(n)
			for i, lo := range rows {
				hi := starts[i+1]
				m.add(index[lo:hi], m.common.values, m.common.norms[hi-lo])
			}
			return
		}
	}
	for i, lo := range rows {
		hi := starts[i+1]
		m.Append(Vector{index[lo:hi], value[lo:hi]})
	}
}

// keep copies the values of v, which later rows may share, and returns the copy and its squared
// norm.
func (m *Matrix) keep(v Vector) (value []float64, norm float64) {
	n := len(v.Value)
	if cap(m.value)-len(m.value) < n {
		m.value = m.arena.values(n, m.nnz)
	}
	at := len(m.value)
	m.value = m.value[:at+n]
	value = m.value[at : at+n : at+n]
	parts := 0.0 // sum of the fractional parts
	for k, x := range v.Value {
		value[k] = x
		norm += float64(x * x)
		parts += math.Abs(x - math.Trunc(x))
	}
	m.fraction = m.fraction || parts != 0 || !(norm <= exactNorm)
	m.doubtful = m.doubtful || !(norm <= math.MaxFloat64)
	if n >= len(m.common.values) || m.common.values[0] != value[0] {
		m.common = beginning{value, m.common.norms[:0]}
	}
	return value, norm
}

// constant reports whether all values have the same bits.
func constant(values []float64) bool {
	first := math.Float64bits(values[0])
	for _, x := range values {
		if math.Float64bits(x) != first {
			return false
		}
	}
	return true
}

// add adds a row with a copy of index and with the first values of value, whose squared norm is
// norm.
func (m *Matrix) add(index []int32, value []float64, norm float64) {
	n := len(index)
	m.nnz += n
	if n > 0 {
		m.max, m.some = max(m.max, index[n-1]), true
	}
	if last := m.last(); last != nil && EqualIndices(last, index) {
		index = last
	} else {
		if !increase(index) {
			m.doubtful, m.max = true, max(m.max, slices.Max(index))
		}
		if cap(m.index)-len(m.index) < n {
			m.index = m.arena.indices(n, m.nnz)
		}
		at := len(m.index)
		m.index = append(m.index, index...)
		index = m.index[at:]
	}
	if len(m.rows) == cap(m.rows) || len(m.norms) == cap(m.norms) {
		m.Reserve(len(m.rows) + fewRows)
	}
	m.rows = append(m.rows, header{unsafe.SliceData(index), unsafe.SliceData(value), n})
	m.norms = append(m.norms, norm)
}

// fewRows is the number of rows for which a matrix has room at first. When the room is full it is
// doubled: filling new memory and scanning it for pointers takes longer than reading a row.
const fewRows = 32

// last returns the indices of the last row, even if it was joined to another matrix. It is nil if
// there was no row.
func (m *Matrix) last() []int32 {
	if len(m.rows) == 0 {
		return m.joined
	}
	return m.rows[len(m.rows)-1].indices()
}

// A beginning is a list of values with which rows may begin.
type beginning struct {
	values []float64
	norms  []float64 // squared norms of the first k values, computed as far as needed
}

// begins reports whether b begins with values, bit by bit, also for -0 and NaN.
func (b *beginning) begins(values []float64) bool {
	if len(values) > len(b.values) {
		return false
	}
	for k, x := range values {
		if math.Float64bits(x) != math.Float64bits(b.values[k]) {
			return false
		}
	}
	return true
}

// norm returns the squared norm of the first n values.
func (b *beginning) norm(n int) float64 {
	if len(b.norms) == 0 {
		b.norms = append(b.norms, 0)
	}
	for k := len(b.norms); k <= n; k++ {
		x := b.values[k-1]
		b.norms = append(b.norms, b.norms[k-1]+float64(x*x))
	}
	return b.norms[n]
}

// Len returns the number of rows.
func (m *Matrix) Len() int { return len(m.rows) }

// NNZ returns the number of stored entries, including stored zeros.
func (m *Matrix) NNZ() int {
	n := 0
	for _, r := range m.rows {
		n += r.n
	}
	return n
}

// MaxIndex returns the largest index of any row, or -1 if no row has an entry. For the results of
// Select and Slice it is that of the original matrix.
func (m *Matrix) MaxIndex() int {
	if !m.some {
		return -1
	}
	return int(m.max)
}

// first returns the first n rows. It panics if there are fewer.
func (m *Matrix) first(n int) []header {
	if n > len(m.rows) { // slicing would allow more, up to the capacity
		panic(fmt.Sprintf("vec: %d results of %d rows", n, len(m.rows)))
	}
	return m.rows[:n]
}

// Row returns row i. It shares memory with the matrix and must not be changed.
func (m *Matrix) Row(i int) Vector { return m.rows[i].vector() }

// SquaredNorm returns the dot product of row i with itself.
func (m *Matrix) SquaredNorm(i int) float64 { return m.norms[i] }

// Select returns a matrix of the given rows in the given order. It shares the rows' memory with m
// but has an order of its own.
func (m *Matrix) Select(rows []int) Matrix {
	var s Matrix
	m.SelectTo(&s, rows)
	return s
}

// SelectTo makes s what Select returns and reuses the memory of s, which must come from Select or
// SelectTo.
func (m *Matrix) SelectTo(s *Matrix, rows []int) {
	*s = Matrix{
		rows:  slices.Grow(s.rows[:0], len(rows))[:len(rows)],
		norms: slices.Grow(s.norms[:0], len(rows))[:len(rows)],
		max:   m.max,
		some:  m.some,

		fraction: m.fraction,
		doubtful: m.doubtful,
	}
	for k, i := range rows {
		s.rows[k] = m.rows[i]
		s.norms[k] = m.norms[i]
		s.nnz += s.rows[k].n
	}
}

// Copy returns a matrix with copies of the given rows in the given order. It does not keep m in
// memory.
func (m *Matrix) Copy(rows []int) Matrix {
	entries, indices := 0, 0
	for k, i := range rows {
		entries += m.rows[i].n
		if k == 0 || !m.rows[i].lists(&m.rows[rows[k-1]]) {
			indices += m.rows[i].n
		}
	}
	c := Matrix{index: make([]int32, 0, indices), value: make([]float64, 0, entries)}
	c.Reserve(len(rows))
	for _, i := range rows {
		c.Append(m.Row(i))
	}
	return c
}

// Swap exchanges rows i and j, also in the results of Slice.
func (m *Matrix) Swap(i, j int) {
	m.rows[i], m.rows[j] = m.rows[j], m.rows[i]
	m.norms[i], m.norms[j] = m.norms[j], m.norms[i]
}
