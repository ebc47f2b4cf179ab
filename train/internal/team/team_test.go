package team_test

import (
	"context"
	"math"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/slimsvm/slimsvm/train/internal/team"
)

// TestDo: every task of nested work is run exactly once, before Do returns, and never do more run
// at once than there are threads.
func TestDo(t *testing.T) {
	for _, threads := range []int{1, 2, 3, 8} {
		ctx, stop := team.With(context.Background(), threads)
		if got := team.Size(ctx); got != threads {
			t.Errorf("%d threads, want %d", got, threads)
		}
		var running, most atomic.Int32
		counts := [7][5][3]atomic.Int32{}
		for range 20 {
			team.Do(ctx, len(counts), func(ctx context.Context, i int) {
				var inside [5]bool
				team.Do(ctx, len(counts[i]), func(ctx context.Context, j int) {
					team.Do(ctx, len(counts[i][j]), func(ctx context.Context, k int) {
						now := running.Add(1)
						for m := most.Load(); now > m && !most.CompareAndSwap(m, now); m = most.Load() {
						}
						runtime.Gosched()
						counts[i][j][k].Add(1)
						running.Add(-1)
					})
					inside[j] = true
				})
				for j, done := range inside {
					if !done {
						t.Errorf("Do returned before task %d of %d", j, i)
					}
				}
			})
		}
		stop()
		for i := range counts {
			for j := range counts[i] {
				for k := range counts[i][j] {
					if n := counts[i][j][k].Load(); n != 20 {
						t.Errorf("%d threads: task %d/%d/%d ran %d times, want 20", threads, i, j, k, n)
					}
				}
			}
		}
		if m := int(most.Load()); m > threads {
			t.Errorf("%d tasks at once, but there are %d threads", m, threads)
		}
	}
}

// TestTogether: two threads work at the same time, also when the second task is nested in the last
// one of the first level.
func TestTogether(t *testing.T) {
	ctx, stop := team.With(context.Background(), 2)
	defer stop()
	meet := func(ctx context.Context, first, second int) {
		var both sync.WaitGroup
		both.Add(2)
		team.Do(ctx, second+1, func(_ context.Context, i int) {
			if i == first || i == second {
				both.Done()
				both.Wait() // hangs unless the other is run meanwhile
			}
		})
	}
	meet(ctx, 0, 1)
	team.Do(ctx, 3, func(ctx context.Context, i int) {
		if i == 2 {
			meet(ctx, 0, 1)
		}
	})
}

// TestShare: tasks know how many run beside them.
func TestShare(t *testing.T) {
	ctx, stop := team.With(context.Background(), 6)
	defer stop()
	want := func(ctx context.Context, n int) {
		if got := team.Concurrency(ctx); got != n {
			t.Errorf("shared by %d, want %d", got, n)
		}
	}
	want(context.Background(), 1)
	want(ctx, 1)
	team.Do(ctx, 1, func(ctx context.Context, _ int) { want(ctx, 1) })
	team.Do(ctx, 2, func(ctx context.Context, _ int) {
		want(ctx, 2)
		team.Do(ctx, 2, func(ctx context.Context, _ int) { want(ctx, 4) })
		team.Do(ctx, 9, func(ctx context.Context, _ int) { want(ctx, 6) })
	})
}

// TestInherited: a context's team is not replaced; without a team there is one thread; an ended
// team leaves no goroutine.
func TestInherited(t *testing.T) {
	if n := team.Size(context.Background()); n != 1 {
		t.Errorf("%d threads without a team", n)
	}
	before := runtime.NumGoroutine()
	ctx, stop := team.With(context.Background(), 3)
	inner, stopInner := team.With(ctx, 7)
	if n := team.Size(inner); n != 3 {
		t.Errorf("%d threads, want those of the team that is there", n)
	}
	stopInner()
	ran := 0
	team.Do(inner, 1, func(context.Context, int) { ran++ })
	if stop(); ran != 1 {
		t.Error("the task was not run")
	}
	// a goroutine that has reported its end may still exist for a moment
	for range 1000 {
		if runtime.NumGoroutine() <= before {
			break
		}
		time.Sleep(time.Millisecond)
	}
	if n := runtime.NumGoroutine(); n > before {
		t.Errorf("%d goroutines, %d before", n, before)
	}
	ctx, stop = team.With(context.Background(), 0)
	defer stop()
	if n := team.Size(ctx); n != runtime.GOMAXPROCS(0) {
		t.Errorf("%d threads by default, want %d", n, runtime.GOMAXPROCS(0))
	}
}

// TestKeep: a team keeps one value for a key, also in nested work, and drops it when it ends.
func TestKeep(t *testing.T) {
	type key struct{}
	created := 0
	keep := func(ctx context.Context) *int {
		return team.LoadOrCreate(ctx, key{}, func() any { created++; return new(int) }).(*int)
	}
	for round := range 2 {
		ctx, stop := team.With(context.Background(), 3)
		first := keep(ctx)
		team.Do(ctx, 4, func(ctx context.Context, _ int) {
			if keep(ctx) != first {
				t.Error("a task has another value")
			}
		})
		if stop(); created != round+1 {
			t.Errorf("%d values after %d teams", created, round+1)
		}
	}
	alone := keep(context.Background())
	if keep(context.Background()) == alone {
		t.Error("without a team there is one value for all")
	}
}

// freed counts how often it is freed.
type freed struct{ times int }

func (f *freed) Free() { f.times++ }

// TestKeptIsFreed: what a team keeps is freed once, when the team ends; a value that needs no
// freeing does not prevent that.
func TestKeptIsFreed(t *testing.T) {
	for _, threads := range []int{1, 3} {
		ctx, stop := team.With(context.Background(), threads)
		kept := [2]freed{}
		team.LoadOrCreate(ctx, 0, func() any { return new(int) })
		for i := range kept {
			team.LoadOrCreate(ctx, i+1, func() any { return &kept[i] })
		}
		team.Do(ctx, 4, func(context.Context, int) {})
		if kept != [2]freed{} {
			t.Errorf("%d threads: freed %v times before the end", threads, kept)
		}
		if stop(); kept != [2]freed{{1}, {1}} {
			t.Errorf("%d threads: freed %v times, want once", threads, kept)
		}
	}
}

// TestFewerThanAsked: there are no more threads than can be of use, however many are asked for.
func TestFewerThanAsked(t *testing.T) {
	ctx, stop := team.With(context.Background(), math.MaxInt)
	defer stop()
	if n := team.Size(ctx); n < runtime.GOMAXPROCS(0) || n > max(64, runtime.GOMAXPROCS(0)) {
		t.Errorf("%d threads", n)
	}
	var ran atomic.Int32
	team.Do(ctx, 1000, func(context.Context, int) { ran.Add(1) })
	if ran.Load() != 1000 {
		t.Errorf("%d tasks ran, want 1000", ran.Load())
	}
}
