package psvm

import (
	"context"
	"strconv"
	"testing"

	"github.com/slimsvm/slimsvm/train"
)

// TestIteration: of the iterations of a form, the last of those that answer the most held-out rows
// rightly is the result, and the last of all if no row is held out.
func TestIteration(t *testing.T) {
	tied := false
	for _, validation := range []float64{0.25, 0} {
		for seed := range uint64(6) {
			s := Default()
			s.Iterations, s.Form, s.Validation, s.Seed, s.Cost, s.HardNegatives = 4, Others, validation, seed, 10, thesisHard
			var all []train.IterationDone
			s.Report = func(e train.Event) {
				if e, is := e.(train.IterationDone); is {
					all = append(all, e)
				}
			}
			m, err := s.Train(context.Background(), set(t, "striated", 120), nil)
			if err != nil {
				t.Fatal(err)
			}
			if len(all) != 5 || all[4].Machines == 0 {
				t.Fatalf("iterations %+v", all)
			}
			best := 0
			for j, e := range all {
				if validation == 0 || e.Accuracy >= all[best].Accuracy {
					tied = tied || j > 0 && e.Accuracy == all[best].Accuracy
					best = j
				}
			}
			if got := parameter(m, "best_iteration"); got != strconv.Itoa(best) {
				t.Errorf("%v held out, seed %d: iteration %s, want %d of %+v", validation, seed, got, best, all)
			}
		}
	}
	if !tied {
		t.Error("no two ensembles were equally good")
	}
}
