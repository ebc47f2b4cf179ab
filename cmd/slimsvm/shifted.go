package main

import (
	"fmt"
	"math"

	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/train"
)

// An iteration is one of an ensemble of exemplar or prototype machines.
type iteration struct {
	Round     int    `json:"round,omitempty"` // of sampling
	Iteration int    `json:"iteration"`
	Machines  int    `json:"machines"`
	Accuracy  number `json:"accuracy"` // on rows held out
}

// shifted takes note of an iteration, and shows it.
func (w *watcher) shifted(ev train.Shifted) {
	i := iteration{ev.Round, ev.Iteration, ev.Machines, number(ev.Accuracy)}
	w.shifts = append(w.shifts, i)
	if w.quiet || w.kept {
		return
	}
	text := fmt.Sprintf("iteration %d: %s", i.Iteration, count(i.Machines, "machine"))
	if i.Round > 0 {
		text = fmt.Sprintf("sample %d, %s", i.Round, text)
	}
	if !math.IsNaN(ev.Accuracy) {
		text += fmt.Sprintf(", %.4g%% of the rows held out are answered rightly", 100*ev.Accuracy)
	}
	fmt.Fprintln(w.stderr, text)
}

// chosenIteration returns the iteration whose ensemble became the model: the best of the
// last sample, of equally good ones the last; nil if there were none.
func chosenIteration(all []iteration) *int {
	best := -1
	for k, i := range all {
		if best < 0 || i.Round > all[best].Round || !(i.Accuracy < all[best].Accuracy) {
			best = k
		}
	}
	if best < 0 {
		return nil
	}
	return &all[best].Iteration
}

// machineCount returns how many machines a model has, of an ensemble its members.
func machineCount(m *models.Model) int {
	if m.Vote == models.Ensemble {
		return m.CountMembers()
	}
	return len(m.Machines)
}
