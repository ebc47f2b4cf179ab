package main

import (
	"fmt"
	"math"
	"strconv"

	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/jsonline"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/phrase"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/train"
)

// An iteration is one of an ensemble of exemplar or prototype machines.
type iteration struct {
	Trial     bool            `json:"trial,omitempty"` // on some rows, to choose the form
	Rising    bool            `json:"rising_sigmoids,omitempty"`
	Sparing   bool            `json:"few_hard_negatives,omitempty"` // to compare
	Form      string          `json:"form,omitempty"`               // where there are several
	Round     int             `json:"round,omitempty"`              // of sampling
	Iteration int             `json:"iteration"`
	Machines  int             `json:"machines"`
	Accuracy  jsonline.Number `json:"accuracy"` // on rows held out
}

// iterationDone takes note of an iteration, and shows it.
func (w *watcher) iterationDone(ev train.IterationDone) {
	i := iteration{ev.Trial, ev.Rising, ev.Sparing, ev.Form, ev.Round, ev.Iteration, ev.Machines, jsonline.Number(ev.Accuracy)}
	w.shifts = append(w.shifts, i)
	w.shifted.Add(1)
	if w.quiet || w.kept {
		return
	}
	text := fmt.Sprintf("iteration %d: %s", i.Iteration, phrase.Count(i.Machines, "machine"))
	if i.Form != "" {
		text = i.Form + ", " + text
	}
	if i.Sparing {
		text = "few hard negatives, " + text
	}
	if i.Round > 0 {
		text = fmt.Sprintf("sample %d, %s", i.Round, text)
	}
	if i.Rising {
		text = "rising sigmoids, " + text
	}
	if i.Trial {
		text = "trial, " + text
	}
	if !math.IsNaN(ev.Accuracy) {
		text += fmt.Sprintf(", %.4g%% of held-out rows are predicted correctly", 100*ev.Accuracy)
	}
	fmt.Fprintln(w.stderr, text)
}

// parameterOf returns what the history of a model says of a parameter, "" if nothing.
func parameterOf(m *models.Model, name string) string {
	if m.Provenance == nil {
		return ""
	}
	for _, p := range m.Provenance.Parameters {
		if p.Name == name {
			return p.Value
		}
	}
	return ""
}

// chosenIteration returns the iteration that an ensemble is of; nil: it is of none.
func chosenIteration(m *models.Model) *int {
	n, err := strconv.Atoi(parameterOf(m, "best_iteration"))
	if err != nil {
		return nil
	}
	return &n
}

// machineCount returns how many machines a model has, of an ensemble its members.
func machineCount(m *models.Model) int {
	if m.Vote == models.Ensemble {
		return m.CountMembers()
	}
	return len(m.Machines)
}
