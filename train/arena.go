package train

import (
	"slices"
	"sync"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/format/vec/pages"
	"github.com/slimsvm/slimsvm/models"
)

// An arena is memory for parts of a model that are dropped with it. A nil arena allocates.
type arena struct {
	mu      sync.Mutex
	floats  slabs[float64]
	ints    slabs[int]
	narrow  slabs[int32]
	vectors vec.Matrix
	bank    []models.Machine

	lasting bool // never reset: the garbage collector frees a piece when nothing in it is used
}

// slabs hands out numbers of one type, from one piece of memory after the other.
type slabs[T pages.Number] struct {
	list [][]T
	at   int // number of pieces in use
	rest []T // what is left of the current piece
}

// slabLen is the least length of a piece.
const slabLen = 4 << 10

// separateLen is the length from which a lasting arena allocates numbers separately: cutting them
// from pieces would waste much of the pieces' ends.
const separateLen = slabLen / 16

// numbers returns n zeros from the slabs of r.
func numbers[T pages.Number](r *arena, of func(r *arena) *slabs[T], n int) []T {
	if r == nil || r.lasting && n >= separateLen {
		return prepared[T](n)
	}
	t := cut(r, of, n)
	if !r.lasting { // else the memory is new
		clear(t)
	}
	return t
}

// cut is numbers without clearing.
func cut[T pages.Number](r *arena, of func(r *arena) *slabs[T], n int) []T {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := of(r)
	if r.lasting && len(s.rest) < n {
		s.rest = make([]T, slabLen)
	}
	for len(s.rest) < n {
		if s.at++; s.at > len(s.list) {
			s.list = append(s.list, prepared[T](max(n, slabLen)))
		}
		s.rest = s.list[s.at-1]
	}
	t := s.rest[:n:n]
	s.rest = s.rest[n:]
	return t
}

// prepared returns n zeros that will be written to soon.
func prepared[T pages.Number](n int) []T {
	s := make([]T, n)
	pages.Prepare(s)
	return s
}

func floats(r *arena) *slabs[float64] { return &r.floats }
func ints(r *arena) *slabs[int]       { return &r.ints }
func narrow(r *arena) *slabs[int32]   { return &r.narrow }

func (s *slabs[T]) reset() { s.at, s.rest = 0, nil }

// machines returns an empty list with room for n machines.
func (r *arena) machines(n int) []models.Machine {
	if r == nil {
		return make([]models.Machine, 0, n)
	}
	r.bank = slices.Grow(r.bank[:0], n)
	return r.bank
}

// reset makes all memory of the arena available again.
func (r *arena) reset() {
	r.floats.reset()
	r.ints.reset()
	r.narrow.reset()
}
