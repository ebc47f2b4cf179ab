package joint

import (
	"testing"

	"github.com/slimsvm/slimsvm/format/generate"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/traintest"
)

// TestReportExits: a Report that ends its goroutine ends the goroutine of Train's caller, whichever
// of several descents the event is of.
func TestReportExits(t *testing.T) {
	set, ok := generate.Lookup("gauss5")
	if !ok {
		t.Fatal("no set gauss5")
	}
	traintest.ReportExits(t, set.Generate(60, 1), 5, func(report train.Report, threads int) train.Trainer {
		c := small(report)
		c.Threads = threads
		return c
	})
}
