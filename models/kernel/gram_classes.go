package kernel

import (
	"sync"
	"sync/atomic"
)

// Problem: one-vs-one training of many small classes solves thousands of small problems. Each needs
// the values of the rows of two classes with each other. If each computes its own, the values
// within a class are computed once for every other class, and those between two classes twice.
//
// Method: the values within a class are computed once. The values of a class with the classes behind
// it are computed for some classes at once, when a pair first needs them, and dropped after the last
// of these pairs. The matrix of a pair is put together from these. A value does not depend on the
// order of its two rows, nor on which rows are packed together with them.

// mostClassRows is the largest number of rows of a class of Classes. Pairs of larger ones mostly need
// only some of their values.
const mostClassRows = fewRows

// With fewer columns than cheapClassColumns, computing the values that a pair needs takes about as
// long as fetching them, and classes may have only mostCheapRows rows.
const cheapClassColumns, mostCheapRows = 16, 40

// stripColumns is about how many columns are computed at once.
const stripColumns = 4 * 32

// Classes is a Store's rows in classes, for problems of two classes each. Several goroutines may use
// it at once.
type Classes struct {
	store  *Store
	kernel Kernel
	gram   *Gram     // the rows of all classes, class after class
	start  []int     // first position of each class in gram, followed by the number of rows
	strip  []int     // the number of each class's strip
	begin  []int     // the first class of each strip, followed by the number of classes
	diag   []float64 // by position in gram

	most  int       // the largest expected number of rows of a pair
	parts sync.Pool // Parts whose memory is free

	within []atomic.Pointer[block] // the values within each class; nil: not computed yet

	mu     sync.Mutex        // guards the following fields
	strips map[[2]int]*strip // by class and number of the strip
	free   [][]float32       // memory of strips
}

// strip is the values of one class with some of the classes behind it.
type strip struct {
	making sync.Mutex // held while the values are computed
	ready  atomic.Bool
	from   int // position of the first column
	block      // row by row
	left   int // number of pairs that still need it; guarded by Classes.mu
}

// Classes returns s's rows in classes, prepared for problems with k of two of them each. Classes with
// too many rows are left out. It returns nil if the problems do as well without, or k is not from
// this package, or more returns false before all is ready. more, workers and do are as in
// [Store.GramWhile].
func (s *Store) Classes(more func() bool, workers int, do func(n int, f func(part int)), k Kernel, rows [][]int) *Classes {
	switch {
	case !known(k) || s.given != nil:
		return nil
	case s.form == asSets: // values take no longer to compute than to copy
		return nil
	case s.form == asRows: // infinite numbers, with which values depend on the order of two rows
		return nil
	}
	c := &Classes{store: s, kernel: k, start: make([]int, 1, len(rows)+1), strip: make([]int, len(rows)), begin: []int{0}}
	most := mostClassRows
	if s.columns.count < cheapClassColumns {
		most = mostCheapRows
	}
	small, total := 0, 0
	for _, r := range rows {
		if n := len(r); n <= most {
			small, total = small+1, total+n
		}
	}
	if small < fewestClasses {
		return nil
	}
	all := make([]int, 0, total)
	first := 0 // position of the first column of the present strip
	for i, r := range rows {
		if len(all)-first >= stripColumns {
			first, c.begin = len(all), append(c.begin, i)
		}
		c.strip[i] = len(c.begin) - 1
		if len(r) <= most {
			all = append(all, r...)
		}
		c.start = append(c.start, len(all))
	}
	c.begin = append(c.begin, len(rows))
	if c.gram = s.GramWhile(more, workers, do, k, all); c.gram == nil {
		return nil
	}
	s.mu.Lock()
	c.most = s.most
	s.mu.Unlock()
	c.diag = make([]float64, len(all))
	c.gram.DiagTo(c.diag)
	c.within, c.strips = make([]atomic.Pointer[block], len(rows)), map[[2]int]*strip{}
	return c
}

// fewestClasses is the least number of classes that are worth it.
const fewestClasses = 5

// Release returns memory to the store. Do not use c afterwards.
func (c *Classes) Release() {
	if c != nil {
		c.gram.Release()
	}
}

// Part returns a store of the rows of classes i and j, i < j, class i first, as [Store.Part] does. It
// returns nil if c is nil or one of the classes was left out.
func (c *Classes) Part(i, j int) *Store {
	if c == nil {
		return nil
	}
	ni, nj := c.start[i+1]-c.start[i], c.start[j+1]-c.start[j]
	if ni == 0 || nj == 0 {
		return nil
	}
	s := c.stripOf(i, c.strip[j])
	p, _ := c.parts.Get().(*Store)
	if p == nil {
		p = &Store{whole: c.store, given: &table{kernel: c.kernel}}
		p.Expect(c.most)
	}
	t := p.given
	t.diag = append(append(room(&t.diag, ni+nj)[:0], c.diag[c.start[i]:][:ni]...), c.diag[c.start[j]:][:nj]...)
	t.first, t.second = c.own(i), c.own(j)
	if s.make(c, i) {
		t.across = block{s.values[c.start[j]-s.from:], s.width}
	} else { // another goroutine is computing the strip; waiting would take longer than this
		t.values = room(&t.values, ni*nj)
		t.across = block{t.values, nj}
		c.compute(t.across, i, c.start[j])
	}
	t.of = partOf{c, i, c.strip[j], s}
	return p
}

