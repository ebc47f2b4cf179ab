package kernel

import (
	"math"
	"sync"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/format/vec/pages"
	"github.com/slimsvm/slimsvm/format/vec/simd"
)

// A form is a representation of rows, chosen by what the data look like. All give
// the same bits.
type form int

const (
	asRows   form = iota // sparse rows as they are
	asPanels             // panels of dense rows
	asWholes             // panels of dense rows of small whole numbers
	asMixed              // of a Gram: both, for columns of real numbers and of whole ones
	asSets               // sets of columns: all values are one constant
	asLists              // lists of the rows that have a column
	asTable              // of a Gram: values that are there
)

// A Store holds the rows of a matrix, prepared for training problems on parts of them. It examines
// the data once for all class pairs, folds and kernels. Several goroutines may use it at once.
type Store struct {
	x       *vec.Matrix
	near    *vec.Matrix // x, by numbers of its indices if these are far apart: what is not asRows
	form    form
	bytes   bool // asWholes: values are from 0 to 255
	columns columns
	kinds   *columnKinds // nil: there is but one, or it is of no use

	mu     sync.Mutex
	spare  []*Gram     // whose memory is free
	tables []*table    // oldest first
	values []float32   // memory of one that nobody uses
	keeps  int64       // bytes of tables for Grams of many rows
	ended  func() bool // no such tables are to be made; nil: there are none
	parts  []*Store    // whose memory is free
	most   int         // rows that a Gram is expected to have
	again  bool        // Repeat was called

	whole *Store // of which s is a Part
	given *table // of its values

	copied sync.Once
	words  []uint64 // asSets: the sets, for parts

	encoded sync.Once
	coded   *vec.Codes // asSets: their codes
}

// columns are the indices that some row uses, numbered in ascending order.
type columns struct {
	of       []int32 // the column of each index, -1 for none
	count    int
	entries  int     // that are not zero
	longest  int     // number of entries of a row
	constant float64 // the value of all entries that are not zero, NaN if there are several
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

// setsPay reports whether sets of columns are sooner counted than lists are gone
// through, by rough times in nanoseconds: of a word, of a value of lists, and of an
// entry on them.
func (c *columns) setsPay() bool {
	level := simd.Current()
	word := map[simd.Level]float64{simd.Portable: 0.7, simd.AVX2: 0.22, simd.AVX512: 0.09}[level]
	value := 1.8
	if level == simd.Portable {
		value = 4
	}
	return word*float64(vec.Words(c.count)) <= float64(0.7*c.shared)+value
}

// setsFit reports whether sets of columns of so many rows, which have c's entries, take no more memory than LIBSVM's own
// rows. An int of 32 bits does not hold what sets of many rows and columns would take.
func (c *columns) setsFit(rows int) bool {
	return 8*int64(vec.Words(c.count))*int64(rows) <= 16*int64(c.entries)+64*int64(rows)
}

// NewStore returns a store of the rows of x, with which it shares memory. Do not change the matrix
// while the store is used.
func NewStore(x *vec.Matrix) *Store {
	return NewStoreBy(1, alone, x)
}

// alone calls f for 0 to n-1.
func alone(n int, f func(part int)) {
	for k := range n {
		f(k)
	}
}

// NewStoreBy is [NewStore] with several workers. do must call f for 0 to n-1, several at once, and
// return when all calls have returned. The store does not depend on it.
func NewStoreBy(workers int, do func(n int, f func(part int)), x *vec.Matrix) *Store {
	s := &Store{x: x, near: x}
	if farApart(x) {
		near := x.Renumbered(vec.NumbersOf(x))
		s.near = &near
	}
	var ok bool
	if s.columns, ok = study(workers, do, s.near, nil); !ok {
		if allZeros(x) { // sets of a column that no row has
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
	case c.entries <= math.MaxInt32: // which lists count in
		s.form = asLists
	}
	s.kinds = s.kindsOf(packers{workers, do})
	return s
}

// allZeros reports whether rows have no other entries.
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

// formOf returns the form of so many rows for k.
func (s *Store) formOf(k Kernel, rows int) form {
	if s.mixes(k, rows) {
		return asMixed
	}
	if !known(k) || s.elementBytes() > 0 && !panelsFit(rows, s.columns.count, s.elementBytes()) {
		return asRows
	}
	return s.form
}

// elementBytes returns the memory of an element of panels, 0 if there are none.
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

// panelsFit reports whether panels of so many rows, with elements of so many bytes, take no more memory than
// LIBSVM's own rows or than matters: those of two rows are a panel of 32.
func panelsFit(rows, columns, element int) bool {
	const libsvm, matters = 16, 8 << 20
	lanes := (rows + vec.PanelRows - 1) / vec.PanelRows * vec.PanelRows
	return element*lanes <= libsvm*rows || int64(element*lanes)*int64(columns) <= matters
}

// all reports whether a list of indices is that of the columns. As many indices may be others, of zeros only.
// A row mostly shares its list with the one before: known is the beginning of a list that was theirs.
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

// Len returns the number of rows.
func (s *Store) Len() int {
	if s.given != nil {
		return len(s.given.diag)
	}
	return s.x.Len()
}

// sets returns the sets of all rows, one after the other, from which parts are
// packed soon.
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
func (s *Store) Gram(k Kernel, rows []int) *Gram { return s.GramBy(1, alone, k, rows) }

// GramBy is Gram with several workers, as in [NewStoreBy].
func (s *Store) GramBy(workers int, do func(n int, f func(part int)), k Kernel, rows []int) *Gram {
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
	by := packers{workers, do}
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
	if t.ready(by, s) && s.use(t) {
		g.fromTable(t, k, s, rows, most)
	} else {
		g.pack(by, k, s, rows, most)
		g.table = t
	}
	return g
}

// mostStep is what expected numbers of rows are multiples of: folds differ by some rows.
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

// known reports whether k is one of this package's functions of a dot product and
// norms.
func known(k Kernel) bool {
	switch k.(type) {
	case Linear, Poly, RBF, Sigmoid:
		return true
	}
	return false
}
