package kernel

import (
	"context"
	"math"
	"slices"
	"sync/atomic"
)

// Problem: one-vs-one training of many classes, and cross-validation, solve thousands of small
// problems on few rows, which need the same kernel values again and again. Solving such a problem
// takes less time than packing its rows. Also, the points of a grid that differ only in the cost
// need the same values.
//
// Method: while the future is unknown, spend on renting (computing values for each Gram) at most as
// much as buying would cost (A. R. Karlin et al., "Competitive snoopy caching", 1988). The values
// that Grams compute are counted. Once there were as many as all rows have with each other, all of
// these are computed, and later Grams take their values from that table. A value does not depend on
// which rows are packed together with its own. Pairs of many small classes take their values from
// Classes instead, which need less memory.

// table has all values of a store's rows for one kernel.
type table struct {
	kernel Kernel
	asked  atomic.Int64 // number of values that Grams have computed
	made   atomic.Bool
	values []float32 // row by row; in a part of Classes memory of across, if that is in no strip
	diag   []float64

	// in a part of Classes: the values within the first class and within the second one, and those of
	// the first class with the second one
	first, second, across block
	classes               *Classes
	strip                 *strip // has across, unless values does

	// guarded by the store's lock
	making  bool
	users   int  // number of Grams that take values from it
	dropped bool // the store no longer has it
}

// Unless CacheValues was called, tables are only for Grams of few rows: other Grams compute values
// in less time than fetching them from a table that is in no near cache. A table covers at most
// tableRows rows, 4 MB, and takes at most tableProducts products, which take some dozens of
// milliseconds.
const (
	fewRows       = 64
	tableRows     = 1024
	tableProducts = 1 << 26
	mostTables    = 4 // in one store: a search moves on to other kernels
)

// keptTables is the largest number of tables after CacheValues: some threads may still work with
// one kernel while others have begun with the next.
const keptTables = 2

// CacheValues tells the store that dozens of Grams of many of its rows will be asked for with one
// kernel, and then as many with the next kernel, as at the points of a grid. Once Grams of a kernel
// have computed as many values as all rows have with each other, the store computes all of these
// and keeps them, in at most the given number of bytes for all kernels. Later Grams of that kernel
// copy their values. The copy is faster if the rows of a Gram stand side by side in the store, in
// ascending order.
//
// Computing all values of a kernel may take seconds. When ctx ends, the store stops doing so, and
// Grams compute their own values.
func (s *Store) CacheValues(ctx context.Context, bytes int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.form != asSets { // values from sets take no longer to compute than to copy
		s.keeps, s.ended = bytes, func() bool { return ctx.Err() != nil }
	}
}

// tabled reports whether the values of Grams of this many rows may come from a table.
func (s *Store) tabled(rows int) bool {
	n := int64(s.Len())
	s.mu.Lock()
	defer s.mu.Unlock()
	return tableBytes(n) <= min(s.keeps, math.MaxInt) || rows <= fewRows && n <= tableRows && n*int64(s.columns.entries) <= tableProducts
}

func tableBytes(rows int64) int64 { return 4 * rows * rows }

// tableFor returns the table for k, or nil if Grams of this many rows get none.
func (s *Store) tableFor(k Kernel, rows int) *table {
	if !known(k) || !s.tabled(rows) {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, t := range s.tables {
		if t.kernel == k {
			return t
		}
	}
	for len(s.tables) >= mostTables {
		s.drop(0)
	}
	t := &table{kernel: k}
	s.tables = append(s.tables, t)
	return t
}

// drop removes table i from the store, so that no new Gram uses it. The caller must hold the
// store's lock.
func (s *Store) drop(i int) {
	t := s.tables[i]
	s.tables = slices.Delete(s.tables, i, i+1)
	t.dropped = true
	s.reuse(t)
}

// reuse keeps a table's memory for the next one, if nobody uses the table. The caller must hold the
// store's lock.
func (s *Store) reuse(t *table) {
	if t.dropped && t.users == 0 && t.made.Load() {
		s.values, t.values = t.values, nil
	}
}

// use registers a Gram as a user of t. It returns false if t was dropped. Release calls leave.
func (s *Store) use(t *table) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if t.dropped {
		return false
	}
	t.users++
	return true
}

// leave says that a Gram no longer uses t.
func (s *Store) leave(t *table) {
	s.mu.Lock()
	defer s.mu.Unlock()
	t.users--
	s.reuse(t)
}

// ready reports whether t has its values. If enough values have been asked for and nobody else is
// computing them, it computes them.
func (t *table) ready(by packers, s *Store) bool {
	if t == nil {
		return false
	}
	if t.made.Load() {
		return true
	}
	n := s.Len()
	if t.asked.Load() < int64(n)*int64(n) {
		return false
	}
	s.mu.Lock()
	mine := !t.making && !t.dropped
	if mine {
		t.making = true
		s.makeRoom(t)
	}
	s.mu.Unlock()
	if mine {
		t.make(by, s)
	}
	return t.made.Load()
}

// makeRoom gives t the memory of a dropped table. If there are too many tables, it first drops the
// oldest. The caller must hold the store's lock.
func (s *Store) makeRoom(t *table) {
	most := mostTables
	if size := max(tableBytes(int64(s.Len())), 1); s.keeps > 0 {
		most = min(keptTables, max(1, int(s.keeps/size)))
	}
	for k := 0; k < len(s.tables) && s.made() >= most; {
		if s.tables[k].made.Load() {
			s.drop(k)
		} else {
			k++
		}
	}
	t.values, s.values = s.values, nil
}

