package smo

import (
	"context"

	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train/internal/scan"
	"github.com/slimsvm/slimsvm/train/internal/team"
)

// rowSource computes kernel rows and caches them.
type rowSource struct {
	gram   *kernel.Gram // in order of position
	cache  *cache
	hints  hinter
	block  int // rows that are best computed at once
	part   int // values that are worth a thread
	passes passes

	work *workspace

	rows  []int       // of the block being computed
	dst   [][]float32 // where they go
	fills fills
}

// A hinter names rows that will likely be asked for soon.
type hinter interface {
	// hint appends up to n positions below active whose rows are likely to be
	// needed beside row rows[0], leaving out those in have.
	hint(rows []int, n, active int, have scan.Set) []int
}

var _ Source = (*rowSource)(nil)

// newRowSource returns a source that owns the gram. Problems that are solved at
// the same time share the memory for rows.
func newRowSource(ctx context.Context, g *kernel.Gram, cacheMB float64) *rowSource {
	stock := stockOf(ctx)
	mb := min(cacheMB/float64(team.Share(ctx)), float64(g.KeepBytes())/(1<<20))
	return &rowSource{
		gram: g, cache: newCache(g.Len(), mb, stock), block: g.BlockRows(), part: g.PartValues() * scanPart / usualPart,
		passes: passes{crew: team.NewCrew(ctx)}, work: newWorkspace(g.Len(), stock),
	}
}

func (s *rowSource) Len() int { return s.gram.Len() }

func (s *rowSource) DiagTo(dst []float64) { s.gram.DiagTo(dst) }

func (s *rowSource) Row(i, n int) []float32 {
	row, valid := s.cache.get(i, n)
	if valid < n {
		s.compute(i, row, valid, n)
	}
	return row[:n]
}

// compute fills in row i from column from to column to, and if nothing of it was
// there, rows beside it that are likely to be needed.
func (s *rowSource) compute(i int, row []float32, from, to int) {
	s.rows, s.dst = append(s.rows[:0], i), append(s.dst[:0], row[from:to])
	if from == 0 && s.hints != nil && s.block > 1 {
		// at most a quarter of the cache, so that no block drives out rows in use
		spare := min(s.block-1, s.cache.limit/4)
		s.rows = s.hints.hint(s.rows, spare, to, s.cache.have)
		for _, beside := range s.rows[1:] {
			row, _ := s.cache.get(beside, to)
			s.dst = append(s.dst, row[:to])
		}
		if len(s.rows) > 1 {
			s.cache.get(i, to) // the youngest again
		}
	}
	s.fill(s.dst, s.rows, from, to)
}

// Part implements Source. What is computed for it is not kept.
func (s *rowSource) Part(dst [][]float32, rows []int, from, to int) {
	s.rows, s.dst = s.rows[:0], s.dst[:0]
	for r, i := range rows {
		if row := s.cache.peek(i); len(row) >= to {
			copy(dst[r], row[from:to])
			continue
		}
		s.rows, s.dst = append(s.rows, i), append(s.dst, dst[r])
	}
	s.fill(s.dst, s.rows, from, to)
}

// fills is a computation of columns of rows that is under way in parts.
type fills struct {
	parts, from, to int
	dst             [][]float32
	rows            []int
	part            func(k int, _ *team.Found)
}

// fill computes columns from to to-1 of rows.
func (s *rowSource) fill(dst [][]float32, rows []int, from, to int) {
	parts := s.passes.crew.Parts((to-from)*len(rows), s.part)
	if parts == 1 {
		s.gram.RowsTo(dst, rows, from, to)
		return
	}
	if s.fills.part == nil {
		s.fills.part = s.fillPart
	}
	s.fills.parts, s.fills.from, s.fills.to, s.fills.dst, s.fills.rows = parts, from, to, dst, rows
	s.passes.crew.Do(parts, s.fills.part)
}

func (s *rowSource) fillPart(k int, _ *team.Found) {
	f := &s.fills
	begin, end := edge(f.from, f.to, k, f.parts), edge(f.from, f.to, k+1, f.parts)
	var dst [PartRows][]float32
	for r, d := range f.dst {
		dst[r] = d[begin-f.from : end-f.from]
	}
	s.gram.RowsTo(dst[:len(f.dst)], f.rows, begin, end)
}

func (s *rowSource) Swap(pairs []Pair) {
	for _, p := range pairs {
		s.gram.Swap(p.I, p.J)
	}
	s.cache.swap(pairs)
}

func (s *rowSource) release() {
	s.passes.crew.End()
	s.cache.release()
	s.work.release()
	s.gram.Release()
}
