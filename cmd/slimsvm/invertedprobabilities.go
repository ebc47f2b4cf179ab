package main

import (
	"fmt"
	"math"

	"github.com/slimsvm/slimsvm/models"
)

// warnInvertedProbabilities warns of probabilities by which rows at the margin of either class are rather of the other one: in the
// cross-validation that they are from, values spoke against labels, as where rows are few, so that each is missed, or
// each is alone. Then even the rows of the training are answered wrongly. Ensembles answer by votes first.
func (w *watcher) warnInvertedProbabilities(m *models.Model) {
	if !m.Task.Classifies() || m.Vote == models.Ensemble {
		return
	}
	inverted := 0
	for i := range m.Machines {
		if s := m.Machines[i].Sigmoid; s != nil && s.A > math.Abs(s.B) {
			inverted++
		}
	}
	if inverted == 0 {
		return
	}
	of := ""
	if n := len(m.Machines); n > 1 {
		of = fmt.Sprintf(" of %d of %d machines", inverted, n)
	}
	w.warn("the probabilities%s are the wrong way round: the decision values of held-out rows contradict the labels, because there are few rows or the features say little about the labels; predict without --probability uses the decision values", of)
}