// made returns how many tables have their values.
func (s *Store) made() (n int) {
	for _, t := range s.tables {
		if t.made.Load() {
			n++
		}
	}
	return n
}

// make computes the values. If the store's context ends, it stops, and the table has no values.
func (t *table) make(by packers, s *Store) {
	n := s.Len()
	g := new(Gram)
	g.pack(by, t.kernel, s, nil, n)
	s.mu.Lock()
	ended := s.ended
	s.mu.Unlock()
	if ended == nil {
		ended = func() bool { return false }
	}
	if t.take(by, g, ended); !ended() {
		t.made.Store(true)
	}
}

// take computes the values of all rows of g. If ended reports true, it stops early.
func (t *table) take(by packers, g *Gram, ended func() bool) {
	n := g.n
	t.values, t.diag = room(&t.values, n*n), room(&t.diag, n)
	g.DiagTo(t.diag)
	if parts := by.parts(n*n, n/MaxBlockRows); parts > 1 {
		by.do(parts, func(part int) { t.takeRows(g, part*n/parts, (part+1)*n/parts, ended) })
		return
	}
	t.takeRows(g, 0, n, ended)
}

// takeRows computes rows from to to-1.
func (t *table) takeRows(g *Gram, from, to int, ended func() bool) {
	n, block := g.n, g.BlockRows()
	var dst [MaxBlockRows][]float32
	var rows [MaxBlockRows]int
	for i := from; i < to && !ended(); {
		k := 0
		for ; k < block && i < to; k++ {
			dst[k], rows[k] = t.values[i*n:(i+1)*n], i
			i++
		}
		g.RowsTo(dst[:k], rows[:k], 0, n)
	}
}

// Part returns a store of the given rows of s, for Grams of parts of them with kernel k, and
// computes k's values at once. It returns nil if s does as well or k is not from this package.
// [Store.Release] returns its memory to s.
func (s *Store) Part(k Kernel, rows []int) *Store {
	if t := s.tableFor(k, len(rows)); !known(k) || t != nil && t.made.Load() {
		return nil
	}
	var p *Store
	s.mu.Lock()
	if n := len(s.parts); n > 0 {
		p = s.parts[n-1]
		s.parts = s.parts[:n-1]
	}
	s.mu.Unlock()
	if p == nil {
		p = &Store{whole: s, given: new(table)}
	}
	p.given.kernel = k
	g := s.Gram(k, rows)
	p.given.take(packers{workers: 1, do: serially}, g, func() bool { return false })
	g.Release()
	return p
}

// Release returns the memory of a Part. Do not use the Part or its Grams afterwards.
func (s *Store) Release() {
	if c := s.given.classes; c != nil {
		c.release(s)
		return
	}
	w := s.whole
	w.mu.Lock()
	defer w.mu.Unlock()
	w.parts = append(w.parts, s)
}

// fromTable makes g hold the given rows of the store, with values from the table.
func (g *Gram) fromTable(t *table, k Kernel, s *Store, rows []int, most int) {
	g.kernel, g.store, g.n, g.form, g.table = k, s, len(rows), asTable, t
	g.most = max(g.n, most)
	g.at = room(&g.at, g.most)[:g.n]
	g.runs, g.mixed = g.runs[:0], false
	for i, row := range rows {
		if g.at[i] = int32(row); i == 0 || row != rows[i-1]+1 {
			g.runs = append(g.runs, int32(i))
		}
	}
	g.mixed = len(g.runs) > 1 && len(g.runs)*usualRun > g.n
}

// usualRun is about how many values can be copied one by one in the time that starting to copy a
// run takes.
const usualRun = 16

// tableTo sets dst to the values of row i for the columns from position from on.
func (g *Gram) tableTo(dst []float32, i, from int) {
	n := len(g.table.diag)
	if g.table.classes != nil {
		g.partTo(dst, i, from)
		return
	}
	row := g.table.values[int(g.at[i])*n:][:n]
	if len(g.runs) == 1 && !g.mixed {
		copy(dst, row[g.at[from]:])
		return
	}
	if g.mixed {
		for t, k := range g.at[from:][:len(dst)] {
			dst[t] = row[k]
		}
		return
	}
	to := from + len(dst)
	first, _ := slices.BinarySearch(g.runs, int32(from+1))
	for k, begin := range g.runs[first-1:] { // the first run contains from
		lo, hi := max(int(begin), from), to
		if next := first + k; next < len(g.runs) {
			hi = min(int(g.runs[next]), to)
		}
		if lo >= hi {
			break
		}
		copy(dst[lo-from:hi-from], row[g.at[lo]:])
	}
}

// partTo is tableTo for a part of Classes.
func (g *Gram) partTo(dst []float32, i, from int) {
	if len(g.runs) == 1 && !g.mixed {
		g.table.rowTo(dst, int(g.at[i]), int(g.at[from]))
		return
	}
	g.table.valuesTo(dst, int(g.at[i]), g.at[from:][:len(dst)])
}

// CopyRows sets the first Len elements of dst(i) to row i, for all rows, if copying takes less time
// than RowsTo. It reports whether it has.
func (g *Gram) CopyRows(dst func(i int) []float32) bool {
	if g.form != asTable {
		return false
	}
	for i := range g.n {
		g.tableTo(dst(i)[:g.n], i, 0)
	}
	return true
}

// count records that g has computed values.
func (g *Gram) count(values int) {
	if t := g.table; t != nil && values > 0 && t.asked.Load() < math.MaxInt32 {
		t.asked.Add(int64(values))
	}
}
