package team_test

import (
	"context"
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/slimsvm/slimsvm/train/internal/team"
)

// TestExit: a task that ends its goroutine ends that of who has asked, when those that were begun are done, and the team
// can be given up.
func TestExit(t *testing.T) {
	for _, threads := range []int{1, 2, 4} {
		for bad := range 6 {
			var begun, done atomic.Int32
			ended, returned := make(chan int32, 1), false
			go func() {
				ctx, stop := team.With(context.Background(), threads)
				defer func() {
					left := begun.Load() - done.Load()
					stop()
					ended <- left
				}()
				team.Do(ctx, 3, func(ctx context.Context, i int) {
					team.Do(ctx, 2, func(_ context.Context, k int) {
						begun.Add(1)
						defer done.Add(1)
						for range 100 {
							runtime.Gosched()
						}
						if i*2+k == bad {
							runtime.Goexit()
						}
					})
				})
				returned = true
			}()
			if left := <-ended; left != 0 || returned {
				t.Errorf("%d threads, task %d: %d tasks are under way, Do returned: %v", threads, bad, left, returned)
			}
		}
	}
}

// TestTryExit: what is behind a task that ends its goroutine is cancelled.
func TestTryExit(t *testing.T) {
	for _, threads := range []int{1, 2, 4} {
		ended, returned := make(chan bool), false
		go func() {
			defer close(ended)
			ctx, stop := team.With(context.Background(), threads)
			defer stop()
			team.Try(ctx, 8, func(ctx context.Context, i int) error {
				if i == 1 {
					runtime.Goexit()
				}
				if i > 1 {
					<-ctx.Done()
				}
				return ctx.Err()
			})
			returned = true
		}()
		if <-ended; returned {
			t.Errorf("%d threads: Try returned", threads)
		}
	}
}
