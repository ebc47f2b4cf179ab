package main

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"github.com/slimsvm/slimsvm/cmd/internal/datafile"
	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
)

// A foldCache has the folds of a grid or of several repetitions. All points of a grid have the same folds, so their rows are
// encoded and studied once. Kernel values are the same for all trainings with one kernel. A single cross-validation has a nil
// *foldCache.
type foldCache struct {
	ctx     context.Context // kernel values are kept until it ends
	few     bool            // rows are encoded for all points together
	classes bool            // labels are classes
	cache   int64           // bytes for kernel values, of all folds together
	parts   int64           // folds of a point
	all     *format.Dataset // rows of all folds, as they are encoded together
	order   []int           // of these, fold by fold

	once  sync.Once // makes whole
	whole ready     // all

	mu    sync.Mutex
	folds map[uint32]*cachedFold // by number
}

// A cachedFold is a fold of all points, whose rows are nil until the first point has encoded them.
type cachedFold struct {
	mu   sync.Mutex
	rows *foldRows
}

// foldRows are the rows of a fold, encoded: those to train on, and those held back.
type foldRows struct {
	datafile.Problem
	test *format.Dataset

	rest []int // places of those to train on, among all rows, if they are encoded as these; else nil

	once sync.Once // makes own
	own  ready     // the rows to train on, where rest is nil
}

// ready is rows in a store.
type ready struct {
	store *kernel.Store
	at    []int // where each row is
}

// mostKept is the largest number of entries and rows, in all folds together, that are kept in encoded form. They take about
// 100 MB.
const mostKept = 4 << 20

// newFoldCache returns the folds for validations at so many points, all with the folds of v. The rows of all folds are prepared
// together in whole.
func newFoldCache(v *validation, whole *prepared, points int) *foldCache {
	x, parts := &whole.data.X, v.total()
	return &foldCache{
		ctx: v.c.Context, classes: v.method.Task.Classifies(),
		few:   points > 1 && parts <= mostKept/int64(x.NNZ()+x.Len()+1),
		cache: bytesOf(v.c.Float64("cache-mb")), parts: parts,
		all: whole.data, order: v.queue.parts[0].perm, folds: map[uint32]*cachedFold{},
	}
}

// bytesOf returns megabytes in bytes. What is beyond an int64, as infinity is, would be a negative
// number on some processors.
func bytesOf(mb float64) int64 { return int64(min(mb*(1<<20), 1<<62)) }

// ready puts rows into a store that keeps values in the given number of bytes. Rows of one class
// stand side by side there, in the given order, so that the rows of a pair of classes without a
// fold are a few pieces.
func (k *foldCache) ready(d *format.Dataset, order []int, bytes int64) ready {
	if k.classes {
		order = slices.Clone(order)
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(d.Y[a], d.Y[b]) })
	}
	r := ready{at: make([]int, d.Len())}
	for at, i := range order {
		r.at[i] = at
	}
	rows := d.X.Select(order)
	r.store = kernel.NewStore(&rows)
	r.store.Repeat()
	r.store.CacheValues(k.ctx, bytes)
	return r
}

// of returns the rows of a part of a validation. The rows to train on are at the places rest among
// all rows; p.places has them in that order.
func (k *foldCache) of(ctx context.Context, v *validation, p *problem, t *part, rest []int) (*foldRows, error) {
	if k == nil || !k.few {
		return k.encode(ctx, v, p, t, rest)
	}
	k.mu.Lock()
	fold := k.folds[t.number]
	if fold == nil {
		fold = new(cachedFold)
		k.folds[t.number] = fold
	}
	k.mu.Unlock()
	fold.mu.Lock()
	defer fold.mu.Unlock()
	if fold.rows == nil {
		rows, err := k.encode(ctx, v, p, t, rest)
		if err != nil { // another point tries again: ctx may have ended
			return nil, err
		}
		fold.rows = rows
	}
	return fold.rows, nil
}

// encode encodes the rows of a fold.
func (k *foldCache) encode(ctx context.Context, v *validation, p *problem, t *part, rest []int) (f *foldRows, err error) {
	f = new(foldRows)
	if f.Problem, err = p.encoded(ctx, v.selectRows(rest)); err != nil {
		return nil, err
	}
	if f.test = v.selectRows(t.held()); f.Encoding != nil {
		if f.test, err = f.Encoding.Encode(ctx, f.test); err != nil {
			return nil, err
		}
	}
	if p.given {
		test := datafile.Problem{Data: f.test, Encoding: f.Encoding}
		if err := p.takeKernel(ctx, &test, v.selectRows(t.held())); err != nil {
			return nil, err
		}
		f.test = test.Data
	}
	f.test = p.asWeighted(f.test)
	if k != nil && (f.Encoding == nil || k.same(&f.Data.X, rest)) {
		f.rest = rest
	}
	return f, nil
}

// same reports whether x has the rows at some places among all rows, encoded in the same way.
func (k *foldCache) same(x *vec.Matrix, places []int) bool {
	if x.Len() != len(places) {
		return false
	}
	for i, at := range places {
		a, b := x.Row(i), k.all.X.Row(at)
		if !slices.Equal(a.Index, b.Index) || !slices.Equal(a.Value, b.Value) {
			return false
		}
	}
	return true
}

// trainer returns a fold's trainer. If other trainings have the same rows, it takes them from a store.
func (k *foldCache) trainer(f *foldRows, fold *prepared) train.Trainer {
	s, ok := fold.trainer.(train.StoreTrainer)
	if k == nil || !ok || fold.kernel == kernel.Kernel(kernel.Precomputed{}) {
		return fold.trainer
	}
	if f.rest != nil {
		k.once.Do(func() { k.whole = k.ready(k.all, k.order, k.cache) })
		at := make([]int, len(f.rest))
		for i, place := range f.rest {
			at[i] = k.whole.at[place]
		}
		return s.OnStore(k.whole.store, at)
	}
	if !k.few {
		return fold.trainer
	}
	f.once.Do(func() { f.own = k.ready(f.Data, upTo(f.Data.Len()), k.cache/k.parts) })
	return s.OnStore(f.own.store, f.own.at)
}
