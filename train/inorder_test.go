package train

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/slimsvm/slimsvm/train/internal/team"
)

// TestInOrder: events, and the first error, are those of tasks that run one after
// the other, also when tasks are nested and end in any order.
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

// TestInOrderCancels: tasks behind one that fails are told to stop, tasks before
// it are not, and a task that fails earlier wins.
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
				t.Error("a task before the failing one is told to stop")
			case <-time.After(10 * time.Millisecond):
			}
			return nil
		case 1:
			<-started
			close(failed)
			return first
		case 2:
			close(started)
			<-ctx.Done() // hangs unless it is told
			return ctx.Err()
		}
		t.Errorf("task %d is begun though an earlier one has failed", i)
		return nil
	})
	if err != first {
		t.Errorf("error %v, want %v", err, first)
	}
}
