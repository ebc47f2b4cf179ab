package train

import (
	"slices"
	"sync"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/format/vec/pages"
	"github.com/slimsvm/slimsvm/models"
)

// A room is memory for what belongs to a model and goes with it. A nil room gives memory of
// the collector's.
type room struct {
	mu      sync.Mutex
	floats  shelf[float64]
	ints    shelf[int]
	narrow  shelf[int32]
	vectors vec.Matrix
	bank    []models.Machine

	lasting bool // it is never reset: pieces go with what is in them
}

// A shelf has numbers of one kind, in pieces that are taken from one after the other.
type shelf[T pages.Number] struct {
	pieces [][]T
	at     int // the piece to take from
	rest   []T // of it
}

// shelfPiece is the least length of a piece.
const shelfPiece = 4 << 10

// alone is how many numbers a lasting room has by themselves: pieces would end with much that is
// of no use.
const alone = shelfPiece / 16

// numbers returns n zeros of a shelf of r.
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

// prepared returns n zeros that are about to be written to.
func prepared[T pages.Number](n int) []T {
	s := make([]T, n)
	pages.Prepare(s)
	return s
}

func floats(r *room) *shelf[float64] { return &r.floats }
func ints(r *room) *shelf[int]       { return &r.ints }
func narrow(r *room) *shelf[int32]   { return &r.narrow }

func (s *shelf[T]) reset() { s.at, s.rest = 0, nil }

// machines returns an empty list with room for those of one model.
func (r *room) machines(n int) []models.Machine {
	if r == nil {
		return make([]models.Machine, 0, n)
	}
	r.bank = slices.Grow(r.bank[:0], n)
	return r.bank
}

// reset makes all of the room free.
func (r *room) reset() {
	r.floats.reset()
	r.ints.reset()
	r.narrow.reset()
}
