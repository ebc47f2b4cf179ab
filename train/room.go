package train

import (
	"slices"
	"sync"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/format/vec/pages"
	"github.com/slimsvm/slimsvm/models"
)

// A room is memory for parts of a model that are dropped with it. A nil room allocates.
type room struct {
	mu      sync.Mutex
	floats  shelf[float64]
	ints    shelf[int]
	narrow  shelf[int32]
	vectors vec.Matrix
	bank    []models.Machine

	lasting bool // never reset: the garbage collector frees a piece when nothing in it is used
}

// A shelf hands out numbers of one type, from one piece of memory after the other.
type shelf[T pages.Number] struct {
	pieces [][]T
	at     int // number of pieces in use
	rest   []T // what is left of the current piece
}

// shelfPiece is the least length of a piece.
const shelfPiece = 4 << 10

// alone is the length from which a lasting room allocates numbers separately: cutting them from
// pieces would waste much of the pieces' ends.
const alone = shelfPiece / 16

// numbers returns n zeros from a shelf of r.
func numbers[T pages.Number](r *room, of func(r *room) *shelf[T], n int) []T {
	if r == nil || r.lasting && n >= alone {
		return prepared[T](n)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	s := of(r)
	if r.lasting && len(s.rest) < n {
		s.rest = make([]T, shelfPiece)
	}
	for len(s.rest) < n {
		if s.at++; s.at > len(s.pieces) {
			s.pieces = append(s.pieces, prepared[T](max(n, shelfPiece)))
		}
		s.rest = s.pieces[s.at-1]
	}
	t := s.rest[:n:n]
	s.rest = s.rest[n:]
	clear(t)
	return t
}

// prepared returns n zeros that will be written to soon.
func prepared[T pages.Number](n int) []T {
	s := make([]T, n)
	pages.Prepare(s)
	return s
}

func floats(r *room) *shelf[float64] { return &r.floats }
func ints(r *room) *shelf[int]       { return &r.ints }
func narrow(r *room) *shelf[int32]   { return &r.narrow }

func (s *shelf[T]) reset() { s.at, s.rest = 0, nil }

// machines returns an empty list with room for n machines.
func (r *room) machines(n int) []models.Machine {
	if r == nil {
		return make([]models.Machine, 0, n)
	}
	r.bank = slices.Grow(r.bank[:0], n)
	return r.bank
}

// reset makes all memory of the room available again.
func (r *room) reset() {
	r.floats.reset()
	r.ints.reset()
	r.narrow.reset()
}
