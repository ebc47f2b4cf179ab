package train

import (
	"context"
	"slices"
	"sync"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/train/internal/team"
)

// A subset is some rows of a data set as a data set of their own, and memory for a model
// of them that is dropped soon. Later ones use it again: of folds and parts of folds there
// are many, and each is used once.
type subset struct {
	rows   []int // of the data set
	stored []int // the same, where a store has them

	decided []int // other rows, whose decision values a model of the subset gives
	format.Dataset
	room room
}

// subsets are those that are free, of a team.
type subsets struct {
	mu   sync.Mutex
	free []*subset
}

type subsetsKey struct{}

// newSubset returns an empty one. Whoever has no more use for it, nor for a model of
// OneVsOne that was made in its room, calls release.
func newSubset(ctx context.Context) (s *subset, release func()) {
	all := team.Keep(ctx, subsetsKey{}, func() any { return new(subsets) }).(*subsets)
	all.mu.Lock()
	defer all.mu.Unlock()
	if n := len(all.free); n > 0 {
		s, all.free = all.free[n-1], all.free[:n-1]
	} else {
		s = new(subset)
	}
	return s, func() {
		s.rows, s.Y = s.rows[:0], s.Y[:0]
		s.room.reset()
		all.mu.Lock()
		defer all.mu.Unlock()
		all.free = append(all.free, s)
	}
}

// reserve makes place for n rows in all.
func (s *subset) reserve(n int) {
	s.rows, s.Y = slices.Grow(s.rows, n-len(s.rows)), slices.Grow(s.Y, n-len(s.Y))
	if s.X.Len() == 0 {
		s.X.Reserve(n)
	}
}

// add appends a row with a label.
func (s *subset) add(row int, y float64) {
	s.rows = append(s.rows, row)
	s.Y = append(s.Y, y)
}

// of returns the subset as rows of d.
func (s *subset) of(d *format.Dataset) *format.Dataset {
	s.Header = d.Header
	d.X.SelectTo(&s.X, s.rows)
	s.Weight = d.Weights(s.rows)
	return &s.Dataset
}