// partOf says of which Classes a table has a part, and which strip of a class it uses.
type partOf struct {
	classes       *Classes // nil: none
	class, number int
	strip         *strip
}

// releasePart is Release for a part of Classes.
func (s *Store) releasePart() {
	t, of := s.given, s.given.of
	t.first, t.second, t.across, t.of = block{}, block{}, block{}, partOf{}
	of.classes.done(of.class, of.number, of.strip)
	of.classes.parts.Put(s)
}

// A block is rows of values, one after the other, each of width values.
type block struct {
	values []float32
	width  int
}

// rowTo sets dst to the values of row i for the columns from position from on.
func (t *table) rowTo(dst []float32, i, from int) {
	n := t.first.width // number of rows of the first class
	if ahead := dst[:min(max(n-from, 0), len(dst))]; len(ahead) > 0 {
		dst = dst[len(ahead):]
		if i < n {
			copy(ahead, t.first.values[i*n+from:])
		} else {
			for k := range ahead {
				ahead[k] = t.across.values[(from+k)*t.across.width+i-n]
			}
		}
		from = n
	}
	of := t.second
	if i < n {
		of = t.across
	} else {
		i -= n
	}
	if len(dst) > 0 {
		copy(dst, of.values[i*of.width+from-n:])
	}
}

// valuesTo sets dst to the values of row i for the given columns.
func (t *table) valuesTo(dst []float32, i int, columns []int32) {
	n, across := int32(t.first.width), t.across.width
	if i := int32(i); i < n {
		own, other := t.first.values[int(i)*t.first.width:], t.across.values[int(i)*across:]
		for t, k := range columns {
			if k < n {
				dst[t] = own[k]
			} else {
				dst[t] = other[k-n]
			}
		}
		return
	}
	i -= int(n)
	own, other := t.second.values[i*t.second.width:], t.across.values[i:]
	for t, k := range columns {
		if k < n {
			dst[t] = other[int(k)*across]
		} else {
			dst[t] = own[k-n]
		}
	}
}

// own returns the values within class i.
func (c *Classes) own(i int) block {
	if b := c.within[i].Load(); b != nil {
		return *b
	}
	n := c.start[i+1] - c.start[i]
	b := &block{make([]float32, n*n), n}
	c.compute(*b, i, c.start[i])
	c.within[i].Store(b)
	return *b
}

// compute sets b to the values of class i for b.width columns from position from on.
func (c *Classes) compute(b block, i, from int) {
	most := c.gram.BlockRows()
	var dst [MaxBlockRows][]float32
	var rows [MaxBlockRows]int
	first := c.start[i]
	for r, n := 0, c.start[i+1]-first; r < n; {
		k := 0
		for ; k < most && r < n; k++ {
			dst[k], rows[k] = b.values[r*b.width:][:b.width], first+r
			r++
		}
		c.gram.RowsTo(dst[:k], rows[:k], from, from+b.width)
	}
}

// make computes s, a strip of class i, unless it is there. It returns false if another goroutine is
// just computing it.
func (s *strip) make(c *Classes, i int) bool {
	if s.ready.Load() {
		return true
	}
	if !s.making.TryLock() {
		return false
	}
	defer s.making.Unlock()
	if !s.ready.Load() {
		s.values = room(&s.values, s.width*(c.start[i+1]-c.start[i]))
		c.compute(s.block, i, s.from)
		s.ready.Store(true)
	}
	return true
}

// stripOf returns the strip with this number of class i.
func (c *Classes) stripOf(i, number int) *strip {
	key := [2]int{i, number}
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.strips[key]
	if s == nil {
		begin, end := max(c.begin[number], i+1), c.begin[number+1]
		s = &strip{from: c.start[begin], block: block{width: c.start[end] - c.start[begin]}}
		for j := begin; j < end; j++ {
			if c.start[j+1] > c.start[j] {
				s.left++
			}
		}
		if n := len(c.free); n > 0 {
			s.values, c.free = c.free[n-1], c.free[:n-1]
		}
		c.strips[key] = s
	}
	return s
}

// done says that a pair no longer needs s, a strip of class i.
func (c *Classes) done(i, number int, s *strip) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if s.left--; s.left == 0 {
		delete(c.strips, [2]int{i, number})
		c.free = append(c.free, s.values)
	}
}
