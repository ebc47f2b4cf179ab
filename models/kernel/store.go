package kernel

import (
	"math"
	"sync"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/format/vec/pages"
	"github.com/slimsvm/slimsvm/format/vec/simd"
)

// A form is a representation of rows, chosen by the data. All forms give the same bits.
type form int

const (
	asRows   form = iota // sparse rows as they are
	asPanels             // panels of dense rows
	asWholes             // panels of dense rows of small whole numbers
	asMixed              // only in a Gram: real, decimal and whole columns in panels of their own
	asSets               // sets of columns: all values are one constant
	asLists              // for each column, a list of the rows that have an entry in it
	asTable              // only in a Gram: values from a table
)

// A Store holds the rows of a matrix, prepared for training problems on parts of them. It examines
// the data once for all class pairs, folds and kernels. Several goroutines may use it at once.
type Store struct {
	x       *vec.Matrix
	rows    int         // of x when the store was made
	near    *vec.Matrix // x, renumbered if its indices are far apart; used by all forms but asRows
	form    form
	bytes   bool // asWholes: values are from 0 to 255
	columns columns
	kinds   *columnKinds // nil: there is only one kind, or using them does not help

	mu     sync.Mutex
	spare  []*Gram     // Grams whose memory is free
	tables []*table    // oldest first
	values []float32   // memory of a table that is no longer used
	keeps  int64       // number of bytes for tables for Grams of many rows
	ended  func() bool // reports that no such tables should be made any more; nil: there are none
	parts  []*Store    // Parts whose memory is free
	most   int         // largest expected number of rows of a Gram
	again  bool        // Repeat was called

	whole *Store // the store of which s is a Part; else nil
	given *table // the table with the values of a Part

	copied sync.Once
	words  []uint64 // asSets: the sets, for Grams of parts of the rows

	encoded sync.Once
	coded   *vec.Codes // asSets: their codes
}

// columns are the indices that occur in some row, numbered in ascending order.
type columns struct {
	of       []int32 // the column of each index, -1 for none
	count    int
	entries  int     // number of nonzero entries
	longest  int     // largest number of entries of a row
	constant float64 // the value of all nonzero entries, NaN if there are several values
	shared   float64 // mean number of columns that two rows share
	aligned  bool    // every row lists all columns and no other index
}

// minFill is the share of nonzero entries from which dense panels are used, if all columns have the
// same share: a dense product touches all columns, and a sparse one touches the columns that two
// rows share, a share of that share. If some columns have many entries and others few, rows share
// more columns, and half of the entries may be enough. Panels cost 8 bytes an element; LIBSVM's own
// rows cost 16 bytes an entry.
func minFill() float64 {
	if simd.Current() == simd.Portable {
		return 0.5
	}
	return 0.25
}

// setsPay reports whether counting with sets of columns is faster than going through lists. It uses
// rough times in nanoseconds: for a word, for a value from lists, and for an entry on a list.
func (c *columns) setsPay() bool {
	level := simd.Current()
	word := map[simd.Level]float64{simd.Portable: 0.7, simd.AVX2: 0.22, simd.AVX512: 0.09}[level]
	value := 1.8
	if level == simd.Portable {
		value = 4
	}
	return word*float64(vec.Words(c.count)) <= float64(0.7*c.shared)+value
}

// setsFit reports whether the sets of this many rows with c's entries take no more memory than
// LIBSVM's own rows. It computes in 64 bits because an int of 32 bits may overflow.
func (c *columns) setsFit(rows int) bool {
	return 8*int64(vec.Words(c.count))*int64(rows) <= 16*int64(c.entries)+64*int64(rows)
}

// NewStore returns a store of the rows of x, with which it shares memory. Do not change the matrix
// while the store is used.
func NewStore(x *vec.Matrix) *Store {
	return NewStoreBy(1, serially, x)
}

// serially calls f for 0 to n-1.
func serially(n int, f func(part int)) {
	for k := range n {
		f(k)
	}
}

// NewStoreBy is [NewStore] with several workers. do must call f for 0 to n-1, several at once, and
// return when all calls have returned. The store does not depend on it.
func NewStoreBy(workers int, do func(n int, f func(part int)), x *vec.Matrix) *Store {
	s := &Store{x: x, rows: x.Len(), near: x}
	if farApart(x) {
		near := x.Renumbered(vec.IndexSetOf(x))
		s.near = &near
	}
	var ok bool
	if s.columns, ok = numberColumns(workers, do, s.near, nil); !ok {
		if allZeros(x) { // represent them as sets of one column, which no row has
			s.form, s.columns = asSets, columns{count: 1, constant: 1}
		}
		return s
	}
	c := &s.columns
	fill := float64(c.entries) / (float64(c.count) * float64(x.Len()))
	switch {
	case !math.IsNaN(c.constant) && c.setsPay() && c.setsFit(x.Len()):
		s.form = asSets
	case s.wholesPay():
		s.form = asWholes
	case fill >= minFill()/2 && c.shared >= minFill()*minFill()*float64(c.count):
		s.form = asPanels
	case c.entries <= math.MaxInt32: // lists count entries in 32 bits
		s.form = asLists
	}
	s.kinds = s.kindsOf(packers{workers: workers, do: do})
	return s
}

