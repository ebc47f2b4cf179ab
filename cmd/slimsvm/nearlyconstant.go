package main

import (
	"math"

	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/probe"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// levelShare is how little answers differ, beside targets, if they are nearly all the same: less than what
// there is to find in most targets that are little more than chance.
const levelShare = 0.01

// warnNearlyConstant warns of a regression whose answers for training rows hardly differ beside their
// targets, as where the cost is far too small for targets that are large, and reports whether it
// did. What is compared is the middle half of either, which few targets far from the others leave
// as it is.
func (w *watcher) warnNearlyConstant(c *cli.Context, p *problem, r *prepared, m *models.Model) bool {
	if _, given := r.kernel.(kernel.Precomputed); given || w.quiet || !p.method.Task.Regresses() {
		return false
	}
	rows := probe.EvenSample(r.data.Len(), mostAlike)
	answers := make([]float64, 0, len(rows))
	if err := eachAnswer(c.Context, m, r.data, rows, func(answer float64) bool {
		answers = append(answers, answer)
		return true
	}); err != nil {
		return false
	}
	targets := make([]float64, len(rows))
	for k, i := range rows {
		targets[k] = r.data.Y[i]
	}
	of, by := probe.InterquartileRange(targets), probe.InterquartileRange(answers)
	is := of > 0 && by < levelShare*of && !math.IsInf(of, 0)
	if is {
		w.warn("the model's predictions for training rows hardly differ: by %.2g in the middle half, where targets differ by %.2g%s", by, of, w.separationHint(c, p, r, nil))
	}
	return is
}
