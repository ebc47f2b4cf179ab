package team

import (
	"context"
	"errors"
	"math"
	"sync"
)

// A First is tasks under way at once, the first of which to fail, in their order, counts: the
// error that there is if one is done after the other. When a task fails those behind it are of
// no use, and those before it go on. The zero First is invalid; NewFirst returns one.
type First struct {
	mu     sync.Mutex
	failed int // no task before this one has failed
	err    error
	cancel map[int]context.CancelFunc
}

// NewFirst returns a First of no tasks.
func NewFirst() *First {
	return &First{failed: math.MaxInt, cancel: map[int]context.CancelFunc{}}
}

// Begin reports whether task i is still of use. It may be cancelled by then, if it can be.
func (f *First) Begin(i int, cancel context.CancelFunc) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if i > f.failed {
		return false
	}
	if cancel != nil {
		f.cancel[i] = cancel
	}
	return true
}

// End says that task i cannot be cancelled any longer. If it has not returned, but panicked or ended its goroutine, those
// behind it are of no use.
func (f *First) End(i int, returned bool) {
	f.mu.Lock()
	delete(f.cancel, i)
	f.mu.Unlock()
	if !returned {
		f.Fail(i, errLeft)
	}
}

var errLeft = errors.New("a task has not returned")

// Fail notes the error of task i and ends the tasks behind it.
func (f *First) Fail(i int, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if i > f.failed {
		return
	}
	f.failed, f.err = i, err
	for k, cancel := range f.cancel {
		if k > i {
			cancel()
		}
	}
}

// Err returns the error of the first task that has failed.
func (f *First) Err() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.err
}

// Try is Do with tasks that may fail. It returns the error of the first of them that does, the
// same for any number of threads.
func Try(ctx context.Context, n int, task func(ctx context.Context, i int) error) error {
	first := NewFirst()
	Do(ctx, n, func(ctx context.Context, i int) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		if !first.Begin(i, cancel) {
			return
		}
		returned := false
		defer func() { first.End(i, returned) }()
		err := ctx.Err()
		if err == nil {
			err = task(ctx, i)
		}
		returned = true
		if err != nil {
			first.Fail(i, err)
		}
	})
	return first.Err()
}
