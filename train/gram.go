package train

import (
	"context"

	"github.com/slimsvm/slimsvm/format/vec"
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
	workers, do := workers(ctx)
	store, rows = stored(workers, do, x, store, rows)
	g := store.GramWhile(func() bool { return ctx.Err() == nil }, workers, do, k, rows)
	if g == nil {
		return nil, ctx.Err()
	}
	return g, nil
}

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
	return team.Size(ctx), func(n int, f func(part int)) {
		team.Do(ctx, n, func(_ context.Context, i int) { f(i) })
	}
}
