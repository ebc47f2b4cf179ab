package cs_test

import (
	"testing"

	"github.com/slimsvm/slimsvm/format/generate"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/cs"
	"github.com/slimsvm/slimsvm/train/traintest"
)

// TestReportExits: a Report that ends its goroutine ends the goroutine of Train's caller, whichever
// of several runs the event is of.
func TestReportExits(t *testing.T) {
	set, ok := generate.Lookup("gauss5")
	if !ok {
		t.Fatal("no set gauss5")
	}
	traintest.ReportExits(t, set.Generate(100, 1), 20, func(report train.Report, threads int) train.Trainer {
		s := cs.Default()
		s.Runs, s.Points, s.Grid, s.Sizes = 3, 4, []float64{1, 10}, []int{30, 60}
		return cs.Trainer{Settings: s, Kernel: kernel.RBF{Gamma: 0.1}, Report: report, Threads: threads}
	})
}
