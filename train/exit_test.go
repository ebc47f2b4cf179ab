package train_test

import (
	"context"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/smo"
)

// TestReportExits: a Report that ends its goroutine ends that of who trains, whichever of several machines or
// folds it was told of.
func TestReportExits(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // so that what waits for ever fails
	defer cancel()
	d := classes(rand.New(rand.NewPCG(7, 8)), 4, 300, 4, 1)
	for name, probability := range map[string]bool{"machines": false, "probabilities": true} {
		of := func(report train.Report, threads int) train.Trainer {
			return train.OneVsOne{Solver: smo.DefaultCSVC(), Task: models.CSVC, Kernel: kernel.RBF{Gamma: 0.25}, Probability: probability, Report: report, Threads: threads}
		}
		told := 0
		if _, err := of(func(train.Event) { told++ }, 1).Train(ctx, d, train.NewRand(1)); err != nil {
			t.Fatal(err)
		}
		for last := 1; last <= told; last += 1 + told/20 {
			for _, threads := range []int{1, 4} {
				events := 0
				c := of(func(train.Event) {
					if events++; events == last {
						runtime.Goexit()
					}
				}, threads)
				returned := make(chan bool, 1)
				go func() {
					back := false
					defer func() { returned <- back }()
					_, err := c.Train(ctx, d, train.NewRand(1))
					back = true
					t.Errorf("%s, %d threads, event %d of %d: Train returns, error %v", name, threads, last, told, err)
				}()
				<-returned
			}
		}
	}
}
