package psvm_test

import (
	"testing"

	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/psvm"
	"github.com/slimsvm/slimsvm/train/traintest"
)

func TestConformance(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*psvm.Trainer)
	}{
		{"psvm", func(*psvm.Trainer) {}},
		{"esvm", func(t *psvm.Trainer) { t.Iterations = 0 }},
		{"one hyperplane, literal", func(t *psvm.Trainer) { t.Single, t.Form, t.EqualCosts = true, psvm.Literal, true }},
		{"literal", func(t *psvm.Trainer) { t.Form, t.Ballot = psvm.Literal, models.ByCount }},
		{"sampling", func(t *psvm.Trainer) { t.Sampling, t.Form = psvm.Rounds, psvm.OthersLikely }},
		{"decision", func(t *psvm.Trainer) {
			t.Ballot, t.Probability, t.Form, t.Unpruned = models.ByDecision, true, psvm.Own, true
		}},
		{"count, lean, nothing held out", func(t *psvm.Trainer) { t.Ballot, t.Lean, t.Validation = models.ByCount, true, 0 }},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := psvm.Default()
			c.change(&s)
			traintest.Run(t, func(report train.Report) train.Trainer { return s.Fork(report) }, traintest.Options{Set: "gauss5", Accuracy: 0.7})
		})
	}
}
