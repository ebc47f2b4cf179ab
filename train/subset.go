package train

import (
	"context"
	"slices"
	"sync"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/train/internal/team"
)

// A freeList holds unused values of one type, for a team. There are many folds and parts of folds,
// and each can reuse what an earlier one has left.
type freeList[T any] struct {
	mu   sync.Mutex
	free []*T
}

type freeListKey[T any] struct{}

// freeListOf returns the free list of ctx's team.
func freeListOf[T any](ctx context.Context) *freeList[T] {
	return team.LoadOrCreate(ctx, freeListKey[T]{}, func() any { return new(freeList[T]) }).(*freeList[T])
}

// get returns a T that was given back, as it was then, or a zero T.
func (s *freeList[T]) get() *T {
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

// put gives v back.
func (s *freeList[T]) put(v *T) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.free = append(s.free, v)
}

// A subset is some rows of a data set as a data set of their own, with memory for a model of them
// that is dropped soon.
type subset struct {
	rows []int // their numbers in the data set
	format.Dataset
	arena arena
}

// newSubset returns an empty subset. Call release when neither the subset nor a model of OneVsOne
// in its arena is needed any more.
func newSubset(ctx context.Context) (s *subset, release func()) {
	all := freeListOf[subset](ctx)
	s = all.get()
	return s, func() {
		s.rows, s.Y = s.rows[:0], s.Y[:0]
		s.arena.reset()
		all.put(s)
	}
}

// reserve makes room for n rows in total.
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

// of returns the subset as a data set with the rows of d.
func (s *subset) of(d *format.Dataset) *format.Dataset {
	s.Header = d.Header
	d.X.SelectTo(&s.X, s.rows)
	s.Weight = d.Weights(s.rows)
	return &s.Dataset
}
