package team

import (
	"context"
	"sync"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec/processor"
)

// TestSeatsOfTasks: goroutines that do tasks of one job have seats of their own, which they keep in
// nested jobs; the founder's seat is the team's.
func TestSeatsOfTasks(t *testing.T) {
	const threads = 3
	ctx, stop := With(context.Background(), threads)
	defer stop()
	founder := of(ctx).seat
	if founder == nil {
		t.Fatal("the founder has no seat")
	}
	var all sync.WaitGroup
	all.Add(threads)
	var mu sync.Mutex
	tasks := map[*processor.Seat]int{}
	Do(ctx, threads, func(ctx context.Context, i int) {
		all.Done()
		all.Wait() // each has a goroutine
		seat := of(ctx).seat
		mu.Lock()
		tasks[seat]++
		mu.Unlock()
		Do(ctx, 1, func(ctx context.Context, _ int) {
			if of(ctx).seat != seat {
				t.Errorf("task %d: nested work has another seat", i)
			}
		})
	})
	if len(tasks) != threads || tasks[nil] > 0 || tasks[founder] != 1 {
		t.Errorf("%d tasks of as many goroutines had %d seats, the founder's %d times, none %d times", threads, len(tasks), tasks[founder], tasks[nil])
	}
	nested := map[*processor.Seat]bool{}
	Do(ctx, threads, func(ctx context.Context, _ int) {
		Do(ctx, 20, func(ctx context.Context, _ int) {
			mu.Lock()
			nested[of(ctx).seat] = true
			mu.Unlock()
			Stay(ctx)
		})
	})
	for seat := range nested {
		if tasks[seat] == 0 {
			t.Error("a nested task had a seat that is no goroutine's")
		}
	}
}

// TestStayAlone: Stay may be called without a team.
func TestStayAlone(t *testing.T) { Stay(context.Background()) }
