package team_test

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/slimsvm/slimsvm/train/internal/team"
)

// TestTry: the error is that of the first task that fails, even if later tasks fail sooner. These
// cancel the tasks behind them, and none before.
func TestTry(t *testing.T) {
	for _, threads := range []int{1, 2, 3, 8} {
		ctx, stop := team.With(context.Background(), threads)
		late := make(chan struct{})
		var done atomic.Int32
		err := team.Try(ctx, 8, func(ctx context.Context, i int) error {
			switch {
			case i == 1 && threads > 1:
				<-late // until another task has failed
				if ctx.Err() != nil {
					return fmt.Errorf("task 1 was ended: %w", ctx.Err())
				}
				return errors.New("task 1")
			case i == 1:
				return errors.New("task 1")
			case i == 2:
				defer close(late)
				return errors.New("task 2")
			}
			done.Add(1)
			return nil
		})
		stop()
		if err == nil || err.Error() != "task 1" || done.Load() < 1 {
			t.Errorf("%d threads: %v, %d tasks done", threads, err, done.Load())
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := team.Try(ctx, 3, func(context.Context, int) error { return errors.New("begun") }); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if err := team.Try(context.Background(), 3, func(context.Context, int) error { return nil }); err != nil {
		t.Error(err)
	}
}

// TestTryStops: no task is begun behind one that has failed.
func TestTryStops(t *testing.T) {
	for _, threads := range []int{1, 3} {
		ctx, stop := team.With(context.Background(), threads)
		var begun atomic.Int32
		err := team.Try(ctx, 100, func(ctx context.Context, i int) error {
			begun.Add(1)
			return fmt.Errorf("task %d", i) // at most one of each thread is under way when the first has failed
		})
		stop()
		if err == nil || err.Error() != "task 0" || begun.Load() > int32(threads) {
			t.Errorf("%d threads: %v, %d tasks are begun", threads, err, begun.Load())
		}
	}
}

// TestTryLater: an error of a task behind the one that has failed does not count, even if it comes
// later.
func TestTryLater(t *testing.T) {
	ctx, stop := team.With(context.Background(), 2)
	defer stop()
	behind := make(chan struct{}) // closed when task 1 has begun
	err := team.Try(ctx, 2, func(ctx context.Context, i int) error {
		if i == 0 {
			<-behind
			return errors.New("task 0")
		}
		close(behind)
		<-ctx.Done() // task 0 has failed
		return errors.New("task 1")
	})
	if err == nil || err.Error() != "task 0" {
		t.Errorf("%v, want that of task 0", err)
	}
}
