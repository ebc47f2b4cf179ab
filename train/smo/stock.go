package smo

import (
	"context"
	"sync"

	"github.com/slimsvm/slimsvm/format/vec/pages"
	"github.com/slimsvm/slimsvm/train/internal/team"
)

// A stock is memory that no problem uses, for the next ones of the same training:
// one-vs-one training of many classes solves many small ones. The zero stock is
// empty.
type stock struct {
	mu         sync.Mutex
	small      [][]float32            // slabs
	slabs      [slabKinds][][]float32 // larger ones
	entries    [][]entry              // empty ones
	caches     []*cache               // of which only the memory of lists is of use
	workspaces []*workspace
}

type stockKey struct{}

// stockOf returns the stock of ctx's team.
func stockOf(ctx context.Context) *stock {
	return team.Keep(ctx, stockKey{}, func() any { return new(stock) }).(*stock)
}

// Free gives the slabs' pages back: what follows a training takes memory of its own, and
// the collector would find them later, if at all.
func (s *stock) Free() {
	for _, slab := range s.small {
		pages.Drop(slab)
	}
	for _, slabs := range s.slabs {
		for _, slab := range slabs {
			pages.Drop(slab)
		}
	}
	s.small, s.slabs, s.entries, s.caches, s.workspaces = nil, [slabKinds][][]float32{}, nil, nil, nil
}

// take removes the last of some things, the zero value if there is none.
func take[T any](s *stock, things *[]T) (t T) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := len(*things); n > 0 {
		t = (*things)[n-1]
		*things = (*things)[:n-1]
	}
	return t
}

// give adds one.
func give[T any](s *stock, things *[]T, t T) {
	s.mu.Lock()
	defer s.mu.Unlock()
	*things = append(*things, t)
}
