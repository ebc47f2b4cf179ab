package cs_test

import (
	"runtime"
	"testing"

	"github.com/slimsvm/slimsvm/format/generate"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/cs"
)

// TestReportExits: a Report that ends its goroutine ends that of who trains, whichever of several runs it was
// told of.
func TestReportExits(t *testing.T) {
	set, ok := generate.Lookup("gauss5")
	if !ok {
		t.Fatal("no set gauss5")
	}
	d := set.Generate(100, 1)
	of := func(report train.Report, threads int) cs.Trainer {
		s := cs.Default()
		s.Runs, s.Points, s.Grid, s.Sizes = 3, 4, []float64{1, 10}, []int{30, 60}
		return cs.Trainer{Settings: s, Kernel: kernel.RBF{Gamma: 0.1}, Report: report, Threads: threads}
	}
	told := 0
	if _, err := of(func(train.Event) { told++ }, 1).Train(t.Context(), d, nil); err != nil {
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
				_, err := c.Train(t.Context(), d, nil)
				back = true
				t.Errorf("%d threads, event %d of %d: Train returns, error %v", threads, last, told, err)
			}()
			<-returned
		}
	}
}
