package train

import (
	"context"
	"sync"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/internal/ended"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train/internal/team"
)

// Gram returns the kernel matrix of the problem's rows, in the order of X, prepared by the threads
// of the training that ctx belongs to.
func (p *Problem) Gram(ctx context.Context) *kernel.Gram {
	return PartGram(ctx, p.Kernel, &p.X, p.Store, p.Rows)
}

// PartGram returns the kernel matrix of the given rows of a store, or of all rows of x if store is
// nil, prepared by the threads of the training that ctx belongs to.
func PartGram(ctx context.Context, k kernel.Kernel, x *vec.Matrix, store *kernel.Store, rows []int) *kernel.Gram {
	workers, do := workers(ctx)
	store, rows = stored(workers, do, x, store, rows)
	return store.GramBy(workers, do, k, rows)
}

// PackGram is [PartGram], except that it soon returns ctx's error when ctx ends. To pack large
// dense rows takes seconds.
func PackGram(ctx context.Context, k kernel.Kernel, x *vec.Matrix, store *kernel.Store, rows []int) (*kernel.Gram, error) {
	s := sharers.Get().(*sharer)
	s.ctx = ctx
	defer func() {
		s.ctx = nil
		sharers.Put(s)
	}()
	workers := team.Size(ctx)
	store, rows = stored(workers, s.do, x, store, rows)
	g := store.GramWhile(s.more, workers, s.do, k, rows)
	if g == nil {
		return nil, ended.Err(ctx)
	}
	return g, nil
}

// A sharer has functions about a context that are made once for all the problems of a training, of
// which there may be millions.
type sharer struct {
	ctx  context.Context
	more func() bool                   // reports whether the context has not ended
	do   func(n int, f func(part int)) // as that of workers
}

// sharers holds unused sharers.
var sharers = sync.Pool{New: func() any {
	s := new(sharer)
	s.more = func() bool { return s.ctx.Err() == nil }
	s.do = func(n int, f func(part int)) { shareBy(s.ctx, n, f) }
	return s
}}

// stored returns the store of rows and which of its rows they are: x is the given rows of a store, or if that is nil
// all rows of a new one.
func stored(workers int, do func(n int, f func(part int)), x *vec.Matrix, store *kernel.Store, rows []int) (*kernel.Store, []int) {
	if store == nil {
		return kernel.NewStoreBy(workers, do, x), nil
	}
	if x.Len() > 0 {
		checkStored(store, rows, x)
	}
	return store, rows
}

// workers returns the number of threads of a training, and a function that shares work among them.
func workers(ctx context.Context) (int, func(n int, f func(part int))) {
	return team.Size(ctx), func(n int, f func(part int)) { shareBy(ctx, n, f) }
}

// shareBy calls f for 0 to n-1, shared among the threads of ctx.
func shareBy(ctx context.Context, n int, f func(part int)) {
	team.Do(ctx, n, func(_ context.Context, i int) { f(i) })
}
