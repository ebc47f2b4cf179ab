package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/phrase"
	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/train/joint"
)

// Problem: joint holds rows out to choose where vectors begin and how far they move. The vectors of
// a reduced model are made from all rows, the held-out ones among them, so that they look better
// there than any others and better than they are: they win, and stay where they are.
//
// Method: as in reduceheld.go. Where rows are held out, the vectors are those of a model like the
// one to be reduced, trained and reduced without these rows.

// A partStart begins at the vectors of a reduced model and, of a part of the rows, at those of a
// model that has seen no others.
type partStart struct {
	joint.Given // of all rows
	parts       *partWays
}

// Vectors implements joint.Basis.
func (s partStart) Vectors(ctx context.Context, x *vec.Matrix, classes [][]int, n int, rng *rand.Rand) (vec.Matrix, error) {
	numbers := slices.Concat(classes...)
	if len(numbers) == s.parts.rows.Len() {
		return s.Given.Vectors(ctx, x, classes, n, rng)
	}
	slices.Sort(numbers)
	way, err := s.parts.without(ctx, numbers)
	if err != nil {
		return vec.Matrix{}, err
	}
	zs := upToSize(way, n).Vectors
	return zs.Slice(0, min(n, zs.Len())), nil
}

// partWays has the ways of the reductions of models that have seen only a part of the rows. Each is
// made once, although joint begins with it at every size and for every loss and cost.
type partWays struct {
	rows    *format.Dataset
	watcher func() *watcher
	reduce  func(context.Context, *format.Dataset, *partWay) ([]*models.Model, error)

	mu    sync.Mutex // guards known
	known []*partWay
}

type partWay struct {
	numbers []int        // of the rows
	watcher *watcher     // of the training of its model
	vectors atomic.Int64 // found so far
	ended   atomic.Bool
	once    sync.Once
	way     []*models.Model // to the last
	err     error
}

// partWays returns the ways for a model that can be trained again.
func (r *reduction) partWays(of *parent, rows *format.Dataset) *partWays {
	return &partWays{rows: rows, watcher: r.silentWatcher, reduce: func(ctx context.Context, part *format.Dataset, w *partWay) (way []*models.Model, err error) {
		m, err := of.without(ctx, part, w.watcher.report)
		if err != nil {
			return nil, err
		}
		steps := r.reducer
		steps.Each = func(small *models.Model) error {
			w.vectors.Store(int64(small.Vectors.Len()))
			way = append(way, small)
			return nil
		}
		last, err := steps.Reduce(ctx, m, part)
		return append(way, last), err
	}}
}

// without returns the way for the rows of the given numbers.
func (p *partWays) without(ctx context.Context, numbers []int) ([]*models.Model, error) {
	p.mu.Lock()
	k := slices.IndexFunc(p.known, func(w *partWay) bool { return slices.Equal(w.numbers, numbers) })
	if k < 0 {
		k = len(p.known)
		p.known = append(p.known, &partWay{numbers: numbers, watcher: p.watcher()})
	}
	w := p.known[k]
	p.mu.Unlock()
	w.once.Do(func() {
		defer w.ended.Store(true)
		w.way, w.err = p.reduce(ctx, selected(p.rows, numbers), w)
	})
	return w.way, w.err
}

// stage says what joint does: while it waits for reductions, how many vectors these have found.
func (p *partWays) stage() string {
	if vectors, _ := p.far(); vectors >= 0 {
		return fmt.Sprintf("optimising, without held-out rows %s;", phrase.Count(int(vectors), "vector"))
	}
	return "optimising"
}

// far tells how far the reductions are: how many vectors those found that have not ended, -1 if all
// have, and how many iterations the trainings of their models took.
func (p *partWays) far() (vectors, iterations int64) {
	if p == nil {
		return -1, 0
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	vectors = -1
	for _, w := range p.known {
		iterations += w.watcher.iterations()
		if !w.ended.Load() {
			vectors = max(0, vectors) + w.vectors.Load()
		}
	}
	return vectors, iterations
}
