package smo

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/slimsvm/slimsvm/format/vec/pages"
	"github.com/slimsvm/slimsvm/train/internal/team"
)

// A memoryPool is memory that no problem uses at present, kept for the next problems of the same
// training: one-vs-one training of many classes solves many small problems. The zero memoryPool is
// empty.
type memoryPool struct {
	shared     bool // several threads use the pool; together their small slabs fill large pages
	mu         sync.Mutex
	smallSlabs pages.Arena            // small slabs are cut from it
	largeSlabs pages.Arena            // larger slabs are cut from it; the garbage collector would count memory that was never touched
	small      [][]float32            // small slabs
	slabs      [slabKinds][][]float32 // larger slabs, by kind
	entries    [][]entry              // each empty
	caches     []*cache               // only the memory of their lists is used again
	workspaces []*workspace

	variables, vectors atomic.Int64 // variables of small programmes, and how many of them ended as nonzero
	values, iterations atomic.Int64 // number of values in all rows of these programmes, and their iterations
}

// record records the solution of a small programme.
func (s *memoryPool) record(b []float64, iterations int) {
	vectors := 0
	for _, v := range b {
		if v != 0 {
			vectors++
		}
	}
	s.variables.Add(int64(len(b)))
	s.vectors.Add(int64(vectors))
	s.values.Add(int64(len(b) * len(b)))
	s.iterations.Add(int64(iterations))
}

// iterationsSaved is about how many iterations save a microsecond if all rows are computed
// beforehand.
const iterationsSaved = 6

// dense reports whether computing all rows of small programmes beforehand pays. It does if enough
// rows were needed in earlier ones: more than a third became vectors (others were used too), or
// nine tenths where rows are costly. It also pays if the iterations save more time than all rows
// take. moment values take a microsecond.
func (s *memoryPool) dense(costly bool, moment int) bool {
	if s.iterations.Load()*int64(moment) > iterationsSaved*s.values.Load() {
		return true
	}
	vectors, variables := s.vectors.Load(), s.variables.Load()
	if costly {
		return 10*vectors > 9*variables
	}
	return 3*vectors > variables
}

type poolKey struct{}

// poolOf returns the memory pool of ctx's team.
func poolOf(ctx context.Context) *memoryPool {
	return team.LoadOrCreate(ctx, poolKey{}, func() any { return &memoryPool{shared: team.Size(ctx) > 1} }).(*memoryPool)
}

// Free gives back the slabs' memory: what follows the training needs memory of its own. No slab may
// be in use.
func (s *memoryPool) Free() {
	s.smallSlabs.Release()
	s.largeSlabs.Release()
	s.small, s.slabs, s.entries, s.caches, s.workspaces = nil, [slabKinds][][]float32{}, nil, nil, nil
}

// slab returns a new slab of n values, cut from an arena.
func (s *memoryPool) slab(arena *pages.Arena, n int) []float32 {
	slab, ask := s.cut(arena, n)
	ask() // without the lock, so that other threads can get memory meanwhile
	return slab
}

func (s *memoryPool) cut(arena *pages.Arena, n int) (slab []float32, ask func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.smallSlabs.SmallOnly, s.largeSlabs.LargeFirst = true, true
	return pages.AllocDeferred[float32](arena, n)
}

// take removes the last of some things and returns it, or the zero value if there is none.
func take[T any](s *memoryPool, things *[]T) (t T) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := len(*things); n > 0 {
		t = (*things)[n-1]
		*things = (*things)[:n-1]
	}
	return t
}

// has reports whether there is a slab in a list.
func (s *memoryPool) has(slabs *[][]float32) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(*slabs) > 0
}

// give adds a thing to a list.
func give[T any](s *memoryPool, things *[]T, t T) {
	s.mu.Lock()
	defer s.mu.Unlock()
	*things = append(*things, t)
}

// insert adds a slab to a list so that it is taken after all slabs that are in it now.
func (s *memoryPool) insert(slabs *[][]float32, slab []float32) {
	s.mu.Lock()
	defer s.mu.Unlock()
	*slabs = slices.Insert(*slabs, 0, slab)
}
