package smo

import (
	"context"

	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train/internal/scan"
	"github.com/slimsvm/slimsvm/train/internal/team"
)

// rowSource computes kernel rows and caches them.
type rowSource struct {
	gram       *kernel.Gram // its rows are in order of position
	cache      *cache       // nil: no row was asked for yet
	mb         float64      // memory of the cache
	startSmall bool         // the cache begins with less
	hints      hinter
	block      int // number of rows that are best computed at once
	part       int // number of values that make another thread worthwhile
	moment     int // number of values that take a microsecond
	passes     passes

	work *workspace

	rows   []int       // the block being computed
	dst    [][]float32 // where its values go
	filler *rowFiller

	prefetcher *prefetcher // nil: threads share each row instead
}

// A hinter names rows that will probably be asked for soon.
type hinter interface {
	// hint appends up to n positions below active whose rows are likely to be needed in addition to
	// rows[0], leaving out those in have.
	hint(rows []int, n, active int, have scan.Set) []int
}

var _ Source = (*rowSource)(nil)

// newRowSource returns a source that owns the gram. Problems that are solved at the same time share
// the memory for rows.
func newRowSource(ctx context.Context, g *kernel.Gram, cacheMB float64) *rowSource {
	pool := poolOf(ctx)
	mb := min(cacheMB/float64(team.Concurrency(ctx)), float64(g.CacheBytes())/(1<<20))
	work := newWorkspace(g.Len(), g.MaxLen(), pool)
	s := &work.source
	s.gram, s.mb, s.work = g, mb, work
	values, each := g.PartValues()
	s.block, s.part, s.moment = g.BlockRows(), max(values*scanPart/usualPart, 1), values/each
	// one thread computes a smaller row, and the passes of other threads would wait for it
	if passWork(g.Len(), g.Len(), s.part, each) >= 2*s.part {
		s.passes.helpers = team.NewHelpers(ctx)
	}
	s.filler = &work.filler
	s.filler.use(ctx, g, s.passes.helpers, s.part, each, s.moment)
	return s
}

// rowCache returns the cache, which it creates at the first call.
func (s *rowSource) rowCache() *cache {
	if s.cache == nil {
		s.cache = newCache(s.gram.Len(), s.gram.MaxLen(), s.mb, s.work.pool)
		if s.gram.Repeated() {
			s.cache.arena.first = moreSmall
		}
		switch {
		case s.cache.most > firstValues && s.gram.Cheap() && memoryIsCostly():
			s.cache.budget.begin(s.gram.Len(), slowGrowth)
		case s.startSmall:
			s.cache.budget.begin(s.gram.Len(), usualGrowth(s.moment))
		}
		if s.passes.helpers != nil {
			s.cache.arena.async = s.passes.helpers.Async
			s.cache.log.sharedBy(s.passes.helpers)
			if s.gram.PrefersWholeRows() {
				s.prefetcher = &s.work.prefetcher
				s.prefetcher.use(s.gram, s.passes.helpers, s.moment)
				s.cache.prefetcher = s.prefetcher
			}
		}
	}
	return s.cache
}

func (s *rowSource) Len() int { return s.gram.Len() }

// given reports whether kernel values were given rather than computed.
func (s *rowSource) given() bool { return s.gram.Precomputed() }

// foreign reports whether the kernel is not one of package kernel.
func (s *rowSource) foreign() bool { return s.gram.Custom() }

func (s *rowSource) DiagTo(dst []float64) { s.gram.DiagTo(dst) }

func (s *rowSource) Row(i, n int) []float32 {
	row, valid := s.get(i, n)
	if valid < n {
		s.list(i, row, valid, n)
		s.fill(s.dst, s.rows, valid, n)
	}
	return row[:n]
}

// get is the cache's get. If helpers compute whole rows, it also queues for them rows that are
// likely to be needed.
func (s *rowSource) get(i, n int) (row []float32, valid int) {
	c := s.rowCache()
	prefetched := c.prefetched.Has(i)
	row, valid = c.get(i, n)
	if s.prefetcher == nil || s.hints == nil || valid > 0 && !prefetched {
		return row, valid
	}
	if spare := min(s.prefetcher.room(), c.limit/4); spare > 0 {
		s.rows = s.hints.hint(append(s.rows[:0], i), spare, n, c.have)
		for _, beside := range s.rows[1:] {
			s.prefetcher.enqueue(beside, c.getPrefetch(beside, n))
		}
		if len(s.rows) > 1 {
			c.get(i, n) // row i has to be the youngest
		}
	}
	s.prefetcher.call()
	return row, valid
}

