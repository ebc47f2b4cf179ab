package traintest

import (
	"context"
	"runtime"
	"testing"
	"time"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/train"
)

// ReportExits checks that a Report that ends its goroutine ends the goroutine of Train's caller. It
// tries several of the events of a training on d, with one thread and with four. of returns the
// trainer.
func ReportExits(t *testing.T, d *format.Dataset, events int, of func(report train.Report, threads int) train.Trainer) {
	t.Helper()
	told := 0
	if _, err := of(func(train.Event) { told++ }, 1).Train(t.Context(), d, train.NewRand(1)); err != nil {
		t.Fatal(err)
	}
	if told < events {
		t.Fatalf("%d events: the check is void", told)
	}
	for last := 1; last <= told; last += 1 + told/events {
		for _, threads := range []int{1, 4} {
			heard := 0
			c := of(func(train.Event) {
				if heard++; heard == last {
					runtime.Goexit()
				}
			}, threads)
			ended := make(chan struct{})
			go func() {
				defer close(ended)
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // so that what waits for ever fails
				defer cancel()
				_, err := c.Train(ctx, d, train.NewRand(1))
				t.Errorf("%d threads, event %d of %d: Train returns, error %v", threads, last, told, err)
			}()
			<-ended
		}
	}
}
