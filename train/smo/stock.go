package smo

import (
	"context"
	"slices"
	"sync"

	"github.com/slimsvm/slimsvm/format/vec/pages"
	"github.com/slimsvm/slimsvm/train/internal/team"
)

// A stock is memory that no problem uses, for the next ones of the same training:
// one-vs-one training of many classes solves many small ones. The zero stock is
// empty.
type stock struct {
	shared     bool // by several threads, whose small slabs together fill large pages
	mu         sync.Mutex
	littleRoom pages.Room             // of the small slabs
	room       pages.Room             // of the larger ones: the collector would count what is not touched of them
	small      [][]float32            // slabs
	slabs      [slabKinds][][]float32 // larger ones
	entries    [][]entry              // empty ones
	caches     []*cache               // of which only the memory of lists is of use
	workspaces []*workspace

	variables, vectors int // of small programmes, and how many of these were not 0 in the end
	values, iterations int // in all rows of these programmes, and that they took
}

// note takes a solution of a small programme into account.
func (s *stock) note(b []float64, iterations int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.variables += len(b)
	s.values += len(b) * len(b)
	s.iterations += iterations
	for _, v := range b {
		if v != 0 {
			s.vectors++
		}
	}
}

// walked is how many iterations take a microsecond less where all rows are there, or so.
const walked = 6

// dense reports whether enough rows of small programmes are needed for all to be computed: a third
// became vectors, and others were used too, or nine tenths where rows are dear; or iterations were
// so many that they save what all rows take, a microsecond for as many values as moment says.
func (s *stock) dense(dear bool, moment int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.iterations*moment > walked*s.values {
		return true
	}
	if dear {
		return 10*s.vectors > 9*s.variables
	}
	return 3*s.vectors > s.variables
}

type stockKey struct{}

// stockOf returns the stock of ctx's team.
func stockOf(ctx context.Context) *stock {
	return team.Keep(ctx, stockKey{}, func() any { return &stock{shared: team.Size(ctx) > 1} }).(*stock)
}

// Free gives the slabs' memory back: what follows a training takes memory of its own.
// Nothing may use a slab then.
func (s *stock) Free() {
	s.littleRoom.Release()
	s.room.Release()
	s.small, s.slabs, s.entries, s.caches, s.workspaces = nil, [slabKinds][][]float32{}, nil, nil, nil
}

// slab returns a new slab of n values of a room.
func (s *stock) slab(room *pages.Room, n int) []float32 {
	slab, ask := s.cut(room, n)
	ask() // others have memory meanwhile
	return slab
}

func (s *stock) cut(room *pages.Room, n int) (slab []float32, ask func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.littleRoom.Little, s.room.Much = true, true
	return pages.Cut[float32](room, n)
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

// has reports whether there are some of the slabs.
func (s *stock) has(slabs *[][]float32) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(*slabs) > 0
}

// give adds one.
func give[T any](s *stock, things *[]T, t T) {
	s.mu.Lock()
	defer s.mu.Unlock()
	*things = append(*things, t)
}

// insert adds a slab that is to be taken after those that are there.
func (s *stock) insert(slabs *[][]float32, slab []float32) {
	s.mu.Lock()
	defer s.mu.Unlock()
	*slabs = slices.Insert(*slabs, 0, slab)
}
