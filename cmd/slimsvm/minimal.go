package main

import (
	"fmt"

	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/jsonline"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/phrase"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/mkc"
)

// minimal says what linear programmes found, added up over the machines; the bounds are
// those of the classifier.
type minimal struct {
	Rows        int             `json:"m1"` // that the classifier depends on in training
	Vectors     int             `json:"m2"` // kernel support vectors
	LooCorrect  jsonline.Number `json:"loo_correct"`
	LooError    jsonline.Number `json:"loo_error"`
	Programmes  int             `json:"programmes"`
	FirstPivots int             `json:"first_pivots"`
	Pivots      int             `json:"pivots"`
	Unfinished  int             `json:"unfinished,omitempty"` // machines

	machines []train.Minimised
	of       int // sum of their rows
}

// add adds a machine.
func (m *minimal) add(e train.Minimised) *minimal {
	if m == nil {
		m = new(minimal)
	}
	m.machines = append(m.machines, e)
	m.Rows += e.Rows
	m.Vectors += e.Vectors
	m.Programmes += e.Programmes
	m.FirstPivots += e.FirstPivots
	m.Pivots += e.Pivots
	m.of += e.Of
	if e.Unfinished {
		m.Unfinished++
	}
	wrong, of := mkc.LeaveOneOutErrors(m.machines)
	m.LooError = jsonline.Number(float64(wrong) / float64(of))
	m.LooCorrect = jsonline.Number(float64(of-wrong) / float64(of))
	return m
}

// print says it in words.
func (m *minimal) print(e *env) {
	if m == nil {
		return
	}
	answers := "predictions"
	if m.Programmes > len(m.machines) { // the bound is that of the first
		answers = phrase.Agree(len(m.machines), "the first program's predictions", "the first programs' predictions")
	}
	fmt.Fprintf(e.stderr, "%d of %d rows (m1) and %s (m2) matter%s; with one row left out, at least %.4g%% of %s are correct; %s, %s\n",
		m.Rows, m.of, phrase.Count(m.Vectors, "vector"), phrase.Agree(len(m.machines), "", fmt.Sprintf(", added up over %d machines", len(m.machines))),
		100*float64(m.LooCorrect), answers, phrase.Count(m.Programmes, "linear program"), phrase.Count(m.Pivots, "pivot"))
}
