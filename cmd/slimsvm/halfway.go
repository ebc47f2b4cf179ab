package main

import (
	"fmt"
	"math"

	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/probe"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/predict"
)

// warnHalfway warns of a classifier that predicts one label halfway between near training rows of any class. It may predict
// all training rows rightly, and be no better than chance on others.
func (w *watcher) warnHalfway(c *cli.Context, p *problem, r *prepared, m *models.Model) {
	k, local := r.kernel.(kernel.RBF)
	if !local || p.method.Linear || w.quiet || !p.method.Task.Classifies() || len(m.Labels) < 2 {
		return
	}
	asked, err := w.predictor(m)
	if err != nil {
		return
	}
	label, heart, is := probe.Halfway(c.Context, asked, r.data)
	if !is {
		return
	}
	way := w.separationHint(c, p, r, nil)
	if heart {
		way = ": " + smallerGamma(c, r, k) + " may tell new rows apart"
	}
	w.warn("halfway between near training rows of the same class, the model predicts label %s nearly everywhere, for each class%s", w.class(label), way)
}

// smallerGamma returns what a smaller gamma may be.
func smallerGamma(c *cli.Context, r *prepared, k kernel.RBF) string {
	if scale, err := kernelOfScale(c.Context, r); err == nil {
		if of := float64(*kernelOf(scale).Gamma); gammaDiffers(of, k.Gamma) && of < k.Gamma {
			return fmt.Sprintf("--gamma scale (%.3g, not %.3g)", of, k.Gamma)
		}
	}
	return "a smaller --gamma"
}

// levelBetween is how little predictions halfway between rows differ, beside those for the rows, if the model knows these
// by heart.
const levelBetween = 0.5

// warnConstantHalfway is warnHalfway for regressions: halfway between near rows, the predictions of one that knows its training
// rows by heart hardly differ. What is compared is the middle half of either.
func (w *watcher) warnConstantHalfway(c *cli.Context, p *problem, r *prepared, m *models.Model) {
	k, local := r.kernel.(kernel.RBF)
	if !local || w.quiet || !p.method.Task.Regresses() {
		return
	}
	asked, err := predict.New(m)
	if err != nil {
		return
	}
	if of, by, ok := probe.SpreadHalfway(c.Context, asked, r.data); ok && by < levelBetween*of && !math.IsInf(of, 0) {
		w.warn("halfway between near training rows, the model's predictions differ by %.2g in the middle half, and by %.2g for the rows themselves: %s may predict new rows better", by, of, smallerGamma(c, r, k))
	}
}