// prefetching reports whether there are rows that helpers are to compute.
func (s *rowSource) prefetching() bool { return s.prefetcher != nil && s.prefetcher.pending > 0 }

// rowForPass is Row, but the values may be computed only in the next pass over n variables that has
// the row among its arguments: threads that share the pass compute their part of the row just
// before they use it.
func (s *rowSource) rowForPass(i, n int) []float32 {
	row, valid := s.get(i, n)
	if valid < n {
		s.list(i, row, valid, n)
		if valid == 0 && s.passes.helpers != nil && !s.prefetching() {
			s.filler.set(s.dst, s.rows, 0, n)
			s.passes.missing = s.filler
		} else {
			s.fill(s.dst, s.rows, valid, n)
		}
	}
	return row[:n]
}

// list notes that columns from to to-1 of row i are to be computed. If the row had no columns yet,
// it adds other rows that are likely to be needed.
func (s *rowSource) list(i int, row []float32, from, to int) {
	s.rows, s.dst = append(s.rows[:0], i), append(s.dst[:0], row[from:to])
	if from == 0 && s.hints != nil && s.block > 1 {
		// at most a quarter of the cache, so that no block drives out rows in use
		spare := min(s.block-1, s.cache.limit/4)
		s.rows = s.hints.hint(s.rows, spare, to, s.cache.have)
		for _, beside := range s.rows[1:] {
			s.dst = append(s.dst, s.cache.getPrefetch(beside, to))
		}
		if len(s.rows) > 1 {
			s.cache.get(i, to) // row i has to be the youngest
		}
	}
}

// Part implements Source. The cache does not keep what is computed for it.
func (s *rowSource) Part(dst [][]float32, rows []int, from, to int) {
	s.known(dst, rows, from, to)
	s.fill(s.dst, s.rows, from, to)
}

// partForPass is Part, but the values may be computed only in the next pass over the columns, as
// with rowForPass.
func (s *rowSource) partForPass(dst [][]float32, rows []int, from, to int) {
	s.known(dst, rows, from, to)
	switch {
	case len(s.rows) == 0:
	case s.passes.helpers != nil && !s.filler.bySums(s.rows, from, to):
		s.filler.set(s.dst, s.rows, from, to)
		s.passes.missing = s.filler
	default:
		s.fill(s.dst, s.rows, from, to)
	}
}

// known replaces elements of dst by cached rows where the cache has all columns needed, and lists
// the other rows.
func (s *rowSource) known(dst [][]float32, rows []int, from, to int) {
	s.rows, s.dst = s.rows[:0], s.dst[:0]
	s.rowCache().applyExchanges(rows)
	for r, i := range rows {
		if row := s.cache.peek(i); len(row) >= to {
			dst[r] = row[from:to]
			continue
		}
		s.rows, s.dst = append(s.rows, i), append(s.dst, dst[r])
	}
}

// fill computes columns from to to-1 of rows.
func (s *rowSource) fill(dst [][]float32, rows []int, from, to int) {
	if s.prefetching() {
		s.gram.RowsTo(dst, rows, from, to)
		return
	}
	s.filler.set(dst, rows, from, to)
	s.filler.all()
}

func (s *rowSource) Swap(pairs []Pair) {
	if s.cache != nil {
		s.prefetcher.stop(s.cache.drop)
	}
	for _, p := range pairs {
		s.gram.Swap(p.I, p.J)
	}
	if s.cache != nil {
		s.cache.swap(pairs)
	}
}

// dropPrefetched drops the rows of shrunk variables (positions from and above) that were computed
// ahead: they will hardly be asked for.
func (s *rowSource) dropPrefetched(from int) {
	if s.cache != nil {
		s.cache.dropPrefetched(from)
	}
}

func (s *rowSource) release() {
	s.passes.helpers.End()
	if s.cache != nil {
		s.prefetcher.stop(s.cache.drop)
		s.cache.release()
	}
	s.gram.Release()
	s.work.release()
}

// reset makes s empty. It keeps the memory of its lists.
func (s *rowSource) reset() { *s = rowSource{rows: s.rows[:0], dst: s.dst[:0]} }
