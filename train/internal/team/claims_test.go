package team

import (
	"context"
	"sync"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec/processor"
)

// TestClaimsOfTasks: goroutines that do tasks of one job have claims of their own, which they keep in
// nested jobs; the founder's claim is the team's.
func TestClaimsOfTasks(t *testing.T) {
	const threads = 3
	ctx, stop := With(context.Background(), threads)
	defer stop()
	founder := of(ctx).claim
	if founder == nil {
		t.Fatal("the founder has no claim")
	}
	var all sync.WaitGroup
	all.Add(threads)
	var mu sync.Mutex
	tasks := map[*processor.Claim]int{}
	Do(ctx, threads, func(ctx context.Context, i int) {
		all.Done()
		all.Wait() // each has a goroutine
		claim := of(ctx).claim
		mu.Lock()
		tasks[claim]++
		mu.Unlock()
		Do(ctx, 1, func(ctx context.Context, _ int) {
			if of(ctx).claim != claim {
				t.Errorf("task %d: nested work has another claim", i)
			}
		})
	})
	if len(tasks) != threads || tasks[nil] > 0 || tasks[founder] != 1 {
		t.Errorf("%d tasks of as many goroutines had %d claims, the founder's %d times, none %d times", threads, len(tasks), tasks[founder], tasks[nil])
	}
	nested := map[*processor.Claim]bool{}
	Do(ctx, threads, func(ctx context.Context, _ int) {
		Do(ctx, 20, func(ctx context.Context, _ int) {
			mu.Lock()
			nested[of(ctx).claim] = true
			mu.Unlock()
			YieldPoint(ctx)
		})
	})
	for claim := range nested {
		if tasks[claim] == 0 {
			t.Error("a nested task had a claim that is no goroutine's")
		}
	}
}

// TestStayAlone: Stay may be called without a team.
func TestStayAlone(t *testing.T) { YieldPoint(context.Background()) }
