package cs_test

import (
	"testing"

	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/cs"
	"github.com/slimsvm/slimsvm/train/traintest"
)

func TestConformance(t *testing.T) {
	for _, c := range []struct {
		name, set string
		kernel    kernel.Kernel
		rest      bool
		change    func(s *cs.Settings)
	}{
		{"pairs", "", kernel.RBF{Gamma: 0.1}, false, func(s *cs.Settings) {}},
		{"against the rest", "", kernel.RBF{Gamma: 0.1}, true, func(s *cs.Settings) { s.Whole = true }},
		{"two classes", "checkerboard", kernel.RBF{Gamma: 0.0024}, true, func(s *cs.Settings) { s.Alternate, s.Starts, s.Box, s.Points = true, 2, cs.PaperBox, 8 }},
		{"linear", "ndc", kernel.Linear{}, true, func(s *cs.Settings) {}},
		{"polynomial", "ringnorm", kernel.Poly{Gamma: 0.1, Coef0: 1, Degree: 2}, true, func(s *cs.Settings) { s.Nu = []float64{1} }},
		{"closed", "", kernel.RBF{Gamma: 0.2}, false, func(s *cs.Settings) { s.Form, s.Nu = cs.Weighted, []float64{0.01} }},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := cs.Default()
			s.Runs, s.Points, s.Grid, s.Sizes = 3, 4, []float64{1, 10}, []int{30, 60}
			c.change(&s)
			traintest.Run(t, func(report train.Report) train.Trainer {
				return cs.Trainer{Settings: s, Kernel: c.kernel, OneVsRest: c.rest}.Fork(report)
			}, traintest.Options{Set: c.set, Accuracy: 0.8})
		})
	}
}
