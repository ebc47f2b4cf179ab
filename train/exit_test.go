package train_test

import (
	"math/rand/v2"
	"testing"

	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/smo"
	"github.com/slimsvm/slimsvm/train/traintest"
)

// TestReportExits: a Report that ends its goroutine ends that of the caller, whichever of several
// machines or folds the event is of.
func TestReportExits(t *testing.T) {
	d := classes(rand.New(rand.NewPCG(7, 8)), 4, 300, 4, 1)
	for _, probability := range []bool{false, true} {
		traintest.ReportExits(t, d, 8, func(report train.Report, threads int) train.Trainer {
			return train.OneVsOne{Solver: smo.DefaultCSVC(), Task: models.CSVC, Kernel: kernel.RBF{Gamma: 0.25}, Probability: probability, Report: report, Threads: threads}
		})
	}
}
