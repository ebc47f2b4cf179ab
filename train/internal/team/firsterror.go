package team

import (
	"context"
	"errors"
	"math"
	"sync"

	"github.com/slimsvm/slimsvm/internal/ended"
)

// A FirstError manages tasks that run at the same time and may fail. The error that counts is that
// of the first failing task in their order, the same as if they ran one after the other. When a task
// fails, the tasks behind it are no longer needed, and those before it go on. The zero FirstError is
// invalid; NewFirstError returns one.
type FirstError struct {
	mu     sync.Mutex
	failed int // no task before this one has failed
	err    error
	cancel map[int]context.CancelFunc
}

// NewFirstError returns a FirstError without tasks.
func NewFirstError() *FirstError {
	return &FirstError{failed: math.MaxInt, cancel: map[int]context.CancelFunc{}}
}

// Begin reports whether task i is still needed. cancel, unless nil, is called if it no longer is.
func (f *FirstError) Begin(i int, cancel context.CancelFunc) bool {
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

// End says that task i has ended and cannot be cancelled any more. If it did not return but
// panicked or ended its goroutine, the tasks behind it are no longer needed.
func (f *FirstError) End(i int, returned bool) {
	f.mu.Lock()
	delete(f.cancel, i)
	f.mu.Unlock()
	if !returned {
		f.Fail(i, errLeft)
	}
}

var errLeft = errors.New("a task has not returned")

// Fail records the error of task i and cancels the tasks behind it.
func (f *FirstError) Fail(i int, err error) {
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
func (f *FirstError) Err() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.err
}

// Try is Do for tasks that may fail. It returns the error of the first failing task in their order,
// the same for any number of threads.
func Try(ctx context.Context, n int, task func(ctx context.Context, i int) error) error {
	first := NewFirstError()
	Do(ctx, n, func(ctx context.Context, i int) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		if !first.Begin(i, cancel) {
			return
		}
		returned := false
		defer func() { first.End(i, returned) }()
		err := ended.Err(ctx)
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
