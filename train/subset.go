package train

import (
	"context"
	"slices"
	"sync"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/train/internal/team"
)

// A stockpile is what is free of one kind of thing, of a team. Of folds and parts of folds
// there are many, and what each takes is of use to the next.
type stockpile[T any] struct {
	mu   sync.Mutex
	free []*T
}

type sparesKey[T any] struct{}

// spares returns the stockpile of the team that ctx has.
func spares[T any](ctx context.Context) *stockpile[T] {
	return team.Keep(ctx, sparesKey[T]{}, func() any { return new(stockpile[T]) }).(*stockpile[T])
}

// take returns a T as it was given, or a zero one.
func (s *stockpile[T]) take() *T {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := len(s.free)
	if n == 0 {
		return new(T)
	}
	v := s.free[n-1]
	s.free = s.free[:n-1]
	return v
}

// give makes v free.
func (s *stockpile[T]) give(v *T) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.free = append(s.free, v)
}

// A subset is some rows of a data set as a data set of their own, and memory for a model
// of them that is dropped soon.
type subset struct {
	rows []int // of the data set
	format.Dataset
	room room
}

// newSubset returns an empty one. Whoever has no more use for it, nor for a model of
// OneVsOne that was made in its room, calls release.
func newSubset(ctx context.Context) (s *subset, release func()) {
	all := spares[subset](ctx)
	s = all.take()
	return s, func() {
		s.rows, s.Y = s.rows[:0], s.Y[:0]
		s.room.reset()
		all.give(s)
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
