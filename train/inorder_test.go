package train

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/slimsvm/slimsvm/train/internal/team"
)

// TestInOrder: events, and the first error, are those of tasks that run one after the other, also
// when tasks are nested and end in any order.
func TestInOrder(t *testing.T) {
	for seed := range 60 {
		r := rand.New(rand.NewPCG(uint64(seed), 1))
		n := 1 + r.IntN(12)
		failing := r.IntN(2 * n)
		lengths := make([]int, n)
		for i := range lengths {
			lengths[i] = r.IntN(6)
		}
		train := func(threads int) (events []Event, err error) {
			ctx, stop := team.With(context.Background(), threads)
			defer stop()
			err = inOrder(ctx, n, nil, func(e Event) { events = append(events, e) }, func(ctx context.Context, i int, report Report) error {
				report.Send(Progress{100 * i})
				err := inOrder(ctx, lengths[i], nil, report, func(_ context.Context, j int, report Report) error {
					for k := range (i*j)%3 + 1 {
						runtime.Gosched()
						report.Send(Solved{Iterations: i, Vectors: j, Bounded: k})
					}
					if i == failing && j == lengths[i]/2 {
						return fmt.Errorf("task %d/%d", i, j)
					}
					return nil
				})
				if err != nil {
					return err
				}
				report.Send(Progress{100*i + 1})
				if i == failing {
					return fmt.Errorf("task %d", i)
				}
				return nil
			})
			return events, err
		}
		want, wantErr := train(1)
		for _, threads := range []int{2, 3, 8} {
			got, err := train(threads)
			if !slices.Equal(got, want) {
				t.Errorf("seed %d, %d threads: events %v, want %v", seed, threads, got, want)
			}
			if fmt.Sprint(err) != fmt.Sprint(wantErr) {
				t.Errorf("seed %d, %d threads: error %v, want %v", seed, threads, err, wantErr)
			}
		}
	}
}

// TestInOrderSmall: events and errors are the same when small tasks are handed out many at a time,
// with some large ones between them.
func TestInOrderSmall(t *testing.T) {
	bunched := 0
	for seed := range 40 {
		r := rand.New(rand.NewPCG(uint64(seed), 2))
		n := 600 + r.IntN(600)
		sizes := make([]int, n)
		for i := range sizes {
			sizes[i] = 1 + r.IntN(9)
			if r.IntN(50) == 0 {
				sizes[i] = bunchSize
			}
		}
		failing := r.IntN(2 * n)
		train := func(threads int) (events []Event, run int, err error) {
			ctx, stop := team.With(context.Background(), threads)
			defer stop()
			var last atomic.Int64
			err = inOrder(ctx, n, func(i int) int { return sizes[i] }, func(e Event) { events = append(events, e) }, func(ctx context.Context, i int, report Report) error {
				last.Store(max(last.Load(), int64(i)))
				for k := range i%4 + 1 {
					report.Send(Solved{Iterations: i, Vectors: k})
					report.Send(Progress{k})
				}
				if i >= failing {
					return fmt.Errorf("task %d", i)
				}
				report.Send(Solved{Iterations: i, Vectors: -1})
				return nil
			})
			return events, int(last.Load()), err
		}
		want, last, wantErr := train(1)
		if last != min(failing, n-1) {
			t.Fatalf("seed %d: the last task that was run is %d, want %d", seed, last, min(failing, n-1))
		}
		for _, threads := range []int{2, 3, 8} {
			got, _, err := train(threads)
			if !slices.Equal(got, want) {
				t.Errorf("seed %d, %d threads: %d events differ from the %d of one thread", seed, threads, len(got), len(want))
			}
			if fmt.Sprint(err) != fmt.Sprint(wantErr) {
				t.Errorf("seed %d, %d threads: error %v, want %v", seed, threads, err, wantErr)
			}
			bunched += n - len(groupTasks(n, n/(manyBunches*threads), func(i int) int { return sizes[i] }, func(k int) int { return k }))
		}
	}
	if bunched == 0 {
		t.Error("no tasks were handed out together")
	}
}

// TestInOrderCancels: tasks behind one that fails are cancelled, those before it are not, and a
// failure of an earlier task wins.
func TestInOrderCancels(t *testing.T) {
	ctx, stop := team.With(context.Background(), 3)
	defer stop()
	first := errors.New("the first")
	started, failed := make(chan struct{}), make(chan struct{})
	err := inOrder(ctx, 50, nil, nil, func(ctx context.Context, i int, _ Report) error {
		switch i {
		case 0:
			<-failed
			select {
			case <-ctx.Done():
				t.Error("a task before the failing one is made to stop")
			case <-time.After(10 * time.Millisecond):
			}
			return nil
		case 1:
			<-started
			close(failed)
			return first
		case 2:
			close(started)
			<-ctx.Done() // hangs unless it is cancelled
			return ctx.Err()
		}
		t.Errorf("task %d is begun though an earlier one has failed", i)
		return nil
	})
	if err != first {
		t.Errorf("error %v, want %v", err, first)
	}
}

// TestInOrderSmallStops: small tasks are not begun when the context has ended, even if they do not
// look at it.
func TestInOrderSmallStops(t *testing.T) {
	const n = 100_000
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	ctx, stop := team.With(ctx, 2)
	defer stop()
	var run atomic.Int64
	err := inOrder(ctx, n, func(int) int { return 2 }, nil, func(context.Context, int, Report) error {
		run.Add(1)
		cancel()
		return nil
	})
	if !errors.Is(err, context.Canceled) || run.Load() > n/10 {
		t.Errorf("error %v after %d of %d tasks", err, run.Load(), n)
	}
}

// TestInOrderSilent: tasks that send no events take no memory, in whatever order they end: there may
// be millions.
func TestInOrderSilent(t *testing.T) {
	const n = 100_000
	ctx, stop := team.With(context.Background(), 2)
	defer stop()
	var before, after runtime.MemStats
	told := 0
	runtime.ReadMemStats(&before)
	err := inOrder(ctx, n, func(i int) int { return 2 + i/(n/2) }, func(Event) { told++ }, func(_ context.Context, i int, report Report) error {
		if i%10_000 == 0 {
			report.Send(Progress{i})
		}
		return nil
	})
	runtime.ReadMemStats(&after)
	if size := after.TotalAlloc - before.TotalAlloc; err != nil || told != n/10_000 || size > 10*n {
		t.Errorf("error %v, %d events, %d bytes for %d tasks; 8 a task are for their order", err, told, size, n)
	}
}

// TestLargestFirst: a list is made only if tasks change places.
func TestLargestFirst(t *testing.T) {
	for _, c := range []struct{ sizes, want []int }{
		{nil, nil},
		{[]int{5}, nil},
		{[]int{1, 2, 1, 3}, nil}, // a bunch has several
		{[]int{900, 800, 800, 2, 3}, nil},
		{[]int{800, 800, 900, 2, 900}, []int{2, 4, 0, 1, 3}},
		{[]int{1, 200}, []int{1, 0}},
	} {
		if got := largestFirst(len(c.sizes), func(i int) int { return c.sizes[i] }); !slices.Equal(got, c.want) || (got == nil) != (c.want == nil) {
			t.Errorf("sizes %v: %v, want %v", c.sizes, got, c.want)
		}
	}
}