// allZeros reports whether all entries are zeros.
func allZeros(x *vec.Matrix) bool {
	for i := range x.Len() {
		for _, v := range x.Row(i).Value {
			if v != 0 {
				return false
			}
		}
	}
	return true
}

// formOf returns the form for a Gram of this many rows with k.
func (s *Store) formOf(k Kernel, rows int) form {
	if s.mixes(k, rows) {
		return asMixed
	}
	if !known(k) || s.elementBytes() > 0 && !panelsFit(rows, s.columns.count, s.elementBytes()) {
		return asRows
	}
	return s.form
}

// elementBytes returns the size of an element of panels, 0 if the form has no panels.
func (s *Store) elementBytes() int {
	switch {
	case s.form == asPanels:
		return 8
	case s.form == asWholes && s.bytes:
		return 1
	case s.form == asWholes:
		return 2
	}
	return 0
}

// panelsFit reports whether panels of this many rows, with elements of this size, take no more
// memory than LIBSVM's own rows, or too little to matter. Even two rows take a panel of 32.
func panelsFit(rows, columns, element int) bool {
	const libsvm, matters = 16, 8 << 20
	lanes := (rows + vec.PanelRows - 1) / vec.PanelRows * vec.PanelRows
	return element*lanes <= libsvm*rows || int64(element*lanes)*int64(columns) <= matters
}

// all reports whether index lists exactly the columns. Indices that have only zeros are not
// columns. A row mostly shares its list of indices with the row before: known is the start of the
// last list that did.
func (c *columns) all(index []int32, known **int32) bool {
	if len(index) != c.count || len(index) == 0 {
		return false
	}
	if c.aligned || &index[0] == *known {
		return true
	}
	for _, i := range index {
		if c.of[i] < 0 {
			return false
		}
	}
	*known = &index[0]
	return true
}

// Len returns the number of rows that the matrix had when the store was made.
func (s *Store) Len() int {
	if s.given != nil {
		return len(s.given.diag)
	}
	return s.rows
}

// RowEquals reports whether row i has the values of v. A Part, which has no rows, holds any.
func (s *Store) RowEquals(i int, v vec.Vector) bool {
	return s.given != nil || vec.SquaredDistance(s.x.Row(i), v) == 0
}

// sets returns the sets of all rows, one after the other. Grams of parts of the rows are packed
// quickly from them.
func (s *Store) sets() []uint64 {
	s.copied.Do(func() {
		w := vec.Words(s.columns.count)
		s.words = make([]uint64, s.Len()*w)
		pages.Touch(s.words)
		for i := range s.Len() {
			vec.SetBits(s.words[i*w:(i+1)*w], s.near.Row(i), s.columns.of)
		}
	})
	return s.words
}

// Gram returns the kernel matrix of the given rows in the given order, or of all rows if rows is
// nil.
func (s *Store) Gram(k Kernel, rows []int) *Gram { return s.GramBy(1, serially, k, rows) }

// GramBy is Gram with several workers, as in [NewStoreBy].
func (s *Store) GramBy(workers int, do func(n int, f func(part int)), k Kernel, rows []int) *Gram {
	return s.gram(packers{workers: workers, do: do}, k, rows)
}

func (s *Store) gram(by packers, k Kernel, rows []int) *Gram {
	var g *Gram
	s.mu.Lock()
	most, again := s.most, s.again
	if n := len(s.spare); n > 0 {
		g = s.spare[n-1]
		s.spare = s.spare[:n-1]
	}
	s.mu.Unlock()
	if g == nil {
		g = new(Gram)
	}
	g.again = again
	if s.given != nil {
		if k != s.given.kernel || rows == nil {
			panic("kernel: a part of a store has Grams of listed rows for one kernel")
		}
		g.fromTable(s.given, k, s, rows, most)
		return g
	}
	var t *table
	if rows != nil {
		t = s.tableFor(k, len(rows))
	}
	all := by // a table serves others too
	if all.more = nil; t.ready(all, s) && s.use(t) {
		g.fromTable(t, k, s, rows, most)
	} else {
		g.pack(by, k, s, rows, most)
		g.table = t
	}
	return g
}

// mostStep: the expected number of rows is rounded up to a multiple of this, because folds differ
// by some rows.
const mostStep = 64

// Expect announces Grams of up to the given number of rows. Each then allocates memory for that
// many at once, which later ones reuse.
func (s *Store) Expect(rows int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.most = max(s.most, (rows+mostStep-1)/mostStep*mostStep)
}

// Repeat announces several Grams of mostly the same rows, as in cross-validation. Memory that the
// first has used then serves the others.
func (s *Store) Repeat() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.again = true
}

// known reports whether k is a function of dot products and norms from this package.
func known(k Kernel) bool {
	switch k.(type) {
	case Linear, Poly, RBF, Sigmoid:
		return true
	}
	return false
}
