package team_test

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/slimsvm/slimsvm/train/internal/team"
)

// waitForHelp returns when a helper watches for c's pieces. It returns the number of threads that
// would take part in one.
func waitForHelp(c *team.Helpers) int {
	for {
		if parts := c.Parts(1<<20, 1); parts > 1 {
			return parts
		}
		runtime.Gosched()
	}
}

// together does pieces of as many parts as ready returns, until two threads are in one at the same
// time: one in its first part, which is the owner's, and one in part other; then these parts are
// done. A helper that was there for ready may have left, so the owner waits for a second and tries
// again.
func together(c *team.Helpers, ready func() (parts, other int), f func(part int)) {
	for met := false; !met; {
		parts, other := ready()
		here, gone := make(chan struct{}), make(chan struct{})
		c.Do(parts, func(part int, _ *team.Result) {
			switch part {
			case 0:
				select {
				case here <- struct{}{}:
					met = true
				case <-time.After(time.Second):
					close(gone)
					return
				}
			case other:
				select {
				case <-here:
				case <-gone:
					return
				}
			}
			f(part)
		})
	}
}

// processors lets Go run n goroutines at once until the test ends.
func processors(t *testing.T, n int) {
	before := runtime.GOMAXPROCS(n)
	t.Cleanup(func() { runtime.GOMAXPROCS(before) })
}

// TestHelpers: each part of each piece is run once, before Do returns, and what it finds is returned.
// The test does not end unless help comes.
func TestHelpers(t *testing.T) {
	processors(t, 4)
	for _, threads := range []int{2, 3, 4} {
		ctx, stop := team.With(context.Background(), threads)
		c := team.NewHelpers(ctx)
		var counts [31]int // one for each part: -race finds races
		helped, want := 0, [31]int{}
		f := func(part int, found *team.Result) {
			counts[part]++
			*found = team.Result{At: [2]int{counts[part], 7}, Value: [2][4]float64{{float64(part), 2, 3, 4}, {5}}}
		}
		waitForHelp(c)
		for n := 0; n < 3000 || helped == 0; n++ { // where others use the processors, help may come late
			parts := c.Parts(n%70, 2)
			if parts > 1 {
				helped++
			} else {
				parts = 1 + n%31 // more parts than helpers
			}
			c.Do(parts, f)
			for k := range parts {
				if want[k]++; *c.Result(k) != (team.Result{At: [2]int{want[k], 7}, Value: [2][4]float64{{float64(k), 2, 3, 4}, {5}}}) {
					t.Fatalf("%d threads, piece %d: part %d has found %v, want call %d", threads, n, k, *c.Result(k), want[k])
				}
			}
		}
		if counts != want {
			t.Errorf("%d threads: parts were run %v times, want %v", threads, counts, want)
		}
		c.End()
		stop()
	}
}

// TestHelpersTogether: both threads take part in a piece, also one that waits for the other's last
// task.
func TestHelpersTogether(t *testing.T) {
	processors(t, 2)
	ctx, stop := team.With(context.Background(), 2)
	defer stop()
	meet := func(ctx context.Context) {
		c := team.NewHelpers(ctx)
		defer c.End()
		together(c, func() (int, int) { // does not end unless the other thread comes
			waitForHelp(c)
			return 2, 1
		}, func(int) {})
	}
	meet(ctx)
	for last := range 2 {
		var begun sync.WaitGroup
		begun.Add(2)
		team.Do(ctx, 2, func(ctx context.Context, i int) {
			begun.Done()
			begun.Wait()
			if i == last {
				meet(ctx)
			}
		})
	}
}

// TestHelpersLeft: a thread that helps leaves for tasks.
func TestHelpersLeft(t *testing.T) {
	processors(t, 2)
	ctx, stop := team.With(context.Background(), 2)
	defer stop()
	c := team.NewHelpers(ctx)
	defer c.End()
	waitForHelp(c)
	var both sync.WaitGroup
	both.Add(2)
	team.Do(ctx, 2, func(context.Context, int) {
		both.Done()
		both.Wait()
	})
	waitForHelp(c) // it comes back
}

// TestNoHelpers: without a team, or a second processor, there are no helpers.
func TestNoHelpers(t *testing.T) {
	processors(t, 1)
	ctx, stop := team.With(context.Background(), 4)
	defer stop()
	for _, ctx := range []context.Context{ctx, context.Background()} {
		c := team.NewHelpers(ctx)
		if n := c.Parts(1<<30, 1); n != 1 {
			t.Errorf("%d parts", n)
		}
		c.End()
	}
}

// BenchmarkHelpers measures pieces of some microseconds, with one thread and with two.
func BenchmarkHelpers(b *testing.B) {
	for _, steps := range []int{1000, 4000, 16000, 64000} {
		for _, threads := range []int{1, 2} {
			b.Run(fmt.Sprintf("%d/%d", steps, threads), func(b *testing.B) {
				ctx, stop := team.With(context.Background(), threads)
				defer stop()
				c := team.NewHelpers(ctx)
				defer c.End()
				if threads > 1 {
					waitForHelp(c)
				}
				var sums [2][32]uint64
				f := func(part int, _ *team.Result) {
					x := sums[part][0]
					for range steps / threads {
						x = x*6364136223846793005 + 1
					}
					sums[part][0] = x
				}
				for b.Loop() {
					if threads == 1 {
						f(0, nil)
					} else {
						c.Parts(2, 1)
						c.Do(threads, f)
					}
				}
			})
		}
	}
}

