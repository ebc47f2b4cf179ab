package kernel

import (
	"sync"
	"sync/atomic"

	"github.com/slimsvm/slimsvm/format/vec/pages"
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
	values []float32               // memory of these values

	mu     sync.Mutex        // guards the following fields
	strips map[[2]int]*strip // by class and number of the strip
	free   []*strip          // strips whose memory is free
	rest   []float32         // memory for the values within classes: the part of values without any yet
}

// strip is the values of one class with some of the classes behind it.
type strip struct {
	class, number int
	making        sync.Mutex // held while the values are computed
	ready         atomic.Bool
	from          int // position of the first column
	block             // row by row

	// guarded by Classes.mu
	left  int // number of pairs that have not been released yet
	users int // number of Parts that use it
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
	small, total, values := 0, 0, 0
	for _, r := range rows {
		if n := len(r); n <= most {
			small, total, values = small+1, total+n, values+n*n
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
	c.values = make([]float32, values)
	c.rest = c.values
	return c
}

// fewestClasses is the least number of classes that are worth it.
const fewestClasses = 5

// Release returns memory to the store. Do not use c afterwards, except that another Release does
// nothing.
func (c *Classes) Release() {
	if c == nil || c.gram == nil {
		return
	}
	c.gram.Release()
	pages.Drop(c.values) // the garbage collector may run late
	*c = Classes{}       // something may still hold c
}

// Part returns a store of the rows of classes i and j, i < j, class i first, as [Store.Part] does. It
// returns nil if c is nil or one of the classes was left out. Release each part once; values are
// dropped when all parts that need them were released.
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
	t.classes, t.strip = c, s
	if s.make(c) {
		t.across = block{s.values[c.start[j]-s.from:], s.width}
	} else { // another goroutine is computing the strip; waiting would take longer than this
		t.values = room(&t.values, ni*nj)
		t.across = block{t.values, nj}
		c.compute(t.across, i, c.start[j])
	}
	return p
}

// release takes back a part.
func (c *Classes) release(p *Store) {
	t := p.given
	c.done(t.strip)
	t.first, t.second, t.across, t.classes, t.strip = block{}, block{}, block{}, nil, nil
	c.parts.Put(p)
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
		for at, k := range columns {
			if k < n {
				dst[at] = own[k]
			} else {
				dst[at] = other[k-n]
			}
		}
		return
	}
	i -= int(n)
	own, other := t.second.values[i*t.second.width:], t.across.values[i:]
	for at, k := range columns {
		if k < n {
			dst[at] = other[int(k)*across]
		} else {
			dst[at] = own[k-n]
		}
	}
}

// PartTo sets the n elements from dst[i*stride] on to the values of row rows[i] of a Part of Classes
// with these n rows, for each i, and diag to those of each row with itself. k is the kernel of the
// Part. For other stores PartTo does nothing and returns false.
func (s *Store) PartTo(dst []float32, stride int, diag []float64, k Kernel, rows []int) bool {
	if s.given == nil || s.given.classes == nil {
		return false
	}
	t := s.given
	if k != t.kernel {
		panic("kernel: a part of a store has values of one kernel")
	}
	whole := len(rows) == len(t.diag)
	for i, row := range rows {
		diag[i] = t.diag[row]
		whole = whole && i == row
	}
	if whole {
		t.allTo(dst, stride)
		return true
	}
	for i, row := range rows {
		for j, column := range rows[:i+1] {
			v := t.value(row, column)
			dst[i*stride+j], dst[j*stride+i] = v, v
		}
	}
	return true
}

// value returns the value of rows i and j.
func (t *table) value(i, j int) float32 {
	n := t.first.width
	if i > j {
		i, j = j, i
	}
	switch {
	case j < n:
		return t.first.values[i*n+j]
	case i < n:
		return t.across.values[i*t.across.width+j-n]
	}
	return t.second.values[(i-n)*t.second.width+j-n]
}

// allTo sets dst to all values, row by row.
func (t *table) allTo(dst []float32, stride int) {
	n, m := t.first.width, t.second.width
	for i := range n {
		copy(dst[i*stride:], t.first.values[i*n:][:n])
		across := t.across.values[i*t.across.width:][:m]
		copy(dst[i*stride+n:], across)
		for j, v := range across {
			dst[(n+j)*stride+i] = v
		}
	}
	for j := range m {
		copy(dst[(n+j)*stride+n:], t.second.values[j*m:][:m])
	}
}

// own returns the values within class i.
func (c *Classes) own(i int) block {
	if b := c.within[i].Load(); b != nil {
		return *b
	}
	n := c.start[i+1] - c.start[i]
	b := &block{c.lasting(n * n), n}
	c.compute(*b, i, c.start[i])
	c.within[i].Store(b)
	return *b
}

// lasting returns memory for n values within a class.
func (c *Classes) lasting(n int) []float32 {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.rest) < n { // several goroutines have computed the same values
		return make([]float32, n)
	}
	values := c.rest[:n:n]
	c.rest = c.rest[n:]
	return values
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

// make computes s, a strip of c, unless it is there. It returns false if another goroutine is just
// computing it.
func (s *strip) make(c *Classes) bool {
	if s.ready.Load() {
		return true
	}
	if !s.making.TryLock() {
		return false
	}
	defer s.making.Unlock()
	if !s.ready.Load() {
		s.values = room(&s.values, s.width*(c.start[s.class+1]-c.start[s.class]))
		c.compute(s.block, s.class, s.from)
		s.ready.Store(true)
	}
	return true
}

// stripOf returns the strip with this number of class i, for one more user.
func (c *Classes) stripOf(i, number int) *strip {
	key := [2]int{i, number}
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.strips[key]
	if s == nil {
		begin, end := max(c.begin[number], i+1), c.begin[number+1]
		if n := len(c.free); n > 0 {
			s, c.free = c.free[n-1], c.free[:n-1]
			s.ready.Store(false)
			s.left = 0
		} else {
			s = new(strip)
		}
		s.class, s.number, s.from, s.width = i, number, c.start[begin], c.start[end]-c.start[begin]
		for j := begin; j < end; j++ {
			if c.start[j+1] > c.start[j] {
				s.left++
			}
		}
		c.strips[key] = s
	}
	s.users++
	return s
}

// done says that a pair no longer needs s.
func (c *Classes) done(s *strip) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s.left, s.users = s.left-1, s.users-1
	if s.left <= 0 && s.users == 0 {
		delete(c.strips, [2]int{s.class, s.number})
		c.free = append(c.free, s)
	}
}
