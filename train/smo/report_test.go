package smo_test

import (
	"testing"

	"github.com/slimsvm/slimsvm/format/generate"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/smo"
)

// TestReportInPlace: for a classifier, the trainer's Report gets the events, and the solver's none.
func TestReportInPlace(t *testing.T) {
	set, _ := generate.Lookup("moons")
	d := set.Generate(60, 1)
	count := func(n *int) train.Report { return func(train.Event) { *n++ } }
	var solver, trainer int
	s := smo.DefaultCSVC()
	s.Report = count(&solver)
	k := kernel.RBF{Gamma: 1}
	for _, c := range []train.Trainer{
		train.OneVsOne{Solver: s, Kernel: k},
		train.OneVsRest{Solver: s, Kernel: k},
		train.OneVsOne{Solver: s, Kernel: k, Report: count(&trainer)},
		train.OneVsRest{Solver: s, Kernel: k, Report: count(&trainer)},
	} {
		before := trainer
		if _, err := c.Train(t.Context(), d, nil); err != nil {
			t.Fatal(err)
		}
		if before > 0 && trainer == before {
			t.Errorf("%T: the trainer's Report receives nothing", c)
		}
	}
	if solver > 0 || trainer == 0 {
		t.Errorf("%d events for the solver's Report, %d for the trainers'", solver, trainer)
	}
}