// TestCut: long work is cut before any helper is there, and one that comes meanwhile takes part.
func TestCut(t *testing.T) {
	processors(t, 2)
	ctx, stop := team.With(context.Background(), 2)
	defer stop()
	c := team.NewHelpers(ctx)
	defer c.End()
	if n := c.LongParts(1<<10, 1<<10, 1); n != 1 {
		t.Errorf("a short piece is cut in %d", n)
	}
	if n := c.LongParts(8, 1, 1); n != 1 {
		t.Errorf("eight microseconds are cut in %d", n)
	}
	if n := c.LongParts(8, 1, 1000); n < 3 || n > 8 {
		t.Errorf("eight elements of a millisecond each are cut in %d", n)
	}
	var parts int
	var counts [31]int
	together(c, func() (int, int) { // does not end unless two threads take part
		counts = [31]int{}
		if parts = c.LongParts(1<<20, 1, 1); parts < 3 {
			t.Fatalf("a long piece is cut in %d", parts)
		}
		return parts, parts / 2
	}, func(part int) { counts[part]++ })
	for k, n := range counts {
		if n > 1 || (n == 1) != (k < parts) {
			t.Errorf("of %d parts, part %d was run %d times", parts, k, n)
		}
	}
	var alone *team.Helpers
	if n := alone.LongParts(1<<20, 1, 1); n != 1 {
		t.Errorf("without helpers work is cut in %d", n)
	}
}

// TestCutTasks: while there are tasks for others, no helper comes in the middle of long work.
func TestCutTasks(t *testing.T) {
	processors(t, 2)
	ctx, stop := team.With(context.Background(), 2)
	defer stop()
	var both sync.WaitGroup
	both.Add(2)
	team.Do(ctx, 3, func(ctx context.Context, i int) {
		if i == 2 {
			return
		}
		c := team.NewHelpers(ctx)
		defer c.End()
		if n := c.LongParts(1<<20, 1, 1); n != 1 {
			t.Errorf("task %d: a long piece is cut in %d", i, n)
		}
		both.Done()
		both.Wait() // so that no thread begins the last task before
	})
	c := team.NewHelpers(ctx)
	defer c.End()
	if n := c.LongParts(1<<20, 1, 1); n == 1 {
		t.Error("a long piece is not cut when all tasks are done")
	}
}

// TestLate: an owner that a helper keeps waiting goes on without help, but not for ever. A clock
// tells how long that was, however busy the machine is. As the owner may lose its processor too,
// there are several attempts.
func TestLate(t *testing.T) {
	processors(t, 2)
	begun := time.Now()
	ctx := team.WithClock(context.Background(), func() time.Duration { return time.Since(begun) })
	ctx, stop := team.With(ctx, 2)
	defer stop()
	c := team.NewHelpers(ctx)
	defer c.End()
	for attempt := 1; !goesOnAlone(c); attempt++ {
		if attempt == 5 {
			t.Fatal("work was shared after each wait")
		}
	}
	waitForHelp(c)
}

// goesOnAlone keeps the owner of c waiting for a helper, and reports whether it does without help
// then.
func goesOnAlone(c *team.Helpers) bool {
	keepWaiting(c, func() {
		waitForHelp(c)
		c.Parts(2, 1) // sets the length of the piece
	})
	for range 100 {
		if c.Parts(2, 1) != 1 || c.LongParts(2, 1, 1) != 1 {
			return false
		}
	}
	return true
}

// TestLateOfLong: if pieces take a second, the owner may well wait for a part.
func TestLateOfLong(t *testing.T) {
	processors(t, 2)
	ctx, stop := team.With(context.Background(), 2)
	defer stop()
	c := team.NewHelpers(ctx)
	defer c.End()
	const each = 1 << 20 // microseconds
	for range 3 {
		keepWaiting(c, func() {
			if n := c.LongParts(2, 1, each); n != 2 {
				t.Fatalf("two elements of a second each are cut in %d", n)
			}
		})
	}
}

// keepWaiting makes a helper take long for its part of two.
func keepWaiting(c *team.Helpers, ready func()) {
	together(c, func() (int, int) {
		ready()
		return 2, 1
	}, func(part int) {
		if part == 1 {
			time.Sleep(100 * time.Millisecond)
		}
	})
}

// TestUnemployed: a helper that finds nothing to do leaves, and comes back when there is work.
func TestUnemployed(t *testing.T) {
	processors(t, 2)
	ctx, stop := team.With(context.Background(), 2)
	defer stop()
	c := team.NewHelpers(ctx)
	defer c.End()
	waitForHelp(c)
	for c.Parts(2, 1) > 1 { // a helper watches for a millisecond
		time.Sleep(10 * time.Millisecond)
	}
	waitForHelp(c)
}
