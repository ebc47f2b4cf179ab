package main

import (
	"fmt"

	"github.com/slimsvm/slimsvm/train"
)

// solved are the norms of the gradients at solutions, relative to 1 + |(v, gamma)|.
type solved struct {
	gradient float64 // the largest
	bad      bool    // one is not below mostGradient
}

// mostGradient is what every gradient must be below.
const mostGradient = 1e-6

// note is a train.Report.
func (s *solved) note(e train.Event) {
	if of, ok := e.(train.Solved); ok && of.Name == "gradient" {
		s.gradient = max(s.gradient, of.Value)
		s.bad = s.bad || !(of.Value < mostGradient)
	}
}

// check returns an error if a solution is none.
func (s *solved) check() error {
	if s.bad {
		return fmt.Errorf("a gradient of relative norm %v where Newton's steps ended", s.gradient)
	}
	return nil
}

// gradientColumn is behind a method's name in the figures, but not a column of the table.
const gradientColumn = " gradient"

// steepest says how large the gradients of all runs are.
func steepest(t *table, g gathered) string {
	most, runs := 0.0, 0
	for _, row := range t.rows {
		for _, method := range []string{bySystematic, byRandom, byFull} {
			for _, v := range g.values[cell{row, method + gradientColumn}] {
				most = max(most, v)
				runs++
			}
		}
	}
	if runs == 0 {
		return ""
	}
	return fmt.Sprintf("The largest norm of a gradient at a solution, relative to 1 + |(v, gamma)|, of all trainings of %d runs, those that choose included: %.6g; a run with one of %.0e or more would have failed.\n", runs, most, mostGradient)
}
