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
// independent matrices.
type Matrix struct {
	rows  []header
	norms []float64 // norms[i] = SquaredNorm(rows[i])
	max   int32     // largest index of any row ever appended
	some  bool      // max holds a value
	nnz   int       // number of entries; of a slice, that of the whole

	fraction bool // some row is not integral
	doubtful bool // some row may be no Vector as Check wants it; false: none is

	index []int32   // free end of the current index block
	value []float64 // free end of the current value block

	common beginning // values of a long row, for others to share
	joined []int32   // of a part: the indices of the last row that it gave away, as the part has them
	alike  [2]*int32 // of a part: where a list of its own begins, and one of the matrix's that is the same
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

// share makes v, whose header h is, list r's indices if they are the same: from there on
// they are seen to be.
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

// blockEntries is the number of entries in a block: large against a row, small
// against a data set, so that the unused end of the last block costs little.
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
		if m.common.begins(longest.Value) { // all rows do
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

// keep copies the values of v, for rows that begin with them to share, and returns the squared norm.
func (m *Matrix) keep(v Vector) (value []float64, norm float64) {
	n := len(v.Value)
	if cap(m.value)-len(m.value) < n {
		m.value = m.supply.values(n, m.nnz)
	}
	at := len(m.value)
	m.value = m.value[:at+n]
	value = m.value[at : at+n : at+n]
	parts := 0.0 // behind the points
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

// add adds a row with a copy of index, and with as many of value, which has the given squared norm.
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
			m.index = m.supply.indices(n, m.nnz)
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

// fewRows are what a matrix has room for at first. The room is doubled when it is full: to fill new
// memory and to scan it for pointers takes longer than to read a row.
const fewRows = 32

// last returns the indices of the last row, be it joined to others, nil if there is none.
func (m *Matrix) last() []int32 {
	if len(m.rows) == 0 {
		return m.joined
	}
	return m.rows[len(m.rows)-1].indices()
}

// A beginning is what values of rows may begin with.
type beginning struct {
	values []float64
	norms  []float64 // of as many of them, as far as they were asked for
}

// begins reports whether b begins with values, to the bit, -0 and NaN included.
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
