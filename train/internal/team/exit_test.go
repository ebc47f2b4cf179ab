package team_test

import (
	"context"
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/slimsvm/slimsvm/train/internal/team"
)

// TestExit: a task that ends its goroutine ends that of the caller, once all begun tasks are done,
// and the team can be given up.
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

// TestTryExit: the tasks behind one that ends its goroutine are cancelled.
func TestTryExit(t *testing.T) {
	for _, threads := range []int{1, 2, 4} {
		ended, returned := make(chan bool), false
		behind := make(chan struct{}) // closed when the task behind has begun
		go func() {
			defer close(ended)
			ctx, stop := team.With(context.Background(), threads)
			defer stop()
			team.Try(ctx, 8, func(ctx context.Context, i int) error {
				if i == 1 {
					if threads > 1 {
						<-behind
					}
					runtime.Goexit()
				}
				if i == 2 {
					close(behind)
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

// TestHelpersExit: a helper that ends its goroutine in a part of a piece, or in Async, ends that
// of the piece's owner, and the team can be given up.
func TestHelpersExit(t *testing.T) {
	processors(t, 2)
	for name, work := range map[string]func(c *team.Helpers){
		"part": func(c *team.Helpers) {
			together(c, func() (int, int) {
				waitForHelp(c)
				return 2, 1
			}, func(part int) {
				if part == 1 {
					runtime.Goexit()
				}
			})
		},
		"async": func(c *team.Helpers) {
			var begun atomic.Bool
			for !begun.Load() {
				if c.Parts(1<<20, 1) > 1 { // once it has begun there is no other helper
					c.Async(func() {
						begun.Store(true)
						runtime.Goexit()
					})
				}
				runtime.Gosched()
			}
			c.Await(new(atomic.Int32), 1, 1)
		},
	} {
		ended, returned := make(chan struct{}), false
		go func() {
			defer close(ended)
			ctx, stop := team.With(context.Background(), 2)
			defer stop()
			team.Do(ctx, 1, func(ctx context.Context, _ int) {
				c := team.NewHelpers(ctx)
				defer c.End()
				work(c)
			})
			returned = true
		}()
		if <-ended; returned {
			t.Errorf("%s: the owner goes on", name)
		}
	}
}
