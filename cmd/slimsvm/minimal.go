package main

import (
	"fmt"

	"github.com/slimsvm/slimsvm/train"
)

// minimal says what linear programmes found, added up over the machines; the bounds
// are the mean of the machines'.
type minimal struct {
	Rows        int    `json:"m1"` // that the classifier depends on in training
	Vectors     int    `json:"m2"` // kernel support vectors
	LooCorrect  number `json:"loo_correct"`
	LooError    number `json:"loo_error"`
	Programmes  int    `json:"programmes"`
	FirstPivots int    `json:"first_pivots"`
	Pivots      int    `json:"pivots"`

	machines int
	wrong    float64 // sum of their bounds on the error
	of       int     // sum of their rows
}

// add adds a machine.
func (m *minimal) add(e train.Minimised) *minimal {
	if m == nil {
		m = new(minimal)
	}
	m.machines++
	m.Rows += e.Rows
	m.Vectors += e.Vectors
	m.Programmes += e.Programmes
	m.FirstPivots += e.FirstPivots
	m.Pivots += e.Pivots
	m.of += e.Of
	m.wrong += float64(e.Missable) / float64(e.Of)
	m.LooError = number(m.wrong / float64(m.machines))
	m.LooCorrect = 1 - m.LooError
	return m
}

// print says it in words.
func (m *minimal) print(e *env) {
	if m == nil {
		return
	}
	fmt.Fprintf(e.stderr, "%d x %d rows and vectors matter (m1 x m2, of %d rows); with one row left out at least %.4g%% of answers are right; %s, %s\n",
		m.Rows, m.Vectors, m.of, 100*float64(m.LooCorrect), count(m.Programmes, "linear programme"), count(m.Pivots, "pivot"))
}
