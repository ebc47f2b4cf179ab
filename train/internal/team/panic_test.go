package team_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/slimsvm/slimsvm/train/internal/team"
)

// panicOf returns the value that f panics with, nil if it does not.
func panicOf(f func()) (value any) {
	defer func() { value = recover() }()
	f()
	return nil
}

// TestPanic: the value that a task panics with reaches the goroutine that waits for the task,
// wherever it was run and however deep; all begun tasks are done by then, and the team goes on.
func TestPanic(t *testing.T) {
	for _, threads := range []int{1, 2, 4} {
		ctx, stop := team.With(context.Background(), threads)
		for bad := range 6 {
			var begun, done atomic.Int32
			value := panicOf(func() {
				team.Do(ctx, 3, func(ctx context.Context, i int) {
					team.Do(ctx, 2, func(_ context.Context, k int) {
						begun.Add(1)
						defer done.Add(1)
						if i*2+k == bad {
							panic(fmt.Errorf("task %d: %w", bad, io.ErrUnexpectedEOF))
						}
					})
				})
			})
			err, ok := value.(error)
			if !ok || !strings.HasPrefix(err.Error(), fmt.Sprint("task ", bad)) || !errors.Is(err, io.ErrUnexpectedEOF) {
				t.Errorf("%d threads: panic %v, want one of task %d", threads, value, bad)
			} else if threads > 1 && !strings.Contains(err.Error(), "panic_test.go") {
				t.Errorf("%d threads: a panic from nowhere: %v", threads, err)
			}
			if begun.Load() != done.Load() {
				t.Errorf("%d threads: %d tasks begun, %d done", threads, begun.Load(), done.Load())
			}
		}
		var ran atomic.Int32
		team.Do(ctx, 9, func(context.Context, int) { ran.Add(1) })
		if ran.Load() != 9 {
			t.Errorf("%d threads: %d tasks of 9 are run after panics", threads, ran.Load())
		}
		stop()
	}
}

// TestNoTaskAfterPanic: once a task has panicked, no more are begun: where every task panics, each
// thread begins one at most.
func TestNoTaskAfterPanic(t *testing.T) {
	for _, threads := range []int{2, 4} {
		ctx, stop := team.With(context.Background(), threads)
		for range 10 {
			var begun atomic.Int32
			value := panicOf(func() {
				team.Do(ctx, 100, func(context.Context, int) {
					begun.Add(1)
					panic("each")
				})
			})
			if n := int(begun.Load()); value == nil || n < 1 || n > threads {
				t.Errorf("%d threads: %d tasks are begun, panic %v", threads, n, value)
			}
		}
		stop()
	}
}

// TestPanicOfOther: a goroutine that helps with another goroutine's task does not panic with that
// task.
func TestPanicOfOther(t *testing.T) {
	ctx, stop := team.With(context.Background(), 2)
	defer stop()
	var values [2]any
	var both sync.WaitGroup
	both.Add(2)
	team.Do(ctx, 2, func(ctx context.Context, i int) {
		both.Done()
		both.Wait() // each has a goroutine
		values[i] = panicOf(func() {
			team.Do(ctx, 100, func(_ context.Context, k int) {
				if i == 1 && k == 50 {
					panic("mine")
				}
			})
		})
	})
	if values[0] != nil || values[1] == nil {
		t.Errorf("panics %v, want one of the second task", values)
	}
}

// TestHelpersPanic: the owner of a piece of work panics with what a helper has panicked with.
func TestHelpersPanic(t *testing.T) {
	processors(t, 2)
	ctx, stop := team.With(context.Background(), 2)
	defer stop()
	c := team.NewHelpers(ctx)
	defer c.End()
	value := panicOf(func() {
		together(c, func() (int, int) {
			waitForHelp(c)
			return 2, 1
		}, func(part int) {
			if part == 1 {
				panic("a part")
			}
		})
	})
	if err, ok := value.(error); !ok || !strings.HasPrefix(err.Error(), "a part\n") {
		t.Errorf("panic %v", value)
	}
}
