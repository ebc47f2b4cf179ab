package kernel

import (
	"math"
	"sync/atomic"
)

// Problem: thousands of problems on a few of few rows, as one-vs-one training of many classes and
// cross-validation have, ask for the same kernel values again and again, and each takes less time
// to solve than to pack rows for.
//
// Method: as long as nothing is known, renting costs at most a share of buying (A. R. Karlin et
// al., "Competitive snoopy caching", 1988). Values that Grams compute are counted; once they are as many
// as all rows have with each other, these are computed, and later Grams take from them. A value does not
// depend on which rows are packed with its own.

// table is all values of a store's rows for one kernel.
type table struct {
	kernel Kernel
	asked  atomic.Int64 // values that Grams have computed
	making bool         // guarded by the store's lock
	made   atomic.Bool
	values []float32 // row by row
	diag   []float64
}

// A table is for Grams of few rows: others compute values in less time than it takes to fetch them from a table
// that no near cache holds. It is made of at most so many rows, 4 MB, and if it takes no more products than some
// dozens of milliseconds have.
const (
	fewRows       = 64
	tableRows     = 1024
	tableProducts = 1 << 26
	mostTables    = 4 // of a store: a search has other kernels later
)

// tableFor returns the table of values for k, nil if there is none to be.
func (s *Store) tableFor(k Kernel) *table {
	n := s.Len()
	if !known(k) || n > tableRows || s.columns.entries > tableProducts/max(n, 1) {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, t := range s.tables {
		if t.kernel == k {
			return t
		}
	}
	if len(s.tables) == mostTables {
		s.tables = append(s.tables[:0], s.tables[1:]...)
	}
	t := &table{kernel: k}
	s.tables = append(s.tables, t)
	return t
}

// ready reports whether t has its values. It makes them if it is time and nobody else does.
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
	mine := !t.making
	t.making = true
	s.mu.Unlock()
	if mine {
		t.make(by, s)
	}
	return mine
}

// make computes the values.
func (t *table) make(by packers, s *Store) {
	n := s.Len()
	g := new(Gram)
	g.pack(by, t.kernel, s, nil, n)
	t.take(by, g)
	t.made.Store(true)
}

// take computes the values of a Gram's rows.
func (t *table) take(by packers, g *Gram) {
	n := g.n
	t.values, t.diag = room(&t.values, n*n), room(&t.diag, n)
	g.DiagTo(t.diag)
	if parts := by.parts(n*n, n/MaxBlockRows); parts > 1 {
		by.do(parts, func(part int) { t.takeRows(g, part*n/parts, (part+1)*n/parts) })
		return
	}
	t.takeRows(g, 0, n)
}

// takeRows computes rows from to to-1.
func (t *table) takeRows(g *Gram, from, to int) {
	n, block := g.n, g.BlockRows()
	var dst [MaxBlockRows][]float32
	var rows [MaxBlockRows]int
	for i := from; i < to; {
		k := 0
		for ; k < block && i < to; k++ {
			dst[k], rows[k] = t.values[i*n:(i+1)*n], i
			i++
		}
		g.RowsTo(dst[:k], rows[:k], 0, n)
	}
}

// Part returns a store of the given rows of s for Grams of parts of them with k, whose values it computes
// at once; nil if s does as well, or k is no function of this package. Release gives its memory back to s.
func (s *Store) Part(k Kernel, rows []int) *Store {
	if t := s.tableFor(k); !known(k) || t != nil && t.made.Load() {
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
	g := s.Gram(k, rows)
	p.given.kernel = k
	p.given.take(packers{1, alone}, g)
	g.Release()
	return p
}

// Release gives the memory of a Part back. It must not be used again, nor may its Grams.
func (s *Store) Release() {
	w := s.whole
	w.mu.Lock()
	defer w.mu.Unlock()
	w.parts = append(w.parts, s)
}

// fromTable makes g hold the given rows of the store, whose values are in the table.
func (g *Gram) fromTable(t *table, k Kernel, s *Store, rows []int, most int) {
	g.kernel, g.store, g.n, g.form, g.table = k, s, len(rows), asTable, t
	g.most = max(g.n, most)
	g.at = room(&g.at, g.most)[:g.n]
	for i, row := range rows {
		g.at[i] = int32(row)
	}
}

// tableTo sets dst to the values of row i and columns from from on.
func (g *Gram) tableTo(dst []float32, i, from int) {
	n := len(g.table.diag)
	row := g.table.values[int(g.at[i])*n:][:n]
	for t, k := range g.at[from:][:len(dst)] {
		dst[t] = row[k]
	}
}

// count says that values are computed.
func (g *Gram) count(values int) {
	if t := g.table; t != nil && values > 0 && t.asked.Load() < math.MaxInt32 {
		t.asked.Add(int64(values))
	}
}
